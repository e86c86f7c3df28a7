/* Bodies that write over what they are given, with the notes of in-place-windows: both executors
 * agree, and a run copies no more bytes than it must. */
#include "graphs.h"
#include "passes/passes.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* A cache of four rows, carried through a loop whose body has the NODES that make %new; the loop is
 * given FIRST, and READERS are the nodes behind it. */
#define CARRIED(before, first, nodes, readers)                                                     \
    "%trip = Parameter-1 {element_type = i64, shape = []}\n"                                       \
    "%x = Parameter-1 {element_type = f32, shape = [4,2]}\n"                                       \
    "%go = Const-1 {value = boolean[] true}\n" before "%l:1 = Loop-5(%trip, %go, " first ")\n"     \
    "body \"b\" {\n"                                                                               \
    "%c = Parameter-1 {element_type = f32, shape = [4,2]}\n"                                       \
    "%i = Parameter-1 {element_type = i64, shape = [1]}\n"                                         \
    "%one = Const-1 {value = i64[1] [1]}\n"                                                        \
    "%yes = Const-1 {value = boolean[] true}\n"                                                    \
    "%next = Add-1(%i, %one)\n" nodes "%on = Result-1(%yes)\n"                                     \
    "%o = Result-1(%new)\n"                                                                        \
    "}\n"                                                                                          \
    "in 2 -> %c\n"                                                                                 \
    "in none -> %i iteration\n"                                                                    \
    "out %on -> none condition\n"                                                                  \
    "out %o -> 0\n"                                                                                \
    "back %o -> %c\n" readers

#define NEGATE_ROW                                                                                 \
    "%s = Slice-8(%c, %i, %next, %one)\n"                                                          \
    "%y = Negative-1(%s)\n"                                                                        \
    "%new = SliceScatter-15(%c, %y, %i, %next, %one)\n"

/* Iteration i writes row i, which is known in the run only: what the loop begins with is copied
 * once, whatever the number of iterations. */
static void test_window_of_each_iteration(void **state)
{
    runner r = runner_of_noted(CARRIED("", "%x", NEGATE_ROW, "%a = Result-1(%l)\n"));

    (void)state;
    for (int i = 0; i < 2; i++) {
        check_noted(&r, OPERANDS("i64 4", "f32[4,2] 1 2 3 4 5 6 7 8"),
                    OPERANDS("f32[4,2] -1 -2 -3 -4 -5 -6 -7 -8"), 32);
        check_noted(&r, OPERANDS("i64 1", "f32[4,2] 1 2 3 4 5 6 7 8"),
                    OPERANDS("f32[4,2] -1 -2 3 4 5 6 7 8"), 32);
        check_noted(&r, OPERANDS("i64 0", "f32[4,2] 1 2 3 4 5 6 7 8"),
                    OPERANDS("f32[4,2] 1 2 3 4 5 6 7 8"), 32);
    }
    runner_free(&r);
}

/* What the loop is given dies there: nothing is copied. What is read behind the loop is. */
static void test_given_to_a_loop(void **state)
{
    runner dies =
        runner_of_noted(CARRIED("%d = Negative-1(%x)\n", "%d", NEGATE_ROW, "%a = Result-1(%l)\n"));
    runner lives = runner_of_noted(CARRIED("%d = Negative-1(%x)\n", "%d", NEGATE_ROW,
                                           "%z = Add-1(%l, %d)\n%a = Result-1(%z)\n"));

    (void)state;
    for (int i = 0; i < 2; i++) {
        check_noted(&dies, OPERANDS("i64 3", "f32[4,2] 1 2 3 4 5 6 7 8"),
                    OPERANDS("f32[4,2] 1 2 3 4 5 6 -7 -8"), 0);
        check_noted(&dies, OPERANDS("i64 0", "f32[4,2] 1 2 3 4 5 6 7 8"),
                    OPERANDS("f32[4,2] -1 -2 -3 -4 -5 -6 -7 -8"), 0);
        check_noted(&lives, OPERANDS("i64 3", "f32[4,2] 1 2 3 4 5 6 7 8"),
                    OPERANDS("f32[4,2] 0 0 0 0 0 0 -14 -16"), 32);
    }
    runner_free(&dies);
    runner_free(&lives);
}

/* Row i + 1 is made of row i, where it belongs: rows that touch at a value that both name have
 * nothing in common. */
static void test_window_beside_another(void **state)
{
    runner r = runner_of_noted(CARRIED("%d = Negative-1(%x)\n", "%d",
                                       "%after = Add-1(%next, %one)\n"
                                       "%s = Slice-8(%c, %i, %next, %one)\n"
                                       "%y = Negative-1(%s)\n"
                                       "%new = SliceScatter-15(%c, %y, %next, %after, %one)\n",
                                       "%a = Result-1(%l)\n"));

    (void)state;
    for (int i = 0; i < 2; i++)
        check_noted(&r, OPERANDS("i64 3", "f32[4,2] 1 2 3 4 5 6 7 8"),
                    OPERANDS("f32[4,2] -1 -2 1 2 -1 -2 1 2"), 0);
    runner_free(&r);
}

#define BRANCH(nodes)                                                                              \
    "{\n%p = Parameter-1 {element_type = f32, shape = [4,2]}\n"                                    \
    "%at = Const-1 {value = i64[1] [1]}\n%axis = Const-1 {value = i64[] 0}\n"                      \
    "%row = Const-1 {value = f32[1,2] [7, 9]}\n" nodes                                             \
    "%o = Result-1(%q)\n}\nin 1 -> %p\nout %o -> 0\n"
#define DECIDED                                                                                    \
    "%c = Parameter-1 {element_type = boolean, shape = []}\n"                                      \
    "%x = Parameter-1 {element_type = f32, shape = [4,2]}\n"                                       \
    "%at = Const-1 {value = i64[1] [0]}\n%axis = Const-1 {value = i64[] 0}\n"                      \
    "%row = Const-1 {value = f32[1,2] [3, 5]}\n%d = Negative-1(%x)\n%i = If-8(%c, %d)\n"
#define PUT "%q = ScatterUpdate-3(%p, %at, %row, %axis)\n"

/* Branches exclude each other: both write over what dies at the If. Rows of 8 bytes are copied. */
static void test_given_to_branches(void **state)
{
    static const char both[] = DECIDED "then_body \"t\" " BRANCH(PUT) "else_body \"e\" " BRANCH(
        "%h = Negative-1(%row)\n%q = ScatterUpdate-3(%p, %at, %h, %axis)\n") "%a = Result-1(%i)\n";
    runner r = runner_of_noted(both);

    (void)state;
    for (int i = 0; i < 2; i++) {
        check_noted(&r, OPERANDS("boolean 1", "f32[4,2] 1 2 3 4 5 6 7 8"),
                    OPERANDS("f32[4,2] -1 -2 7 9 -5 -6 -7 -8"), 8);
        check_noted(&r, OPERANDS("boolean 0", "f32[4,2] 1 2 3 4 5 6 7 8"),
                    OPERANDS("f32[4,2] -1 -2 -7 -9 -5 -6 -7 -8"), 8);
    }
    runner_free(&r);
}

/* What an If gives is written over; where a branch hands through what is read behind it, that is
 * copied first. */
static void test_handed_through_and_written(void **state)
{
    static const char body[] = DECIDED "then_body \"t\" " BRANCH(
        "%q = ReLU-1(%p)\n") "else_body \"e\" "
                             "{\n%p = Parameter-1 {element_type = f32, shape = [4,2]}\n%o = "
                             "Result-1(%p)\n}\n"
                             "in 1 -> %p\nout %o -> 0\n"
                             "%r = ScatterUpdate-3(%i, %at, %row, %axis)\n%z = Add-1(%r, %d)\n"
                             "%a = Result-1(%z)\n";
    runner r = runner_of_noted(body);

    (void)state;
    for (int i = 0; i < 2; i++) {
        check_noted(&r, OPERANDS("boolean 1", "f32[4,2] 1 2 3 4 5 6 -7 -8"),
                    OPERANDS("f32[4,2] 2 3 -3 -4 -5 -6 14 16"), 8);
        check_noted(&r, OPERANDS("boolean 0", "f32[4,2] 1 2 3 4 5 6 -7 -8"),
                    OPERANDS("f32[4,2] 2 3 -6 -8 -10 -12 14 16"), 8 + 32);
    }
    runner_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_window_of_each_iteration),   cmocka_unit_test(test_given_to_a_loop),
        cmocka_unit_test(test_window_beside_another),      cmocka_unit_test(test_given_to_branches),
        cmocka_unit_test(test_handed_through_and_written),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Bodies that write over what they are given, with the notes of in-place-windows: both executors
 * agree, and a run copies no more bytes than it must. */
#include "graphs.h"
#include "ir/shared.h"
#include "passes/passes.h"

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

/* Branches exclude each other: both write over what dies at the If. A constant row of 8 bytes is
 * copied, the other one is computed where it belongs. */
static void test_given_to_branches(void **state)
{
    static const char both[] = DECIDED "then_body \"t\" " BRANCH(PUT) "else_body \"e\" " BRANCH(
        "%h = Negative-1(%row)\n%q = ScatterUpdate-3(%p, %at, %h, %axis)\n") "%a = Result-1(%i)\n";
    runner r = runner_of_noted(both);

    for (int i = 0; i < 2; i++) {
        check_noted(&r, OPERANDS("boolean 1", "f32[4,2] 1 2 3 4 5 6 7 8"),
                    OPERANDS("f32[4,2] -1 -2 7 9 -5 -6 -7 -8"), 8);
        check_noted(&r, OPERANDS("boolean 0", "f32[4,2] 1 2 3 4 5 6 7 8"),
                    OPERANDS("f32[4,2] -1 -2 -7 -9 -5 -6 -7 -8"), 0);
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

    for (int i = 0; i < 2; i++) {
        check_noted(&r, OPERANDS("boolean 1", "f32[4,2] 1 2 3 4 5 6 -7 -8"),
                    OPERANDS("f32[4,2] 2 3 -3 -4 -5 -6 14 16"), 8);
        check_noted(&r, OPERANDS("boolean 0", "f32[4,2] 1 2 3 4 5 6 -7 -8"),
                    OPERANDS("f32[4,2] 2 3 -6 -8 -10 -12 14 16"), 8 + 32);
    }
    runner_free(&r);
}

/* A branch that only reads what the other one writes over does not stand in its way. */
static void test_other_branch_reads(void **state)
{
    runner r = runner_of_noted(
        "%c = Parameter-1 {element_type = boolean, shape = []}\n"
        "%x = Parameter-1 {element_type = f32, shape = [4,2]}\n"
        "%d = Negative-1(%x)\n%i:2 = If-8(%c, %d)\n"
        "then_body \"t\" " BRANCH(
            PUT "%t = Result-1(%row)\n") "out %t -> 1\n"
                                         "else_body \"e\" {\n%p = Parameter-1 {element_type = f32, "
                                         "shape = [4,2]}\n"
                                         "%axes = Const-1 {value = i64[1] [0]}\n%sum = "
                                         "ReduceSum-1(%p, %axes) {keep_dims = true}\n"
                                         "%o = Result-1(%p)\n%t = Result-1(%sum)\n}\nin 1 -> "
                                         "%p\nout %o -> 0\nout %t -> 1\n"
                                         "%a = Result-1(%i:0)\n%b = Result-1(%i:1)\n");

    check_noted(&r, OPERANDS("boolean 1", "f32[4,2] 1 2 3 4 5 6 7 8"),
                OPERANDS("f32[4,2] -1 -2 7 9 -5 -6 -7 -8", "f32[1,2] 7 9"), 8);
    check_noted(&r, OPERANDS("boolean 0", "f32[4,2] 1 2 3 4 5 6 7 8"),
                OPERANDS("f32[4,2] -1 -2 -3 -4 -5 -6 -7 -8", "f32[1,2] -16 -20"), 0);
    runner_free(&r);
}

/* Two loops would write over one value: each copies it once. The second cannot have it either,
 * because what the first gives is the value itself if it makes no iteration. */
static void test_two_successors(void **state)
{
#define SECOND                                                                                     \
    "%m:1 = Loop-5(%trip, %go, %d)\nbody \"second\" {\n"                                           \
    "%c = Parameter-1 {element_type = f32, shape = [4,2]}\n"                                       \
    "%i = Parameter-1 {element_type = i64, shape = [1]}\n"                                         \
    "%one = Const-1 {value = i64[1] [1]}\n%yes = Const-1 {value = boolean[] true}\n"               \
    "%next = Add-1(%i, %one)\n" NEGATE_ROW "%on = Result-1(%yes)\n%o = Result-1(%new)\n}\n"        \
    "in 2 -> %c\nin none -> %i iteration\nout %on -> none condition\nout %o -> 0\n"                \
    "back %o -> %c\n"
    runner r = runner_of_noted(CARRIED("%d = Negative-1(%x)\n", "%d", NEGATE_ROW,
                                       SECOND "%z = Subtract-1(%l, %m)\n%a = Result-1(%z)\n"));

    check_noted(&r, OPERANDS("i64 3", "f32[4,2] 1 2 3 4 5 6 7 8"),
                OPERANDS("f32[4,2] 0 0 0 0 0 0 0 0"), 64);
    runner_free(&r);
}

/* Whether there is a next iteration is found out of what the one before made: before that is
 * written over. The loop ends when a sum is over 0. */
static void test_condition_reads(void **state)
{
    runner r = runner_of_noted(
        "%trip = Parameter-1 {element_type = i64, shape = []}\n"
        "%x = Parameter-1 {element_type = f32, shape = [4,2]}\n"
        "%go = Const-1 {value = boolean[] true}\n%d = Negative-1(%x)\n"
        "%l:1 = Loop-5(%trip, %go, %d)\nbody \"b\" {\n"
        "%c = Parameter-1 {element_type = f32, shape = [4,2]}\n"
        "%i = Parameter-1 {element_type = i64, shape = [1]}\n"
        "%one = Const-1 {value = i64[1] [1]}\n%next = Add-1(%i, %one)\n" NEGATE_ROW
        "%axes = Const-1 {value = i64[2] [0, 1]}\n%zero = Const-1 {value = f32[] 0}\n"
        "%sum = ReduceSum-1(%c, %axes)\n%on = Less-1(%sum, %zero)\n"
        "%more = Result-1(%on)\n%o = Result-1(%new)\n}\n"
        "in 2 -> %c\nin none -> %i iteration\nout %more -> none condition\nout %o -> 0\n"
        "back %o -> %c\n%a = Result-1(%l)\n");

    /* sums before the iterations: -36, -30, -16, 6 */
    check_noted(&r, OPERANDS("i64 9", "f32[4,2] 1 2 3 4 5 6 7 8"),
                OPERANDS("f32[4,2] 1 2 3 4 5 6 7 8"), 0);
    check_noted(&r, OPERANDS("i64 2", "f32[4,2] 1 2 3 4 5 6 7 8"),
                OPERANDS("f32[4,2] 1 2 3 4 -5 -6 -7 -8"), 0);
    runner_free(&r);
}

/* A loop in a loop: each has what the one around it gives, and the outermost what dies there. */
static void test_nested_loops(void **state)
{
    runner r = runner_of_noted(
        CARRIED("%d = Negative-1(%x)\n", "%d",
                "%two = Const-1 {value = i64[] 2}\n%k:1 = Loop-5(%two, %yes, %c)\nbody \"in\" {\n"
                "%c = Parameter-1 {element_type = f32, shape = [4,2]}\n"
                "%i = Parameter-1 {element_type = i64, shape = [1]}\n"
                "%one = Const-1 {value = i64[1] [1]}\n%yes = Const-1 {value = boolean[] true}\n"
                "%next = Add-1(%i, %one)\n" NEGATE_ROW
                "%on = Result-1(%yes)\n%o = Result-1(%new)\n}\nin 2 -> %c\n"
                "in none -> %i iteration\nout %on -> none condition\nout %o -> 0\nback %o -> %c\n"
                "%s = Slice-8(%k, %i, %next, %one)\n%y = Abs-1(%s)\n"
                "%new = SliceScatter-15(%k, %y, %i, %next, %one)\n",
                "%a = Result-1(%l)\n"));

    /* rows 0 and 1 change their signs in each iteration, then row i loses its own */
    check_noted(&r, OPERANDS("i64 3", "f32[4,2] 1 2 3 4 5 6 7 8"),
                OPERANDS("f32[4,2] 1 2 -3 -4 5 6 -7 -8"), 0);
    runner_free(&r);
}

/* Returns the graph of BODY with the notes of in-place-windows. */
static inlay_graph *noted(const char *body)
{
    inlay_evaluator reference = inlay_reference_evaluator(NULL);
    inlay_pass_options o = {.passes = "in-place-windows", .evaluator = &reference};
    inlay_graph *g = graph_of(body);

    assert_true(inlay_run_passes(g, &o, NULL));
    return g;
}

/* A body with a note that is not right: the number of the iteration is written over. The executor
 * obeys no note of this body then, and the graph around it still says that the loop writes over
 * what it is given. */
static void test_body_without_notes(void **state)
{
    const inlay_exec_options planned = {.mode = INLAY_EXEC_PLANNED};
    inlay_graph *g =
        noted(CARRIED("%d = Negative-1(%x)\n", "%d", NEGATE_ROW, "%a = Result-1(%l)\n"));
    inlay_graph *b = inlay_graph_node(g, "l")->bodies[0].graph;
    inlay_value *next = &inlay_graph_node(b, "next")->out[0];
    runner r;

    assert_int_equal(inlay_graph_node(g, "l")->out[0].note, INLAY_OVERWRITES);
    assert_int_equal(inlay_graph_node(b, "new")->out[0].note, INLAY_OVERWRITES);
    assert_true(inlay_value_set_note(next, INLAY_OVERWRITES, next->node->in[0].value, NULL));
    r = runner_on(g, &planned);
    assert_int_equal(inlay_diags_count(r.diags), 1);
    assert_non_null(strstr(inlay_diags_at(r.diags, 0)->text, "all of its notes are dropped"));
    for (int i = 0; i < 2; i++) {
        check_run(&r, OPERANDS("i64 3", "f32[4,2] 1 2 3 4 5 6 7 8"),
                  OPERANDS("f32[4,2] 1 2 3 4 5 6 -7 -8"));
        check_run(&r, OPERANDS("i64 0", "f32[4,2] 1 2 3 4 5 6 7 8"),
                  OPERANDS("f32[4,2] -1 -2 -3 -4 -5 -6 -7 -8"));
    }
    runner_free(&r);
}

#define WINDOW(node)                                                                               \
    "%x = Parameter-1 {element_type = f32, shape = [3,2]}\n"                                       \
    "%u = Parameter-1 {element_type = f32, shape = [1,2]}\n"                                       \
    "%b = Const-1 {value = i64[1] [1]}\n"                                                          \
    "%e = Const-1 {value = i64[1] [2]}\n"                                                          \
    "%s = Const-1 {value = i64[1] [1]}\n"                                                          \
    "%go = Const-1 {value = boolean[] true}\n"                                                     \
    "%d = Negative-1(%x)\n" node "%r = SliceScatter-15(%d, %i, %b, %e, %s)\n"                      \
    "%a = Result-1(%r)\n"

/* What bodies make is made in the window. What one of them hands through is copied there, in the
 * runs in which it does. */
static void test_handed_into_windows(void **state)
{
    runner branches =
        runner_of_noted("%c = Parameter-1 {element_type = boolean, shape = []}\n" WINDOW(
            "%i:1 = If-8(%c, %u)\n"
            "then_body \"t\" {\n%p = Parameter-1 {element_type = f32, shape = [1,2]}\n"
            "%q = Abs-1(%p)\n%o = Result-1(%q)\n}\nin 1 -> %p\nout %o -> 0\n"
            "else_body \"e\" {\n%p = Parameter-1 {element_type = f32, shape = [1,2]}\n"
            "%o = Result-1(%p)\n}\nin 1 -> %p\nout %o -> 0\n"));
    runner loop = runner_of_noted("%n = Parameter-1 {element_type = i64, shape = []}\n" WINDOW(
        "%i:1 = Loop-5(%n, %go, %u)\n"
        "body \"b\" {\n%p = Parameter-1 {element_type = f32, shape = [1,2]}\n"
        "%q = Add-1(%p, %p)\n%yes = Const-1 {value = boolean[] true}\n"
        "%on = Result-1(%yes)\n%o = Result-1(%q)\n}\n"
        "in 2 -> %p\nout %on -> none condition\nout %o -> 0\nback %o -> %p\n"));

    for (int i = 0; i < 2; i++) {
        check_noted(&branches, OPERANDS("boolean 1", "f32[3,2] 1 2 3 4 5 6", "f32[1,2] -7 -8"),
                    OPERANDS("f32[3,2] -1 -2 7 8 -5 -6"), 0);
        check_noted(&branches, OPERANDS("boolean 0", "f32[3,2] 1 2 3 4 5 6", "f32[1,2] -7 -8"),
                    OPERANDS("f32[3,2] -1 -2 -7 -8 -5 -6"), 8);
        for (int64_t n = 1; n < 4; n++) {
            static const char *const trips[] = {"", "i64 1", "i64 2", "i64 3"};
            static const char *const rows[] = {"", "2 4", "4 8", "8 16"};
            char want[80];

            snprintf(want, sizeof want, "f32[3,2] -1 -2 %s -5 -6", rows[n]);
            check_noted(&loop, OPERANDS(trips[n], "f32[3,2] 1 2 3 4 5 6", "f32[1,2] 1 2"),
                        OPERANDS(want), 0);
        }
        check_noted(&loop, OPERANDS("i64 0", "f32[3,2] 1 2 3 4 5 6", "f32[1,2] 1 2"),
                    OPERANDS("f32[3,2] -1 -2 1 2 -5 -6"), 8);
    }
    runner_free(&branches);
    runner_free(&loop);
}

/* A branch gives one tensor twice: one of the two outputs stays in the memory of the run, the other
 * one leaves it, and is copied once. */
static void test_given_twice(void **state)
{
#define TWICE(node)                                                                                \
    "{\n%p = Parameter-1 {element_type = f32, shape = [2,2]}\n%q = " node "(%p)\n"                 \
    "%o = Result-1(%q)\n}\nin 1 -> %p\nout %o -> 0\nout %o -> 1\n"
    runner r = runner_of_noted(
        "%c = Parameter-1 {element_type = boolean, shape = []}\n"
        "%x = Parameter-1 {element_type = f32, shape = [2,2]}\n"
        "%i:2 = If-8(%c, %x)\nthen_body \"t\" " TWICE("Abs-1") "else_body \"e\" " TWICE(
            "Negative-1") "%b = Negative-1(%i:0)\n%y = Negative-1(%b)\n%one = Result-1(%y)\n"
                          "%two = Result-1(%i:1)\n");
#undef TWICE

    for (int i = 0; i < 2; i++) {
        check_noted(&r, OPERANDS("boolean 1", "f32[2,2] 1 -2 3 -4"),
                    OPERANDS("f32[2,2] 1 2 3 4", "f32[2,2] 1 2 3 4"), 16);
        check_noted(&r, OPERANDS("boolean 0", "f32[2,2] 1 -2 3 -4"),
                    OPERANDS("f32[2,2] -1 2 -3 4", "f32[2,2] -1 2 -3 4"), 16);
    }
    runner_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_window_of_each_iteration),
        cmocka_unit_test(test_given_to_a_loop),
        cmocka_unit_test(test_window_beside_another),
        cmocka_unit_test(test_given_to_branches),
        cmocka_unit_test(test_handed_through_and_written),
        cmocka_unit_test(test_other_branch_reads),
        cmocka_unit_test(test_two_successors),
        cmocka_unit_test(test_condition_reads),
        cmocka_unit_test(test_nested_loops),
        cmocka_unit_test(test_body_without_notes),
        cmocka_unit_test(test_handed_into_windows),
        cmocka_unit_test(test_given_twice),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

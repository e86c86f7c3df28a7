/* Rows that a list names are a window where no two are one and they follow each other in equal
 * steps: what is computed of a Gather for a scatter of the same list is computed in place. Only a
 * run knows whether a row lies on the axis. The expected elements were written by hand. */
#include "graphs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define DATA                                                                                       \
    "%data = Parameter-1 {element_type = i32, shape = [4,2]}\n"                                    \
    "%axis = Const-1 {value = i64[] 0}\n"                                                          \
    "%ten = Const-1 {value = i32[] 10}\n"                                                          \
    "%d = Abs-1(%data)\n"
#define AT "%at = Parameter-1 {element_type = i64, shape = [1]}\n"
#define TIMES_TEN(rows, scatter)                                                                   \
    "%x = Gather-8(%d, " rows ", %axis)\n%y = Multiply-1(%x, %ten)\n%r = " scatter                 \
    "%out = Result-1(%r)\n"
#define INPUT "i32[4,2] 1 2 3 4 5 6 7 8"

static void test_one_row(void **state)
{
    runner r = runner_of_noted(DATA AT TIMES_TEN("%at", "ScatterUpdate-3(%d, %at, %y, %axis)\n"));

    (void)state;
    check_noted(&r, OPERANDS(INPUT, "i64[1] 2"), OPERANDS("i32[4,2] 1 2 3 4 50 60 7 8"), 0);
    check_noted(&r, OPERANDS(INPUT, "i64[1] 0"), OPERANDS("i32[4,2] 10 20 3 4 5 6 7 8"), 0);
    check_run_fails(&r, OPERANDS(INPUT, "i64[1] 4"), INLAY_INVALID, "indices");
    check_run_fails(&r, OPERANDS(INPUT, "i64[1] -1"), INLAY_INVALID, "indices");
    check_noted(&r, OPERANDS(INPUT, "i64[1] 3"), OPERANDS("i32[4,2] 1 2 3 4 5 6 70 80"), 0);
    runner_free(&r);
}

/* A ScatterNDUpdate counts from the end, as a Gather does. */
static void test_one_tuple(void **state)
{
    runner r = runner_of_noted(
        DATA AT
        "%last = Const-1 {value = i64[1] [1]}\n%tuple = Unsqueeze-1(%at, %last)\n" TIMES_TEN(
            "%at", "ScatterNDUpdate-15(%d, %tuple, %y)\n"));

    (void)state;
    check_noted(&r, OPERANDS(INPUT, "i64[1] 1"), OPERANDS("i32[4,2] 1 2 30 40 5 6 7 8"), 0);
    check_noted(&r, OPERANDS(INPUT, "i64[1] -1"), OPERANDS("i32[4,2] 1 2 3 4 5 6 70 80"), 0);
    check_run_fails(&r, OPERANDS(INPUT, "i64[1] 4"), INLAY_INVALID, "indices");
    runner_free(&r);
}

/* What a reduction writes depends on what stood there. */
static void test_added_tuple(void **state)
{
    runner r = runner_of_noted(
        DATA AT
        "%last = Const-1 {value = i64[1] [1]}\n%tuple = Unsqueeze-1(%at, %last)\n" TIMES_TEN(
            "%at", "ScatterNDUpdate-15(%d, %tuple, %y) {reduction = sum}\n"));

    (void)state;
    check_run(&r, OPERANDS(INPUT, "i64[1] 1"), OPERANDS("i32[4,2] 1 2 33 44 5 6 7 8"));
    runner_free(&r);
}

static void test_one_element(void **state)
{
    runner r = runner_of_noted(
        "%data = Parameter-1 {element_type = i32, shape = [4]}\n" AT
        "%axis = Const-1 {value = i64[] 0}\n%ten = Const-1 {value = i32[] 10}\n"
        "%d = Abs-1(%data)\n" TIMES_TEN("%at", "ScatterElementsUpdate-12(%d, %at, %y, %axis)\n"));

    (void)state;
    check_noted(&r, OPERANDS("i32[4] 1 2 3 4", "i64[1] 2"), OPERANDS("i32[4] 1 2 30 4"), 0);
    check_noted(&r, OPERANDS("i32[4] 1 2 3 4", "i64[1] -1"), OPERANDS("i32[4] 1 2 3 40"), 0);
    check_run_fails(&r, OPERANDS("i32[4] 1 2 3 4", "i64[1] 4"), INLAY_INVALID, "indices");
    runner_free(&r);
}

static void test_columns(void **state)
{
    runner r = runner_of_noted(
        "%data = Parameter-1 {element_type = i32, shape = [4,2]}\n" AT
        "%axis = Const-1 {value = i64[] -1}\n"
        "%ten = Const-1 {value = i32[] 10}\n"
        "%d = Abs-1(%data)\n" TIMES_TEN("%at", "ScatterUpdate-3(%d, %at, %y, %axis)\n"));

    (void)state;
    check_noted(&r, OPERANDS(INPUT, "i64[1] 1"), OPERANDS("i32[4,2] 1 20 3 40 5 60 7 80"), 0);
    runner_free(&r);
}

/* 3 and 1 are in equal steps; 3, 1 and 0 are not; 1 and 1 are one row. */
static void test_constants(void **state)
{
    runner steps = runner_of_noted(DATA "%i = Const-1 {value = i64[2] [3, 1]}\n" TIMES_TEN(
        "%i", "ScatterUpdate-3(%d, %i, %y, %axis)\n"));
    runner others = runner_of_noted(DATA "%i = Const-1 {value = i64[3] [3, 1, 0]}\n" TIMES_TEN(
        "%i", "ScatterUpdate-3(%d, %i, %y, %axis)\n"));
    runner twice = runner_of_noted(DATA "%i = Const-1 {value = i64[2] [1, 1]}\n" TIMES_TEN(
        "%i", "ScatterUpdate-3(%d, %i, %y, %axis)\n"));

    (void)state;
    check_noted(&steps, OPERANDS(INPUT), OPERANDS("i32[4,2] 1 2 30 40 5 6 70 80"), 0);
    check_noted(&others, OPERANDS(INPUT), OPERANDS("i32[4,2] 10 20 30 40 5 6 70 80"), 48);
    check_noted(&twice, OPERANDS(INPUT), OPERANDS("i32[4,2] 1 2 30 40 5 6 7 8"), 32);
    runner_free(&steps);
    runner_free(&others);
    runner_free(&twice);
}

static void test_range(void **state)
{
    runner r = runner_of_noted(
        DATA
        "%from = Parameter-1 {element_type = i64, shape = []}\n"
        "%two = Const-1 {value = i64[] 2}\n%one = Const-1 {value = i64[] 1}\n"
        "%to = Add-1(%from, %two)\n%i = Range-4(%from, %to, %one) {output_type = i64}\n" TIMES_TEN(
            "%i", "ScatterUpdate-3(%d, %i, %y, %axis)\n"));

    (void)state;
    check_noted(&r, OPERANDS(INPUT, "i64[] 1"), OPERANDS("i32[4,2] 1 2 30 40 50 60 7 8"), 0);
    check_run_fails(&r, OPERANDS(INPUT, "i64[] 3"), INLAY_INVALID, "indices");
    runner_free(&r);
}

/* Each row is made from the one before it: they are two rows, unless there is one only. */
static void test_next_row(void **state)
{
    runner r = runner_of_noted(
        DATA AT "%one = Const-1 {value = i64[1] [1]}\n%next = Add-1(%at, %one)\n" TIMES_TEN(
            "%at", "ScatterUpdate-3(%d, %next, %y, %axis)\n"));

    (void)state;
    check_noted(&r, OPERANDS(INPUT, "i64[1] 1"), OPERANDS("i32[4,2] 1 2 3 4 30 40 7 8"), 0);
    check_noted(&r, OPERANDS(INPUT, "i64[1] -1"), OPERANDS("i32[4,2] 70 80 3 4 5 6 7 8"), 0);
    check_run_fails(&r, OPERANDS(INPUT, "i64[1] 3"), INLAY_INVALID, "indices");
    runner_free(&r);
}

/* A Gather-8 of a row that is not there gives zeros, which no window shows. */
static void test_row_of_zeros(void **state)
{
    runner r =
        runner_of_noted(DATA AT "%to = Parameter-1 {element_type = i64, shape = [1]}\n" TIMES_TEN(
            "%at", "ScatterUpdate-3(%d, %to, %y, %axis)\n"));

    (void)state;
    check_run(&r, OPERANDS(INPUT, "i64[1] 9", "i64[1] 1"), OPERANDS("i32[4,2] 1 2 0 0 5 6 7 8"));
    check_run(&r, OPERANDS(INPUT, "i64[1] 0", "i64[1] 1"), OPERANDS("i32[4,2] 1 2 10 20 5 6 7 8"));
    runner_free(&r);
}

/* N14: the third run reads rows that no run has written, and uses those behind the written ones for
 * other elements: they are part of the state, so that both are what the graph says. */
static void test_capacity(void **state)
{
    runner r = runner_of_noted(
        "%first = Const-1 {value = i32[4] [1, 2, 3, 4]}\n"
        "%row = Parameter-1 {element_type = i32, shape = [1]}\n" AT
        "%axis = Const-1 {value = i64[] 0}\n%two = Const-1 {value = i64[1] [2]}\n"
        "%four = Const-1 {value = i64[1] [4]}\n%one = Const-1 {value = i64[1] [1]}\n"
        "%cache = ReadValue-6(%first) {variable_id = \"c\", variable_type = i32, variable_shape = "
        "[4]}\n"
        "%new = ScatterUpdate-3(%cache, %at, %row, %axis)\n"
        "%free = Slice-8(%new, %two, %four, %one)\n%scratch = Negative-1(%free)\n"
        "%used = SliceScatter-15(%new, %scratch, %two, %four, %one)\n"
        "%store = Assign-6(%new) {variable_id = \"c\"}\n"
        "%seen = Negative-1(%used)\n%out = Result-1(%seen)\n");

    (void)state;
    check_run(&r, OPERANDS("i32[1] 7", "i64[1] 0"), OPERANDS("i32[4] -7 -2 3 4"));
    check_run(&r, OPERANDS("i32[1] 8", "i64[1] 1"), OPERANDS("i32[4] -7 -8 3 4"));
    check_run_fails(&r, OPERANDS("i32[1] 9", "i64[1] 4"), INLAY_INVALID, "indices");
    check_run(&r, OPERANDS("i32[1] 9", "i64[1] 2"), OPERANDS("i32[4] -7 -8 9 4"));
    runner_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_row),      cmocka_unit_test(test_one_tuple),
        cmocka_unit_test(test_added_tuple),  cmocka_unit_test(test_one_element),
        cmocka_unit_test(test_columns),      cmocka_unit_test(test_constants),
        cmocka_unit_test(test_range),        cmocka_unit_test(test_next_row),
        cmocka_unit_test(test_row_of_zeros), cmocka_unit_test(test_capacity),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Rows that a list names are a window where no two are one and they follow each other in equal
 * steps: what is computed of a Gather for a scatter of the same list is computed in place. Only a
 * run knows whether a row lies on the axis. The expected elements were written by hand. */
#include "graphs.h"

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

    check_run(&r, OPERANDS(INPUT, "i64[1] 1"), OPERANDS("i32[4,2] 1 2 33 44 5 6 7 8"));
    runner_free(&r);
}

static void test_one_element(void **state)
{
    runner r = runner_of_noted(
        "%data = Parameter-1 {element_type = i32, shape = [4]}\n" AT
        "%axis = Const-1 {value = i64[] 0}\n%ten = Const-1 {value = i32[] 10}\n"
        "%d = Abs-1(%data)\n" TIMES_TEN("%at", "ScatterElementsUpdate-12(%d, %at, %y, %axis)\n"));

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

    check_noted(&r, OPERANDS(INPUT, "i64[1] 1"), OPERANDS("i32[4,2] 1 20 3 40 5 60 7 80"), 0);
    runner_free(&r);
}

/* 3 and 1 are in equal steps; 3, 1 and 0 are not, but distinct; 1 and 1 are one row: they are read
 * where they are, and what is made of them is copied. */
static void test_constants(void **state)
{
    runner steps = runner_of_noted(DATA "%i = Const-1 {value = i64[2] [3, 1]}\n" TIMES_TEN(
        "%i", "ScatterUpdate-3(%d, %i, %y, %axis)\n"));
    runner others = runner_of_noted(DATA "%i = Const-1 {value = i64[3] [3, 1, 0]}\n" TIMES_TEN(
        "%i", "ScatterUpdate-3(%d, %i, %y, %axis)\n"));
    runner twice = runner_of_noted(DATA "%i = Const-1 {value = i64[2] [1, 1]}\n" TIMES_TEN(
        "%i", "ScatterUpdate-3(%d, %i, %y, %axis)\n"));

    check_noted(&steps, OPERANDS(INPUT), OPERANDS("i32[4,2] 1 2 30 40 5 6 70 80"), 0);
    check_noted(&others, OPERANDS(INPUT), OPERANDS("i32[4,2] 10 20 30 40 5 6 70 80"), 0);
    check_noted(&twice, OPERANDS(INPUT), OPERANDS("i32[4,2] 1 2 30 40 5 6 7 8"), 16);
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

    check_run(&r, OPERANDS("i32[1] 7", "i64[1] 0"), OPERANDS("i32[4] -7 -2 3 4"));
    check_run(&r, OPERANDS("i32[1] 8", "i64[1] 1"), OPERANDS("i32[4] -7 -8 3 4"));
    check_run_fails(&r, OPERANDS("i32[1] 9", "i64[1] 4"), INLAY_INVALID, "indices");
    check_run(&r, OPERANDS("i32[1] 9", "i64[1] 2"), OPERANDS("i32[4] -7 -8 9 4"));
    runner_free(&r);
}

#define FLOATS                                                                                     \
    "%data = Parameter-1 {element_type = f32, shape = [5,2]}\n"                                    \
    "%axis = Const-1 {value = i64[] 0}\n%half = Const-1 {value = f32[] 0.5}\n"                     \
    "%two = Const-1 {value = f32[] 2}\n%d = Abs-1(%data)\n"
#define FIVE "f32[5,2] 1 2 3 4 5 6 7 8 9 10"

/* Rows in no equal steps, which nothing copies. */
static void test_listed_rows(void **state)
{
    runner r = runner_of_noted(
        FLOATS "%at = Const-1 {value = i64[3] [4, 0, 3]}\n%x = Gather-8(%d, %at, %axis)\n"
               "%a = Multiply-1(%x, %two)\n%b = Subtract-1(%a, %x)\n%y = Add-1(%b, %a)\n"
               "%r = ScatterUpdate-3(%d, %at, %y, %axis)\n%out = Result-1(%r)\n");

    check_noted(&r, OPERANDS(FIVE), OPERANDS("f32[5,2] 3 6 3 4 5 6 21 24 27 30"), 0);
    runner_free(&r);
}

/* Positions that TopK finds, and the rows behind them: one of these may lie behind the last row,
 * and then the scatter fails as always; the run before and the one after are none the worse. */
static void test_found_rows(void **state)
{
    runner r = runner_of_noted(
        FLOATS "%scores = Parameter-1 {element_type = f32, shape = [5]}\n"
               "%k = Const-1 {value = i64[] 2}\n%one = Const-1 {value = i64[] 1}\n"
               "%t:2 = TopK-11(%scores, %k) {axis = 0, mode = max, sort = value, "
               "index_element_type = i64}\n"
               "%at = Add-1(%t:1, %one)\n%x = Gather-8(%d, %at, %axis)\n"
               "%y = Multiply-1(%x, %two)\n%r = ScatterUpdate-3(%d, %at, %y, %axis)\n"
               "%out = Result-1(%r)\n");

    check_noted(&r, OPERANDS(FIVE, "f32[5] 9 1 2 8 3"), OPERANDS("f32[5,2] 1 2 6 8 5 6 7 8 18 20"),
                0);
    check_run_fails(&r, OPERANDS(FIVE, "f32[5] 1 2 3 4 5"), INLAY_INVALID, "\"r\"");
    check_noted(&r, OPERANDS(FIVE, "f32[5] 1 9 3 4 2"),
                OPERANDS("f32[5,2] 1 2 3 4 10 12 7 8 18 20"), 0);
    runner_free(&r);
}

/* Single elements by pairs of numbers, some counted from the end. */
static void test_listed_elements(void **state)
{
    runner r = runner_of_noted(
        FLOATS "%at = Const-1 {value = i64[3,2] [4, -1, 0, 0, -2, 1]}\n%x = GatherND-8(%d, %at)\n"
               "%y = Multiply-1(%x, %half)\n%r = ScatterNDUpdate-15(%d, %at, %y)\n"
               "%out = Result-1(%r)\n");

    check_noted(&r, OPERANDS(FIVE), OPERANDS("f32[5,2] 0.5 2 3 4 5 6 7 4 9 5"), 0);
    runner_free(&r);
}

/* A Gather of version 7 refuses what lies outside, and before the scatter does. */
static void test_gather_fails_first(void **state)
{
    runner r =
        runner_of_noted(FLOATS "%scores = Parameter-1 {element_type = f32, shape = [9]}\n"
                               "%k = Const-1 {value = i64[] 2}\n"
                               "%t:2 = TopK-11(%scores, %k) {axis = 0, mode = max, sort = value, "
                               "index_element_type = i64}\n"
                               "%x = Gather-7(%d, %t:1, %axis)\n%y = Multiply-1(%x, %two)\n"
                               "%r = ScatterUpdate-3(%d, %t:1, %y, %axis)\n%out = Result-1(%r)\n");

    check_noted(&r, OPERANDS(FIVE, "f32[9] 0 9 0 8 0 0 0 0 0"),
                OPERANDS("f32[5,2] 1 2 6 8 5 6 14 16 9 10"), 0);
    check_run_fails(&r, OPERANDS(FIVE, "f32[9] 0 0 0 0 0 0 9 0 0"), INLAY_INVALID, "\"x\"");
    runner_free(&r);
}

/* Narrow floats are widened, computed and narrowed in the rows of the list; 0.5 and 2.5 are numbers
 * of f16, and so are their doubles. */
static void test_listed_casts(void **state)
{
    runner r = runner_of_noted(
        "%data = Parameter-1 {element_type = f16, shape = [5,2]}\n"
        "%axis = Const-1 {value = i64[] 0}\n%two = Const-1 {value = f32[] 2}\n%d = Abs-1(%data)\n"
        "%at = Const-1 {value = i64[3] [4, 0, 3]}\n%x = Gather-8(%d, %at, %axis)\n"
        "%wide = Convert-1(%x) {destination_type = f32}\n%a = Multiply-1(%wide, %two)\n"
        "%y = Convert-1(%a) {destination_type = f16}\n"
        "%r = ScatterUpdate-3(%d, %at, %y, %axis)\n%out = Result-1(%r)\n");

    check_noted(&r, OPERANDS("f16[5,2] 0.5 2.5 3 4 5 6 7 8 9 10"),
                OPERANDS("f16[5,2] 1 5 3 4 5 6 14 16 18 20"), 0);
    runner_free(&r);
}

/* Integers are compared, and one of two chosen for each: 1 is taken from those above 2. */
static void test_listed_choice(void **state)
{
    runner r =
        runner_of_noted("%data = Parameter-1 {element_type = i64, shape = [5,2]}\n"
                        "%axis = Const-1 {value = i64[] 0}\n%one = Const-1 {value = i64[] 1}\n"
                        "%two = Const-1 {value = i64[] 2}\n%d = Abs-1(%data)\n"
                        "%at = Const-1 {value = i64[3] [4, 0, 3]}\n%x = Gather-8(%d, %at, %axis)\n"
                        "%above = Greater-1(%x, %two)\n%less = Subtract-1(%x, %one)\n"
                        "%y = Select-1(%above, %less, %x)\n"
                        "%r = ScatterUpdate-3(%d, %at, %y, %axis)\n%out = Result-1(%r)\n");

    check_noted(&r, OPERANDS("i64[5,2] 1 3 3 4 5 6 7 2 9 10"),
                OPERANDS("i64[5,2] 1 2 3 4 5 6 6 2 8 9"), 0);
    runner_free(&r);
}

/* Where sizes are open the rule of the scatter is asked when it fails: of the elements of its
 * updates it learns nothing, because they are not there. */
static void test_listed_integers_fail(void **state)
{
    runner r =
        runner_of_noted("%data = Parameter-1 {element_type = i32, shape = [?,2]}\n"
                        "%scores = Parameter-1 {element_type = f32, shape = [5]}\n"
                        "%axis = Const-1 {value = i64[] 0}\n%ten = Const-1 {value = i32[] 10}\n"
                        "%k = Const-1 {value = i64[] 2}\n%d = Abs-1(%data)\n"
                        "%t:2 = TopK-11(%scores, %k) {axis = 0, mode = max, sort = value, "
                        "index_element_type = i64}\n"
                        "%x = Gather-8(%d, %t:1, %axis)\n%y = Multiply-1(%x, %ten)\n"
                        "%r = ScatterUpdate-3(%d, %t:1, %y, %axis)\n%out = Result-1(%r)\n");

    check_noted(&r, OPERANDS("i32[3,2] 1 2 3 4 5 6", "f32[5] 9 0 8 0 0"),
                OPERANDS("i32[3,2] 10 20 3 4 50 60"), 0);
    check_run_fails(&r, OPERANDS("i32[3,2] 1 2 3 4 5 6", "f32[5] 0 9 0 8 0"), INLAY_INVALID,
                    "\"r\"");
    runner_free(&r);
}

/* Columns: a row of the list has gaps, so that each element is one. */
static void test_listed_columns(void **state)
{
    runner r =
        runner_of_noted("%data = Parameter-1 {element_type = f32, shape = [2,4]}\n"
                        "%axis = Const-1 {value = i64[] 1}\n%two = Const-1 {value = f32[] 2}\n"
                        "%more = Const-1 {value = f32[2,1] [100, 200]}\n%d = Abs-1(%data)\n"
                        "%at = Const-1 {value = i64[3] [3, 0, 1]}\n%x = Gather-8(%d, %at, %axis)\n"
                        "%a = Multiply-1(%x, %two)\n%y = Add-1(%a, %more)\n"
                        "%r = ScatterUpdate-3(%d, %at, %y, %axis)\n%out = Result-1(%r)\n");

    check_noted(&r, OPERANDS("f32[2,4] 1 2 3 4 5 6 7 8"),
                OPERANDS("f32[2,4] 102 104 3 108 210 212 7 216"), 0);
    runner_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_listed_rows),     cmocka_unit_test(test_found_rows),
        cmocka_unit_test(test_listed_elements), cmocka_unit_test(test_gather_fails_first),
        cmocka_unit_test(test_listed_columns),  cmocka_unit_test(test_listed_casts),
        cmocka_unit_test(test_listed_choice),   cmocka_unit_test(test_listed_integers_fail),
        cmocka_unit_test(test_one_row),         cmocka_unit_test(test_one_tuple),
        cmocka_unit_test(test_added_tuple),     cmocka_unit_test(test_one_element),
        cmocka_unit_test(test_columns),         cmocka_unit_test(test_constants),
        cmocka_unit_test(test_range),           cmocka_unit_test(test_next_row),
        cmocka_unit_test(test_row_of_zeros),    cmocka_unit_test(test_capacity),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

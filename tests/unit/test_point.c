/* One row that an index picks, shown where it stands (interp/exec/build/dynamic_row.c): which row that is only
 * the run knows. Expected values are those that the pages of Gather give. */
#include "graphs.h"

#define AXIS "%axis = Const-1 {value = i64[] 0}\n"
#define ROW(version) AXIS "%row = Gather-" version "(%d, %at, %axis) : f32[1,2] view of %d\n"
#define THREE "%p = Parameter-1 {element_type = f32, shape = [3,2]}\n"
#define AT "%at = Parameter-1 {element_type = i64, shape = [1]}\n"
#define SIX "f32[3,2] 1 2 3 4 5 6"

static runner poisoned(const char *body)
{
    return runner_of(body, &(inlay_exec_options){.mode = INLAY_EXEC_PLANNED, .poison = true});
}

/* Each run finds another row; nothing is copied. */
static void test_each_run(void **state)
{
    runner r = poisoned(THREE AT
                        "%d = Abs-1(%p)\n" ROW("8") "%y = Negative-1(%row)\n%out = Result-1(%y)\n");

    check_run(&r, OPERANDS(SIX, "i64[1] 0"), OPERANDS("f32[1,2] -1 -2"));
    check_run(&r, OPERANDS(SIX, "i64[1] 2"), OPERANDS("f32[1,2] -5 -6"));
    check_run(&r, OPERANDS(SIX, "i64[1] -2"), OPERANDS("f32[1,2] -3 -4"));
    assert_int_equal(stats_of(&r).copied_bytes, 0);
    runner_free(&r);
}

/* What version 8 gives where there is no such row; the next run finds one again. */
static void test_no_such_row(void **state)
{
    runner r = poisoned(THREE AT "%d = Abs-1(%p)\n" ROW(
        "8") "%one = Const-1 {value = f32[] 1}\n%y = Add-1(%row, %one)\n%out = Result-1(%y)\n");

    check_run(&r, OPERANDS(SIX, "i64[1] 3"), OPERANDS("f32[1,2] 1 1"));
    check_run(&r, OPERANDS(SIX, "i64[1] 1"), OPERANDS("f32[1,2] 4 5"));
    check_run(&r, OPERANDS(SIX, "i64[1] -4"), OPERANDS("f32[1,2] 1 1"));
    runner_free(&r);
}

/* The versions before refuse it. */
static void test_refused(void **state)
{
    runner r = poisoned(THREE AT
                        "%d = Abs-1(%p)\n" ROW("7") "%y = Negative-1(%row)\n%out = Result-1(%y)\n");

    check_run_fails(&r, OPERANDS(SIX, "i64[1] 3"), INLAY_INVALID, "indices[0] is 3");
    check_run(&r, OPERANDS(SIX, "i64[1] 1"), OPERANDS("f32[1,2] -3 -4"));
    runner_free(&r);
}

/* An input is shown where the caller has it, at whatever strides; a constant where the file has it.
 */
static void test_of_others(void **state)
{
    runner r = poisoned("%d = Parameter-1 {element_type = f32, shape = [3,2]}\n" AT ROW(
        "8") "%y = Negative-1(%row)\n%out = Result-1(%y)\n");
    runner c = poisoned("%d = Const-1 {value = f32[3,2] [1, 2, 3, 4, 5, 6]}\n" AT ROW(
        "8") "%y = Negative-1(%row)\n%out = Result-1(%y)\n");

    check_run(&r, OPERANDS(SIX, "i64[1] 1"), OPERANDS("f32[1,2] -3 -4"));
    check_run(&r, OPERANDS(SIX, "i64[1] 2"), OPERANDS("f32[1,2] -5 -6"));
    check_run(&c, OPERANDS("i64[1] 2"), OPERANDS("f32[1,2] -5 -6"));
    assert_int_equal(stats_of(&r).copied_bytes + stats_of(&c).copied_bytes, 0);
    runner_free(&r);
    runner_free(&c);
}

/* A row of two columns and three, as a list, and a column of it. */
#define SCALAR(version)                                                                            \
    "%p = Parameter-1 {element_type = f32, shape = [2,2,3]}\n"                                     \
    "%at = Parameter-1 {element_type = i64, shape = []}\n"                                         \
    "%to = Parameter-1 {element_type = i64, shape = []}\n" AXIS                                    \
    "%one = Const-1 {value = i64[] 1}\n%six = Const-1 {value = i64[1] [6]}\n"                      \
    "%d = Abs-1(%p)\n%row = Gather-" version "(%d, %at, %axis) : f32[2,3] view of %d\n"            \
    "%list = Reshape-1(%row, %six) {special_zero = false} : f32[6] view of %row\n"                 \
    "%y = CumSum-3(%list, %axis)\n"                                                                \
    "%column = Gather-8(%row, %to, %one) : f32[2] view of %row\n"                                  \
    "%z = Abs-1(%column)\n%out = Result-1(%y)\n%gaps = Result-1(%z)\n"
#define TWELVE "f32[2,2,3] 1 2 3 4 5 6 7 8 9 10 11 12"

/* A scalar picks the row without its axis: dense of the first axis, so that a kernel which reads no
 * strides has it, too; a column of it has gaps. */
static void test_scalar(void **state)
{
    runner r = poisoned(SCALAR("8")), older = poisoned(SCALAR("7"));

    check_run(&r, OPERANDS(TWELVE, "i64[] 1", "i64[] 2"),
              OPERANDS("f32[6] 7 15 24 34 45 57", "f32[2] 9 12"));
    check_run(&r, OPERANDS(TWELVE, "i64[] -2", "i64[] 0"),
              OPERANDS("f32[6] 1 3 6 10 15 21", "f32[2] 1 4"));
    check_run(&r, OPERANDS(TWELVE, "i64[] 2", "i64[] 0"),
              OPERANDS("f32[6] 0 0 0 0 0 0", "f32[2] 0 0"));
    check_run_fails(&older, OPERANDS(TWELVE, "i64[] 2", "i64[] 0"), INLAY_INVALID, "is 2");
    check_run(&older, OPERANDS(TWELVE, "i64[] 0", "i64[] 1"),
              OPERANDS("f32[6] 1 3 6 10 15 21", "f32[2] 2 5"));
    assert_int_equal(stats_of(&r).copied_bytes + stats_of(&older).copied_bytes, 0);
    runner_free(&r);
    runner_free(&older);
}

/* A column, and a row of a column: strides are those of all of it. */
static void test_column(void **state)
{
    runner r = poisoned(THREE AT "%to = Parameter-1 {element_type = i64, shape = [1]}\n"
                                 "%d = Abs-1(%p)\n%one = Const-1 {value = i64[] 1}\n" AXIS
                                 "%column = Gather-8(%d, %at, %one) : f32[3,1] view of %d\n"
                                 "%x = Gather-8(%column, %to, %axis) : f32[1,1] view of %column\n"
                                 "%y = Negative-1(%x)\n%z = Add-1(%column, %y)\n"
                                 "%out = Result-1(%z)\n");

    check_run(&r, OPERANDS(SIX, "i64[1] 1", "i64[1] 2"), OPERANDS("f32[3,1] -4 -2 0"));
    check_run(&r, OPERANDS(SIX, "i64[1] 0", "i64[1] 0"), OPERANDS("f32[3,1] 0 2 4"));
    assert_int_equal(stats_of(&r).copied_bytes, 0);
    runner_free(&r);
}

/* The value of which it is a row dies before the row does, and stays all the same. */
static void test_outlives(void **state)
{
    runner r = poisoned(THREE AT "%d = Abs-1(%p)\n" ROW(
        "8") "%a = SoftMax-1(%p) {axis = 0}\n%b = MatMul-1(%row, %a) {transpose_b = true}\n"
             "%zero = Const-1 {value = f32[] 0}\n%c = Multiply-1(%b, %zero)\n"
             "%last = Slice-8(%c, %none, %one, %one, %one)\n%y = Add-1(%row, %last)\n"
             "%none = Const-1 {value = i64[1] [0]}\n%one = Const-1 {value = i64[1] [1]}\n"
             "%out = Result-1(%y)\n");

    check_run(&r, OPERANDS(SIX, "i64[1] 2"), OPERANDS("f32[1,2] 5 6"));
    runner_free(&r);
}

/* A row is written over; nobody looks at what it was a row of. */
static void test_written_over(void **state)
{
    runner r = poisoned(THREE AT "%d = Abs-1(%p)\n" ROW(
        "8") "%x = Negative-1(%row) : f32[1,2] overwrites %row\n%y = SoftMax-1(%x) {axis = 0}\n"
             "%z = Add-1(%x, %y)\n%out = Result-1(%z)\n");

    check_run(&r, OPERANDS(SIX, "i64[1] 1"), OPERANDS("f32[1,2] -2 -3"));
    assert_int_equal(stats_of(&r).in_place_writes, 1);
    runner_free(&r);
}

/* The row comes over a border: the size of what is computed there only the run knows. */
static void test_over_a_border(void **state)
{
    runner r = poisoned(THREE AT "%d = Abs-1(%p)\n" ROW(
        "8") "%n = NonZero-3(%at)\n%far = ShapeOf-3(%n)\n%l = Gather-8(%p, %n, %axis)\n"
             "%s = ReduceSum-1(%l, %axes) {keep_dims = false}\n%y = Add-1(%row, %s)\n"
             "%axes = Const-1 {value = i64[3] [0, 1, 2]}\n%out = Result-1(%y)\n");

    check_run(&r, OPERANDS(SIX, "i64[1] 2"), OPERANDS("f32[1,2] 8 9"));
    check_run(&r, OPERANDS(SIX, "i64[1] 0"), OPERANDS("f32[1,2] 1 2"));
    check_run(&r, OPERANDS(SIX, "i64[1] 9"), OPERANDS("f32[1,2] 3 3"));
    runner_free(&r);
}

/* The state is written over once its row has been read, and is as it was if the run fails. */
static void test_of_a_state(void **state)
{
    runner r = poisoned(
        "variable \"v\" : f32[3,2]\n%zero = Const-1 {value = f32[3,2] [1, 2, 3, 4, 5, 6]}\n" AT
        "%to = Parameter-1 {element_type = i64, shape = [1]}\n"
        "%d = ReadValue-6(%zero) {variable_id = \"v\", variable_type = f32, variable_shape = "
        "[3,2]}\n" ROW("8") "%y = Negative-1(%row)\n"
                            "%new = ScatterUpdate-3(%d, %to, %y, %axis) : f32[3,2] overwrites %d\n"
                            "%save = Assign-6(%new) {variable_id = \"v\"}\n%out = Result-1(%y)\n");

    check_run(&r, OPERANDS("i64[1] 1", "i64[1] 0"), OPERANDS("f32[1,2] -3 -4"));
    check_run(&r, OPERANDS("i64[1] 0", "i64[1] 2"), OPERANDS("f32[1,2] 3 4"));
    check_run_fails(&r, OPERANDS("i64[1] 1", "i64[1] 3"), INLAY_INVALID, "\"new\"");
    check_tensor(inlay_session_variable(r.session, 0), "f32[3,2] -3 -4 3 4 3 4");
    runner_free(&r);
}

/* One step reads the row, and another one writes over rows of its buffer: they are not computed
 * together, tile by tile. */
static void test_before_a_fused_write(void **state)
{
    enum { N = 1 << 16 };
    runner r = poisoned("%p = Parameter-1 {element_type = f32, shape = [2,65536]}\n" AT AXIS
                        "%first = Const-1 {value = i64[2] [0, 1]}\n"
                        "%end = Const-1 {value = i64[2] [1, 65536]}\n"
                        "%ones = Const-1 {value = i64[2] [1, 1]}\n"
                        "%none = Const-1 {value = i64[2] [0, 0]}\n"
                        "%stop = Const-1 {value = i64[2] [1, 65535]}\n%d = Abs-1(%p)\n"
                        "%row = Gather-8(%d, %at, %axis) : f32[1,65536] view of %d\n"
                        "%x = Slice-8(%row, %none, %stop, %ones) : f32[1,65535] view of %row\n"
                        "%y = Abs-1(%x)\n"
                        "%s = Slice-8(%d, %first, %end, %ones) : f32[1,65535] view of %d\n"
                        "%w = Subtract-1(%s, %y) : f32[1,65535] into %new\n"
                        "%new = SliceScatter-15(%d, %w, %first, %end, %ones) : f32[2,65536] "
                        "overwrites %d\n%out = Result-1(%new)\n");
    inlay_tensor *in[2], *out;

    in[0] = inlay_tensor_new(INLAY_F32, 2, (int64_t[]){2, N});
    in[1] = inlay_tensor_new(INLAY_I64, 1, (int64_t[]){1});
    for (int64_t i = 0; i < N; i++)
        inlay_tensor_set_f64(in[0], i, (double)i);
    inlay_tensor_set_i64(in[1], 0, 0);
    if (!inlay_session_run(r.session, (const inlay_tensor *const *)in, NULL, &out, r.diags))
        fail_msg("%s", inlay_diags_at(r.diags, 0)->text);
    for (int64_t i = 0; i < N; i++)
        assert_true(inlay_tensor_get_f64(out, i) == (i > 0));
    inlay_tensor_release(in[0]);
    inlay_tensor_release(in[1]);
    inlay_tensor_release(out);
    runner_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_run),     cmocka_unit_test(test_no_such_row),
        cmocka_unit_test(test_refused),      cmocka_unit_test(test_of_others),
        cmocka_unit_test(test_column),       cmocka_unit_test(test_outlives),
        cmocka_unit_test(test_written_over), cmocka_unit_test(test_over_a_border),
        cmocka_unit_test(test_of_a_state),   cmocka_unit_test(test_before_a_fused_write),
        cmocka_unit_test(test_scalar),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* An input that the caller keeps, and that is written over through one slice only: this slice is
 * copied, and nothing else (interp/exec/plan/sliced.c). The expected elements were written by hand. */
#include "graphs.h"
#include "ir/shared.h"

#define DATA                                                                                       \
    "%x = Parameter-1 {element_type = i32, shape = [6,2]}\n"                                       \
    "%at = Parameter-1 {element_type = i64, shape = [1]}\n"                                        \
    "%one = Const-1 {value = i64[1] [1]}\n%two = Const-1 {value = i64[1] [2]}\n"                   \
    "%four = Const-1 {value = i64[1] [4]}\n%six = Const-1 {value = i64[1] [6]}\n%axis = Const-1 "  \
    "{value = i64[] 0}\n"                                                                          \
    "%row = Const-1 {value = i32[1,2] [70, 80]}\n"
#define SLICE "%s = Slice-8(%x, %two, %four, %one)\n"
#define WRITE "%r = ScatterUpdate-3(%s, %at, %row, %axis)\n%out = Result-1(%r)\n"
#define INPUT "i32[6,2] 0 1 2 3 4 5 6 7 8 9 10 11"

/* Runs R on INPUT and the number AT, kept or DONATED; the first result must be OUT, and COPIED
 * bytes are copied. A tensor that is kept stays as it was. */
static void check_step(runner *r, const char *at, bool donated, const char *out, uint64_t copied)
{
    inlay_tensor *in[2] = {tensor_of(INPUT), tensor_of(at)}, *was = inlay_tensor_copy(in[0]);
    inlay_tensor *results[4] = {NULL};
    inlay_exec_stats s;

    assert_true(inlay_session_run(r->session, (const inlay_tensor *const *)in,
                                  (bool[]){donated, false}, results, r->diags));
    check_tensor(results[0], out);
    inlay_session_stats(r->session, &s);
    assert_int_equal(s.copied_bytes, copied);
    assert_true(donated || inlay_tensor_equal(in[0], was));
    for (int i = 0; i < 4; i++)
        inlay_tensor_release(results[i]);
    inlay_tensor_release(in[0]);
    inlay_tensor_release(in[1]);
    inlay_tensor_release(was);
}

static void test_slice_is_copied(void **state)
{
    runner r = runner_of_noted(DATA SLICE WRITE);

    for (int i = 0; i < 2; i++) {
        check_step(&r, "i64[1] 1", false, "i32[2,2] 4 5 70 80", 16 + 8);
        check_step(&r, "i64[1] 0", true, "i32[2,2] 70 80 6 7", 8);
    }
    runner_free(&r);
}

/* The input and the rest of it are read behind the write. */
static void test_input_is_read(void **state)
{
    runner r = runner_of_noted(DATA SLICE "%r = ScatterUpdate-3(%s, %at, %row, %axis)\n"
                                          "%t = Slice-8(%x, %four, %six, %one)\n"
                                          "%sum = Add-1(%r, %t)\n%out = Result-1(%sum)\n");

    check_step(&r, "i64[1] 1", false, "i32[2,2] 12 14 80 91", 16 + 8);
    runner_free(&r);
}

/* Where the slice begins, or how many rows are written, is known in the run only. */
static void test_known_in_the_run(void **state)
{
    runner begins = runner_of_noted(DATA "%end = Add-1(%at, %two)\n"
                                         "%s = Slice-8(%x, %at, %end, %one)\n"
                                         "%r = ScatterUpdate-3(%s, %one, %row, %axis)\n"
                                         "%out = Result-1(%r)\n");
    runner behind = runner_of_noted(
        DATA "%n = NonZero-3(%at)\n%h = Abs-1(%n)\n%k = Squeeze-1(%h, %axis)\n" SLICE
             "%r = ScatterUpdate-3(%s, %k, %row, %axis)\n"
             "%out = Result-1(%r)\n");

    check_step(&begins, "i64[1] 3", false, "i32[2,2] 6 7 70 80", 16 + 8);
    check_step(&begins, "i64[1] 0", true, "i32[2,2] 0 1 70 80", 8);
    check_step(&behind, "i64[1] 1", false, "i32[2,2] 70 80 6 7", 16 + 8);
    check_step(&behind, "i64[1] 1", true, "i32[2,2] 70 80 6 7", 8);
    runner_free(&begins);
    runner_free(&behind);
}

/* Two slices may be more than the input, and what is written over otherwise is no slice: all of the
 * input is copied. */
static void test_all_is_copied(void **state)
{
    runner two = runner_of_noted(DATA SLICE "%t = Slice-8(%x, %four, %six, %one)\n"
                                            "%q = ScatterUpdate-3(%t, %at, %row, %axis)\n" WRITE
                                            "%second = Result-1(%q)\n");
    runner put_back = runner_of_noted(DATA SLICE "%r = ScatterUpdate-3(%s, %at, %row, %axis)\n"
                                                 "%w = SliceScatter-15(%x, %r, %two, %four, %one)\n"
                                                 "%out = Result-1(%w)\n");

    check_step(&two, "i64[1] 1", false, "i32[2,2] 4 5 70 80", 48 + 8 + 8);
    check_step(&put_back, "i64[1] 1", false, "i32[6,2] 0 1 2 3 4 5 70 80 8 9 10 11", 48 + 8);
    check_step(&put_back, "i64[1] 1", true, "i32[6,2] 0 1 2 3 4 5 70 80 8 9 10 11", 8);
    runner_free(&two);
    runner_free(&put_back);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slice_is_copied),
        cmocka_unit_test(test_input_is_read),
        cmocka_unit_test(test_known_in_the_run),
        cmocka_unit_test(test_all_is_copied),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

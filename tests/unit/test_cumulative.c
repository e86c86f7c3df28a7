/* Running sums: the examples of the document, and drawn tensors. */
#include "generate/rng.h"
#include "graphs.h"
#include "ir/shared.h"
#include "seeds.h"
#include "support.h"

/* These are the examples of cumsum-3.rst. */
static void test_cumsum(void **state)
{
    const char *five = "f32[5] 1 2 3 4 5";

    check_op("CumSum", NULL, OPERANDS(five, "i64 0"), OPERANDS("f32[5] 1 3 6 10 15"));
    check_op("CumSum", "exclusive=true", OPERANDS(five), OPERANDS("f32[5] 0 1 3 6 10"));
    check_op("CumSum", "reverse=true", OPERANDS(five, "i32 0"), OPERANDS("f32[5] 15 14 12 9 5"));
    check_op("CumSum", "exclusive=true;reverse=true", OPERANDS(five, "i64 -1"),
             OPERANDS("f32[5] 14 12 9 5 0"));
    check_op("CumSum", NULL, OPERANDS("i8[2,2] 100 1 100 2", "i64 0"),
             OPERANDS("i8[2,2] 100 1 -56 3"));
    check_op("CumSum", NULL, OPERANDS("f32[2] 1 2", "i64 ? 0"), OPERANDS("f32[2] 1 3"));
    check_op_fails("CumSum", NULL, OPERANDS("f32[2] 1 2", "i64 ? 1"),
                   "axis is 1, it must be in [-1, 0]");
    check_infer_fails("CumSum", NULL, OPERANDS("f32[2,2]", "i64 2"),
                      "axis is 2, it must be in [-2, 1]");
    check_infer_fails("CumSum", NULL, OPERANDS("f32[2,2]", "i64[2]"),
                      "input 1 \"axis\" has shape [2], it must be one number");
}

/* Sums along any axis of drawn tensors, each of them one chain. */
static void check_chains(uint64_t seed)
{
    rng r = {seed};
    int axis = (int)rng_in(&r, 0, 2);
    bool exclusive = rng_one_in(&r, 2), reverse = rng_one_in(&r, 2);
    int64_t d[] = {rng_in(&r, 1, 4), rng_in(&r, 1, 9), rng_in(&r, 1, 40)};
    int64_t after = axis == 2 ? 1 : axis == 1 ? d[2] : d[1] * d[2], all = d[0] * d[1] * d[2];
    inlay_tensor *t = inlay_tensor_new(INLAY_F32, 3, d), *out;
    char body[400];
    runner run;

    for (int64_t i = 0; i < all; i++)
        inlay_tensor_set_f64(t, i, (double)rng_in(&r, -99, 99) / 7);
    snprintf(body, sizeof body,
             "%%x = Parameter-1 {element_type = f32, shape = [%d,%d,%d]}\n"
             "%%a = Const-1 {value = i64[] %d}\n"
             "%%y = CumSum-3(%%x, %%a) {exclusive = %s, reverse = %s}\n%%out = Result-1(%%y)\n",
             (int)d[0], (int)d[1], (int)d[2], axis, exclusive ? "true" : "false",
             reverse ? "true" : "false");
    run = runner_of(body, NULL);
    run_with(&run, (const inlay_tensor *[]){t}, NULL, &out);
    for (int64_t i = 0; i < all; i++) {
        int64_t at = i / after % d[axis], to = reverse ? d[axis] - 1 - at : at;
        float sum = 0;

        for (int64_t k = 0; k < to + !exclusive; k++)
            sum += (float)inlay_tensor_get_f64(t, i + (reverse ? d[axis] - 1 - k - at : k - at) *
                                                          after);
        assert_true(inlay_tensor_get_f64(out, i) == (double)sum);
    }
    inlay_tensor_release(out);
    inlay_tensor_release(t);
    runner_free(&run);
}

static void test_chains(void **state)
{
    seed_range seeds = seeds_to_try(1, 40);

    for (uint64_t i = 0; i < seeds.n; i++)
        check_chains(seeds.first + i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cumsum),
        cmocka_unit_test(test_chains),
    };

    return cmocka_run_group_tests_name("running sums", tests, NULL, NULL);
}

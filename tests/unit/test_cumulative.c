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

/* Returns the sum of COUNT elements of T, FIRST and those that are STEP apart, modulo 2^64, or as
 * floats. */
static double chain(const inlay_tensor *t, int64_t first, int64_t step, int64_t count)
{
    float sum = 0;
    double wide = 0;
    uint64_t whole = 0;

    for (int64_t k = 0; k < count; k++) {
        sum += (float)inlay_tensor_get_f64(t, first + k * step);
        wide += inlay_tensor_get_f64(t, first + k * step);
        whole += (uint64_t)inlay_tensor_get_i64(t, first + k * step);
    }
    return t->type == INLAY_F32   ? (double)sum
           : t->type == INLAY_F64 ? wide
           : t->type == INLAY_I32 ? (double)(int32_t)whole
           : t->type == INLAY_U32 ? (double)(uint32_t)whole
           : t->type == INLAY_I8  ? (double)(int8_t)whole
                                  : (double)(int64_t)whole;
}

/* Sums along any axis of drawn tensors, each of them one chain. */
static void check_chains(uint64_t seed)
{
    static const inlay_type types[] = {INLAY_F32, INLAY_F64, INLAY_I32,
                                       INLAY_U32, INLAY_I64, INLAY_I8};
    rng r = {seed};
    int axis = (int)rng_in(&r, 0, 2);
    bool exclusive = rng_one_in(&r, 2), reverse = rng_one_in(&r, 2);
    int64_t d[] = {rng_in(&r, 1, 14), rng_in(&r, 1, 9), rng_in(&r, 1, 40)};
    int64_t after = axis == 2 ? 1 : axis == 1 ? d[2] : d[1] * d[2], all = d[0] * d[1] * d[2];
    inlay_tensor *t = inlay_tensor_new(types[rng_in(&r, 0, 5)], 3, d), *out;
    bool whole = inlay_type_is_int(t->type);
    char body[400];
    runner run;

    for (int64_t i = 0; i < all; i++) {
        int64_t bits = (int64_t)rng_next(&r) >> (t->type == INLAY_I64 ? 20 : 0);

        if (whole)
            inlay_tensor_set_i64(t, i, bits);
        else
            inlay_tensor_set_f64(t, i, (double)rng_in(&r, -99, 99) / 7);
    }
    snprintf(body, sizeof body,
             "%%x = Parameter-1 {element_type = %s, shape = [%d,%d,%d]}\n"
             "%%a = Const-1 {value = i64[] %d}\n"
             "%%y = CumSum-3(%%x, %%a) {exclusive = %s, reverse = %s}\n%%out = Result-1(%%y)\n",
             inlay_type_info_of(t->type)->name, (int)d[0], (int)d[1], (int)d[2], axis,
             exclusive ? "true" : "false", reverse ? "true" : "false");
    run = runner_of(body, NULL);
    run_with(&run, (const inlay_tensor *[]){t}, NULL, &out);
    for (int64_t i = 0; i < all; i++) {
        int64_t at = i / after % d[axis], to = reverse ? d[axis] - 1 - at : at;
        int64_t first = i + (reverse ? to : -at) * after, step = reverse ? -after : after;

        assert_true(inlay_tensor_get_f64(out, i) == chain(t, first, step, to + !exclusive));
    }
    inlay_tensor_release(out);
    inlay_tensor_release(t);
    runner_free(&run);
}

static void test_chains(void **state)
{
    seed_range seeds = seeds_to_try(1, 80);

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

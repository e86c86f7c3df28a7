/* Reductions: values by hand from their documents' formulas. */
#include "generate/rng.h"
#include "graphs.h"
#include "ir/shared.h"
#include "seeds.h"
#include "support.h"

#include <math.h>

static const char x[] = "f32[2,3] 1 -2 3 4 5 -6";

static void test_values(void **state)
{
    static const struct {
        const char *op, *axis0, *axis1;
    } cases[] = {
        {"ReduceSum", "f32[3] 5 3 -3", "f32[2] 2 3"},
        {"ReduceMean", "f32[3] 2.5 1.5 -1.5", "f32[2] 0.66666666667 1"},
        {"ReduceProd", "f32[3] 4 -10 -18", "f32[2] -6 -120"},
        {"ReduceMax", "f32[3] 4 5 3", "f32[2] 3 5"},
        {"ReduceMin", "f32[3] 1 -2 -6", "f32[2] -2 -6"},
        {"ReduceL1", "f32[3] 5 7 9", "f32[2] 6 15"},
        {"ReduceL2", "f32[3] 4.12310563 5.38516481 6.70820393", "f32[2] 3.74165739 8.77496439"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_op(cases[i].op, NULL, OPERANDS(x, "i64 0"), OPERANDS(cases[i].axis0));
        check_op(cases[i].op, NULL, OPERANDS(x, "i32[1] -1"), OPERANDS(cases[i].axis1));
        check_op(cases[i].op, NULL, OPERANDS("f32[2] 3 4", "i64[0]"), OPERANDS("f32[2] 3 4"));
    }
    check_op("ReduceSum", NULL, OPERANDS(x, "i64[2] 0 1"), OPERANDS("f32 5"));
    check_op("ReduceSum", "keep_dims=true", OPERANDS(x, "i64[2] 1 0"), OPERANDS("f32[1,1] 5"));
    check_op("ReduceSum", NULL, OPERANDS("f32[2,2,2] 1 2 3 4 5 6 7 8", "i64[2] 0 2"),
             OPERANDS("f32[2] 14 22"));
    check_op("ReduceMax", NULL, OPERANDS("f64[3] 1 nan 2", "i64[1] 0"), OPERANDS("f64 nan"));
    check_op("ReduceMin", NULL, OPERANDS("f32[3] nan 1 2", "i64[1] 0"), OPERANDS("f32 nan"));
}

static void test_integers(void **state)
{
    check_op("ReduceSum", NULL, OPERANDS("i8[3] 100 100 100", "i64 0"), OPERANDS("i8 44"));
    check_op("ReduceMean", NULL, OPERANDS("i32[2,2] 1 2 -1 -2", "i64 1"), OPERANDS("i32[2] 1 -1"));
    check_op("ReduceMean", NULL, OPERANDS("u64[2] 18446744073709551614 1", "i64 0"),
             OPERANDS("u64 9223372036854775807"));
    check_op("ReduceMax", NULL, OPERANDS("u64[2] 18446744073709551614 1", "i64 0"),
             OPERANDS("u64 18446744073709551614"));
    check_op("ReduceL1", NULL, OPERANDS("i32[3] -1 2 -3", "i64 0"), OPERANDS("i32 6"));
    check_op("ReduceL2", NULL, OPERANDS("i32[2] 3 4", "i64 0"), OPERANDS("i32 5"));
    check_op("ReduceL2", NULL, OPERANDS("i32[2] 5 6", "i64 0"), OPERANDS("i32 8")); /* 7.81 */
    check_op("ReduceL2", NULL, OPERANDS("i8[2] 100 -100", "i64 0"), OPERANDS("i8 127"));
    check_op("ReduceL2", NULL, OPERANDS("i32[2] -5 6", "i64[0]"), OPERANDS("i32[2] 5 6"));
    check_op("ReduceL1", NULL, OPERANDS("f32[2] -5 6", "i64[0]"), OPERANDS("f32[2] 5 6"));
    check_op("ReduceMean", NULL, OPERANDS("i32[2] -5 6", "i64[0]"), OPERANDS("i32[2] -5 6"));
    check_op("ReduceLogicalAnd", NULL, OPERANDS("boolean[2,2] 1 1 1 0", "i64 1"),
             OPERANDS("boolean[2] 1 0"));
    check_op("ReduceLogicalOr", NULL, OPERANDS("boolean[2,2] 0 0 1 0", "i64 1"),
             OPERANDS("boolean[2] 0 1"));
}

/* The documents do not say what a reduction of no elements gives. Here it gives the number that the
 * fold starts with. */
static void test_empty(void **state)
{
    check_op("ReduceSum", NULL, OPERANDS("f32[0,2]", "i64 0"), OPERANDS("f32[2] 0 0"));
    check_op("ReduceProd", NULL, OPERANDS("i32[0]", "i64 0"), OPERANDS("i32 1"));
    check_op("ReduceMax", NULL, OPERANDS("f32[0]", "i64 0"), OPERANDS("f32 -inf"));
    check_op("ReduceMin", NULL, OPERANDS("i8[0]", "i64 0"), OPERANDS("i8 127"));
    check_op("ReduceMax", NULL, OPERANDS("u8[0]", "i64 0"), OPERANDS("u8 0"));
    check_op("ReduceMean", NULL, OPERANDS("f32[0]", "i64 0"), OPERANDS("f32 nan"));
    check_op("ReduceLogicalAnd", NULL, OPERANDS("boolean[0]", "i64 0"), OPERANDS("boolean 1"));
    check_op("ReduceSum", NULL, OPERANDS("f32[2,0]", "i64 0"), OPERANDS("f32[0]"));
    check_op_fails("ReduceMean", NULL, OPERANDS("i32[0]", "i64 0"),
                   "the mean of no integers does not exist");
}

static void test_shapes(void **state)
{
    /* reduce-mean-1.rst's examples */
    check_infer("ReduceMean", "keep_dims=true", OPERANDS("f32[6,12,10,24]", "i64[2] 2 3"),
                OPERANDS("f32[6,12,1,1]"));
    check_infer("ReduceMean", NULL, OPERANDS("f32[6,12,10,24]", "i64[2] 2 3"),
                OPERANDS("f32[6,12]"));
    check_infer("ReduceMean", NULL, OPERANDS("f32[6,12,10,24]", "i64[1] -2"),
                OPERANDS("f32[6,12,24]"));
    check_infer("ReduceMax", NULL, OPERANDS("f32[?,2..3]", "i64 0"), OPERANDS("f32[2..3]"));
    check_infer("ReduceMax", "keep_dims=true", OPERANDS("f32[3,?]", "i64[1]"),
                OPERANDS("f32[1..3,?]"));
    check_infer("ReduceMax", NULL, OPERANDS("f32[3,4]", "i64[1]"), OPERANDS("f32[3..4]"));
    check_infer("ReduceMax", "keep_dims=true", OPERANDS("f32[...]", "i64[1] 0"),
                OPERANDS("f32..."));
    check_infer("ReduceProd", NULL, OPERANDS("i64[3] 2 3 4", "i64 0"), OPERANDS("i64[] {24}"));
    check_infer("ReduceSum", "keep_dims=true", OPERANDS("i64[3] 2 3 4", "i64 0"),
                OPERANDS("i64[1] {9}"));
    check_infer("ReduceMax", NULL, OPERANDS("i64[3] 2 3 4", "i64 0"), OPERANDS("i64[] {4}"));
    check_infer("ReduceMin", NULL, OPERANDS("i64[3] 2 3 4", "i64 0"), OPERANDS("i64[] {2}"));
    check_infer("ReduceProd", NULL, OPERANDS("i64[0]", "i64 0"), OPERANDS("i64[] {1}"));
}

static void test_messages(void **state)
{
    check_infer_fails("ReduceSum", NULL, OPERANDS("f32[2,3]", "i64 2"),
                      "axes[0] is 2, it must be in [-2, 1]");
    check_infer_fails("ReduceSum", NULL, OPERANDS("f32[2,3]", "i64[2] 0 -2"),
                      "axes[1] is -2: axis 0 is repeated");
    check_infer_fails("ReduceSum", NULL, OPERANDS("f32[2,3]", "i64[1,1]"),
                      "input 1 \"axes\" has shape [1,1], it must have rank 1");
    check_infer_fails("ReduceSum", NULL, OPERANDS("f32[2,3]", "i64[3]"),
                      "input 1 \"axes\" has 3 elements, data has rank 2");
    /* The shape does not depend on the axes here, so the kernel is the first to look at them. */
    check_op_fails("ReduceSum", "keep_dims=true", OPERANDS("f32[1,1] 5", "i64[1] ? 7"),
                   "axes[0] is 7, it must be in [-2, 1]");
    check_op_fails("ReduceSum", "keep_dims=true", OPERANDS("f32[1,1] 5", "i64[2] ? 1 -1"),
                   "axes[1] is -1: axis 1 is repeated");
    check_op("ReduceSum", "keep_dims=true", OPERANDS("f32[2,1] 5 6", "i64[1] ? 0"),
             OPERANDS("f32[1,1] 11"));
}

/* The largest or smallest of numbers is the first NaN, else the last of those that are equal to it,
 * which says which zero it is. */
static void check_extreme(bool most, bool wide, int n, unsigned seed)
{
    inlay_tensor *t = inlay_tensor_new(wide ? INLAY_F64 : INLAY_F32, 1, (int64_t[]){n}), *out;
    inlay_exec_options o = {.mode = seed & 1 ? INLAY_EXEC_REFERENCE : INLAY_EXEC_PLANNED};
    int64_t at = 0;
    char body[300];
    runner r;

    for (int i = 0; i < n; i++) {
        double zero = (seed * 31 + (unsigned)i * 7919u) % 5 < 2 ? -0.0 : 0.0;
        double e = (seed + (unsigned)i * 104729u) % 7 < seed % 7 ? zero : most ? -i : i;
        double sum;

        if (seed % 5 == 4 && i > n / 2 && (i + (int)seed) % 11 < 2)
            e = i % 2 ? (double)NAN : (double)-NAN;
        inlay_tensor_set_f64(t, i, e);
        sum = inlay_tensor_get_f64(t, at);
        at = sum != sum || (most ? sum > e : sum < e) ? at : i;
    }
    snprintf(
        body, sizeof body,
        "%%x = Parameter-1 {element_type = %s, shape = [%d]}\n%%a = Const-1 {value = i64[] 0}\n"
        "%%y = Reduce%s-1(%%x, %%a)\n%%out = Result-1(%%y)\n",
        wide ? "f64" : "f32", n, most ? "Max" : "Min");
    r = runner_on(graph_of(body), &o);
    run_with(&r, (const inlay_tensor *[]){t}, NULL, &out);
    assert_memory_equal(out->data, (const char *)t->data + at * (wide ? 8 : 4), wide ? 8 : 4);
    inlay_tensor_release(out);
    inlay_tensor_release(t);
    runner_free(&r);
}

static void test_extremes(void **state)
{
    for (unsigned seed = 0; seed < 60; seed++) {
        for (unsigned k = 0; k < 4; k++)
            check_extreme(k & 1, k & 2, 1 + (int)(seed * seed * 13 % 301), seed);
    }
}

/* Folds of drawn tensors of three axes, element after element, along the one in the middle, the
 * first two, or the last: extremes, and sums and products of which each is one chain. */

enum fold_op { SUM, PROD, MAX, MIN };

static double folded(enum fold_op op, bool single, double sum, double e)
{
    double y = op == SUM ? sum + e : sum * e;

    if (op == MAX || op == MIN)
        return (op == MAX ? sum > e : sum < e) || sum != sum ? sum : e;
    return single ? (double)(op == SUM ? (float)sum + (float)e : (float)sum * (float)e) : y;
}

static double drawn(rng *r, inlay_type type, enum fold_op op)
{
    double e = type == INLAY_U64 ? (double)rng_in(r, 0, 3) : (double)rng_in(r, -3, 3);

    if (type == INLAY_I64 || type == INLAY_U64)
        return e;
    if (e == 0)
        return rng_one_in(r, 2) ? -0.0 : 0.0;
    if (rng_one_in(r, 500))
        return NAN;
    return op == SUM || op == PROD ? e / 7 + 1.5 : e;
}

static void check_fold(uint64_t seed, enum fold_op op, inlay_type type, int form)
{
    static const char *const names[] = {"Sum", "Prod", "Max", "Min"};
    static const char *const axes[] = {"i64[1] [1]", "i64[2] [0, 1]", "i64[1] [2]"};
    rng r = {seed};
    inlay_exec_options o = {.mode = seed & 1 ? INLAY_EXEC_REFERENCE : INLAY_EXEC_PLANNED};
    int64_t d[] = {rng_in(&r, 1, 3), rng_in(&r, 1, 20),
                   rng_in(&r, 1,
                          rng_one_in(&r, 3) ? 9
                          : form == 2       ? 300
                                            : 80)};
    int64_t n_out = form == 0 ? d[0] * d[2] : form == 1 ? d[2] : d[0] * d[1];
    inlay_tensor *t = inlay_tensor_new(type, 3, d), *out;
    double *sums = calloc((size_t)n_out, sizeof *sums);
    char body[300];
    runner run;

    for (int64_t i = 0; i < n_out; i++)
        sums[i] = op == PROD ? 1 : op == SUM ? 0 : op == MAX ? -INFINITY : INFINITY;
    for (int64_t i = 0; i < d[0] * d[1] * d[2]; i++) {
        int64_t to = form == 0   ? i / (d[1] * d[2]) * d[2] + i % d[2]
                     : form == 1 ? i % d[2]
                                 : i / d[2];

        inlay_tensor_set_f64(t, i, drawn(&r, type, op));
        sums[to] = folded(op, type == INLAY_F32, sums[to], inlay_tensor_get_f64(t, i));
    }
    snprintf(body, sizeof body,
             "%%x = Parameter-1 {element_type = %s, shape = [%d,%d,%d]}\n"
             "%%a = Const-1 {value = %s}\n%%y = Reduce%s-1(%%x, %%a)\n%%out = Result-1(%%y)\n",
             inlay_type_info_of(type)->name, (int)d[0], (int)d[1], (int)d[2], axes[form],
             names[op]);
    run = runner_on(graph_of(body), &o);
    run_with(&run, (const inlay_tensor *[]){t}, NULL, &out);
    for (int64_t i = 0; i < n_out; i++) {
        double y = inlay_tensor_get_f64(out, i);

        if (!(y == sums[i] && signbit(y) == signbit(sums[i])) && !(isnan(y) && isnan(sums[i])))
            fail_msg("seed %d: %s of %s, %s: element %d is %a, not %a", (int)seed, names[op],
                     inlay_type_info_of(type)->name, axes[form], (int)i, y, sums[i]);
    }
    free(sums);
    inlay_tensor_release(out);
    inlay_tensor_release(t);
    runner_free(&run);
}

static void test_folds(void **state)
{
    static const inlay_type types[] = {INLAY_F32, INLAY_F64, INLAY_I64, INLAY_U64};
    seed_range seeds = seeds_to_try(1, 160);

    for (uint64_t i = seeds.first; i < seeds.first + seeds.n; i++) {
        inlay_type type = types[i / 2 % 4];
        enum fold_op op = (enum fold_op)(i / 8 % 4);
        bool whole = type == INLAY_I64 || type == INLAY_U64;
        int forms = op == MAX || op == MIN ? 3 : 2;

        for (int form = 0; form < forms; form++)
            check_fold(i, whole && op == PROD ? SUM : op, type, form);
    }
}

/* The order in which floats are summed or multiplied: it depends on how many they are and on
 * whether the last axis is among the axes, and on nothing else. */

enum { LANES = 32, RANK = 4, ELEMENTS = 5 * 3 * 11 * 7 };

static const int64_t dims[RANK] = {5, 3, 11, 7};

static float joined(bool product, float a, float b)
{
    return product ? a * b : a + b;
}

/* Returns the sum, or PRODUCT, of those elements, in row-major order, that agree with AT on the
 * axes not in MASK; it has N parts. */
static float sum_of(const inlay_tensor *t, unsigned mask, const int64_t *at, int n, bool product)
{
    float part[LANES], sum = product;
    int k = 0;

    for (int i = 0; i < LANES; i++)
        part[i] = product;

    for (int64_t i = 0; i < ELEMENTS; i++) {
        int64_t left = i;
        bool same = true;

        for (int a = RANK - 1; a >= 0; left /= dims[a--])
            same = same && ((mask >> a & 1) || left % dims[a] == at[a]);
        if (same)
            part[k % n] = joined(product, part[k % n], (float)inlay_tensor_get_f64(t, i));
        k += same;
    }
    for (; k > n && n > 1; n /= 2) {
        for (int i = 0; i < n / 2; i++)
            part[i] = joined(product, part[i], part[i + n / 2]);
    }
    for (int i = 0; i < n; i++)
        sum = joined(product, sum, part[i]);
    return sum;
}

/* Checks SUMS, of the axes in MASK, which stay as 1. */
static void check_sums(const inlay_tensor *t, unsigned mask, const inlay_tensor *sums, bool product)
{
    int64_t at[RANK];

    for (int64_t i = 0; i < inlay_tensor_count(sums); i++) {
        int64_t left = i;

        for (int a = RANK - 1; a >= 0; left /= sums->dims[a--])
            at[a] = left % sums->dims[a];
        assert_true((float)inlay_tensor_get_f64(sums, i) ==
                    sum_of(t, mask, at, mask >> (RANK - 1) & 1 ? LANES : 1, product));
    }
}

static void run_sums(const char *body, inlay_exec_mode mode, const inlay_tensor *t, unsigned mask,
                     bool product)
{
    inlay_exec_options o = {.mode = mode, .poison = true};
    runner r = runner_on(graph_of(body), &o);
    inlay_tensor *out = NULL;

    assert_true(inlay_session_run(r.session, &t, NULL, &out, r.diags));
    check_sums(t, mask, out, product);
    inlay_tensor_release(out);
    runner_free(&r);
}

static void check_order(bool product)
{
    inlay_tensor *dense = inlay_tensor_new(INLAY_F32, RANK, dims);
    inlay_tensor *turned = inlay_tensor_window(dense, RANK, dims, (int64_t[]){1, 55, 5, 165}, 0);

    for (int64_t i = 0; i < ELEMENTS; i++)
        inlay_tensor_set_f64(dense, i, (double)(i * 7919 % 1009) / 5045 + 0.9);
    for (unsigned mask = 1; mask < 1 << RANK; mask++) {
        char body[400], axes[40] = "";
        int n = 0, used = 0;

        for (int a = 0; a < RANK; a++) {
            if (mask >> a & 1)
                used += snprintf(axes + used, sizeof axes - (size_t)used, "%s%d",
                                 n++ > 0 ? ", " : "", a);
        }
        snprintf(body, sizeof body,
                 "%%x = Parameter-1 {element_type = f32, shape = [5,3,11,7]}\n"
                 "%%axes = Const-1 {value = i64[%d] [%s]}\n"
                 "%%y = Reduce%s-1(%%x, %%axes) {keep_dims = true}\n%%out = Result-1(%%y)\n",
                 n, axes, product ? "Prod" : "Sum");
        for (int k = 0; k < 4; k++)
            run_sums(body, k / 2 ? INLAY_EXEC_PLANNED : INLAY_EXEC_REFERENCE,
                     k % 2 ? turned : dense, mask, product);
    }
    inlay_tensor_release(turned);
    inlay_tensor_release(dense);
}

static void test_order_of_sums(void **state)
{
    check_order(false);
    check_order(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),   cmocka_unit_test(test_integers),
        cmocka_unit_test(test_empty),    cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_messages), cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_folds),    cmocka_unit_test(test_order_of_sums),
    };

    return cmocka_run_group_tests_name("reductions", tests, NULL, NULL);
}

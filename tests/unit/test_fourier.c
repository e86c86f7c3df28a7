/* Fourier transforms of all lengths: against sums over all pairs in long doubles, and of a line
 * alone against the same line among others. */
#include "node_case.h"
#include "seeds.h"
#include "unit.h"

#include <math.h>

/* Returns what OP gives for X over axis 1. */
static inlay_tensor *transform(const char *op, const inlay_tensor *x)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_graph_new("transform", d);
    inlay_tensor *axis = inlay_tensor_new(INLAY_I64, 1, (int64_t[]){1}), *out = NULL;
    inlay_value *in[2];
    inlay_program *p;
    inlay_session *s;
    inlay_node *n;

    inlay_tensor_set_i64(axis, 0, 1);
    in[0] = inlay_build_const(g, "x", (inlay_tensor *)x, d);
    in[1] = inlay_build_const(g, "axis", axis, d);
    n = inlay_build(g, "node", op, in, 2, NULL, d);
    assert_non_null(n);
    assert_non_null(inlay_build_result(g, "out", &n->out[0], d));
    p = inlay_compile(g, NULL, d);
    s = inlay_session_new(p, d);
    assert_true(inlay_session_run(s, NULL, NULL, &out, d));
    inlay_session_free(s);
    inlay_program_free(p);
    inlay_graph_free(g);
    inlay_tensor_release(axis);
    inlay_diags_free(d);
    return out;
}

static inlay_tensor *any_lines(rng *r, int64_t lines, int64_t n)
{
    inlay_tensor *x = inlay_tensor_new(INLAY_F64, 3, (int64_t[]){lines, n, 2});

    for (int64_t i = 0; i < lines * n * 2; i++)
        inlay_tensor_set_f64(x, i, (double)rng_in(r, -1000000, 1000000) / 999983);
    return x;
}

/* Checks Y, the transform of X, [1, N, 2], or its inverse, by sums. */
static void check_sums(const inlay_tensor *x, const inlay_tensor *y, int64_t n, bool inverse)
{
    const long double turn = (inverse ? 2 : -2) * acosl(-1.0L);
    double scale = inverse ? (double)n : 1;

    for (int64_t m = 0; m < n; m++) {
        long double re = 0, im = 0, far = sqrtl((long double)n) * (1 + log2l((long double)n));

        for (int64_t j = 0; j < n; j++) {
            long double angle = turn * (long double)(j * m % n) / (long double)n;
            long double u = inlay_tensor_get_f64(x, 2 * j), v = inlay_tensor_get_f64(x, 2 * j + 1);

            re += u * cosl(angle) - v * sinl(angle);
            im += u * sinl(angle) + v * cosl(angle);
        }
        if (fabsl(re - scale * inlay_tensor_get_f64(y, 2 * m)) > 3e-16L * far ||
            fabsl(im - scale * inlay_tensor_get_f64(y, 2 * m + 1)) > 3e-16L * far)
            fail_msg("number %lld of %lld is %g + %gi, not %Lg + %Lgi", (long long)m, (long long)n,
                     inlay_tensor_get_f64(y, 2 * m), inlay_tensor_get_f64(y, 2 * m + 1), re / scale,
                     im / scale);
    }
}

static void sums(void **state)
{
    static const int64_t large[] = {512, 625, 997, 1000, 1024, 1023, 2 * 769};
    seed_range seeds = seeds_to_try(160, 40);

    for (uint64_t i = 0; i < seeds.n + 7; i++) {
        int64_t n = i < seeds.n ? (int64_t)(seeds.first + i) : large[i - seeds.n];
        rng r = {seeds.first + i};
        bool inverse = rng_one_in(&r, 3);
        inlay_tensor *x = any_lines(&r, 1, n), *y = transform(inverse ? "IDFT" : "DFT", x);

        check_sums(x, y, n, inverse);
        inlay_tensor_release(x);
        inlay_tensor_release(y);
    }
}

/* A line has the bits that it has alone. */
static void lines(void **state)
{
    seed_range seeds = seeds_to_try(120, 30);

    for (uint64_t i = 0; i < seeds.n; i++) {
        rng r = {seeds.first + i};
        int64_t n = rng_in(&r, 1, rng_one_in(&r, 4) ? 1500 : 80), count = rng_in(&r, 1, 40);
        inlay_tensor *x = any_lines(&r, count, n), *all = transform("DFT", x);
        int64_t line = rng_in(&r, 0, count - 1);
        inlay_tensor *one =
            inlay_tensor_window(x, 3, (int64_t[]){1, n, 2}, (int64_t[]){2 * n, 2, 1}, line * 2 * n);
        inlay_tensor *y = transform("DFT", one);

        assert_memory_equal(y->data, (const double *)all->data + line * 2 * n,
                            (size_t)(2 * n) * sizeof(double));
        inlay_tensor_release(x);
        inlay_tensor_release(all);
        inlay_tensor_release(one);
        inlay_tensor_release(y);
    }
}

/* Numbers of threads, types and options: all like the reference. */
static void transform_case(rng *r, struct node_case *k)
{
    static const char *const ops[] = {"DFT", "IDFT", "RDFT", "IRDFT"};
    static const inlay_type types[] = {INLAY_F32, INLAY_F64, INLAY_F16};
    int op = (int)rng_in(r, 0, 3), parts = op != 2;
    int64_t dims[4] = {rng_in(r, 1, 5), rng_in(r, 1, 200), rng_in(r, 1, 5), 2};

    snprintf(k->op, sizeof k->op, "%s", ops[op]);
    k->in[0] = any_tensor(r, types[rng_in(r, 0, 2)], 3 + parts, dims, false, rng_one_in(r, 2));
    k->in[1] = inlay_tensor_new(INLAY_I64, 1, (int64_t[]){1});
    inlay_tensor_set_i64(k->in[1], 0, rng_in(r, 0, 2));
    k->constant[1] = true;
    k->open = rng_one_in(r, 3);
    if (rng_one_in(r, 2))
        return;
    k->in[2] = inlay_tensor_new(INLAY_I64, 1, (int64_t[]){1});
    inlay_tensor_set_i64(k->in[2], 0, rng_in(r, 1, 70));
    k->constant[2] = true;
}

static void threads(void **state)
{
    seed_range seeds = seeds_to_try(100, 20);

    for (uint64_t i = 0; i < seeds.n; i++) {
        rng r = {seeds.first + i};
        struct node_case k = {0};

        transform_case(&r, &k);
        check_case(&k, seeds.first + i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums),
        cmocka_unit_test(lines),
        cmocka_unit_test(threads),
    };

    return cmocka_run_group_tests_name("Fourier transforms", tests, NULL, NULL);
}

/* Single nodes in the module of oneDNN's kernels, against the reference: products and convolutions of
 * any numbers must lie within a bound that is computed from the data: each of N terms is rounded at
 * most N times, by 2^-24 of the sum of magnitudes. Without the module there is nothing to test. */
#include "onednn_peer.h"
#include "seeds.h"
#include "unit.h"

#include <math.h>

/* Tensors */

static inlay_tensor *any_numbers(rng *r, int rank, const int64_t *dims)
{
    inlay_tensor *t = inlay_tensor_new(INLAY_F32, rank, dims);

    assert_non_null(t);
    for (int64_t i = 0; i < inlay_tensor_count(t); i++) {
        double x = (double)rng_in(r, -1000000, 1000000) / 999983;

        inlay_tensor_set_f64(t, i, rng_one_in(r, 9) ? x * 1e4 : x);
    }
    return t;
}

static inlay_tensor *magnitudes(const inlay_tensor *from)
{
    inlay_tensor *t = inlay_tensor_new(INLAY_F32, from->rank, from->dims);

    assert_non_null(t);
    for (int64_t i = 0; i < inlay_tensor_count(t); i++)
        inlay_tensor_set_f64(t, i, fabs(inlay_tensor_get_f64(from, i)));
    return t;
}

/* Graphs */

/* Bounds */

/* Whether each element of OUT is within the bound of WANTED; SUMS are the sums of magnitudes. */
static void check_bound(const inlay_tensor *out, const inlay_tensor *wanted,
                        const inlay_tensor *sums, double terms, uint64_t seed)
{
    for (int64_t i = 0; i < inlay_tensor_count(out); i++) {
        double a = inlay_tensor_get_f64(out, i), b = inlay_tensor_get_f64(wanted, i);
        double bound = 2 * (terms + 1) * 0x1p-24 * inlay_tensor_get_f64(sums, i);

        if (!(fabs(a - b) <= bound))
            fail_msg("seed %llu: element %lld is %.9g, not %.9g within %g",
                     (unsigned long long)seed, (long long)i, a, b, bound);
    }
}

/* Makes y = OP(x, filters) of the dims of IN. */
static inlay_graph *graph_of(const char *op, const inlay_tensor *in, const inlay_tensor *filters,
                             const char *attrs, inlay_diags *d)
{
    inlay_graph *g = inlay_graph_new("one", d);
    inlay_shape shape = {.rank = in->rank};
    inlay_value *v[2];
    inlay_node *n;

    for (int i = 0; i < in->rank; i++)
        shape.dim[i] = (inlay_dim){.lo = in->dims[i], .hi = in->dims[i]};
    v[0] = inlay_build_parameter(g, "x", INLAY_F32, &shape, d);
    v[1] = inlay_build_const(g, "f", filters, d);
    n = inlay_build(g, "y", op, v, 2, attrs, d);
    assert_true(n && inlay_build_result(g, "r", &n->out[0], d));
    return g;
}

static void check_one(const char *op, rng *r, const int64_t *x_dims, const int64_t *f_dims,
                      int rank, int x_rank, const char *attrs, int64_t terms, uint64_t seed)
{
    inlay_diags *d = inlay_diags_new();
    inlay_tensor *x = any_numbers(r, x_rank, x_dims), *f = any_numbers(r, rank, f_dims);
    inlay_tensor *x_sizes = magnitudes(x), *f_sizes = magnitudes(f), *out, *wanted, *sums;
    inlay_graph *g = graph_of(op, x, f, attrs, d), *of_sizes = graph_of(op, x, f_sizes, attrs, d);
    const inlay_exec_options reference = {.mode = INLAY_EXEC_REFERENCE};

    run(g, &reference, x, &wanted, 1);
    run(of_sizes, &reference, x_sizes, &sums, 1);
    for (int threads = 1; threads <= 3; threads++) {
        inlay_exec_options o = {.kernels = INLAY_KERNELS_ONEDNN, .threads = threads};

        run(g, &o, x, &out, 1);
        check_bound(out, wanted, sums, (double)terms, seed);
        inlay_tensor_release(out);
    }
    inlay_tensor_release(wanted);
    inlay_tensor_release(sums);
    inlay_tensor_release(x);
    inlay_tensor_release(f);
    inlay_tensor_release(x_sizes);
    inlay_tensor_release(f_sizes);
    inlay_graph_free(g);
    inlay_graph_free(of_sizes);
    inlay_diags_free(d);
}

static void bounds(void **state)
{
    seed_range seeds = seeds_to_try(60, 10);

    if (!is_there())
        skip();
    for (uint64_t i = 0; i < seeds.n; i++) {
        rng r = {seeds.first + i};
        int64_t in = rng_in(&r, 1, 70), out = rng_in(&r, 8, 70), kernel = rng_in(&r, 1, 3);
        int64_t rows = rng_in(&r, 1, 40), side = rng_in(&r, 3, 14);
        const int64_t x[4] = {1, in, side, side}, f[4] = {out, in, kernel, kernel};
        const int64_t a[2] = {rows, in}, b[2] = {in, out};

        check_one("Convolution", &r, x, f, 4, 4,
                  "strides=1,1;pads_begin=1,1;pads_end=1,1;dilations=1,1", count_of(3, f + 1),
                  seeds.first + i);
        check_one("MatMul", &r, a, b, 2, 2, "", in, seeds.first + i);
    }
}

/* Blocks */

/* Returns a number of channels or columns near to a multiple of the blocks in which oneDNN packs
 * constants; most fill no whole block. */
static int64_t near_blocks(rng *r, int64_t most)
{
    static const int64_t sizes[] = {1, 8, 16, 32, 48, 64};
    int64_t size = sizes[rng_in(r, 0, 5)], n = size * rng_in(r, 0, 3) + rng_in(r, -3, 9);

    return n < 1 ? 1 : n > most ? most : n;
}

/* A convolution of 1 to 3 axes, in groups or not. */
static void check_filters(rng *r, uint64_t seed)
{
    static const char *const attrs[] = {
        "strides=1;pads_begin=1;pads_end=0;dilations=1",
        "strides=2,1;pads_begin=0,1;pads_end=1,1;dilations=1,1",
        "strides=1,1,2;pads_begin=1,0,1;pads_end=0,1,1;dilations=1,1,1"};
    int axes = (int)rng_in(r, 1, 3);
    int64_t groups = rng_one_in(r, 3) ? near_blocks(r, 70) : 1, most = groups > 1 ? 20 : 200;
    int64_t in = near_blocks(r, most), x[5] = {rng_in(r, 1, 2), groups * in};
    int64_t f[6] = {groups, near_blocks(r, most), in};

    for (int i = 0; i < axes; i++) {
        x[2 + i] = rng_in(r, 3, 5);
        f[3 + i] = rng_in(r, 1, groups > 1 ? 2 : 3);
    }
    check_one(groups > 1 ? "GroupConvolution" : "Convolution", r, x, groups > 1 ? f : f + 1,
              2 + axes + (groups > 1), 2 + axes, attrs[axes - 1], count_of(1 + axes, f + 2), seed);
}

/* Each element of a constant must have its place in what it is packed in, however it is cut: where
 * channels, columns and what they are summed over fill no whole block, too. */
static void blocks(void **state)
{
    seed_range seeds = seeds_to_try(100, 15);

    if (!is_there())
        skip();
    for (uint64_t i = 0; i < seeds.n; i++) {
        rng r = {seeds.first + i};
        int64_t depth = near_blocks(&r, 200), cols = near_blocks(&r, 200);
        const int64_t x[2] = {rng_in(&r, 2, 20), depth}, f[2] = {depth, cols},
                      turned[2] = {cols, depth};

        check_filters(&r, seeds.first + i);
        check_one("MatMul", &r, x, f, 2, 2, "", depth, seeds.first + i);
        check_one("MatMul", &r, x, turned, 2, 2, "transpose_b=true", depth, seeds.first + i);
    }
}

/* NaN */

/* r = ReLU(Convolution(x, f)) of one NaN: oneDNN would make 0 of it, so the run must fail. Without
 * a clamp the NaN comes out; a filter that is no number is the library's to read. */
/* A product that the model says has one row is our own kernel's, whose sums are the reference's. */
static void rows(void **state)
{
    seed_range seeds = seeds_to_try(30, 10);

    if (!is_there())
        skip();
    for (uint64_t i = 0; i < seeds.n; i++) {
        rng r = {seeds.first + i};
        const int64_t f_dims[2] = {rng_in(&r, 1, 300), rng_in(&r, 2, 150)};
        const int64_t x_dims[3] = {1, 1, f_dims[0]};
        inlay_diags *d = inlay_diags_new();
        inlay_tensor *x = any_numbers(&r, 3, x_dims), *f = any_numbers(&r, 2, f_dims), *out,
                     *wanted;
        inlay_graph *g = graph_of("MatMul", x, f, "", d);
        const inlay_exec_options reference = {.mode = INLAY_EXEC_REFERENCE},
                                 ours = {.kernels = INLAY_KERNELS_ONEDNN, .threads = 2};

        run(g, &reference, x, &wanted, 1);
        run(g, &ours, x, &out, 1);
        if (!inlay_tensor_equal(out, wanted))
            fail_msg("seed %llu: a row is not the reference's",
                     (unsigned long long)(seeds.first + i));
        inlay_tensor_release(out);
        inlay_tensor_release(wanted);
        inlay_tensor_release(x);
        inlay_tensor_release(f);
        inlay_graph_free(g);
        inlay_diags_free(d);
    }
}

static void run_nan(bool clamps, bool in_filters, bool fails)
{
    inlay_diags *d = inlay_diags_new();
    const int64_t dims[4] = {1, 1, 4, 4}, one[4] = {1, 1, 1, 1};
    rng r = {1};
    inlay_tensor *x = whole_numbers(&r, 4, dims, 3), *f = whole_numbers(&r, 4, one, 3);
    const inlay_tensor *in[1] = {x};
    inlay_tensor *out[2];
    inlay_graph *g;
    inlay_value *v;
    inlay_node *n;
    inlay_program *p;
    inlay_session *s;

    inlay_tensor_set_f64(in_filters ? f : x, 0, (double)NAN);
    g = graph_of("Convolution", x, f, "strides=1,1;pads_begin=0,0;pads_end=0,0;dilations=1,1", d);
    v = g->results[0]->in[0].value;
    n = inlay_build(g, "last", clamps ? "ReLU" : "Sqrt", &v, 1, "", d);
    assert_true(n && inlay_build_result(g, "last", &n->out[0], d));
    p = inlay_compile(g, &(inlay_exec_options){.kernels = INLAY_KERNELS_ONEDNN}, d);
    program_chain_worth(p, 0);
    s = inlay_session_new(p, d);
    assert_int_equal(inlay_session_run(s, in, NULL, out, d), !fails);
    if (fails)
        assert_non_null(strstr(inlay_diags_at(d, 0)->text, "has a NaN or an infinity"));
    else
        assert_true(isnan(inlay_tensor_get_f64(out[1], 0)));
    for (int i = 0; i < 2; i++)
        inlay_tensor_release(out[i]);
    inlay_session_free(s);
    inlay_program_free(p);
    inlay_graph_free(g);
    inlay_tensor_release(x);
    inlay_tensor_release(f);
    inlay_diags_free(d);
}

static void nans(void **state)
{
    if (!is_there())
        skip();
    run_nan(true, false, true);
    run_nan(true, true, false);
    run_nan(false, false, false);
}

/* A test that is skipped is named after "SKIP", where "peer:" says that what it wants is made by
 * others: a build with sanitizers never has the module. */
int main(void)
{
    const struct CMUnitTest tests[] = {{.name = "peer: bounds", .test_func = bounds},
                                       {.name = "peer: blocks", .test_func = blocks},
                                       {.name = "peer: rows", .test_func = rows},
                                       {.name = "peer: NaN", .test_func = nans}};

    return cmocka_run_group_tests(tests, NULL, NULL);
}

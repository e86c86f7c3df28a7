/* The module of oneDNN's kernels against the reference. Chains are computed on small whole numbers
 * and quarters, whose sums are exact in any order: results must be equal, so that a wrong layout, a
 * lost operand or a sum added twice shows. Products and convolutions of any numbers must lie within
 * a bound that is computed from the data: each of N terms is rounded at most N times, by 2^-24 of
 * the sum of magnitudes. Without the module there is nothing to test. */
#include "generate/rng.h"
#include "interp/session.h"
#include "ir/shared.h"
#include "seeds.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_VALUES = 40, MOST_RESULTS = 4, EXACT = 1 << 24 };

/* A value of a graph that is made up; its elements are whole numbers of parts, PARTS of which make
 * 1, and none is larger than MOST. */
struct made {
    inlay_value *v;
    int rank;
    int64_t dims[5], most, parts;
};

struct maker {
    rng r;
    inlay_graph *g;
    inlay_diags *d;
    struct made list[MOST_VALUES];
    int n, n_nodes, rank; /* of images */
    uint64_t seed;
};

static bool is_there(void)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_graph_new("probe", d);
    const int64_t dims[2] = {2, 2};
    inlay_tensor *t = inlay_tensor_new(INLAY_F32, 2, dims);
    inlay_value *in[2] = {inlay_build_const(g, "a", t, d), inlay_build_const(g, "b", t, d)};
    inlay_node *n = inlay_build(g, "m", "MatMul", in, 2, "", d);
    inlay_program *p;

    assert_non_null(inlay_build_result(g, "out", &n->out[0], d));
    p = inlay_compile(g, &(inlay_exec_options){.kernels = INLAY_KERNELS_ONEDNN}, d);
    if (!p)
        assert_non_null(strstr(inlay_diags_at(d, 0)->text, "there are no kernels of oneDNN"));
    inlay_program_free(p);
    inlay_graph_free(g);
    inlay_tensor_release(t);
    inlay_diags_free(d);
    return p != NULL;
}

/* Tensors */

static int64_t count_of(int rank, const int64_t *dims)
{
    int64_t n = 1;

    for (int i = 0; i < rank; i++)
        n *= dims[i];
    return n;
}

static inlay_tensor *whole_numbers(rng *r, int rank, const int64_t *dims, int64_t most)
{
    inlay_tensor *t = inlay_tensor_new(INLAY_F32, rank, dims);

    assert_non_null(t);
    for (int64_t i = 0; i < inlay_tensor_count(t); i++)
        inlay_tensor_set_f64(t, i, (double)rng_in(r, -most, most));
    return t;
}

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

/* Nodes */

static inlay_value *constant(struct maker *m, int rank, const int64_t *dims, int64_t most)
{
    inlay_tensor *t = whole_numbers(&m->r, rank, dims, most);
    inlay_value *v = inlay_build_const(m->g, NULL, t, m->d);

    inlay_tensor_release(t);
    assert_non_null(v);
    return v;
}

static inlay_value *node(struct maker *m, const char *op, inlay_value *a, inlay_value *b,
                         const char *attrs)
{
    inlay_value *in[2] = {a, b};
    char name[16];
    inlay_node *n;

    snprintf(name, sizeof name, "n%d", m->n_nodes++);
    n = inlay_build(m->g, name, op, in, b ? 2 : 1, attrs, m->d);
    if (!n)
        fail_msg("seed %llu: %s %s: %s", (unsigned long long)m->seed, op, attrs,
                 inlay_diags_at(m->d, 0)->text);
    return &n->out[0];
}

/* The new value V has the elements of FROM, or other ones of its dims, of at most MOST. */
static struct made *add(struct maker *m, inlay_value *v, const struct made *from, int64_t most)
{
    struct made *to = &m->list[m->n++];

    *to = *from;
    to->v = v;
    to->most = most;
    return to;
}

static const struct made *any_of(struct maker *m, int rank)
{
    int from = (int)rng_in(&m->r, 0, m->n - 1);

    for (int i = m->n; i-- > 0;) {
        const struct made *x = &m->list[(from + i) % m->n];

        if (x->rank == rank)
            return x;
    }
    return NULL;
}

/* Returns X, or what is left of it between -4 and 4, so that sums of TERMS terms are exact. */
static struct made bounded(struct maker *m, const struct made *x, int64_t terms)
{
    if (x->most * x->parts * terms * 2 < EXACT)
        return *x;
    return *add(m, node(m, "Clamp", x->v, NULL, "min=-4;max=4"), x, 4);
}

static int64_t extent(int64_t large, int64_t kernel, int64_t stride, int64_t pads, int64_t dilation)
{
    int64_t room = large + pads - (kernel - 1) * dilation - 1;

    return room < 0 ? 0 : room / stride + 1;
}

/* Appends NAME=FIRST,REST,...,LAST for all spatial axes to ATTRS. */
static void add_attr(const struct maker *m, char *attrs, const char *name, int64_t first,
                     int64_t rest, int64_t last)
{
    int axes = m->rank - 2;

    strcat(strcat(attrs, name), "=");
    for (int i = 0; i < axes; i++)
        sprintf(attrs + strlen(attrs), "%lld%s",
                (long long)(i == axes - 1 ? last
                            : i == 0      ? first
                                          : rest),
                i == axes - 1 ? ";" : ",");
}

/* Sets the spatial dims of Y to what a window makes of those of X; false: one has no place. */
static bool set_extents(const struct maker *m, const struct made *x, struct made *y, int64_t kernel,
                        int64_t stride, int64_t pads, int64_t dilation)
{
    bool fits = true;

    for (int i = 2; i < m->rank; i++) {
        y->dims[i] = extent(x->dims[i], kernel, stride, pads, dilation);
        fits = fits && y->dims[i] > 0;
    }
    return fits;
}

static void add_convolution(struct maker *m)
{
    const struct made *from = any_of(m, m->rank);
    int64_t kernel = rng_in(&m->r, 1, 3), stride = rng_in(&m->r, 1, 2), pad = rng_in(&m->r, 0, 1);
    int64_t end = rng_in(&m->r, 0, 1), dilation = rng_one_in(&m->r, 5) ? 2 : 1;
    bool deep = rng_one_in(&m->r, 3);
    int64_t groups = deep ? from->dims[1] : 1, out = deep ? 1 : rng_in(&m->r, 1, 40);
    int64_t in = from->dims[1] / groups, dims[6] = {groups, out, in, kernel, kernel, kernel};
    int64_t terms = count_of(m->rank - 1, dims + 2);
    struct made made = *from;
    char attrs[200] = "";
    struct made x;

    if (!set_extents(m, from, &made, kernel, stride, pad + end, dilation))
        return;
    made.dims[1] = groups * out;
    x = bounded(m, from, terms);
    add_attr(m, attrs, "strides", stride, stride, stride);
    add_attr(m, attrs, "pads_begin", pad, pad, pad);
    add_attr(m, attrs, "pads_end", end, end, end);
    add_attr(m, attrs, "dilations", dilation, dilation, dilation);
    made.parts = x.parts;
    add(m,
        node(m, deep ? "GroupConvolution" : "Convolution", x.v,
             constant(m, m->rank + deep, deep ? dims : dims + 1, 2), attrs),
        &made, x.most * terms * 2);
}

static void add_bias(struct maker *m)
{
    const struct made *x = any_of(m, rng_one_in(&m->r, 5) ? 2 : m->rank);
    int64_t dims[5] = {1, x ? x->dims[1] : 1, 1, 1, 1};

    if (x)
        add(m, node(m, "Add", x->v, constant(m, x->rank, dims, 3), ""), x, x->most + 3);
}

static void add_sum(struct maker *m)
{
    const struct made *x = any_of(m, m->rank);

    for (int i = 0; i < m->n; i++) {
        const struct made *y = &m->list[i];

        if (y->rank == x->rank && memcmp(x->dims, y->dims, sizeof x->dims) == 0 &&
            (x->most + y->most) * x->parts * y->parts < EXACT && rng_one_in(&m->r, 2)) {
            int64_t parts = x->parts > y->parts ? x->parts : y->parts;

            add(m, node(m, "Add", x->v, y->v, ""), x, x->most + y->most)->parts = parts;
            return;
        }
    }
}

static void add_bound(struct maker *m)
{
    static const int64_t none[4];
    static const char *const ops[] = {"ReLU", "Clamp", "Maximum", "Minimum"};
    const struct made *x = &m->list[rng_in(&m->r, 0, m->n - 1)];
    int64_t which = rng_in(&m->r, 0, 3);
    inlay_value *number = which > 1 ? constant(m, 0, none, 5) : NULL;

    add(m, node(m, ops[which], x->v, number, which == 1 ? "min=-3;max=6" : ""), x,
        x->most > 6 ? x->most : 6);
}

static void add_pool(struct maker *m)
{
    bool mean = rng_one_in(&m->r, 3);
    const struct made *from = any_of(m, m->rank);
    int64_t stride = rng_in(&m->r, 1, 2), pad = mean ? 0 : rng_in(&m->r, 0, 1);
    int64_t elements = 1 << (m->rank - 2);
    struct made made = *from;
    char attrs[200] = "";
    struct made x;

    if (!set_extents(m, from, &made, 2, stride, 0, 1) || (mean && from->parts > 16))
        return;
    made.dims[2] = extent(from->dims[2], 2, stride, pad, 1);
    made.dims[m->rank - 1] =
        extent(from->dims[m->rank - 1], 2, stride, m->rank > 3 ? pad : 2 * pad, 1);
    add_attr(m, attrs, "kernel", 2, 2, 2);
    add_attr(m, attrs, "strides", stride, stride, stride);
    add_attr(m, attrs, "pads_begin", pad, 0, m->rank > 3 ? 0 : pad);
    add_attr(m, attrs, "pads_end", 0, 0, pad);
    x = bounded(m, from, elements);
    made.parts = x.parts * (mean ? elements : 1);
    add(m,
        node(m, mean ? "AvgPool" : "MaxPool", x.v, NULL,
             strcat(attrs, mean ? "exclude-pad=true" : "")),
        &made, x.most);
}

static void add_product(struct maker *m)
{
    const struct made *from = &m->list[rng_in(&m->r, 0, m->n - 1)];
    int64_t depth = from->dims[from->rank - 1], cols = rng_in(&m->r, 1, 70);
    bool turned = rng_one_in(&m->r, 2);
    const int64_t dims[2] = {turned ? cols : depth, turned ? depth : cols};
    struct made x = bounded(m, from, depth);

    add(m, node(m, "MatMul", x.v, constant(m, 2, dims, 2), turned ? "transpose_b=true" : ""), &x,
        x.most * depth * 2)
        ->dims[x.rank - 1] = cols;
}

static void add_node(struct maker *m)
{
    static void (*const makers[])(struct maker *) = {add_convolution, add_convolution, add_bias,
                                                     add_bias,        add_sum,         add_sum,
                                                     add_bound,       add_pool,        add_product};

    makers[rng_in(&m->r, 0, (int64_t)(sizeof makers / sizeof makers[0]) - 1)](m);
}

/* Graphs */

static void make_graph(struct maker *m)
{
    static const int64_t sides[] = {60, 12, 5};
    inlay_shape shape = {.rank = m->rank};
    struct made x = {.rank = m->rank, .most = 5, .parts = 1};
    char name[16];

    m->g = inlay_graph_new("net", m->d);
    for (int i = 0; i < m->rank; i++) {
        x.dims[i] = i == 0   ? rng_in(&m->r, 1, 2)
                    : i == 1 ? rng_in(&m->r, 1, 20)
                             : rng_in(&m->r, 3, sides[m->rank - 3]);
        shape.dim[i] = (inlay_dim){.lo = x.dims[i], .hi = x.dims[i]};
    }
    x.v = inlay_build_parameter(m->g, "x", INLAY_F32, &shape, m->d);
    m->list[m->n++] = x;
    for (int nodes = (int)rng_in(&m->r, 2, 14); nodes > 0 && m->n < MOST_VALUES - 3; nodes--)
        add_node(m);
    for (int i = 0; i < MOST_RESULTS; i++) {
        int which = i == 0 ? m->n - 1 : (int)rng_in(&m->r, 0, m->n - 1);

        snprintf(name, sizeof name, "r%d", i);
        assert_non_null(inlay_build_result(m->g, name, m->list[which].v, m->d));
    }
}

/* Runs G on IN, twice, so that the second run finds everything there. */
static void run(const inlay_graph *g, const inlay_exec_options *o, const inlay_tensor *in,
                inlay_tensor **out, int n_out)
{
    inlay_diags *d = inlay_diags_new();
    inlay_program *p = inlay_compile(g, o, d);
    inlay_session *s = p ? inlay_session_new(p, d) : NULL;

    if (p) {
        program_chain_worth(p, 0);
        program_split(p, 1); /* threads share what is small, too */
    }
    for (int i = 0; i < 2; i++) {
        if (!s || !inlay_session_run(s, &in, NULL, out, d))
            fail_msg("%s", inlay_diags_at(d, 0)->text);
        for (int k = 0; i == 0 && k < n_out; k++)
            inlay_tensor_release(out[k]);
    }
    inlay_session_free(s);
    inlay_program_free(p);
    inlay_diags_free(d);
}

static void same_numbers(const inlay_tensor *a, const inlay_tensor *b, uint64_t seed, int result)
{
    assert_int_equal(inlay_tensor_count(a), inlay_tensor_count(b));
    for (int64_t i = 0; i < inlay_tensor_count(a); i++) {
        if (inlay_tensor_get_f64(a, i) != inlay_tensor_get_f64(b, i))
            fail_msg("seed %llu: element %lld of result %d is %g, not %g", (unsigned long long)seed,
                     (long long)i, result, inlay_tensor_get_f64(a, i), inlay_tensor_get_f64(b, i));
    }
}

/* Runs the graph of M with one thread, two and three. Returns how many steps were made in chains.
 */
static int check_made(struct maker *m)
{
    inlay_tensor *wanted[MOST_RESULTS], *out[MOST_RESULTS], *in;
    inlay_program_plan plan;
    int chained = 0;

    in = whole_numbers(&m->r, m->rank, m->list[0].dims, 5);
    run(m->g, &(inlay_exec_options){.mode = INLAY_EXEC_REFERENCE}, in, wanted, MOST_RESULTS);
    for (int threads = 1; threads <= 3; threads++) {
        inlay_exec_options o = {
            .kernels = INLAY_KERNELS_ONEDNN, .threads = threads, .poison = true};

        run(m->g, &o, in, out, MOST_RESULTS);
        for (int i = 0; i < MOST_RESULTS; i++) {
            same_numbers(out[i], wanted[i], m->seed, i);
            inlay_tensor_release(out[i]);
        }
    }
    assert_true(inlay_program_plan_make(m->g, INLAY_KERNELS_ONEDNN, &plan, m->d));
    for (size_t i = 0; i < plan.n_steps; i++)
        chained += strcmp(plan.steps[i].made, "chain") == 0;
    inlay_program_plan_free(&plan);
    for (int i = 0; i < MOST_RESULTS; i++)
        inlay_tensor_release(wanted[i]);
    inlay_tensor_release(in);
    inlay_graph_free(m->g);
    inlay_diags_free(m->d);
    return chained;
}

static int check_graph(uint64_t seed)
{
    struct maker m = {.r = {seed}, .d = inlay_diags_new(), .seed = seed};

    m.rank = rng_one_in(&m.r, 4) ? (int)rng_in(&m.r, 3, 5) : 4;
    make_graph(&m);
    return check_made(&m);
}

/* y is added to c, and is read behind that: the sum must not be made over it. */
static void read_again(void **state)
{
    static const char *const attrs = "strides=1,1;pads_begin=0,0;pads_end=0,0;dilations=1,1";
    struct maker m = {.r = {7}, .rank = 4, .seed = 7};
    const int64_t filters[4] = {4, 4, 1, 1};
    struct made x = {.rank = 4, .dims = {1, 4, 5, 5}};
    inlay_shape shape = {.rank = 4};
    inlay_value *y, *s;
    char name[16];

    (void)state;
    if (!is_there())
        skip();
    m.d = inlay_diags_new();
    for (int i = 0; i < 4; i++)
        shape.dim[i] = (inlay_dim){.lo = x.dims[i], .hi = x.dims[i]};
    m.g = inlay_graph_new("again", m.d);
    x.v = inlay_build_parameter(m.g, "x", INLAY_F32, &shape, m.d);
    m.list[0] = x;
    y = node(&m, "Convolution", x.v, constant(&m, 4, filters, 2), attrs);
    s = node(&m, "Add", node(&m, "Convolution", y, constant(&m, 4, filters, 2), attrs), y, "");
    s = node(&m, "Add", node(&m, "Convolution", s, constant(&m, 4, filters, 2), attrs), y, "");
    for (int i = 0; i < MOST_RESULTS; i++) {
        snprintf(name, sizeof name, "r%d", i);
        assert_non_null(inlay_build_result(m.g, name, s, m.d));
    }
    check_made(&m);
}

static void chains(void **state)
{
    seed_range seeds = seeds_to_try(150, 30);
    int chained = 0;

    (void)state;
    if (!is_there())
        skip();
    for (uint64_t i = 0; i < seeds.n; i++)
        chained += check_graph(seeds.first + i);
    if (seeds.whole)
        assert_true(chained > (int)seeds.n / 10);
}

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

    (void)state;
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

    (void)state;
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

    (void)state;
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
    (void)state;
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
    const struct CMUnitTest tests[] = {{.name = "peer: chains", .test_func = chains},
                                       {.name = "peer: read again", .test_func = read_again},
                                       {.name = "peer: bounds", .test_func = bounds},
                                       {.name = "peer: blocks", .test_func = blocks},
                                       {.name = "peer: rows", .test_func = rows},
                                       {.name = "peer: NaN", .test_func = nans}};

    return cmocka_run_group_tests(tests, NULL, NULL);
}

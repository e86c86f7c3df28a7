/* Chains in the module of oneDNN's kernels, against the reference. They are computed on small whole
 * numbers and quarters, whose sums are exact in any order: results must be equal, so that a wrong
 * layout, a lost operand or a sum added twice shows. Without the module there is nothing to test. */
#include "onednn_peer.h"
#include "seeds.h"
#include "unit.h"

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

/* Tensors */

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

    if (!is_there())
        skip();
    for (uint64_t i = 0; i < seeds.n; i++)
        chained += check_graph(seeds.first + i);
    if (seeds.whole)
        assert_true(chained > (int)seeds.n / 10);
}

/* A test that is skipped is named after "SKIP", where "peer:" says that what it wants is made by
 * others: a build with sanitizers never has the module. */
int main(void)
{
    const struct CMUnitTest tests[] = {{.name = "peer: chains", .test_func = chains},
                                       {.name = "peer: read again", .test_func = read_again}};

    return cmocka_run_group_tests(tests, NULL, NULL);
}

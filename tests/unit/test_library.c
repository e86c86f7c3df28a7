/* The kernels of interp/library against those of the reference, which they must equal bit for bit,
 * but for one row by compressed integers (digits.h), which is within a bound: random sizes, strides
 * and attributes, numbers among which are NaN, infinities and -0, operands that are constants (and
 * packed) or not, and any number of threads. The tiles are held against plain loops for each width
 * of vectors that the processor has. */
#include "generate/rng.h"
#include "interp/library/near.h"
#include "interp/session.h"
#include "ir/shared.h"
#include "passes/passes.h"
#include "seeds.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_OPERANDS = 7 };

/* A node with its operands, NULL behind the last one. */
struct node_case {
    char op[48], attrs[300];
    inlay_tensor *in[MOST_OPERANDS];
    bool constant[MOST_OPERANDS];
    int output; /* that is compared */
    /* How far each element may be from the reference's; NULL: it has the same bits. */
    double *bounds;
};

/* Numbers */

static double any_number(rng *r, bool special)
{
    static const double odd[] = {0, -0.0, 1, -1, 1e-42, 3e38, -3e38};

    if (special && rng_one_in(r, 40)) {
        int64_t i = rng_in(r, 0, 2);

        return i == 0 ? (double)NAN : i == 1 ? (double)INFINITY : (double)-INFINITY;
    }
    if (rng_one_in(r, 8))
        return odd[rng_in(r, 0, 6)];
    return (double)rng_in(r, -1000000, 1000000) / 999983;
}

/* Makes a tensor that is dense, or stands in another one of which it shows a part. */
static inlay_tensor *any_tensor(rng *r, inlay_type type, int rank, const int64_t *dims,
                                bool special, bool dense)
{
    int64_t larger[INLAY_MAX_RANK], strides[INLAY_MAX_RANK], step = 1;
    inlay_tensor *all, *t;

    for (int i = rank - 1; i >= 0; i--) {
        larger[i] = dims[i] + (dense ? 0 : rng_in(r, 0, 2));
        strides[i] = step;
        step *= larger[i];
    }
    all = inlay_tensor_new(type, rank, larger);
    assert_non_null(all);
    for (int64_t i = 0; i < inlay_tensor_count(all); i++)
        inlay_tensor_set_f64(all, i, any_number(r, special));
    t = inlay_tensor_window(all, rank, dims, strides, 0);
    assert_non_null(t);
    inlay_tensor_release(all);
    return t;
}

/* Whether A and B have the same bits; a NaN may have any. */
static bool same_numbers(const inlay_tensor *a, const inlay_tensor *b)
{
    size_t size = (size_t)inlay_type_info_of(a->type)->bits / 8;
    bool same = inlay_tensor_count(a) == inlay_tensor_count(b);

    for (int64_t i = 0; same && i < inlay_tensor_count(a); i++) {
        double x = inlay_tensor_get_f64(a, i), y = inlay_tensor_get_f64(b, i);

        same = (x != x && y != y) || memcmp((const char *)a->data + (size_t)i * size,
                                            (const char *)b->data + (size_t)i * size, size) == 0;
    }
    return same;
}

/* Whether A is what is wanted for K, W. */
static bool is_wanted(const struct node_case *k, const inlay_tensor *a, const inlay_tensor *w)
{
    for (int64_t i = 0; k->bounds && i < inlay_tensor_count(a); i++) {
        double x = inlay_tensor_get_f64(a, i), y = inlay_tensor_get_f64(w, i);

        if (!(fabs(x - y) <= k->bounds[i] || x == y || isinf(k->bounds[i]) || (x != x && y != y)))
            return false;
    }
    return k->bounds || same_numbers(a, w);
}

static const char *shape_of(const inlay_tensor *t, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%s", inlay_type_info_of(t->type)->name);

    for (int i = 0; i < t->rank; i++)
        used += (size_t)snprintf(text + used, size - used, ",%lld", (long long)t->dims[i]);
    return text;
}

/* Runs */

static inlay_graph *graph_of_case(const struct node_case *k, inlay_diags *d)
{
    inlay_graph *g = inlay_graph_new("case", d);
    inlay_value *in[MOST_OPERANDS];
    inlay_node *n;
    char name[16];
    int n_in = 0;

    for (int i = 0; i < MOST_OPERANDS && k->in[i]; i++) {
        inlay_shape shape = {.rank = k->in[i]->rank};

        for (int a = 0; a < shape.rank; a++)
            shape.dim[a] = (inlay_dim){.lo = k->in[i]->dims[a], .hi = k->in[i]->dims[a]};
        snprintf(name, sizeof name, "in%d", i);
        n_in++;
        in[i] = k->constant[i] ? inlay_build_const(g, name, k->in[i], d)
                               : inlay_build_parameter(g, name, k->in[i]->type, &shape, d);
    }
    n = inlay_build(g, "node", k->op, in, n_in, k->attrs, d);
    if (!n || !inlay_build_result(g, "out", &n->out[k->output], d))
        fail_msg("%s %s: %s", k->op, k->attrs, inlay_diags_at(d, 0)->text);
    return g;
}

/* Returns what G gives for the operands of K, run with the options O. The second of two runs in a
 * session finds everything there. */
static inlay_tensor *run_case(const struct node_case *k, const inlay_graph *g,
                              const inlay_exec_options *o, int64_t least)
{
    inlay_diags *d = inlay_diags_new();
    inlay_program *p = inlay_compile(g, o, d);
    inlay_session *s = p ? inlay_session_new(p, d) : NULL;
    const inlay_tensor *in[MOST_OPERANDS];
    inlay_tensor *out = NULL, *again = NULL;
    int n = 0;

    for (int i = 0; i < MOST_OPERANDS && k->in[i]; i++) {
        if (!k->constant[i])
            in[n++] = k->in[i];
    }
    if (p)
        program_split(p, least);
    if (!s || !inlay_session_run(s, in, NULL, &out, d) ||
        !inlay_session_run(s, in, NULL, &again, d))
        fail_msg("%s %s: %s", k->op, k->attrs, inlay_diags_at(d, 0)->text);
    assert_true(same_numbers(out, again));
    inlay_tensor_release(again);
    inlay_session_free(s);
    inlay_program_free(p);
    inlay_diags_free(d);
    return out;
}

static void fail_case(const struct node_case *k, uint64_t seed, int threads,
                      const inlay_tensor *out, const inlay_tensor *wanted)
{
    char a[200], b[200] = "nothing";
    int64_t i = 0;

    while (i < inlay_tensor_count(out) &&
           inlay_tensor_get_f64(out, i) == inlay_tensor_get_f64(wanted, i))
        i++;
    fail_msg("seed %llu: %s %s of %s and %s with %d threads: element %lld is %g, not %g",
             (unsigned long long)seed, k->op, k->attrs, shape_of(k->in[0], a, sizeof a),
             k->in[1] ? shape_of(k->in[1], b, sizeof b) : b, threads, (long long)i,
             inlay_tensor_get_f64(out, i), inlay_tensor_get_f64(wanted, i));
}

static void check_case(struct node_case *k, uint64_t seed)
{
    static const int threads[] = {1, 2, 3, 7};
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = graph_of_case(k, d);
    inlay_tensor *wanted = run_case(k, g, &(inlay_exec_options){.mode = INLAY_EXEC_REFERENCE}, 0);
    inlay_tensor *first = NULL; /* what one thread gives */

    for (size_t i = 0; i < sizeof threads / sizeof threads[0]; i++) {
        inlay_exec_options o = {.threads = threads[i], .poison = true};
        inlay_tensor *out = run_case(k, g, &o, 1);

        if (!is_wanted(k, out, wanted) || (first && !same_numbers(out, first)))
            fail_case(k, seed, threads[i], out, wanted);
        inlay_tensor_release(first);
        first = out;
    }
    inlay_tensor_release(first);
    for (int i = 0; i < MOST_OPERANDS && k->in[i]; i++)
        inlay_tensor_release(k->in[i]);
    inlay_tensor_release(wanted);
    inlay_graph_free(g);
    inlay_diags_free(d);
}

/* MatMul */

static int64_t any_size(rng *r)
{
    return rng_one_in(r, 12)  ? rng_in(r, 0, 1)
           : rng_one_in(r, 8) ? rng_in(r, 250, 600)
                              : rng_in(r, 1, 70);
}

static void matmul_case(rng *r, struct node_case *k)
{
    static const inlay_type types[] = {INLAY_F32, INLAY_F32, INLAY_F32, INLAY_F64, INLAY_F16};
    bool line = rng_one_in(r, 6); /* one row by a packed matrix of some panels */
    int64_t rows = line ? 1 : any_size(r), cols = line ? rng_in(r, 60, 300) : any_size(r);
    int64_t depth = any_size(r), batch = rng_in(r, 1, 3);
    inlay_type type = types[rng_in(r, 0, 4)];
    bool ta = rng_one_in(r, 3), tb = rng_one_in(r, 3), special = rng_one_in(r, 3);
    int rank[2] = {(int)rng_in(r, 2, 4), (int)rng_in(r, 2, 4)};

    snprintf(k->op, sizeof k->op, "MatMul");
    snprintf(k->attrs, sizeof k->attrs, "transpose_a=%s;transpose_b=%s", ta ? "true" : "false",
             tb ? "true" : "false");
    for (int i = 0; i < 2; i++) {
        int64_t dims[4] = {1, 1, 1, 1}, height = i ? depth : rows, width = i ? cols : depth;
        bool turned = i ? tb : ta;

        for (int a = 0; a < rank[i] - 2; a++)
            dims[a] = rng_one_in(r, 2) ? batch : 1;
        dims[rank[i] - 2] = turned ? width : height;
        dims[rank[i] - 1] = turned ? height : width;
        k->constant[i] = rng_one_in(r, 3) || (line && i);
        k->in[i] = any_tensor(r, type, rank[i], dims, special, k->constant[i] || rng_one_in(r, 2));
    }
}

static void matmul(void **state)
{
    seed_range seeds = seeds_to_try(250, 40);

    (void)state;
    for (uint64_t i = 0; i < seeds.n; i++) {
        rng r = {seeds.first + i};
        struct node_case k = {0};

        matmul_case(&r, &k);
        check_case(&k, seeds.first + i);
    }
}

/* Convolutions */

static void write_list(rng *r, char *text, size_t size, const char *name, int n, int64_t lo,
                       int64_t hi, int64_t *out)
{
    size_t used = strlen(text);

    used += (size_t)snprintf(text + used, size - used, "%s=", name);
    for (int i = 0; i < n; i++) {
        out[i] = rng_in(r, lo, hi);
        used +=
            (size_t)snprintf(text + used, size - used, "%s%lld", i ? "," : "", (long long)out[i]);
    }
    snprintf(text + used, size - used, ";");
}

static void convolution_case(rng *r, struct node_case *k)
{
    static const inlay_type types[] = {INLAY_F32, INLAY_F32, INLAY_F32, INLAY_F64, INLAY_F16};
    int axes = (int)(rng_one_in(r, 5) ? rng_in(r, 1, 3) : 2), grouped = rng_one_in(r, 2);
    int64_t groups = grouped ? rng_in(r, 1, rng_one_in(r, 3) ? 12 : 4) : 1, in = rng_in(r, 1, 6),
            out = rng_in(r, 1, 20);
    int64_t stride[3], pad[3], pad_end[3], dilation[3], data[5], filters[6];
    bool narrow = rng_one_in(r, 3), special = rng_one_in(r, 4), square = rng_one_in(r, 3);
    inlay_type type = types[rng_in(r, 0, 4)];

    if (rng_one_in(r, 3))
        in = out = 1;
    snprintf(k->op, sizeof k->op, grouped ? "GroupConvolution" : "Convolution");
    write_list(r, k->attrs, sizeof k->attrs, "strides", axes, 1, rng_one_in(r, 2) ? 1 : 3, stride);
    write_list(r, k->attrs, sizeof k->attrs, "pads_begin", axes, 0, rng_in(r, 0, 2), pad);
    write_list(r, k->attrs, sizeof k->attrs, "pads_end", axes, 0, rng_in(r, 0, 2), pad_end);
    write_list(r, k->attrs, sizeof k->attrs, "dilations", axes, 1, rng_one_in(r, 3) ? 3 : 1,
               dilation);
    data[0] = rng_in(r, 1, 2);
    data[1] = groups * in;
    filters[0] = groups;
    filters[grouped] = out;
    filters[grouped + 1] = in;
    for (int i = 0; i < axes; i++) {
        int64_t kernel = square   ? 3
                         : narrow ? 1
                                  : rng_in(r, 1, 4),
                least = (kernel - 1) * dilation[i] + 1;

        filters[grouped + 2 + i] = kernel;
        data[2 + i] = rng_in(r, least, least + (axes == 1 ? 150 : axes == 2 ? 25 : 7));
    }
    k->constant[1] = rng_one_in(r, 2);
    k->in[0] = any_tensor(r, type, axes + 2, data, special, rng_one_in(r, 2));
    k->in[1] = any_tensor(r, type, axes + 2 + grouped, filters, special && rng_one_in(r, 2),
                          k->constant[1] || rng_one_in(r, 2));
}

static void convolution(void **state)
{
    seed_range seeds = seeds_to_try(400, 60);

    (void)state;
    for (uint64_t i = 0; i < seeds.n; i++) {
        rng r = {seeds.first + i};
        struct node_case k = {0};

        convolution_case(&r, &k);
        check_case(&k, seeds.first + i);
    }
}

/* MaxPool */

static void pool_case(rng *r, struct node_case *k)
{
    int axes = (int)(rng_one_in(r, 5) ? rng_in(r, 1, 3) : 2);
    bool special = rng_one_in(r, 3);
    int64_t kernel[3], stride[3], pad[3], pad_end[3], dilation[3], data[5];

    snprintf(k->op, sizeof k->op, rng_one_in(r, 2) ? "MaxPool@opset8" : "MaxPool");
    write_list(r, k->attrs, sizeof k->attrs, "kernel", axes, 1, 4, kernel);
    write_list(r, k->attrs, sizeof k->attrs, "strides", axes, 1, 3, stride);
    write_list(r, k->attrs, sizeof k->attrs, "dilations", axes, 1, 2, dilation);
    write_list(r, k->attrs, sizeof k->attrs, "pads_begin", axes, 0, 2, pad);
    write_list(r, k->attrs, sizeof k->attrs, "pads_end", axes, 0, 2, pad_end);
    if (rng_one_in(r, 2))
        strcat(k->attrs, "rounding_type=ceil;");
    if (rng_one_in(r, 2))
        strcat(k->attrs, "axis=1;");
    data[0] = rng_in(r, 1, 2);
    data[1] = rng_in(r, 1, 3);
    for (int i = 0; i < axes; i++) {
        int64_t least = (kernel[i] - 1) * dilation[i] + 1;

        data[2 + i] = rng_in(r, least, least + (axes == 1 ? 600 : axes == 2 ? 25 : 7));
    }
    k->in[0] = any_tensor(r, INLAY_F32, axes + 2, data, special, rng_one_in(r, 2));
    k->output = (int)rng_in(r, 0, 1);
}

static void max_pool(void **state)
{
    seed_range seeds = seeds_to_try(300, 60);

    (void)state;
    for (uint64_t i = 0; i < seeds.n; i++) {
        rng r = {seeds.first + i};
        struct node_case k = {0};

        pool_case(&r, &k);
        check_case(&k, seeds.first + i);
    }
}

/* Attention */

/* Matrices whose leading axes are broadcast or may be absent, as many as ABSENT. */
static inlay_tensor *any_operand(rng *r, inlay_type type, const int64_t *lead, int64_t rows,
                                 int64_t cols, int absent, bool special)
{
    int64_t dims[4] = {rng_one_in(r, 3) ? 1 : lead[0], rng_one_in(r, 3) ? 1 : lead[1], rows, cols};
    int from = (int)rng_in(r, 0, absent);

    return any_tensor(r, type, 4 - from, dims + from, special, rng_one_in(r, 2));
}

static void attention_case(rng *r, struct node_case *k)
{
    static const inlay_type types[] = {INLAY_F32, INLAY_F32, INLAY_F32, INLAY_F64, INLAY_F16};
    int64_t lead[2] = {rng_in(r, 1, 2), rng_in(r, 1, 5)}, queries = any_size(r), keys = any_size(r);
    int64_t size = rng_in(r, 1, 70), values = any_size(r), one = 1;
    inlay_type type = types[rng_in(r, 0, 4)];
    bool special = rng_one_in(r, 4), causal = rng_one_in(r, 3);

    snprintf(k->op, sizeof k->op, "ScaledDotProductAttention");
    snprintf(k->attrs, sizeof k->attrs, "causal=%s", causal ? "true" : "false");
    k->in[0] = any_tensor(r, type, 4, (int64_t[]){lead[0], lead[1], queries, size}, special,
                          rng_one_in(r, 2));
    k->in[1] = any_operand(r, type, lead, keys, size, 1, special);
    k->in[2] = any_operand(r, type, lead, keys, values, 1, special);
    if (rng_one_in(r, 3))
        return;
    k->in[3] = any_operand(r, rng_one_in(r, 2) ? INLAY_BOOLEAN : type, lead,
                           rng_one_in(r, 3) ? 1 : queries, rng_one_in(r, 3) ? 1 : keys, 2, special);
    if (rng_one_in(r, 2))
        k->in[4] = any_tensor(r, type, (int)rng_in(r, 0, 1), &one, false, true);
}

static void attention(void **state)
{
    seed_range seeds = seeds_to_try(250, 40);

    (void)state;
    for (uint64_t i = 0; i < seeds.n; i++) {
        rng r = {seeds.first + i};
        struct node_case k = {0};

        attention_case(&r, &k);
        check_case(&k, seeds.first + i);
    }
}

/* LSTM */

static void lstm_case(rng *r, struct node_case *k)
{
    static const char *const directions[] = {"forward", "reverse", "bidirectional"};
    static const char *const more[] = {"", "clip=0.25;", "activations=tanh,sigmoid,tanh;",
                                       "activations=relu,tanh,tanh;"};
    static const inlay_type types[] = {INLAY_F32, INLAY_F32, INLAY_F32, INLAY_F64, INLAY_F16};
    int64_t batch = rng_in(r, 1, 4), steps = rng_in(r, rng_one_in(r, 20) ? 0 : 1, 9),
            input = rng_in(r, 1, 40);
    int64_t hidden = rng_in(r, 1, rng_one_in(r, 4) ? 300 : 30), which = rng_in(r, 0, 2);
    int64_t dirs = which == 2 ? 2 : 1, gates = 4 * hidden;
    inlay_type type = types[rng_in(r, 0, 4)];
    const int64_t dims[7][3] = {
        {batch, steps, input}, {batch, dirs, hidden}, {batch, dirs, hidden}, {batch},
        {dirs, gates, input},  {dirs, gates, hidden}, {dirs, gates}};

    snprintf(k->op, sizeof k->op, "LSTMSequence");
    snprintf(k->attrs, sizeof k->attrs, "hidden_size=%lld;direction=%s;%s", (long long)hidden,
             directions[which], more[rng_in(r, 0, 3)]);
    for (int i = 0; i < 7; i++) {
        k->constant[i] = i > 3 && rng_one_in(r, 2);
        k->in[i] = any_tensor(r, i == 3 ? INLAY_I64 : type,
                              i == 3   ? 1
                              : i == 6 ? 2
                                       : 3,
                              dims[i], false, k->constant[i] || rng_one_in(r, 2));
    }
    for (int64_t i = 0; i < batch; i++)
        inlay_tensor_set_i64(k->in[3], i, rng_one_in(r, 2) ? steps : rng_in(r, 0, steps));
    k->output = (int)rng_in(r, 0, 2);
}

static void lstm(void **state)
{
    seed_range seeds = seeds_to_try(150, 30);

    (void)state;
    for (uint64_t i = 0; i < seeds.n; i++) {
        rng r = {seeds.first + i};
        struct node_case k = {0};

        lstm_case(&r, &k);
        check_case(&k, seeds.first + i);
    }
}

/* GRUSequence and RNNSequence */

static void sequence_case(rng *r, struct node_case *k)
{
    static const char *const directions[] = {"forward", "reverse", "bidirectional"};
    static const char *const more[][4] = {
        {"", "clip=0.25;", "linear_before_reset=true;", "activations=tanh,relu;"},
        {"", "clip=0.25;", "activations=relu;", "activations=sigmoid;"}};
    static const inlay_type types[] = {INLAY_F32, INLAY_F32, INLAY_F32, INLAY_F64, INLAY_F16};
    bool gru = rng_one_in(r, 2);
    int64_t batch = rng_in(r, 1, 4), steps = rng_in(r, rng_one_in(r, 20) ? 0 : 1, 9),
            input = rng_in(r, 1, 40);
    int64_t hidden = rng_in(r, 1, rng_one_in(r, 4) ? 200 : 30), which = rng_in(r, 0, 2);
    int64_t dirs = which == 2 ? 2 : 1, option = rng_in(r, 0, 3), gates = gru ? 3 * hidden : hidden;
    inlay_type type = types[rng_in(r, 0, 4)];
    const int64_t dims[6][3] = {{batch, steps, input},
                                {batch, dirs, hidden},
                                {batch},
                                {dirs, gates, input},
                                {dirs, gates, hidden},
                                {dirs, gates + (gru && option == 2 ? hidden : 0)}};
    const int ranks[] = {3, 3, 1, 3, 3, 2};

    snprintf(k->op, sizeof k->op, gru ? "GRUSequence" : "RNNSequence");
    snprintf(k->attrs, sizeof k->attrs, "hidden_size=%lld;direction=%s;%s", (long long)hidden,
             directions[which], more[!gru][option]);
    for (int i = 0; i < 6; i++) {
        k->constant[i] = i > 2 && rng_one_in(r, 2);
        k->in[i] = any_tensor(r, i == 2 ? INLAY_I64 : type, ranks[i], dims[i], false,
                              k->constant[i] || rng_one_in(r, 2));
    }
    for (int64_t i = 0; i < batch; i++)
        inlay_tensor_set_i64(k->in[2], i, rng_one_in(r, 2) ? steps : rng_in(r, 0, steps));
    k->output = (int)rng_in(r, 0, 1);
}

static void sequences(void **state)
{
    seed_range seeds = seeds_to_try(300, 60);

    (void)state;
    for (uint64_t i = 0; i < seeds.n; i++) {
        rng r = {seeds.first + i};
        struct node_case k = {0};

        sequence_case(&r, &k);
        check_case(&k, seeds.first + i);
    }
}

/* Compressed weights */

/* Numbers that TYPE has, or scales of it, some of which are so small or large that they are rounded
 * otherwise. */
static inlay_tensor *any_low(rng *r, inlay_type type, int rank, const int64_t *dims, bool scale)
{
    static const double odd[] = {1e-5, 6e-8, 0.001, 3000, -0.25, 0};
    inlay_tensor *t = inlay_tensor_new(type, rank, dims);

    assert_non_null(t);
    for (int64_t i = 0; i < inlay_tensor_count(t); i++) {
        if (inlay_type_is_int(type))
            inlay_tensor_set_i64(t, i, rng_in(r, -128, 255));
        else if (scale && rng_one_in(r, 4))
            inlay_tensor_set_f64(t, i, odd[rng_in(r, 0, 5)]);
        else
            inlay_tensor_set_f64(t, i, any_number(r, !scale && rng_one_in(r, 50)));
        if (scale && fabs(inlay_tensor_get_f64(t, i)) > 1e30 && !rng_one_in(r, 100))
            inlay_tensor_set_f64(t, i, -1);
    }
    return t;
}

/* Zero points, as floats or as integers. */
static inlay_tensor *any_zero(rng *r, inlay_type weights, inlay_type scale, int rank,
                              const int64_t *dims)
{
    inlay_tensor *t =
        any_low(r, rng_one_in(r, 2) || scale == INLAY_BF16 ? weights : scale, rank, dims, false);

    for (int64_t i = 0; i < inlay_tensor_count(t); i++) {
        if (!inlay_type_is_int(t->type))
            inlay_tensor_set_f64(t, i, (double)rng_in(r, -255, 255) + rng_one_in(r, 300) * 0.5);
    }
    return t;
}

/* Number K of GROUP of column J of T, which broadcasts. */
static double low_at(const inlay_tensor *t, bool turned, int64_t j, int64_t group, int64_t k)
{
    const int64_t place[3] = {turned ? j : group, turned ? group : k, turned ? k : j};
    const int64_t flat[2] = {turned ? j : k, turned ? k : j};
    int64_t at = 0;

    for (int i = 0; i < t->rank; i++)
        at = at * t->dims[i] + (t->dims[i] == 1 ? 0
                                : t->rank == 3  ? place[i]
                                                : flat[i + 2 - t->rank]);
    return inlay_tensor_get_f64(t, at);
}

/* The sum of the magnitudes of the products of which element J is the sum. */
static double magnitude_of(const struct node_case *k, bool turned, int64_t j)
{
    const inlay_tensor *w = k->in[1], *scale = k->in[2], *zero = k->in[3];
    int64_t depth = inlay_tensor_count(k->in[0]);
    int64_t groups = w->rank == 3 ? w->dims[turned ? 1 : 0] : 1, size = depth / groups;
    double sum = 0;

    for (int64_t i = 0; i < depth; i++) {
        double x = low_at(w, turned, j, i / size, i % size);

        x -= zero ? low_at(zero, turned, j, i / size, i % size) : 0;
        x *= scale ? low_at(scale, turned, j, i / size, i % size) : 1;
        sum += fabs(x * inlay_tensor_get_f64(k->in[0], i));
    }
    return sum;
}

static bool are_finite(const inlay_tensor *t)
{
    for (int64_t i = 0; i < inlay_tensor_count(t); i++) {
        if (!isfinite(inlay_tensor_get_f64(t, i)))
            return false;
    }
    return true;
}

/* One row by integers that are scaled in f32 or not at all, and whose products with the row are
 * exact, is less far from the reference's sum than this may be from the true one: each of its terms
 * is rounded at most as often as there are terms, and twice more. */
static void set_bounds(struct node_case *k, bool turned, int64_t n)
{
    const inlay_tensor *a = k->in[0], *scale = k->in[2];
    double unit = a->type == INLAY_F32 ? 0 : a->type == INLAY_F16 ? 0x1p-10 : 0x1p-7;
    int64_t terms = inlay_tensor_count(a);

    if (terms == 0 || !inlay_type_is_int(k->in[1]->type) || (scale && scale->type != INLAY_F32) ||
        terms != a->dims[a->rank - 1] || !are_finite(a))
        return;
    k->bounds = calloc((size_t)n + 1, sizeof *k->bounds);
    assert_non_null(k->bounds);
    for (int64_t j = 0; j < n; j++) {
        double sum = magnitude_of(k, turned, j);

        k->bounds[j] = sum * ((double)(terms + 3) * 0x1p-24 + unit) + (double)terms * 0x1p-149;
        if (sum > 3e38)
            k->bounds[j] = INFINITY;
    }
}

static void compressed_case(rng *r, struct node_case *k)
{
    static const inlay_type low[] = {INLAY_I8, INLAY_U8, INLAY_I4, INLAY_U4, INLAY_F16, INLAY_BF16};
    static const inlay_type floats[] = {INLAY_F32, INLAY_F16, INLAY_BF16};
    inlay_type type = low[rng_in(r, 0, 5)], own = floats[rng_one_in(r, 2) ? 0 : rng_in(r, 0, 2)];
    bool turned = rng_one_in(r, 2), grouped = rng_one_in(r, 2), wide = rng_one_in(r, 2);
    int64_t n = any_size(r), groups = grouped ? rng_in(r, 1, 5) : 1, size = any_size(r);
    int64_t rows = rng_one_in(r, 2) ? 1 : any_size(r);
    int64_t a[3] = {rng_in(r, 1, 2), rows, groups * size};
    int64_t w[3] = {turned ? n : groups, turned ? groups : size, turned ? size : n};
    int64_t one[3] = {w[0], turned ? groups : 1, turned ? 1 : n};
    int front = grouped ? 0 : 1;

    if (!grouped && turned)
        w[1] = n, one[1] = n;
    snprintf(k->op, sizeof k->op, "MatMulCompressed");
    snprintf(k->attrs, sizeof k->attrs, "transpose_b=%s", turned ? "true" : "false");
    k->in[0] = any_tensor(r, own, 3 - wide, a + wide, false, rng_one_in(r, 2));
    k->in[1] = any_low(r, type, 3 - front, w + front, false);
    if (rng_one_in(r, 8))
        one[1] = 1;
    if (inlay_type_is_int(type) || rng_one_in(r, 8)) {
        inlay_type scale = floats[rng_in(r, 0, 2)];

        k->in[2] = any_low(r, scale, 3 - front, one + front, true);
        if (rng_one_in(r, 2))
            k->in[3] = any_zero(r, type, scale, 3 - front, one + front);
    }
    for (int i = 1; i < 4; i++)
        k->constant[i] = !rng_one_in(r, 12);
    set_bounds(k, turned, n);
}

static void compressed(void **state)
{
    seed_range seeds = seeds_to_try(400, 60);

    (void)state;
    for (uint64_t i = 0; i < seeds.n; i++) {
        rng r = {seeds.first + i};
        struct node_case k = {0};

        compressed_case(&r, &k);
        check_case(&k, seeds.first + i);
        free(k.bounds);
    }
}

/* Weights of 4 bits as exporters write them are in memory once, packed, and nothing of them is
 * unpacked: what a run makes is smaller than the weights, whose floats were eight times them. */
static void stays_packed(void **state)
{
    enum { SIZE = 512 };
    const int64_t dims[] = {SIZE, SIZE}, one[] = {SIZE, 1}, row[] = {1, SIZE};
    const uint64_t bytes = SIZE * SIZE / 2;
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_graph_new("packed", d);
    rng r = {1};
    inlay_tensor *w = any_low(&r, INLAY_I4, 2, dims, false), *out = NULL;
    inlay_tensor *s = any_low(&r, INLAY_F32, 2, one, true);
    inlay_tensor *x = any_tensor(&r, INLAY_F32, 2, row, false, true);
    inlay_shape shape = {.rank = 2, .dim = {inlay_dim_of(1), inlay_dim_of(SIZE)}};
    inlay_value *in[2] = {inlay_build_const(g, "weights", w, d)};
    inlay_exec_stats stats;
    inlay_session *session;
    inlay_program *p;

    (void)state;
    in[0] = &inlay_build(g, "wide", "Convert", in, 1, "destination_type=f32", d)->out[0];
    in[1] = inlay_build_const(g, "scale", s, d);
    in[1] = &inlay_build(g, "scaled", "Multiply", in, 2, NULL, d)->out[0];
    in[0] = inlay_build_parameter(g, "x", INLAY_F32, &shape, d);
    in[0] = &inlay_build(g, "product", "MatMul", in, 2, "transpose_b=true", d)->out[0];
    assert_non_null(inlay_build_result(g, "y", in[0], d));
    assert_true(inlay_run_passes(g, NULL, d));
    p = inlay_compile(g, NULL, d);
    session = inlay_session_new(p, d);
    assert_true(inlay_session_run(session, (const inlay_tensor *const *)&x, NULL, &out, d));
    inlay_session_stats(session, &stats);
    assert_in_range(stats.packed_bytes, bytes, bytes + 2 * sizeof(float) * SIZE);
    assert_in_range(stats.peak_bytes + stats.arena_bytes, 0, bytes / 2);
    inlay_tensor_release(out);
    inlay_tensor_release(x);
    inlay_tensor_release(s);
    inlay_tensor_release(w);
    inlay_session_free(session);
    inlay_program_free(p);
    inlay_graph_free(g);
    inlay_diags_free(d);
}

/* Two nodes want the same packed form of a constant, and a third one wants another form of it. */
static void shared_form(void **state)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_graph_new("shared", d);
    const int64_t dims[] = {64, 64};
    rng r = {1};
    inlay_tensor *t = any_tensor(&r, INLAY_F32, 2, dims, false, true), *out = NULL;
    inlay_shape shape = {.rank = 2, .dim = {{.lo = 64, .hi = 64}, {.lo = 64, .hi = 64}}};
    inlay_value *in[2] = {inlay_build_parameter(g, "x", INLAY_F32, &shape, d),
                          inlay_build_const(g, "weights", t, d)};
    inlay_exec_stats stats;
    inlay_program *p;
    inlay_session *s;
    inlay_node *n;

    (void)state;
    for (int i = 0; i < 3; i++) {
        char name[8];

        snprintf(name, sizeof name, "n%d", i);
        n = inlay_build(g, name, "MatMul", in, 2, i == 2 ? "transpose_b=true" : NULL, d);
        assert_non_null(n);
        in[0] = &n->out[0];
    }
    assert_non_null(inlay_build_result(g, "y", in[0], d));
    p = inlay_compile(g, NULL, d);
    s = inlay_session_new(p, d);
    assert_true(inlay_session_run(s, (const inlay_tensor *const *)&t, NULL, &out, d));
    inlay_session_stats(s, &stats);
    assert_int_equal(stats.packed_bytes, 2 * sizeof(float) * 64 * 64);
    inlay_tensor_release(out);
    inlay_tensor_release(t);
    inlay_session_free(s);
    inlay_program_free(p);
    inlay_graph_free(g);
    inlay_diags_free(d);
}

/* Tiles */

enum {
    DEPTH = 33,
    ROWS = 2 * TILE_ROWS + 7,
    WIDTH = 2 * TILE_BYTES / (int)sizeof(float),
    LINE_COLS = 150
};

static float sum_of(const tile_f32 *t, float start, int64_t i, int64_t j)
{
    for (int64_t k = 0; k < t->depth; k++) {
        const float *row = t->b + (t->b_at ? t->b_at[k] : k * t->b_row);
        float product = t->a[i * t->a_row + k * t->a_col] * row[j];

        start += product;
    }
    return start;
}

static void check_tile(const tile_set *set, tile_f32 *t, int64_t rows, int64_t cols, rng *r)
{
    float before[ROWS * WIDTH], c[ROWS * WIDTH];

    for (int i = 0; i < ROWS * WIDTH; i++)
        c[i] = before[i] = (float)any_number(r, false);
    t->c = c;
    set->fn_f32(t, rows, cols);
    for (int64_t i = 0; i < ROWS * WIDTH; i++) {
        int64_t row = i / t->c_row, col = i % t->c_row;
        bool inside = row < rows && col < cols;
        float wanted = inside ? sum_of(t, t->adds ? before[i] : 0, row, col) : before[i];

        if (memcmp(&c[i], &wanted, sizeof wanted) != 0)
            fail_msg("%s: %lld x %lld, element %lld,%lld is %g, not %g", set->name, (long long)rows,
                     (long long)cols, (long long)row, (long long)col, (double)c[i], (double)wanted);
    }
}

static void tiles(void **state)
{
    static float a[ROWS * DEPTH], b[DEPTH * WIDTH + 64];
    int64_t at[DEPTH];
    bool more = true;

    (void)state;
    for (int s = 0; more; s++) {
        const tile_set *set = tile_set_at(s, &more);
        rng r = {(uint64_t)s};

        for (int i = 0; set && i < 300; i++) {
            bool turned = rng_one_in(&r, 2), listed = rng_one_in(&r, 2), adds = rng_one_in(&r, 2);
            int64_t depth = rng_in(&r, 0, DEPTH), rows = rng_in(&r, 1, ROWS);
            int64_t cols = rng_in(&r, 1, set->cols_f32);
            tile_f32 t = {.depth = depth,
                          .a = a,
                          .a_row = turned ? 1 : DEPTH,
                          .a_col = turned ? ROWS : 1,
                          .b = b,
                          .b_at = listed ? at : NULL,
                          .b_row = WIDTH,
                          .c_row = rng_in(&r, cols, WIDTH),
                          .adds = adds};

            for (int k = 0; k < ROWS * DEPTH; k++)
                a[k] = (float)any_number(&r, false);
            for (int k = 0; k < DEPTH * WIDTH + 64; k++)
                b[k] = (float)any_number(&r, false);
            for (int k = 0; k < DEPTH; k++)
                at[k] = rng_in(&r, 0, (DEPTH - 1) * WIDTH);
            check_tile(set, &t, rows, cols, &r);
        }
    }
}

/* A row of A by as many panels as a line has, which lie APART. */
static void check_line(const tile_set *set, tile_f32 *t, int64_t apart, rng *r)
{
    int64_t cols = set->cols_f32, n = set->line * cols;
    float before[LINE_COLS], c[LINE_COLS];

    assert_in_range(n, 1, LINE_COLS);
    for (int64_t i = 0; i < LINE_COLS; i++)
        c[i] = before[i] = (float)any_number(r, false);
    t->c = c;
    set->line_f32(t, apart);
    for (int64_t i = 0; i < LINE_COLS; i++) {
        tile_f32 panel = *t;
        float wanted = before[i];

        panel.b = t->b + i / cols * apart;
        if (i < n)
            wanted = sum_of(&panel, t->adds ? before[i] : 0, 0, i % cols);
        if (memcmp(&c[i], &wanted, sizeof wanted) != 0)
            fail_msg("%s: element %lld of a line is %g, not %g", set->name, (long long)i,
                     (double)c[i], (double)wanted);
    }
}

static void lines(void **state)
{
    enum { ROOM = LINE_COLS * DEPTH };
    static float a[ROWS * DEPTH], b[2 * ROOM];
    bool more = true;

    (void)state;
    for (int s = 0; more; s++) {
        const tile_set *set = tile_set_at(s, &more);
        rng r = {(uint64_t)s};

        for (int i = 0; set && i < 200; i++) {
            tile_f32 t = {.depth = rng_in(&r, 0, DEPTH),
                          .a = a,
                          .a_col = rng_in(&r, 1, ROWS),
                          .b = b,
                          .b_row = rng_in(&r, set->cols_f32, 2 * set->cols_f32),
                          .adds = rng_one_in(&r, 2)};
            int64_t apart = rng_in(&r, 1, ROOM / set->line);

            for (int k = 0; k < ROWS * DEPTH; k++)
                a[k] = (float)any_number(&r, false);
            for (int k = 0; k < 2 * ROOM; k++)
                b[k] = (float)any_number(&r, false);
            check_line(set, &t, apart, &r);
        }
    }
}

/* Row I of what taps make: one row of A, and B from I * b_row on. */
static void check_taps(const tile_set *set, tile_f32 *t, int64_t rows, int64_t cols)
{
    float c[ROWS * WIDTH];

    memset(c, 0, sizeof c);
    t->c = c;
    set->taps_f32(t, rows, cols);
    for (int64_t i = 0; i < ROWS * WIDTH; i++) {
        int64_t row = i / t->c_row, col = i % t->c_row;
        float wanted = 0;

        for (int64_t k = 0; row < rows && col < cols && k < t->depth; k++) {
            float product = t->a[k] * t->b[t->b_at[k] + row * t->b_row + col];

            wanted += product;
        }
        if (memcmp(&c[i], &wanted, sizeof wanted) != 0)
            fail_msg("%s: %lld x %lld, element %lld,%lld is %g, not %g", set->name, (long long)rows,
                     (long long)cols, (long long)row, (long long)col, (double)c[i], (double)wanted);
    }
}

static void taps(void **state)
{
    static float a[DEPTH], b[(DEPTH + ROWS) * WIDTH + 64];
    int64_t at[DEPTH];
    bool more = true;

    (void)state;
    for (int s = 0; more; s++) {
        const tile_set *set = tile_set_at(s, &more);
        rng r = {(uint64_t)s};

        for (int i = 0; set && i < 200; i++) {
            int64_t cols = rng_in(&r, 1, set->cols_f32), rows = rng_in(&r, 1, ROWS);
            tile_f32 t = {.depth = rng_in(&r, 0, DEPTH), .a = a, .b = b, .b_at = at};

            t.b_row = rng_in(&r, 1, WIDTH);
            t.c_row = rng_in(&r, cols, WIDTH);
            for (int k = 0; k < DEPTH; k++) {
                a[k] = (float)any_number(&r, false);
                at[k] = rng_in(&r, 0, (DEPTH - 1) * WIDTH);
            }
            for (int k = 0; k < (DEPTH + ROWS) * WIDTH + 64; k++)
                b[k] = (float)any_number(&r, false);
            check_taps(set, &t, rows, cols);
        }
    }
}

/* Row I of what positions make: listed numbers of A, and B, whose rows are as long as a tile. */
static void check_positions(const tile_set *set, tile_positions *t, int64_t rows, int64_t cols,
                            rng *r)
{
    float before[ROWS * WIDTH], c[ROWS * WIDTH];

    for (int i = 0; i < ROWS * WIDTH; i++)
        c[i] = before[i] = (float)any_number(r, false);
    t->c = c;
    set->positions_f32(t, rows, cols);
    for (int64_t i = 0; i < rows * cols; i++) {
        int64_t row = i / cols, col = i % cols, at = row * set->cols_f32 + col;
        float wanted = t->adds ? before[at] : 0;

        for (int64_t k = 0; k < t->depth; k++) {
            float product = t->a[t->row_at[row] + t->col_at[k]] * t->b[k * set->cols_f32 + col];

            wanted += product;
        }
        if (memcmp(&c[at], &wanted, sizeof wanted) != 0)
            fail_msg("%s: %lld x %lld, element %lld,%lld is %g, not %g", set->name, (long long)rows,
                     (long long)cols, (long long)row, (long long)col, (double)c[at],
                     (double)wanted);
    }
}

static void positions(void **state)
{
    static float a[ROWS * DEPTH], b[DEPTH * WIDTH];
    int64_t row_at[ROWS], col_at[DEPTH];
    bool more = true;

    (void)state;
    for (int s = 0; more; s++) {
        const tile_set *set = tile_set_at(s, &more);
        rng r = {(uint64_t)s};

        for (int i = 0; set && i < 300; i++) {
            int64_t cols = rng_in(&r, 1, set->cols_f32), rows = rng_in(&r, 1, ROWS - TILE_ROWS);
            tile_positions t = {.depth = rng_in(&r, 0, DEPTH),
                                .a = a,
                                .row_at = row_at,
                                .col_at = col_at,
                                .b = b,
                                .adds = rng_one_in(&r, 2)};

            for (int k = 0; k < ROWS; k++)
                row_at[k] = rng_in(&r, 0, ROWS - 1) * DEPTH;
            for (int k = 0; k < DEPTH; k++)
                col_at[k] = rng_in(&r, 0, DEPTH - 1);
            for (int k = 0; k < ROWS * DEPTH; k++)
                a[k] = (float)any_number(&r, false);
            for (int k = 0; k < DEPTH * WIDTH; k++)
                b[k] = (float)any_number(&r, false);
            check_positions(set, &t, rows, cols, &r);
        }
    }
}

/* Element ROW, COL of what a field of 3 x 3 makes. */
static float near_sum(const near_field *n, int64_t row, int64_t col)
{
    float sum = 0;

    for (int k = 0; k < NEAR_PLACES * NEAR_PLACES; k++) {
        int64_t y = row + k / NEAR_PLACES - n->top, x = col + k % NEAR_PLACES - n->left;
        bool there = y >= 0 && y < n->height && x >= 0 && x < n->width;
        float product = there ? n->f[k] * n->x[y * n->width + x] : 0;

        sum += product;
    }
    return sum;
}

static void check_near(const tile_set *set, near_field *n)
{
    n->y = calloc((size_t)(n->rows * n->cols), sizeof *n->y);
    assert_non_null(n->y);
    near_compute(set, n);
    for (int64_t i = 0; i < n->rows * n->cols; i++) {
        float wanted = near_sum(n, i / n->cols, i % n->cols);

        if (isnan(wanted) && isnan(n->y[i]))
            continue;
        if (memcmp(&n->y[i], &wanted, sizeof wanted) != 0)
            fail_msg("%s: %lld x %lld, element %lld is %g, not %g", set->name, (long long)n->rows,
                     (long long)n->cols, (long long)i, (double)n->y[i], (double)wanted);
    }
    free(n->y);
}

/* Nothing in front of the data or behind it may be read: it has no room there. */
static void near_fields(void **state)
{
    float f[NEAR_PLACES * NEAR_PLACES];
    bool more = true;

    (void)state;
    for (int s = 0; more; s++) {
        const tile_set *set = tile_set_at(s, &more);
        rng r = {(uint64_t)s};

        for (int i = 0; set && i < 400; i++) {
            int64_t around = rng_in(&r, 0, 15);
            near_field n = {.rows = rng_in(&r, 1, 12),
                            .cols = rng_in(&r, NEAR_LEAST, 150),
                            .top = around & 1,
                            .left = around >> 1 & 1,
                            .f = f};
            float *x;

            n.height = n.rows + NEAR_PLACES - 1 - n.top - (around >> 2 & 1);
            n.width = n.cols + NEAR_PLACES - 1 - n.left - (around >> 3);
            n.x = x = malloc((size_t)(n.height * n.width) * sizeof *x);
            assert_non_null(x);
            for (int64_t k = 0; k < n.height * n.width; k++)
                x[k] = (float)any_number(&r, true);
            for (int k = 0; k < NEAR_PLACES * NEAR_PLACES; k++)
                f[k] = (float)any_number(&r, false);
            check_near(set, &n);
            free(x);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_fields), cmocka_unit_test(lines),
        cmocka_unit_test(taps),        cmocka_unit_test(positions),
        cmocka_unit_test(tiles),       cmocka_unit_test(matmul),
        cmocka_unit_test(convolution), cmocka_unit_test(max_pool),
        cmocka_unit_test(attention),   cmocka_unit_test(lstm),
        cmocka_unit_test(sequences),   cmocka_unit_test(shared_form),
        cmocka_unit_test(compressed),  cmocka_unit_test(stays_packed),
    };

    return cmocka_run_group_tests_name("kernels of the library", tests, NULL, NULL);
}

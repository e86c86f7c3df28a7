#include "generate/generated.h"

#include "generate/make.h"
#include "ir/shared.h"

#include <stdlib.h>
#include <string.h>

/* The makers, the operations that each builds, and its weight in graphs of windows, of moves, of
 * sizes, of all rows, and of places. */
static const struct maker {
    gen_maker *make;
    const char *operations; /* separated by blanks; NULL: the pointwise ones */
    int weight[INLAY_GENERATE_MIXES];
} makers[] = {
    {gen_update_window, "Slice SliceScatter", {4, 0, 3, 0, 2}},
    {gen_write_whole, "SliceScatter", {2, 0, 2, 0, 1}},
    {gen_write_rows, "ScatterUpdate", {1, 0, 1}},
    {gen_update_rows, "Gather ScatterUpdate ScatterNDUpdate Add Unsqueeze", {3, 0, 2, 0, 1}},
    {gen_update_pairs, "GatherND ScatterNDUpdate", {1, 0, 1}},
    {gen_write_tuples, "ScatterNDUpdate", {1, 0}},
    {gen_split, "VariadicSplit", {1, 0, 1, 0, 1}},
    {gen_reshape, "Reshape", {1, 0, 1, 0, 2}},
    {gen_unsqueeze, "Unsqueeze", {1, 0, 1, 0, 1}},
    {gen_squeeze, "Squeeze", {1, 0, 1, 0, 1}},
    {gen_write_elements, "ScatterElementsUpdate", {1, 0, 1}},
    {gen_turn_round, "Transpose", {1, 0, 1, 0, 1}},
    {gen_update_view, "Reshape Unsqueeze Transpose Slice SliceScatter", {3, 0, 2, 0, 2}},
    {gen_slice_any, "Slice", {1, 0, 1, 0, 1}},
    {gen_write_any, "SliceScatter", {1, 0, 1}},
    {gen_reverse, "Reverse", {1, 0}},
    {gen_strided_slice, "StridedSlice", {1, 0}},
    {gen_concat_twice, "Concat", {1, 0, 1, 0, 1}},
    {gen_reduce, "ReduceSum", {1, 0, 1, 0, 1}},
    {gen_pointwise, NULL, {3, 0, 4, 0, 3}},
    {gen_slice_any, "Slice", {0, 5}},
    {gen_write_any, "SliceScatter", {0, 4}},
    {gen_concat, "Concat", {0, 2}},
    {gen_split_and_join, "VariadicSplit Concat", {0, 1}},
    {gen_split_evenly, "Split Concat", {0, 1}},
    {gen_slice_and_join, "Slice Concat", {0, 1}},
    {gen_transpose, "Transpose", {0, 2}},
    {gen_pad, "Pad", {1, 2, 1, 0, 1}},
    {gen_gather, "Gather", {0, 3}},
    {gen_scatter_rows, "ScatterUpdate", {0, 3, 0, 0, 1}},
    {gen_scatter_tuples, "ScatterNDUpdate", {0, 2}},
    {gen_scatter_elements, "ScatterElementsUpdate", {0, 2}},
    {gen_gather_elements, "GatherElements", {0, 2}},
    {gen_gather_tuples, "GatherND", {0, 2}},
    {gen_reshape, "Reshape", {0, 1}},
    {gen_unsqueeze, "Unsqueeze", {0, 2}},
    {gen_squeeze, "Squeeze", {0, 3}},
    {gen_broadcast, "Broadcast", {1, 2, 1, 0, 1}},
    {gen_tile, "Tile", {1, 1, 1}},
    {gen_convert_any, "Convert", {0, 1}},
    {gen_strided_slice, "StridedSlice", {0, 1}},
    {gen_split, "VariadicSplit", {0, 1}},
    {gen_reverse, "Reverse", {0, 2}},
    {gen_broadcast_number, "Broadcast", {0, 1}},
    {gen_transpose_pair, "Transpose Maximum", {0, 1}},
    {gen_write_pair, "Abs SliceScatter", {0, 1}},
    {gen_pointwise, NULL, {0, 5}},
    {gen_range, "Range Gather", {0, 0, 3}},
    {gen_non_zero, "NonZero Gather", {0, 0, 2}},
    {gen_top, "TopK", {0, 0, 2}},
    {gen_flat, "Reshape", {0, 0, 1, 0, 1}},
    {gen_row, "", {0, 0, 0, 12}},
    {gen_branch, "If Convert Abs Slice SliceScatter Reverse Concat", {0, 0, 0, 1}},
    {gen_loop, "Loop Convert Abs Slice SliceScatter Reverse Concat", {0, 0, 0, 1}},
    {gen_iterate, "TensorIterator Convert Abs Slice SliceScatter Reverse Concat", {0, 0, 0, 1}},
    {gen_pointwise, NULL, {0, 0, 0, 3}},
    {gen_slice_any, "Slice", {0, 0, 0, 2}},
    {gen_write_any, "SliceScatter", {0, 0, 0, 2}},
    {gen_concat, "Concat", {0, 0, 0, 1}},
    {gen_split_and_join, "VariadicSplit Concat", {0, 0, 0, 1}},
    {gen_update_shown, "Slice Reshape SliceScatter", {0, 0, 0, 0, 5}},
    {gen_write_shown, "Reshape SliceScatter", {0, 0, 0, 0, 3}},
    {gen_join_shown, "Reshape Concat", {0, 0, 0, 0, 2}},
    {gen_update_layer, "Gather ScatterUpdate Reshape Unsqueeze", {0, 0, 0, 0, 3}},
    {gen_update_tuples, "Concat Broadcast ScatterNDUpdate", {0, 0, 0, 0, 2}},
};

enum { N_MAKERS = sizeof makers / sizeof *makers };

static bool allows_all(const generator *g, const char *operations)
{
    char name[64];
    size_t n;

    for (const char *at = operations; *at; at += n + strspn(at + n, " ")) {
        n = strcspn(at, " ");
        memcpy(name, at, n);
        name[n] = '\0';
        if (!gen_allows(g, name))
            return false;
    }
    return true;
}

static bool is_allowed(const generator *g, const struct maker *m)
{
    return m->operations ? allows_all(g, m->operations) : gen_has_pointwise(g);
}

/* Sets the weight of each maker, 0 for one that is not allowed, and returns the sum. */
static int64_t weigh(const generator *g, int64_t *weight)
{
    int64_t all = 0;

    for (int i = 0; i < N_MAKERS; i++) {
        weight[i] = makers[i].weight[g->o->mix];
        if (weight[i] && !is_allowed(g, &makers[i]))
            weight[i] = 0;
        all += weight[i];
    }
    return all;
}

static void call_maker(generator *g, const int64_t *weight, int64_t all)
{
    int64_t at = rng_in(&g->r, 0, all - 1);
    int k = 0;

    for (; at >= weight[k]; k++)
        at -= weight[k];
    makers[k].make(g);
}

/* The number of nodes that compute: not those at the beginning, and no constants. */
static int64_t computing(const inlay_graph *g)
{
    int64_t n = 0;

    for (const inlay_node *node = g->first; node; node = node->next)
        n += !inlay_node_is(node, INLAY_OP_CONST) && !inlay_node_is(node, INLAY_OP_PARAMETER) &&
             !inlay_node_is(node, INLAY_OP_RESULT);
    return n;
}

/* Calls makers until there are enough nodes, or for a limited number of times, since a maker may
 * build nothing. */
static void make_nodes(generator *g)
{
    bool moves = g->o->mix == INLAY_GENERATE_MOVES;
    int64_t weight[N_MAKERS], all = weigh(g, weight), calls;

    if (all == 0) {
        g->failed =
            !inlay_fail(g->diags, NULL, "no operation is allowed that a graph can be made of");
        return;
    }
    calls = g->o->nodes > 0 ? 100 + 20 * (int64_t)g->o->nodes
                            : rng_in(&g->r, moves ? 4 : 3, moves ? 24 : 16);
    for (; calls > 0 && !g->failed; calls--) {
        if (g->o->nodes > 0 && computing(g->graph) >= g->o->nodes)
            break;
        call_maker(g, weight, all);
    }
}

/* Draws the size of an axis of the tensors that windows are cut from. In graphs of all rows an axis
 * may have no element. At most one of the two axes is long. */
static int64_t size(generator *g)
{
    static const int64_t sizes[] = {0, 1, 2, 3, 5, 8, 16, 17};
    int least, most;

    if (g->o->mix != INLAY_GENERATE_ROWS)
        return rng_in(&g->r, 2, g->o->mix == INLAY_GENERATE_MOVES ? 4 : 7);
    most = rng_one_in(&g->r, 3) ? 7 : 4;
    least = rng_one_in(&g->r, 8) ? 0 : 1;
    return sizes[rng_in(&g->r, least, most)];
}

/* Makes the inputs, some of which will have unknown sizes. While the graph is made all shapes are
 * known, so that all operations can be chosen to fit; the sizes are forgotten afterwards. */
static void open_inputs(generator *g)
{
    inlay_graph *graph = g->graph;

    for (int i = 0; i < graph->n_params && !g->failed; i++) {
        const inlay_fact *f = &graph->params[i]->out[0].fact;
        inlay_shape s = {.rank = f->rank};

        for (int k = 0; k < s.rank; k++)
            s.dim[k] = rng_one_in(&g->r, 2) ? inlay_dim_any() : f->dims[k];
        g->failed = !gen_try_shape(graph, graph->params[i], "shape", &s, g->diags);
    }
}

/* A number in [0, N) that depends on the seed but takes nothing from the generator's random
 * numbers: adding a decision made with it leaves the other graphs as they were. */
static int aside(const generator *g, uint64_t what, int n)
{
    rng r = {g->o->seed ^ what};

    return (int)rng_in(&r, 0, n - 1);
}

static void begin(generator *g)
{
    static const inlay_type types[] = {INLAY_F32, INLAY_F32, INLAY_F32, INLAY_F16,
                                       INLAY_I32, INLAY_F64, INLAY_I4,  INLAY_I8};

    g->type = types[rng_in(&g->r, 0, 7)];
    if (g->o->mix == INLAY_GENERATE_ROWS && aside(g, 0x08, 8) == 0)
        g->type = INLAY_U8;
    g->rank = (int)rng_in(&g->r, 1, 3);
    for (int i = 0; i < g->rank; i++)
        g->dims[i] = size(g);
    g->open = g->o->shapes == INLAY_GENERATE_OPEN ||
              (g->o->shapes == INLAY_GENERATE_SOME_OPEN && rng_one_in(&g->r, 3));
    for (int64_t k = rng_in(&g->r, 1, 2); k > 0; k--)
        gen_add(g,
                gen_parameter(g, g->type, g->rank, g->dims,
                              g->open && g->o->mix != INLAY_GENERATE_ROWS, 0, 0),
                g->rank, g->dims);
    if (rng_one_in(&g->r, 3))
        gen_add(g, gen_constant(g, g->rank, g->dims), g->rank, g->dims);
}

/* Makes the variables and returns their number. */
static int begin_variables(generator *g)
{
    int n = g->o->variables && rng_one_in(&g->r, 2) ? (int)rng_in(&g->r, 1, 2) : 0;

    for (int k = 0; k < n && !g->failed; k++)
        gen_read_variable(g, k);
    if (n > 0 && !g->failed && rng_one_in(&g->r, 4)) /* a second reader of the same state */
        gen_read_variable(g, 0);
    return n;
}

static void add_result(generator *g, inlay_value *v)
{
    g->failed = g->failed || !inlay_build_result(g->graph, "r", v, g->diags);
}

static void end(generator *g, int n_variables)
{
    for (int k = 0; k < n_variables && !g->failed; k++) {
        if (!rng_one_in(&g->r, 5))
            gen_assign_variable(g, k);
    }
    for (int64_t k = g->failed ? 0 : rng_in(&g->r, 0, 2); k > 0 && !g->failed; k--)
        add_result(g, gen_any(g).value);
    for (int64_t k = rng_one_in(&g->r, 8) ? 2 : 1; k > 0 && !g->failed; k--) /* sometimes twice */
        add_result(g, g->values[g->n - 1].value);
}

/* In one graph of four with variables, adds a state that grows, or two. Not in graphs of windows
 * and places: tests of buffers run those with tensors of the same sizes in each run. */
static void add_caches(generator *g)
{
    int n = aside(g, 0xCAC4E, 8) < 2 ? 1 + aside(g, 0x2CAC4E5, 2) : 0;

    if (!g->o->variables || g->o->mix == INLAY_GENERATE_WINDOWS ||
        g->o->mix == INLAY_GENERATE_PLACES)
        return;
    for (int k = 0; k < n && !g->failed; k++)
        gen_cache(g, k);
}

bool generate_graph(const inlay_generate_options *o, generated_graph *out, inlay_diags *d)
{
    static const char *const names[INLAY_GENERATE_MIXES] = {"windows", "moves", "sizes", "rows",
                                                            "places"};
    generator g = {.r = {o->seed}, .o = o, .out = out, .diags = d};
    int n_variables;

    memset(out, 0, sizeof *out);
    g.graph = inlay_graph_new(names[o->mix], d);
    if (!g.graph)
        return false;
    begin(&g);
    n_variables = begin_variables(&g);
    if (!g.failed)
        make_nodes(&g);
    add_caches(&g);
    end(&g, n_variables);
    if (g.open && o->mix == INLAY_GENERATE_ROWS)
        open_inputs(&g);
    inlay_give(g.values);
    if (g.failed)
        inlay_graph_free(g.graph);
    else
        out->graph = g.graph;
    return !g.failed;
}

inlay_graph *inlay_generate(const inlay_generate_options *o, inlay_diags *d)
{
    generated_graph made;

    if (inlay_is_missing(o, "list of options", d))
        return NULL;
    if ((unsigned)o->mix >= INLAY_GENERATE_MIXES) {
        inlay_fail(d, NULL, "there is no mix %d", (int)o->mix);
        return NULL;
    }
    return generate_graph(o, &made, d) ? made.graph : NULL;
}

inlay_tensor *generate_input(const generated_graph *g, int i, rng *r)
{
    const struct generated_input *p = &g->inputs[i];
    inlay_type type = g->graph->params[i]->out[0].fact.type;
    inlay_tensor *t = inlay_tensor_new(type, p->rank, p->dims);
    bool index = type == INLAY_I64;

    for (int64_t k = 0; t && k < inlay_tensor_count(t); k++)
        inlay_tensor_set_f64(t, k, (double)rng_in(r, index ? p->lo : -8, index ? p->hi : 8));
    return t;
}

/* Nodes with bodies, made by the same makers as the graph around them. */
#include "generate/make.h"
#include "ir/shared.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A body that is being made: it computes one value from two, all of the same dims. */
struct body {
    generator g; /* for the body's graph */
    inlay_body *to;
    const gen_value *like;
};

static gen_maker *const makers[] = {gen_pointwise, gen_pointwise,  gen_slice_any,
                                    gen_write_any, gen_reverse,    gen_row,
                                    gen_row,       gen_write_pair, gen_concat_twice};

static void add_input(struct body *b)
{
    inlay_shape s = {.rank = b->like->rank};
    generator *g = &b->g;

    for (int i = 0; i < s.rank; i++)
        s.dim[i] = inlay_dim_of(b->like->dims[i]);
    gen_add(g, inlay_build_parameter(g->graph, "p", g->type, &s, g->diags), b->like->rank,
            b->like->dims);
}

/* Makes the graph of body TO of N: two inputs, a few nodes, one output. */
static void fill(generator *outer, inlay_node *n, inlay_body *to, const gen_value *like)
{
    struct body b = {.g = *outer, .to = to, .like = like};
    generator *g = &b.g;
    gen_value last;

    g->graph = to->graph = inlay_graph_new_body(n, "body", g->diags);
    g->values = NULL;
    g->n = g->room = g->n_windows = 0;
    g->inner = true;
    g->failed = !g->graph;
    for (int i = 0; i < 2 && !g->failed; i++)
        add_input(&b);
    for (int64_t k = g->failed ? 0 : rng_in(&g->r, 1, 4); k > 0 && !g->failed; k--)
        makers[rng_in(&g->r, 0, (int64_t)(sizeof makers / sizeof *makers) - 1)](g);
    if (!g->failed && !gen_same_dims(g, like->rank, like->dims, &last))
        last = g->values[0];
    g->failed = g->failed || !inlay_build_result(g->graph, "r", last.value, g->diags);
    inlay_give(g->values);
    outer->r = g->r;
    outer->failed = g->failed;
}

/* Makes ports from the node's inputs FIRST and FIRST + 1 to the body's inputs, and from the body's
 * output. */
static bool connect(generator *g, inlay_body *to, int first)
{
    to->in = inlay_arena_array(g->graph->arena, 2, sizeof *to->in);
    to->out = inlay_arena_array(g->graph->arena, 2, sizeof *to->out);
    to->back = inlay_arena_array(g->graph->arena, 1, sizeof *to->back);
    if (!to->in || !to->out || !to->back)
        return inlay_fail_memory(g->diags);
    memset(to->in, 0, 2 * sizeof *to->in);
    memset(to->out, 0, 2 * sizeof *to->out);
    for (int i = 0; i < 2; i++) {
        to->in[i].outer = first + i;
        to->in[i].inner = i;
    }
    to->n_in = 2;
    to->n_out = 1;
    return true;
}

static void add_branches(generator *g, inlay_node *n, const gen_value *x)
{
    static const char *const roles[] = {"then_body", "else_body"};

    for (int i = 0; i < 2 && !g->failed; i++) {
        n->bodies[i].role = roles[i];
        fill(g, n, &n->bodies[i], x);
        g->failed = g->failed || !connect(g, &n->bodies[i], 1);
    }
}

/* A boolean constant in TO, which is the graph or a body that is being made. */
static inlay_value *constant_truth(generator *g, inlay_graph *to, bool x)
{
    inlay_tensor *t = g->failed ? NULL : inlay_tensor_new(INLAY_BOOLEAN, 0, NULL);
    inlay_value *v = NULL;

    if (t) {
        inlay_tensor_set_i64(t, 0, x);
        v = inlay_build_const(to, "go", t, g->diags);
    }
    inlay_tensor_release(t);
    g->failed = !v;
    return v;
}

/* Adds a Loop whose first input is carried from iteration to iteration. */
static void add_loop(generator *g, inlay_node *n, const gen_value *x)
{
    inlay_body *b = &n->bodies[0];
    inlay_value *go;

    b->role = "body";
    fill(g, n, b, x);
    g->failed = g->failed || !connect(g, b, 2);
    go = constant_truth(g, b->graph, true);
    g->failed = g->failed || !inlay_build_result(b->graph, "on", go, g->diags);
    if (g->failed)
        return;
    b->out[1] = (inlay_port){.outer = -1, .inner = 1, .purpose = INLAY_PORT_CONDITION};
    b->n_out = 2;
    b->back[0] = (inlay_back_edge){0, 0};
    b->n_back = 1;
}

/* Makes a condition, which may be a constant or an input. */
static inlay_value *condition(generator *g)
{
    if (gen_has_room(g) && !rng_one_in(&g->r, 4))
        return gen_convert(g, gen_parameter(g, INLAY_I64, 0, NULL, false, 0, 1), INLAY_BOOLEAN);
    return constant_truth(g, g->graph, rng_in(&g->r, 0, 1) != 0);
}

/* Makes a trip count: 0, a few, or more than unroll-loops accepts. */
static inlay_value *trip_count(generator *g)
{
    static const int64_t known[] = {0, 1, 2, 3, 20};

    return gen_has_room(g) && rng_one_in(&g->r, 2)
               ? gen_parameter(g, INLAY_I64, 0, NULL, false, 0, 4)
               : gen_scalar(g, known[rng_in(&g->r, 0, 4)]);
}

static void add_node(generator *g, bool loops, const gen_value *x, inlay_value *const *in, int n_in)
{
    const char *name = loops ? "Loop" : "If";
    inlay_node *n = inlay_build_begin(g->graph, name, name, in, n_in, g->diags);

    g->failed = !n || !inlay_node_set_n_out(n, 1, g->diags) ||
                !inlay_node_set_bodies(n, loops ? 1 : 2, g->diags);
    if (!g->failed)
        (loops ? add_loop : add_branches)(g, n, x);
    n = inlay_build_end(n, !g->failed, g->diags);
    gen_add(g, n ? &n->out[0] : NULL, x->rank, x->dims);
}

static void add(generator *g, bool loops)
{
    gen_value x = gen_any(g);
    inlay_value *in[4];
    int n = 0;

    if (g->inner)
        return;
    if (loops)
        in[n++] = trip_count(g);
    in[n++] = loops ? constant_truth(g, g->graph, true) : condition(g);
    in[n++] = x.value;
    in[n++] = gen_of_dims(g, x.rank, x.dims);
    if (!g->failed)
        add_node(g, loops, &x, in, n);
}

/* Adds a loop. Each iteration gets one part of the second operand, cut along AXIS, and the
 * iterations' outputs are joined; the first operand is carried. */
static void add_parts(generator *g, inlay_node *n, const gen_value *x, int axis)
{
    inlay_body *b = &n->bodies[0];
    const inlay_port part = {.has_axis = true,
                             .axis = axis,
                             .end = -1,
                             .stride = x->dims[axis],
                             .part_size = x->dims[axis]};

    b->role = "body";
    fill(g, n, b, x);
    g->failed = g->failed || !connect(g, b, 0);
    if (g->failed)
        return;
    b->in[1] = b->out[1] = part;
    b->in[1].outer = b->in[1].inner = 1;
    b->out[1].outer = 1;
    b->n_out = 2;
    b->back[0] = (inlay_back_edge){0, 0};
    b->n_back = 1;
}

/* Joins TIMES values like X along AXIS. */
static inlay_value *row_of(generator *g, const gen_value *x, int axis, int times)
{
    inlay_value *in[3];
    char attrs[24];

    for (int i = 0; i < times; i++)
        in[i] = gen_of_dims(g, x->rank, x->dims);
    snprintf(attrs, sizeof attrs, "axis=%d", axis);
    return gen_build(g, "Concat", in, times, attrs);
}

void gen_iterate(generator *g)
{
    gen_value x = gen_any(g);
    const int axis = x.rank ? (int)rng_in(&g->r, 0, x.rank - 1) : 0;
    const int times = (int)rng_in(&g->r, 1, 3);
    inlay_value *in[2] = {x.value};
    inlay_node *n;

    if (g->inner || x.rank == 0 || x.dims[axis] == 0)
        return;
    in[1] = row_of(g, &x, axis, times);
    if (g->failed)
        return;
    n = inlay_build_begin(g->graph, "TensorIterator", "TensorIterator", in, 2, g->diags);
    g->failed =
        !n || !inlay_node_set_n_out(n, 2, g->diags) || !inlay_node_set_bodies(n, 1, g->diags);
    if (!g->failed)
        add_parts(g, n, &x, axis);
    n = inlay_build_end(n, !g->failed, g->diags);
    gen_add(g, n ? &n->out[0] : NULL, x.rank, x.dims);
    x.dims[axis] *= times;
    gen_add(g, n ? &n->out[1] : NULL, x.rank, x.dims);
}

void gen_branch(generator *g)
{
    add(g, false);
}

void gen_loop(generator *g)
{
    add(g, true);
}

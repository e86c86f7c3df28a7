/* Changes that remove nodes.
 *
 *     y = Relu(Add(x, w))    output    Add's result is the graph's only output
 *                            drop      one output fewer
 *                            leaf      w, which is like x, is x; so is what Add gives
 *                            cut       Add's result is an input of the graph
 *                            bypass    Relu's result is its operand
 *                            zero      Add's result is a constant of zeros
 *                            fewer     an operand that may be absent is; a list is shorter */
#include "passes/reduce/change.h"

#include <stdio.h>
#include <string.h>

enum { MAX_ZEROS = 1 << 16, MAX_LEAVES = 12 };

/* The number of outputs that N computes. */
static int computed(const inlay_node *n)
{
    return reduce_is_leaf(n) ? 0 : n->n_out;
}

static int computed_outside(const inlay_node *n)
{
    return n->graph->owner ? 0 : computed(n);
}

/* ---- output, drop ---- */

static bool make_output(inlay_node *n, int part, inlay_diags *d)
{
    inlay_graph *g = n->graph;

    if (g->n_results == 1 && inlay_node_input(g->results[0], 0)->node == n)
        return false;
    while (g->n_results > 0)
        if (!inlay_node_remove(g->results[0], d))
            return false;
    return inlay_build_result(g, "reduced", &n->out[part], d) != NULL;
}

const reduce_change reduce_output = {computed_outside, NULL, make_output, false, true};

/* Nothing reads the outputs of N, which happens only if dead nodes are kept. */
static bool is_unread(const inlay_node *n)
{
    bool read = n->n_out == 0 || inlay_node_is(n, INLAY_OP_PARAMETER);

    for (int i = 0; i < n->n_out && !read; i++)
        read = n->out[i].uses != NULL;
    return !read;
}

static int roots(const inlay_node *n)
{
    const bool result = inlay_node_is(n, INLAY_OP_RESULT);

    if (is_unread(n))
        return 1;
    if (n->graph->owner)
        return !result && (n->op->flags & INLAY_SINK);
    return result ? n->graph->n_results > 1 : (n->op->flags & INLAY_SINK) != 0;
}

static bool drop(inlay_node *n, int part, inlay_diags *d)
{
    (void)part;
    return inlay_node_remove(n, d);
}

const reduce_change reduce_drop = {roots, NULL, drop, false, false};

/* ---- leaf ---- */

/* Leaf number K with the type and shape of V; if V is a leaf, only leaves before it count. NULL:
 * there is none. */
static inlay_value *leaf_like(const inlay_value *v, int k)
{
    for (inlay_node *n = v->node->graph->first; n && n != v->node; n = n->next) {
        if (reduce_is_leaf(n) && n->out[0].fact.type == v->fact.type &&
            inlay_fact_same_shape(&n->out[0].fact, &v->fact) && k-- == 0)
            return &n->out[0];
    }
    return NULL;
}

static int replaceable(const inlay_node *n)
{
    return n->n_out * MAX_LEAVES;
}

static bool has_leaf(const inlay_node *n, int part)
{
    const inlay_value *v = &n->out[part / MAX_LEAVES];

    return v->uses && leaf_like(v, part % MAX_LEAVES);
}

static bool take_leaf(inlay_node *n, int part, inlay_diags *d)
{
    inlay_value *v = &n->out[part / MAX_LEAVES];

    return inlay_value_replace(v, leaf_like(v, part % MAX_LEAVES), d);
}

const reduce_change reduce_leaf = {replaceable, has_leaf, take_leaf, true, false};

/* ---- cut, zero ---- */

static inlay_value *new_input(inlay_graph *g, const inlay_value *like, const char *name,
                              inlay_diags *d)
{
    inlay_shape shape = {.rank = like->fact.rank};

    for (int i = 0; i < shape.rank; i++)
        shape.dim[i] = like->fact.dims[i];
    return inlay_build_parameter(g, name, like->fact.type, &shape, d);
}

static inlay_value *new_zeros(inlay_graph *g, const inlay_value *like, const char *name,
                              inlay_diags *d)
{
    int64_t dims[INLAY_MAX_RANK];
    inlay_value *zeros = NULL;
    inlay_tensor *t;

    if (!inlay_fact_dims(&like->fact, dims) || like->fact.type == INLAY_STRING)
        return NULL;
    t = inlay_tensor_new(like->fact.type, like->fact.rank, dims);
    if (t && inlay_tensor_count(t) <= MAX_ZEROS)
        zeros = inlay_build_const(g, name, t, d);
    inlay_tensor_release(t);
    return zeros;
}

static bool is_cuttable(const inlay_node *n, int part)
{
    const inlay_fact *f = &n->out[part].fact;

    return n->out[part].uses && f->rank >= 0 && f->type != INLAY_DYNAMIC;
}

/* Replaces an output of N by a node that MAKE makes, under N's name. */
static bool stand_in(inlay_node *n, int part,
                     inlay_value *(*make)(inlay_graph *, const inlay_value *, const char *,
                                          inlay_diags *),
                     inlay_diags *d)
{
    char name[256];
    inlay_value *by;

    snprintf(name, sizeof name, "%.240s_cut", n->name);
    by = make(n->graph, &n->out[part], name, d);
    return by && inlay_value_replace(&n->out[part], by, d);
}

static bool cut(inlay_node *n, int part, inlay_diags *d)
{
    return stand_in(n, part, new_input, d);
}

const reduce_change reduce_cut = {computed_outside, is_cuttable, cut, true, false};

static bool zero(inlay_node *n, int part, inlay_diags *d)
{
    return stand_in(n, part, new_zeros, d);
}

const reduce_change reduce_zero = {computed, is_cuttable, zero, true, false};

/* ---- bypass ---- */

static int operands_of_one(const inlay_node *n)
{
    return n->n_out == 1 && !inlay_node_is(n, INLAY_OP_RESULT) ? n->n_in : 0;
}

static bool passes_on(const inlay_node *n, int part)
{
    const inlay_value *x = inlay_node_input(n, part);

    return x && n->out[0].uses && x->fact.type == n->out[0].fact.type &&
           inlay_fact_same_shape(&x->fact, &n->out[0].fact);
}

static bool bypass(inlay_node *n, int part, inlay_diags *d)
{
    return inlay_value_replace(&n->out[0], inlay_node_input(n, part), d);
}

const reduce_change reduce_bypass = {operands_of_one, passes_on, bypass, true, false};

/* ---- fewer ---- */

static int operands(const inlay_node *n)
{
    return n->n_bodies > 0 || (n->op->flags & INLAY_STAND_IN) ? 0 : n->n_in;
}

/* Leaves out an operand. Further ones of a list move up; others keep their places. */
static bool leave_out(inlay_node *n, int part, inlay_diags *d)
{
    const inlay_op *op = n->op;
    const bool listed = op->variadic_in && part >= op->n_in - 1 && n->n_in >= op->n_in;
    const inlay_operand_info *info = inlay_op_operand_info(op, part);

    if (listed && n->n_in > op->min_in && n->n_in > 1)
        return inlay_node_drop_input(n, part, d);
    if (listed || !info->optional)
        return false;
    if (part == n->n_in - 1 && part >= op->min_in)
        return inlay_node_drop_input(n, part, d);
    return n->in[part].value && inlay_node_set_input(n, part, NULL, d);
}

const reduce_change reduce_fewer = {operands, NULL, leave_out, true, false};

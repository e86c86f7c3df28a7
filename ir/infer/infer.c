/* Infers one node, or each node of a graph: a rule gets the facts of the operands, and gives those
 * of the outputs. */
#include "ir/infer/infer.h"
#include "ir/base/arena.h"
#include "ir/base/argument.h"
#include "ir/graph/graph.h"
#include "ir/graph/memory.h"
#include "ir/graph/node.h"
#include "ir/graph/work.h"
#include "ir/infer/facts.h"
#include "ir/tensor/dim.h"

#include <stdlib.h>

/* The facts of the operands as they are recorded in the graph. A node with few operands needs no
 * allocation. */
struct operands {
    const inlay_fact *few[8];
    const inlay_fact **all;
};

static bool gather_operands(const inlay_node *n, struct operands *o, inlay_diags *d)
{
    o->all = o->few;
    if (n->n_in > 8 &&
        !(o->all = inlay_take_raw(inlay_node_budget(n), (size_t)n->n_in * sizeof *o->all)))
        return inlay_fail_memory(d);
    for (int i = 0; i < n->n_in; i++)
        o->all[i] = n->in[i].value ? &n->in[i].value->fact : NULL;
    return true;
}

static void free_operands(struct operands *o)
{
    if (o->all != o->few)
        inlay_give(o->all);
}

/* INLAY_DIM_MAX stands for a size without an end, so that it is none itself. */
static bool sizes_are_sizes(inlay_infer *cx)
{
    for (int i = 0; i < cx->n_out; i++) {
        for (int k = 0; k < cx->out[i].rank; k++) {
            if (cx->out[i].dims[k].lo == INLAY_DIM_MAX)
                return inlay_infer_fail(cx,
                                        "axis %d of output %d is %lld elements long, which is "
                                        "more than can be counted",
                                        k, i, (long long)INLAY_DIM_MAX);
        }
    }
    return true;
}

static bool run_rule(const inlay_node *n, inlay_infer *cx)
{
    for (int i = 0; i < cx->n_out; i++)
        cx->out[i] = (inlay_fact){.rank = -1};
    return n->op->infer(cx) && sizes_are_sizes(cx);
}

static bool facts_are_there(const inlay_node *n, const inlay_fact *const *in, const inlay_fact *out,
                            const inlay_arena *arena, inlay_diags *d)
{
    return !inlay_is_missing(n, "node", d) && !inlay_is_missing(arena, "arena", d) &&
           inlay_list_is_sound((const void *)in, n->n_in, "facts", d) &&
           inlay_list_is_sound(out, n->n_out, "facts", d);
}

bool inlay_infer_facts(const inlay_node *n, const inlay_fact *const *in, inlay_arena *arena,
                       inlay_fact *out, inlay_diags *d)
{
    if (!facts_are_there(n, in, out, arena, d))
        return false;

    inlay_infer cx = {n, in, n->n_in, out, n->n_out, arena, NULL, d};

    return run_rule(n, &cx);
}

/* A rule infers bodies only where it may make identities of sizes, and it writes what it finds into
 * the bodies. So it gets copies of them. */
bool inlay_infer_bodies(const inlay_node *n, const inlay_fact *const *in, inlay_arena *arena,
                        inlay_fact *out, inlay_diags *d)
{
    inlay_node *copy;
    inlay_graph *g;
    bool ok = false;

    if (!facts_are_there(n, in, out, arena, d))
        return false;
    g = inlay_graph_new_like(n->graph, d);
    copy = g ? graph_clone_node(g, n, d) : NULL;
    if (copy) {
        inlay_infer cx = {copy, in, n->n_in, out, n->n_out, arena, &g->next_dim_id, d};

        ok = run_rule(copy, &cx);
    }
    inlay_graph_free(g);
    return ok;
}

/* A second inference must not invent new identities for dims that did not change, so that two dims
 * that were proven equal stay so. */
static void keep_identities(inlay_fact *now, const inlay_fact *before)
{
    if (now->rank > 0 && now->rank == before->rank &&
        inlay_dims_same_bounds(now->dims, before->dims, now->rank))
        now->dims = before->dims;
    if (now->known && before->known && now->n_known == before->n_known &&
        inlay_dims_same_bounds(now->known, before->known, now->n_known))
        now->known = before->known;
}

/* A node whose facts follow from those of its operands and its attributes alone. Bodies, variables
 * and what goes into a body tell more than these. */
static bool can_settle(const inlay_node *n)
{
    return !n->graph->owner &&
           !(n->op->flags & (INLAY_HAS_BODY | INLAY_EFFECT | INLAY_SINK | INLAY_STAND_IN));
}

/* Records what is known of V now; its readers have something to see when that is new. */
static void set_fact(inlay_value *v, inlay_fact now)
{
    const inlay_fact *was = &v->fact;
    bool same;

    keep_identities(&now, was);
    same = now.type == was->type && now.rank == was->rank && now.dims == was->dims &&
           now.known == was->known && now.content == was->content;
    v->fact = now;
    if (!same)
        inlay_value_unsettle_readers(v);
}

static bool infer_with(inlay_node *n, const inlay_fact *const *in, inlay_diags *d)
{
    inlay_fact few[8], *out = few;
    inlay_infer cx = {n, in, n->n_in, NULL, n->n_out, n->graph->arena, &n->graph->next_dim_id, d};
    bool ok;

    if (n->n_out > 8 &&
        !(out = inlay_take_raw(inlay_node_budget(n), (size_t)n->n_out * sizeof *out)))
        return inlay_fail_memory(d);
    cx.out = out;
    ok = run_rule(n, &cx);
    for (int i = 0; ok && i < n->n_out; i++)
        set_fact(&n->out[i], out[i]);
    n->settled = ok && can_settle(n);
    if (out != few)
        inlay_give(out);
    return ok;
}

bool inlay_infer_node(inlay_node *n, inlay_diags *d)
{
    struct operands in;
    bool ok;

    if (inlay_is_missing(n, "node", d))
        return false;
    if (n->op->flags & INLAY_STAND_IN)
        return true;
    inlay_count_node(n);
    if (!gather_operands(n, &in, d))
        return false;
    ok = infer_with(n, in.all, d);
    free_operands(&in);
    return ok;
}

bool infer_nodes(inlay_graph *g, inlay_diags *d)
{
    inlay_order_list order;
    bool ok;

    ok = inlay_order(g, true, &order, d);
    for (size_t i = 0; ok && i < order.n; i++)
        ok = inlay_check_node(order.nodes[i], d) && inlay_infer_node(order.nodes[i], d);
    inlay_order_free(&order);
    return ok;
}

/* Inference that also expands deferred nodes. See ir/graph/deferred.h. */
#include "ir/base/arena.h"
#include "ir/graph/deferred.h"
#include "ir/graph/graph.h"
#include "ir/graph/node.h"
#include "ir/infer/facts.h"

enum { MAX_ROUNDS = 16 }; /* rounds in which facts of bodies may change facts of their inputs */

/* Gives the new nodes N's names: its outputs keep their tensor names, and the node that makes the
 * first of them gets N's name. */
static bool hand_over(inlay_node *n, inlay_value *const *out, uint32_t first_new, inlay_diags *d)
{
    const char *name = n->label ? n->label : n->name;
    inlay_node *main = n->n_out > 0 && out[0] ? out[0]->node : NULL;

    for (int i = 0; i < n->n_out; i++) {
        inlay_value *old = &n->out[i];

        if (!out[i] && old->uses)
            return inlay_fail_node(d, n, "output %d is none that the operator has", i);
        if (!out[i])
            continue;
        if (!inlay_value_add_names(out[i], old->names, old->n_names, d) ||
            !inlay_value_replace(old, out[i], d))
            return false;
        out[i]->rt_info = out[i]->rt_info ? out[i]->rt_info : old->rt_info;
    }
    if (!inlay_node_remove(n, d))
        return false;
    if (!main || main->id < first_new)
        return true;
    main->rt_info = main->rt_info ? main->rt_info : n->rt_info;
    return inlay_node_rename(main, name, d);
}

/* Replaces N by the nodes that it stands for, if enough is known; *DONE: it was. */
static bool expand(inlay_node *n, bool *done, inlay_diags *d)
{
    inlay_graph *g = n->graph;
    inlay_value **in = inlay_arena_array(g->arena, (size_t)n->n_in, sizeof(inlay_value *));
    inlay_value **out = inlay_arena_array(g->arena, (size_t)n->n_out, sizeof(inlay_value *));
    uint32_t first_new = g->next_id;
    inlay_asked asked;

    if (!in || !out)
        return inlay_fail_memory(d);
    for (int i = 0; i < n->n_in; i++)
        in[i] = n->in[i].value;
    *done = inlay_node_expand(n, g, in, out, &asked, d);
    return *done ? hand_over(n, out, first_new, d) : asked.what != INLAY_ASKS_NOTHING;
}

static bool walk(inlay_graph *g, bool *any, inlay_diags *d);

/* A body may never run, or run with other sizes than are known here, so what is refused there is
 * left to the run. Expanding in a body may make more known of the body's inputs. */
static bool walk_bodies(inlay_node *n, bool *any, inlay_diags *d)
{
    bool more = true, ok = true;

    for (int round = 0; ok && more && round < MAX_ROUNDS; round++) {
        more = false;
        for (int i = 0; i < n->n_bodies; i++) {
            if (inlay_graph_had_deferred(n->bodies[i].graph))
                walk(n->bodies[i].graph, &more, NULL);
        }
        *any = *any || more;
        ok = !more || inlay_infer_node(n, d);
    }
    return ok;
}

static bool walk_node(inlay_node *n, bool *any, inlay_diags *d)
{
    bool done = false, inside = n->graph->owner != NULL;

    if (n->op->flags & INLAY_DEFERRED) {
        if (!expand(n, &done, d) && !inside)
            return false;
        *any = *any || done;
    }
    if (done || n->settled || (inside && inlay_node_is(n, INLAY_OP_PARAMETER)))
        return true;
    return inlay_check_node(n, d) && inlay_infer_node(n, d) && walk_bodies(n, any, d);
}

static bool walk(inlay_graph *g, bool *any, inlay_diags *d)
{
    inlay_order_list order;
    bool ok = inlay_order(g, true, &order, d);

    for (size_t i = 0; ok && i < order.n; i++)
        ok = walk_node(order.nodes[i], any, d);
    inlay_order_free(&order);
    return ok;
}

bool inlay_expand_graph(inlay_graph *g, bool *any, inlay_diags *d)
{
    bool found = false, ok = true;

    if (inlay_graph_can_expand(g) && inlay_graph_had_deferred(g))
        ok = walk(g, &found, d) && (g->owner || !found || inlay_settle_variables(g, d));
    if (any)
        *any = found;
    return ok;
}

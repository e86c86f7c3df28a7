#include "ir/graph/argument.h"
#include "ir/base/argument.h"
#include "ir/graph/node.h"
#include "ir/graph/work.h"

static bool ports_lead_somewhere(const inlay_port *ports, int n, int n_outer, int n_inner)
{
    for (int i = 0; i < n; i++) {
        if (!ports || ports[i].outer < -1 || ports[i].outer >= n_outer || ports[i].inner < 0 ||
            ports[i].inner >= n_inner)
            return false;
    }
    return n >= 0;
}

static bool body_is_whole(const inlay_node *n, const inlay_body *b)
{
    if (!b->graph || !b->role || b->graph->owner != n || (b->n_back > 0 && !b->back) ||
        !ports_lead_somewhere(b->in, b->n_in, n->n_in, b->graph->n_params) ||
        !ports_lead_somewhere(b->out, b->n_out, n->n_out, b->graph->n_results))
        return false;
    for (int i = 0; i < b->n_back; i++) {
        if (b->back[i].from < 0 || b->back[i].from >= b->graph->n_results || b->back[i].to < 0 ||
            b->back[i].to >= b->graph->n_params)
            return false;
    }
    return true;
}

/* Nesting is bounded by INLAY_MAX_BODY_DEPTH: a body has the owner that inlay_graph_new_body gave
 * it.
 */
bool inlay_graph_is_whole(const inlay_graph *g, inlay_diags *d)
{
    if (inlay_is_missing(g, "graph", d))
        return false;
    if (!inlay_graph_had_bodies(g))
        return true;
    inlay_count_steps(g, g->n_nodes);
    for (const inlay_node *n = g->first; n; n = n->next) {
        for (int i = 0; i < n->n_bodies; i++) {
            if (!body_is_whole(n, &n->bodies[i]))
                return inlay_fail_node(d, n, "body %d is not complete", i);
            if (!inlay_graph_is_whole(n->bodies[i].graph, d))
                return false;
        }
    }
    return true;
}

bool inlay_params_are_whole(const inlay_graph *g, inlay_diags *d)
{
    for (int i = 0; i < g->n_params; i++) {
        if (g->params[i]->n_out != 1)
            return inlay_fail_node(d, g->params[i], "has %d output%s, it must have 1",
                                   g->params[i]->n_out, inlay_plural(g->params[i]->n_out, "", "s"));
    }
    return true;
}

bool inlay_type_is_sound(inlay_type type, const inlay_node *node, inlay_diags *d)
{
    return (unsigned)type < INLAY_N_TYPES ||
           inlay_fail_node(d, node, "there is no element type %d", (int)type);
}

bool inlay_shape_is_sound(int rank, const inlay_dim *dims, const inlay_node *node, inlay_diags *d)
{
    if (rank < -1 || rank > INLAY_MAX_RANK)
        return inlay_fail_node(d, node, "a shape has rank %d, it must be in [-1, %d]", rank,
                               INLAY_MAX_RANK);
    if (rank > 0 && !dims)
        return inlay_fail_node(d, node, "a shape of rank %d has no dimensions", rank);
    for (int i = 0; i < rank; i++) {
        if (dims[i].lo < 0 || dims[i].lo > dims[i].hi)
            return inlay_fail_node(d, node, "dimension %d of a shape goes from %lld to %lld", i,
                                   (long long)dims[i].lo, (long long)dims[i].hi);
    }
    return true;
}

bool inlay_evaluator_is_sound(const inlay_evaluator *e, inlay_diags *d)
{
    return !inlay_is_missing(e, "evaluator", d) &&
           ((e->eval_node && e->eval_graph) || inlay_fail(d, NULL, "an evaluator is empty"));
}

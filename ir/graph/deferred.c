/* Deferred nodes: the function that expands them. See deferred.h. */
#include "ir/graph/deferred.h"
#include "ir/base/arena.h"
#include "ir/graph/graph.h"
#include "ir/graph/memory.h"
#include "ir/graph/node.h"

/* The outermost graph has the function for all its bodies. */
static struct inlay_graph_private *of_outermost(const inlay_graph *g)
{
    while (g->owner)
        g = g->owner->graph;
    return g->priv;
}

void inlay_graph_set_expand(inlay_graph *g, inlay_expand_fn *expand)
{
    of_outermost(g)->expand = expand;
}

void inlay_graph_copy_expand(const inlay_graph *from, inlay_graph *to)
{
    if (!of_outermost(to)->expand)
        of_outermost(to)->expand = of_outermost(from)->expand;
}

inlay_graph *inlay_graph_new_like(const inlay_graph *g, inlay_diags *d)
{
    inlay_graph *new = inlay_graph_new_in(inlay_graph_budget(g), g->ops, g->name, d);

    if (new) {
        inlay_graph_copy_expand(g, new);
        new->ir_version = g->ir_version;
    }
    return new;
}

bool inlay_graph_can_expand(const inlay_graph *g)
{
    return of_outermost(g)->expand != NULL;
}

bool inlay_node_expand(const inlay_node *n, inlay_graph *to, inlay_value *const *in,
                       inlay_value **out, inlay_asked *asked, inlay_diags *d)
{
    *asked = (inlay_asked){.input = -1, .type = INLAY_DYNAMIC, .rank = -1};
    for (int i = 0; i < n->n_out; i++)
        out[i] = NULL;
    if (!inlay_graph_can_expand(n->graph))
        return inlay_fail_node(d, n,
                               "it is not known what this node stands for, because its graph was "
                               "not read from a file");
    return of_outermost(n->graph)->expand(n, to, in, out, asked, d);
}

/* Bodies are nested no deeper than INLAY_MAX_BODY_DEPTH. */
bool inlay_graph_had_deferred(const inlay_graph *g)
{
    bool had = inlay_graph_had(g, INLAY_DEFERRED);

    for (const inlay_node *n = inlay_graph_had_bodies(g) ? g->first : NULL; n && !had;
         n = n->next) {
        for (int i = 0; i < n->n_bodies && !had; i++)
            had = n->bodies[i].graph && inlay_graph_had_deferred(n->bodies[i].graph);
    }
    return had;
}

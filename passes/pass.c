/* Functions for a pass about its own run. */
#include "passes/pass.h"
#include "ir/shared.h"

inlay_diags *inlay_pass_diags(const inlay_pass_run *r)
{
    return r ? r->diags : NULL;
}

void *inlay_pass_context(const inlay_pass_run *r)
{
    return r ? r->ctx : NULL;
}

const inlay_evaluator *inlay_pass_evaluator(const inlay_pass_run *r)
{
    return r ? r->options->evaluator : NULL;
}

void inlay_pass_changed(inlay_pass_run *r, uint64_t n)
{
    if (r)
        r->changes += n;
}

bool inlay_pass_each_graph(inlay_graph *g, inlay_pass_fn *fn, inlay_pass_run *r)
{
    if (inlay_is_missing(g, "graph", inlay_pass_diags(r)) || !fn(g, r))
        return false;
    for (inlay_node *n = inlay_graph_had_bodies(g) ? g->first : NULL; n; n = n->next) {
        for (int i = 0; i < n->n_bodies; i++) {
            if (n->bodies[i].graph && !inlay_pass_each_graph(n->bodies[i].graph, fn, r))
                return false;
        }
    }
    return true;
}

/* infer-shapes: calls again, in canonical order, the shape rule of every node whose result may have
 * changed, and expands deferred nodes of which enough is known. A change is a value of the
 * outermost graph whose facts are different from before. */
#include "ir/shared.h"
#include "passes/pass.h"

#include <stdlib.h>

static bool same_fact(const inlay_fact *a, const inlay_fact *b)
{
    if (a->type != b->type || a->rank != b->rank || !a->known != !b->known)
        return false;
    if (a->rank > 0 && !inlay_dims_same_bounds(a->dims, b->dims, a->rank))
        return false;
    return !a->known ||
           (a->n_known == b->n_known && inlay_dims_same_bounds(a->known, b->known, a->n_known));
}

/* The facts from before are still whole: their dims stay in the arena. */
static bool infer_and_count(inlay_node *n, pass_run *r)
{
    inlay_fact *before =
        inlay_take_raw(inlay_node_budget(n), ((size_t)n->n_out + 1) * sizeof *before);
    bool ok;

    if (!before)
        return inlay_fail_memory(r->diags);
    for (int i = 0; i < n->n_out; i++)
        before[i] = n->out[i].fact;
    ok = inlay_check_node(n, r->diags) && inlay_infer_node(n, r->diags);
    for (int i = 0; ok && i < n->n_out; i++)
        r->changes += !same_fact(&before[i], &n->out[i].fact);
    inlay_give(before);
    return ok;
}

bool pass_infer_shapes(inlay_graph *g, pass_run *r)
{
    inlay_order_list order;
    bool ok = inlay_order(g, true, &order, r->diags), expanded = false;

    for (size_t i = 0; ok && i < order.n; i++)
        ok = order.nodes[i]->settled || infer_and_count(order.nodes[i], r);
    inlay_order_free(&order);
    ok = ok && inlay_expand_graph(g, &expanded, r->diags);
    r->changes += expanded;
    return ok;
}

/* eliminate-dead: removes the nodes that the canonical order does not reach from results and sinks.
 * Parameters stay, because they are the signature of the graph. */
#include "ir/shared.h"
#include "passes/pass.h"

#include <stdlib.h>

/* Disconnects the operands of N. This is done for all dead nodes first, so that they can be removed
 * in any order. */
static bool disconnect(inlay_node *n, inlay_diags *d)
{
    for (int i = 0; i < n->n_in; i++) {
        if (n->in[i].value && !inlay_node_set_input(n, i, NULL, d))
            return false;
    }
    return true;
}

static bool remove_all(const inlay_node **dead, size_t n, inlay_diags *d)
{
    for (size_t i = 0; i < n; i++) {
        if (!disconnect((inlay_node *)dead[i], d))
            return false;
    }
    for (size_t i = 0; i < n; i++) {
        if (!inlay_node_remove((inlay_node *)dead[i], d))
            return false;
    }
    return true;
}

/* All dead nodes of a graph are removed in one application. */
static bool remove_unmarked(const inlay_graph *g, const unsigned char *alive, pass_run *r)
{
    const inlay_node **dead = inlay_take(inlay_graph_budget(g), g->n_nodes + 1, sizeof *dead);
    size_t count = 0;
    bool ok = dead || inlay_fail_memory(r->diags);

    for (const inlay_node *n = ok ? g->first : NULL; n; n = n->next) {
        if (!alive[n->id])
            dead[count++] = n;
    }
    if (count > 0 && pass_begin_rule(r, dead[0], NULL, false)) {
        ok = remove_all(dead, count, r->diags) && pass_applied(r, dead, count);
        r->changes += count;
    }
    inlay_give(dead);
    return ok;
}

bool pass_eliminate_dead(inlay_graph *g, pass_run *r)
{
    inlay_order_list order;
    unsigned char *alive;
    bool ok;

    if (!inlay_order(g, false, &order, r->diags))
        return false;
    if (order.n == g->n_nodes) {
        inlay_order_free(&order);
        return true;
    }
    alive = inlay_take(inlay_graph_budget(g), (size_t)g->next_id + 1, 1);
    for (size_t i = 0; alive && i < order.n; i++)
        alive[order.nodes[i]->id] = 1;
    ok = alive ? remove_unmarked(g, alive, r) : inlay_fail_memory(r->diags);
    inlay_order_free(&order);
    inlay_give(alive);
    return ok;
}

/* The grounds of storage notes: the facts that a note states it relies on.
 *
 *     %z = Exp(%d)
 *     %r = SliceScatter(%d, %u, ...) : ... overwrites %d {O3 %z}
 *     order %z before %r
 *
 * O3 demands that no node reads the old data after the write. z reads it, so r relies on the order:
 * z "reads the old data before". */
#include "ir/base/arena.h"
#include "ir/base/argument.h"
#include "ir/graph/condition.h"
#include "ir/graph/fail.h"
#include "ir/graph/work.h"

bool inlay_value_state_grounds(inlay_value *v, inlay_diags *d)
{
    if (inlay_is_missing(v, "value", d))
        return false;
    if (v->note == INLAY_FRESH)
        return inlay_fail_node(d, v->node, "output %d has no storage note to state grounds of",
                               v->index);
    v->grounds = inlay_arena_alloc(v->node->graph->arena, sizeof *v->grounds);
    if (!v->grounds)
        return inlay_fail_memory(d);
    *v->grounds = (inlay_grounds){0, NULL, 0};
    return true;
}

bool inlay_value_add_ground(inlay_value *v, inlay_condition condition, const inlay_node *node,
                            inlay_diags *d)
{
    if (inlay_is_missing(v, "value", d) || inlay_is_missing(node, "node", d))
        return false;
    if (!v->grounds)
        return inlay_fail_node(d, v->node, "output %d has no storage note that states its grounds",
                               v->index);
    if ((unsigned)condition >= INLAY_CONDITIONS || !*inlay_condition_kept(condition))
        return inlay_fail_node(d, v->node, "no storage note can rely on condition %d",
                               (int)condition);
    if (node->graph != v->node->graph)
        return inlay_fail_node(d, v->node, "a storage note relies on a node of the same graph");
    if (!inlay_arena_grow(v->node->graph->arena, &v->grounds->list, (size_t)v->grounds->n,
                          &v->grounds->cap, sizeof *v->grounds->list))
        return inlay_fail_memory(d);
    v->grounds->list[v->grounds->n++] = (inlay_ground){condition, node};
    return true;
}

void inlay_graph_forget_grounds(inlay_graph *g)
{
    for (inlay_node *n = g->has_notes ? g->first : NULL; n; n = n->next) {
        for (int i = 0; i < n->n_out; i++)
            n->out[i].grounds = NULL;
    }
    inlay_count_steps(g, g->n_nodes);
}

static inlay_condition condition_of(const inlay_ground *g)
{
    return g && (unsigned)g->condition < INLAY_CONDITIONS ? (inlay_condition)g->condition
                                                          : INLAY_NO_CONDITION;
}

const char *inlay_ground_name(const inlay_ground *g)
{
    return inlay_condition_name(condition_of(g));
}

const char *inlay_ground_text(const inlay_ground *g)
{
    return inlay_condition_kept(condition_of(g));
}

bool inlay_ground_is_ordered(const inlay_ground *g, const inlay_value *v)
{
    const inlay_graph *in = g && v ? v->node->graph : NULL;

    for (size_t i = 0; in && i < in->n_order_edges; i++) {
        if (in->order_edges[i].before == g->node && in->order_edges[i].after == v->node)
            return true;
    }
    return false;
}

/* Rows that are gathered from a state, and may be the state itself (exec_pick). If the state has no
 * other reader, rows may be moved within it. */
#include "interp/audit/auditor.h"

/* Whether allocation U is the state of a variable, from which rows are selected that may be the
 * state itself; or whether it is such rows. */
static bool is_picked(const auditor *a, const exec_allocation *u)
{
    bool picked = u->state.pick != NULL;

    for (size_t i = 0; i < a->x->n_allocations && u->root == EXEC_STATE && !picked; i++)
        picked = a->x->allocations[i].state.pick &&
                 a->x->allocations[i].state.pick->variable == u->number;
    return picked;
}

bool picked_is_over(const auditor *a, size_t value)
{
    const exec_allocation *u = is_seen(a, value) ? below(a, value) : NULL;

    return u && u->slot != value && is_picked(a, u);
}

/* Whether Parameter I of the graph, or a conversion of it, is the order by which the step selects
 * rows. */
static bool names_rows(const auditor *a, int i)
{
    const inlay_node *n = node_of(a);
    const inlay_value *by = inlay_node_operand(n, INLAY_ROLE_INDICES);

    if (by && by->node->op->flags & INLAY_CONVERTS)
        by = inlay_node_input(by->node, 0);
    return by && i >= 0 && i < n->graph->n_params && by->node == n->graph->params[i];
}

/* Whether the node only reads rows along the axis of P, and replaces none. */
static bool reads_rows(const auditor *a, const exec_pick *p)
{
    const inlay_node *n = node_of(a);
    int axis;

    return n->n_out == 1 && (n->op->flags & INLAY_ROWS) && !(n->op->flags & INLAY_SCATTER) &&
           inlay_node_axis(n, a->x->meta[a->s->in[0]]->rank, &axis) && axis == p->axis;
}

void picked_moves(auditor *a, size_t value)
{
    const exec_allocation *u =
        is_seen(a, value) ? &a->x->allocations[a->x->allocation[value]] : NULL;

    if (u && u->state.pick && u->state.pick->alone && u->slot == value)
        tags_lose(&a->t, a->s->in[0]);
}

bool picked_is_right(const auditor *a, size_t value)
{
    size_t state = a->s->in[0];
    const exec_allocation *u = is_seen(a, value) ? &a->x->allocations[a->x->allocation[value]]
                                                 : NULL,
                          *from;

    if (!u || !u->state.pick || u->slot != value)
        return true;
    from = is_seen(a, state) ? &a->x->allocations[root_allocation(a, state)] : NULL;
    return from && from->root == EXEC_STATE && from->number == u->state.pick->variable &&
           from->slot == state && reads_rows(a, u->state.pick) &&
           names_rows(a, u->state.pick->order) &&
           inlay_tensor_same_dims(a->x->meta[state], a->x->meta[value]);
}

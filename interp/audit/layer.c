/* Rows whose index only the run knows, and which a scatter with the same index writes back:
 *
 *     %l = Gather(%d, %i)              row i of d, wherever that is
 *     %n = ScatterUpdate(%l, ...)      written there
 *     %r = ScatterUpdate(%d, %i, %n)   d, whose row i is n: nothing is left to do
 *
 * or replaces, whatever was written there. */
#include "interp/audit/auditor.h"

#include <string.h>

/* The number in V, ignoring axes of size 1. */
static const inlay_value *number_of(const inlay_value *v)
{
    while (v && v->node->op->flags & INLAY_RESHAPES)
        v = inlay_node_input(v->node, 0);
    return v;
}

/* The operand of N that selects rows: indices, or tuples of one number. */
static const inlay_value *names(const inlay_node *n)
{
    const inlay_value *v = inlay_node_operand(n, INLAY_ROLE_INDICES);

    return v ? v : inlay_node_operand(n, INLAY_ROLE_TUPLES);
}

/* Whether V selects one row: a list of one number, a scalar, or one tuple of one number. */
static bool names_one(const inlay_value *v)
{
    bool one = v && v->fact.rank >= 0;

    for (int i = 0; one && i < v->fact.rank; i++)
        one = v->fact.dims[i].lo == 1 && v->fact.dims[i].hi == 1;
    return one;
}

/* Whether N replaces a row, and PICK selects one, along the same axis of data of RANK, by the same
 * number. */
static bool name_alike(const inlay_node *n, const inlay_node *pick, int rank)
{
    const inlay_value *here = names(n), *there = names(pick);
    const inlay_attr *reduction = inlay_node_attr(n, "reduction");
    bool tuples = inlay_node_operand(n, INLAY_ROLE_TUPLES) != NULL;
    int axis = 0, other;

    return names_one(here) && names_one(there) &&
           (!reduction || strcmp(reduction->as.s, "none") == 0) &&
           (tuples || inlay_node_axis(n, rank, &axis)) && inlay_node_axis(pick, rank, &other) &&
           axis == other && inlay_value_same(number_of(here), number_of(there));
}

size_t layer_put_back(const auditor *a)
{
    const inlay_node *n = node_of(a), *pick;
    size_t u = part_updates(a), whole = u == SIZE_MAX ? u : tags_whole(&a->t, a->x->allocation[u]);
    size_t data = a->s->in[0];

    if (whole == SIZE_MAX || !(n->op->flags & INLAY_ROWS) || !part_is_over(a) ||
        !is_seen(a, whole) || !part_is_same(a, whole, data))
        return SIZE_MAX;
    pick = a->x->allocations[root_allocation(a, u)].node;
    return name_alike(n, pick, a->x->meta[data]->rank) &&
                   part_is_same(a, u, a->x->allocations[root_allocation(a, u)].slot)
               ? u
               : SIZE_MAX;
}

/* Whether the scatter replaces the row of its data that is in ALLOCATION, by the same index. */
static bool replaces(const auditor *a, size_t allocation)
{
    const exec_allocation *u = &a->x->allocations[allocation];
    size_t whole = u->same == allocation && u->points ? tags_whole(&a->t, allocation) : SIZE_MAX;
    size_t data = a->s->in[0];

    return whole != SIZE_MAX && is_seen(a, whole) && part_is_same(a, whole, data) &&
           name_alike(node_of(a), u->node, a->x->meta[data]->rank);
}

bool layer_holds_beside(auditor *a, size_t data)
{
    bool holds = false;

    if (!(node_of(a)->op->flags & INLAY_ROWS) || !part_is_over(a))
        return false;
    for (size_t i = 0; !holds && i < a->x->n_allocations; i++)
        holds = replaces(a, i) && tags_hold_but_row(&a->t, data, i);
    return holds;
}

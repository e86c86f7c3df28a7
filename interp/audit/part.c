/* Parts of values: the window that a scatter writes, and operands in their parts of an output. */
#include "interp/audit/auditor.h"

size_t part_updates(const auditor *a)
{
    const inlay_node *n = node_of(a);
    int i = n->op->flags & INLAY_SCATTER ? inlay_op_operand(n->op, INLAY_ROLE_UPDATES) : -1;

    return i >= 0 && is_seen(a, a->s->in[i]) ? a->s->in[i] : SIZE_MAX;
}

bool part_is_over(const auditor *a)
{
    return a->s->in_place && (node_of(a)->op->flags & INLAY_SCATTER) && is_seen(a, a->s->in[0]) &&
           is_seen(a, a->s->out[0]) && part_is_same(a, a->s->in[0], a->s->out[0]);
}

bool part_written(const auditor *a, window_part *out)
{
    return part_is_over(a) && window_selected(node_of(a), a->x->meta[a->s->in[0]], out);
}

bool part_stands(const auditor *a, int i)
{
    const inlay_node *n = node_of(a);
    size_t value = a->s->in[i], out = n->n_out > 0 ? a->s->out[0] : SIZE_MAX;
    const window_operands of = {a->s->in, a->x->meta};
    window_part part;

    if (!(n->op->flags & INLAY_HOLDS) || !is_seen(a, value) || !is_seen(a, out) ||
        root_allocation(a, value) != root_allocation(a, out))
        return false;
    return window_held(n, &of, i, a->x->meta[value], a->x->meta[out], &part) &&
           window_is(&part.tensor, a->x->meta[value]);
}

/* Returns the value that operand I, a reshape made in the run, is a view of. Its sizes are known;
 * otherwise its elements would not be where they belong. SIZE_MAX: operand I is no such reshape. */
static size_t shown_in_run(const auditor *a, int i)
{
    const inlay_value *v = node_of(a)->in[i].value, *of = v;
    int64_t dims[INLAY_MAX_RANK];
    size_t value = a->s->in[i];

    while (of && !is_seen(a, value)) {
        of = of->node->op->flags & INLAY_RESHAPES ? inlay_node_input(of->node, 0) : NULL;
        value = of ? steps_slot(a->x->steps, of) : SIZE_MAX;
    }
    return of && of != v && inlay_fact_dims(&v->fact, dims) ? value : SIZE_MAX;
}

/* The same, if that value is in the part of output 0 where the operand belongs.
 *
 *     %q = Reshape(%y, %shape)
 *     %c = Concat(%q, %y)              y is in the part of q, and is copied to its own
 */
static size_t reshaped_in_part(const auditor *a, int i)
{
    const inlay_value *v = node_of(a)->in[i].value;
    const window_operands of_step = {a->s->in, a->x->meta};
    int64_t dims[INLAY_MAX_RANK];
    inlay_tensor shape;
    window_part part;
    size_t value = shown_in_run(a, i), out = a->s->out[0];

    if (value == SIZE_MAX || !is_seen(a, out) ||
        root_allocation(a, value) != root_allocation(a, out) || !inlay_fact_dims(&v->fact, dims))
        return SIZE_MAX;
    shape = (inlay_tensor){.type = v->fact.type, .rank = v->fact.rank, .dims = dims};
    return window_held(node_of(a), &of_step, i, &shape, a->x->meta[out], &part) &&
                   window_order_is(&part.tensor, a->x->meta[value])
               ? value
               : SIZE_MAX;
}

/* Returns the value in the part of operand I: the operand, or the value that it is a view of;
 * SIZE_MAX: none, or it has no elements. */
static size_t value_in_part(const auditor *a, int i)
{
    size_t value = part_stands(a, i) ? a->s->in[i] : reshaped_in_part(a, i);

    return value == SIZE_MAX || elements_of(a, value) == 0 ? SIZE_MAX : value;
}

size_t part_early(const auditor *a)
{
    const inlay_node *n = node_of(a);
    size_t updates = part_updates(a), shown = SIZE_MAX;
    window_part part;

    if (!part_written(a, &part))
        return SIZE_MAX;
    if (updates != SIZE_MAX)
        return root_allocation(a, updates) == root_allocation(a, a->s->in[0]) &&
                       window_is(&part.tensor, a->x->meta[updates])
                   ? updates
                   : SIZE_MAX;
    shown = shown_in_run(a, inlay_op_operand(n->op, INLAY_ROLE_UPDATES));
    return shown != SIZE_MAX && root_allocation(a, shown) == root_allocation(a, a->s->in[0]) &&
                   window_order_is(&part.tensor, a->x->meta[shown])
               ? shown
               : SIZE_MAX;
}

bool part_is_held(const auditor *a, size_t value)
{
    bool found = false;

    for (int i = 0; i < node_of(a)->n_in && !found; i++) {
        size_t there = value_in_part(a, i);

        found = there == value ||
                (there != SIZE_MAX && root_allocation(a, there) == root_allocation(a, value) &&
                 window_order_is(a->x->meta[there], a->x->meta[value]));
    }
    return found;
}

void part_shield(auditor *a, bool on)
{
    for (int i = 0; i < node_of(a)->n_in; i++) {
        struct audit_source *out = &a->t.from[a->s->out[0]];
        size_t value = value_in_part(a, i);

        if (value == SIZE_MAX)
            continue;
        tags_shield(&a->t, value, on);
        if (on)
            continue;
        a->t.from[value].next = out->parts;
        out->parts = (uint32_t)value + 1;
    }
}

bool part_is_same(const auditor *a, size_t one, size_t other)
{
    const inlay_tensor *t = a->x->meta[one], *o = a->x->meta[other];
    uint64_t base_t, base_o;
    int64_t size = inlay_type_info_of(t->type)->bits / 8;

    return tags_space(&a->t, a->x->allocation[one], &base_t) ==
               tags_space(&a->t, a->x->allocation[other], &base_o) &&
           window_alike(t, o) &&
           ((char *)t->data - a->x->allocations[a->x->allocation[one]].fake) + (int64_t)base_t +
                   t->offset * size ==
               ((char *)o->data - a->x->allocations[a->x->allocation[other]].fake) +
                   (int64_t)base_o + o->offset * size;
}

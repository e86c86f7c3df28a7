/* Parts of values: the window that a scatter writes, and what stands in its part of a value. */
#include "interp/audit/auditor.h"

enum { AUDIT_MOST_PARTS = 64 }; /* of a value: more are not looked at, and are refused */

size_t part_updates(const auditor *a)
{
    const inlay_node *n = node_of(a);
    int i = n->op->flags & INLAY_SCATTER ? inlay_op_operand(n->op, INLAY_ROLE_UPDATES) : -1;

    return i >= 0 && is_seen(a, a->s->in[i]) ? a->s->in[i] : SIZE_MAX;
}

bool part_written(const auditor *a, window_part *out)
{
    return a->s->in_place && (node_of(a)->op->flags & INLAY_SCATTER) && is_seen(a, a->s->in[0]) &&
           window_selected(node_of(a), a->x->shadow[a->s->in[0]], out);
}

size_t part_early(const auditor *a)
{
    window_part part;
    size_t updates = part_updates(a);

    return updates != SIZE_MAX && part_written(a, &part) &&
                   root_unit(a, updates) == root_unit(a, a->s->in[0]) &&
                   window_is(&part.tensor, a->x->shadow[updates])
               ? updates
               : SIZE_MAX;
}

bool part_stands(const auditor *a, int i)
{
    const inlay_node *n = node_of(a);
    size_t value = a->s->in[i], out = n->n_out > 0 ? a->s->out[0] : SIZE_MAX;
    const inlay_tensor *in[AUDIT_MOST_PARTS];
    window_part part;

    if (!(n->op->flags & INLAY_HOLDS) || i >= AUDIT_MOST_PARTS || !is_seen(a, value) ||
        !is_seen(a, out) || root_unit(a, value) != root_unit(a, out))
        return false;
    for (int k = 0; k <= i; k++)
        in[k] = is_seen(a, a->s->in[k]) ? a->x->shadow[a->s->in[k]] : NULL;
    return window_held(n, in, i, a->x->shadow[out], &part) &&
           window_is(&part.tensor, a->x->shadow[value]);
}

/* Whether operand I is a reshape of VALUE that only the run makes, and VALUE stands where the
 * operand belongs in output 0. Its sizes are known, or the elements of VALUE would not be where
 * they belong.
 *
 *     %q = Reshape(%y, %shape)
 *     %c = Concat(%q, %y)              y stands in the part of q, and is copied to its own
 */
static bool is_reshaped(const auditor *a, int i, size_t value)
{
    const inlay_value *v = node_of(a)->in[i].value, *of = v ? inlay_node_input(v->node, 0) : NULL;
    const inlay_tensor *in[AUDIT_MOST_PARTS];
    int64_t dims[INLAY_MAX_RANK];
    inlay_tensor shape;
    window_part part;
    size_t out = a->s->out[0];

    if (i >= AUDIT_MOST_PARTS || !of || is_seen(a, a->s->in[i]) ||
        !(v->node->op->flags & INLAY_RESHAPES) || steps_slot(a->x->steps, of) != value ||
        !inlay_fact_dims(&v->fact, dims) || root_unit(a, value) != root_unit(a, out))
        return false;
    shape = (inlay_tensor){.type = v->fact.type, .rank = v->fact.rank, .dims = dims};
    for (int k = 0; k < i; k++)
        in[k] = is_seen(a, a->s->in[k]) ? a->x->shadow[a->s->in[k]] : NULL;
    in[i] = &shape;
    return window_held(node_of(a), in, i, a->x->shadow[out], &part) &&
           window_order_is(&part.tensor, a->x->shadow[value]);
}

bool part_is_held(const auditor *a, size_t value)
{
    bool found = false;

    for (int i = 0; i < node_of(a)->n_in && !found; i++)
        found = (a->s->in[i] == value && part_stands(a, i)) || is_reshaped(a, i, value);
    return found;
}

void part_shield(auditor *a, bool on)
{
    for (int i = 0; i < node_of(a)->n_in; i++) {
        struct audit_source *out = &a->t.from[a->s->out[0]];

        if (!part_stands(a, i))
            continue;
        tags_shield(&a->t, a->s->in[i], on);
        if (on)
            continue;
        a->t.from[a->s->in[i]].next = out->parts;
        out->parts = (uint32_t)a->s->in[i] + 1;
    }
}

bool part_is_same(const auditor *a, size_t one, size_t other)
{
    const inlay_tensor *t = a->x->shadow[one], *o = a->x->shadow[other];
    uint64_t base_t, base_o;
    int64_t size = inlay_type_info_of(t->type)->bits / 8;
    bool same = t->rank == o->rank && inlay_type_info_of(o->type)->bits / 8 == size;

    tags_space(&a->t, a->x->unit[one], &base_t);
    tags_space(&a->t, a->x->unit[other], &base_o);
    for (int i = 0; same && i < t->rank; i++)
        same = t->dims[i] == o->dims[i] && (t->dims[i] <= 1 || t->strides[i] == o->strides[i]);
    return same && ((char *)t->data - a->x->units[a->x->unit[one]].fake) + (int64_t)base_t +
                           t->offset * size ==
                       ((char *)o->data - a->x->units[a->x->unit[other]].fake) + (int64_t)base_o +
                           o->offset * size;
}

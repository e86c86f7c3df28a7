/* What a step reads, and where it may overwrite that. */
#include "interp/audit/auditor.h"
#include "interp/audit/border.h"

/* Returns the value that the kernel reads as operand I: the operand or its dense copy. */
static size_t read_as(const auditor *a, int i)
{
    for (size_t k = a->s->copy; k < a->s->copy + a->s->n_copies; k++) {
        if (a->x->copies[k].operand == i)
            return a->x->copies[k].to;
    }
    return a->s->in[i];
}

bool read_make_copies(auditor *a)
{
    for (size_t k = a->s->copy; k < a->s->copy + a->s->n_copies; k++) {
        const exec_copy *c = &a->x->copies[k];

        if (!tags_hold(&a->t, a->s->in[c->operand]))
            return audit_refuse(a, "what is copied to be dense is gone", a->s->in[c->operand]);
        if (!tags_write(&a->t, c->to))
            return audit_refuse(a, "a dense copy is outside of its allocation", c->to);
    }
    return true;
}

/* Whether a scatter of a forward window with updates as large as DATA writes all of it: it must,
 * since the window must fit. */
static bool writes_all(const auditor *a, size_t data)
{
    const inlay_node *n = node_of(a);
    const inlay_value *steps = inlay_node_window(n, 2);
    int u = inlay_op_operand(n->op, INLAY_ROLE_UPDATES);
    bool forward = steps && steps->fact.known;

    for (int i = 0; forward && i < steps->fact.n_known; i++)
        forward = steps->fact.known[i].lo > 0;
    return forward && (n->op->flags & INLAY_SCATTER) && u >= 0 && is_seen(a, a->s->in[u]) &&
           inlay_tensor_same_dims(a->x->meta[a->s->in[u]], a->x->meta[data]);
}

/* Checks that the parts of DATA that are read are intact: the window of a Slice or Gather, for a
 * scatter in place all that it does not write, and nothing for an operation that reads only the
 * shape. */
static bool holds_data(auditor *a, size_t data)
{
    size_t out = a->s->out[0];
    window_part part;

    if ((node_of(a)->op->flags & INLAY_SHAPE_ONLY) || writes_all(a, data))
        return true;
    if (part_written(a, &part))
        return tags_hold_beside(&a->t, data, &part.tensor);
    if (layer_put_back(a) != SIZE_MAX)
        return tags_hold_but_row(&a->t, data, a->x->allocation[layer_put_back(a)]);
    if (((node_of(a)->op->flags & INLAY_ROWS) ||
         ((node_of(a)->op->flags & INLAY_VIEW) && is_seen(a, out))) &&
        window_selected(node_of(a), a->x->meta[data], &part))
        return tags_hold_part(&a->t, data, &part.tensor);
    return tags_hold(&a->t, data) || layer_holds_beside(a, data);
}

bool read_check(auditor *a)
{
    for (int i = 0; i < node_of(a)->n_in; i++) {
        size_t value = read_as(a, i);

        if (border_lost(a->x, value))
            return audit_refuse(a, "an operand has lost its place at the border", value);
        if (is_seen(a, value) && !(i == 0 ? holds_data(a, value) : tags_hold(&a->t, value)))
            return audit_refuse(a, "an operand is gone when it is read", value);
    }
    return true;
}

/* Whether OPERAND, the updates of a scatter of windows, is moved within the buffer: all elements by
 * the same distance, wherever the window begins. An axis spans all elements of the axes behind it,
 * so that elements are in the order of addresses. */
static bool is_moved(const auditor *a, size_t operand)
{
    const inlay_tensor *t = a->x->meta[operand], *data = a->x->meta[a->s->in[0]];
    int64_t steps[INLAY_MAX_RANK], reach = 0;
    bool moved = operand == part_updates(a) && t->type == data->type && t->rank == data->rank &&
                 inlay_type_info_of(t->type)->bits >= 8 && window_steps(node_of(a), data, steps);

    for (int i = t->rank; moved && i-- > 0;) {
        int64_t apart = t->strides[i];

        moved = t->dims[i] <= 1 ||
                (apart > reach && apart % steps[i] == 0 && apart / steps[i] == data->strides[i]);
        reach += t->dims[i] > 1 ? (t->dims[i] - 1) * apart : 0;
    }
    return moved;
}

/* Whether OPERAND is the updates of a scatter of rows, whose kernel first reads those that it
 * cannot move in order. */
static bool moves_any(const auditor *a, size_t operand)
{
    return operand == part_updates(a) && (node_of(a)->op->flags & INLAY_ROWS);
}

/* Checks whether the kernel allows it if an output and operand I share bytes. */
static bool may_meet(auditor *a, int i, size_t operand, size_t output)
{
    const inlay_op *op = node_of(a)->op;
    window_part part;

    if (output == a->s->out[0] && part_is_held(a, operand))
        return true;
    if (output == a->s->out[0] && i == op->overwrites)
        return part_is_same(a, operand, output);
    if (output == a->s->out[0] && part_is_over(a) &&
        (is_moved(a, operand) || moves_any(a, operand)))
        return true;
    if (output == a->s->out[0] && part_written(a, &part))
        return operand == part_early(a) ||
               !tags_meet_part(&a->t, operand, &part.tensor, a->x->allocation[output]);
    return (op->flags & (INLAY_POINTWISE | INLAY_HAS_BODY)) && part_is_same(a, operand, output);
}

/* Why an output must not overwrite OPERAND: elements of another width would overwrite elements that
 * are not read yet. */
static const char *why_not_over(const auditor *a, size_t operand, size_t output)
{
    int width = inlay_type_info_of(a->x->meta[operand]->type)->bits;

    if ((node_of(a)->op->flags & INLAY_POINTWISE) &&
        inlay_type_info_of(a->x->meta[output]->type)->bits != width)
        return inlay_condition_name(INLAY_N9_SAME_WIDTH);
    return "an output is written over an operand that is still read";
}

bool read_check_meetings(auditor *a)
{
    for (int k = 0; k < node_of(a)->n_out; k++) {
        for (int i = 0; i < node_of(a)->n_in && !write_is_shown(a, k); i++) {
            size_t operand = read_as(a, i), output = a->s->out[k];

            if (is_seen(a, operand) && is_seen(a, output) && tags_meet(&a->t, operand, output) &&
                !may_meet(a, i, operand, output))
                return audit_refuse(a, why_not_over(a, operand, output), operand);
        }
    }
    return true;
}

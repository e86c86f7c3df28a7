/* Rows of a list that fused steps read and write in the data of the scatter that ends their group.
 * Perhaps only the run knows which rows, so a listed lane counts as reading all of the data, and
 * the scatter as writing all of it. */
#include "interp/audit/auditor.h"

/* The scatter of the group. */
static const exec_step *scatter_of(const auditor *a)
{
    return &a->x->list[a->s->fused->scatter];
}

/* Whether lane LANE of OP begins where the data of the scatter begins, and a row of it is as long
 * as in the output of OP's step. */
static bool shows_rows(const auditor *a, const exec_op *op, int lane)
{
    const exec_fused *f = a->s->fused;
    const exec_block *b = &a->x->blocks[op->block];
    const inlay_tensor *data = a->x->meta[scatter_of(a)->out[0]];
    const char *at[FUSED_LANES] = {b->k.to, b->k.x, b->k.y, b->k.z};
    int64_t size = inlay_type_info_of(data->type)->bits / 8, stride = size, rows = 1, n = 1;
    bool shows = b->allocation[lane] == a->x->allocation[scatter_of(a)->out[0]] &&
                 at[lane] == (char *)data->data + data->offset * size &&
                 op->size[lane] == (size_t)size && f->n_lists == 1 && op->list[lane] == 0 &&
                 f->list[0].from == 0;

    for (int i = f->rank; shows && i-- > f->list[0].to; stride *= f->dims[i])
        shows = op->strides[lane][i] == stride;
    for (int i = 0; i < f->list[0].to; i++)
        rows *= f->dims[i];
    for (int i = f->list[0].to; i < f->rank; i++)
        n *= f->dims[i];
    stride = size;
    for (int i = 0, run = inlay_node_row_axes(scatter_of(a)->step->node); i < run; i++)
        stride *= data->dims[data->rank - 1 - i];
    return shows && n * size == stride && rows * n == inlay_tensor_count(a->x->meta[a->s->out[0]]);
}

/* The earlier step that only checks the operands of VALUE, which has no memory; or NULL. */
static const exec_step *checked_step(const auditor *a, size_t value)
{
    for (size_t i = a->number; i-- > 0;) {
        const exec_step *s = &a->x->list[i];

        if (s->step->node->n_out > 0 && s->out[0] == value)
            return s->kind == EXEC_CHECK ? s : NULL;
    }
    return NULL;
}

bool listed_operand(auditor *a, const exec_op *op, int lane, size_t value)
{
    const exec_step *from = checked_step(a, value);
    const inlay_node *scatter = scatter_of(a)->step->node;

    if (!from || !inlay_node_windows_same(from->step->node, scatter) ||
        !part_is_same(a, from->in[0], scatter_of(a)->out[0]))
        return audit_refuse(a, "rows are read that the scatter of the group does not name", value);
    if (!tags_hold(&a->t, from->in[0]))
        return audit_refuse(a, "rows are gone when they are read", value);
    return shows_rows(a, op, lane) ||
           audit_refuse(a, "a fused step reads other elements than its node", value);
}

bool listed_output(auditor *a, const exec_op *op)
{
    const exec_step *s = scatter_of(a);
    int u = inlay_op_operand(s->step->node->op, INLAY_ROLE_UPDATES);

    return (u >= 0 && s->in[u] == a->s->out[0] && exec_in_register(a->x, a->s->out[0]) &&
            shows_rows(a, op, 0)) ||
           audit_refuse(a, "a fused step writes other elements than its output", a->s->out[0]);
}

/* Whether lane LANE of OP, which has VALUE, is in memory, in the bytes of OUT. */
static bool lies_over(auditor *a, const exec_op *op, int lane, size_t value, size_t out)
{
    return op->reg[lane] < 0 && !(op->listed & 1u << lane) && is_seen(a, value) &&
           tags_meet(&a->t, value, out);
}

/* Rows are written while others are read: no step of the group has any other part of the data. */
static bool leaves_data(auditor *a, size_t out)
{
    const exec_fused *f = a->s->fused;
    bool leaves = true, writes = false;

    for (int i = 0; leaves && i < f->n_ops; i++) {
        const exec_step *s = &a->x->list[f->ops[i].step];

        writes = writes || (f->ops[i].listed & 1u);
        leaves = !lies_over(a, &f->ops[i], 0, s->out[0], out);
        for (int k = 0; leaves && k < s->step->node->n_in; k++)
            leaves = s->in[k] == SIZE_MAX || k + 1 >= FUSED_LANES ||
                     !lies_over(a, &f->ops[i], k + 1, s->in[k], out);
    }
    return leaves && writes;
}

bool listed_put(auditor *a)
{
    const inlay_node *n = node_of(a);
    size_t out = a->s->out[0];
    int updates = inlay_op_operand(n->op, INLAY_ROLE_UPDATES);

    if (!part_is_over(a) || !inlay_node_lists_rows(n))
        return audit_refuse(a, "rows are written that may be named twice", out);
    if (!leaves_data(a, out))
        return audit_refuse(a, "the data of a scatter is used by the steps that it ends", out);
    for (int i = 0; i < n->n_in; i++) {
        if (i != updates && is_seen(a, a->s->in[i]) && !tags_hold(&a->t, a->s->in[i]))
            return audit_refuse(a, "an operand is gone when it is read", a->s->in[i]);
        if (i > 0 && i != updates && is_seen(a, a->s->in[i]) && tags_meet(&a->t, a->s->in[i], out))
            return audit_refuse(a, "an output is written over an operand that is still read",
                                a->s->in[i]);
    }
    return write_outputs(a);
}

bool listed_check(auditor *a)
{
    return read_make_copies(a) && read_check(a) &&
           (exec_in_register(a->x, a->s->out[0]) ||
            audit_refuse(a, "a value that is only checked has memory, too", a->s->out[0]));
}

/* Rows that a step gathers, and other steps of its group read at their source. Unless the indices
 * are constant, only the run knows the rows, so such a lane counts as reading all of the data. */
#include "interp/audit/auditor.h"

enum {
    MOST_ELEMENTS = 1 << 16
}; /* of a value: the lanes of a larger one are not checked one by
                                     one */

/* Where a lane has an element: in which row, and its offset if all rows were at the beginning of
 * the first one. */
struct place {
    int64_t row, at;
};

static struct place place_in_lane(const exec_fused *f, const exec_op *op, int lane, int64_t p)
{
    const exec_list *l = &f->list[op->list[lane]];
    struct place to = {0, 0};
    int64_t rows = 1;

    for (int i = f->rank; i-- > 0; p /= f->dims[i]) {
        int64_t k = p % f->dims[i];

        if (l->from <= i && i < l->to) {
            to.row += k * rows;
            rows *= f->dims[i];
        } else {
            to.at += k * op->strides[lane][i];
        }
    }
    return to;
}

/* The same by the specification: the indices replace one axis of DATA, and OUT has all others. */
static struct place place_in_data(const inlay_tensor *data, const inlay_tensor *out, int axis,
                                  int64_t p)
{
    int64_t size = inlay_type_info_of(data->type)->bits / 8, rows = 1;
    int more = out->rank - data->rank;
    struct place to = {0, 0};

    for (int i = out->rank; i-- > 0; p /= out->dims[i]) {
        int64_t k = p % out->dims[i];

        if (axis <= i && i <= axis + more) {
            to.row += k * rows;
            rows *= out->dims[i];
        } else {
            to.at += k * data->strides[i < axis ? i : i - more] * size;
        }
    }
    return to;
}

/* The step of the group that selects the rows of lane LANE of OP; NULL: none. */
static const exec_step *pick_of(const auditor *a, const exec_op *op, int lane)
{
    const exec_fused *f = a->s->fused;
    const exec_list *l = &f->list[op->list[lane]];
    const exec_step *s = &a->x->list[l->step];
    bool is = op->list[lane] < f->n_lists && l->step >= f->first && l->step < f->ops[0].step &&
              s->kind == EXEC_CHECK && s->fused == f &&
              (l->to < f->rank || l->from == l->to); /* the last dim is a row */

    return is ? s : NULL;
}

/* Whether lane LANE of OP has the elements of the output of step S, rows selected from its data. */
static bool shows_picked(const auditor *a, const exec_op *op, int lane, const exec_step *s)
{
    const exec_block *b = &a->x->blocks[op->block];
    const char *at[FUSED_LANES] = {b->k.to, b->k.x, b->k.y, b->k.z};
    const inlay_tensor *data = a->x->meta[s->in[0]], *out = a->x->meta[s->out[0]];
    const inlay_attr *batch = inlay_node_attr(s->step->node, "batch_dims");
    int64_t n = inlay_tensor_count(out), all = 1, size = inlay_type_info_of(data->type)->bits / 8;
    int axis;
    bool shows =
        inlay_node_axis(s->step->node, data->rank, &axis) && (!batch || batch->as.i == 0) &&
        b->allocation[lane] == a->x->allocation[s->in[0]] && op->size[lane] == (size_t)size &&
        at[lane] == (char *)data->data + data->offset * size;

    for (int i = 0; i < a->s->fused->rank; i++)
        all *= a->s->fused->dims[i];
    shows = shows && n == all;
    for (int64_t p = 0; shows && p < n && n <= MOST_ELEMENTS; p++) {
        struct place has = place_in_lane(a->s->fused, op, lane, p);
        struct place wants = place_in_data(data, out, axis, p);

        shows = has.row == wants.row && has.at == wants.at;
    }
    return shows;
}

/* Whether the rows that step S selects are intact where they are read: all of the data, if only the
 * run knows which rows. */
static bool rows_stand(auditor *a, const exec_step *s)
{
    window_part part;

    return window_selected(s->step->node, a->x->meta[s->in[0]], &part)
               ? tags_hold_part(&a->t, s->in[0], &part.tensor)
               : tags_hold(&a->t, s->in[0]);
}

bool gathered_operand(auditor *a, const exec_op *op, int lane, size_t value)
{
    const exec_step *s = pick_of(a, op, lane);

    if (!s || s->out[0] != value || !exec_in_register(a->x, value))
        return audit_refuse(a, "rows are read that no step of the group picks", value);
    if (!rows_stand(a, s))
        return audit_refuse(a, "rows are gone when they are read", value);
    return shows_picked(a, op, lane, s) ||
           audit_refuse(a, "a fused step reads other elements than its node", value);
}

bool gathered_leaves(auditor *a, size_t out)
{
    const exec_fused *f = a->s->fused;

    for (int i = 0; i < f->n_lists && f->scatter == 0; i++) {
        size_t data = a->x->list[f->list[i].step].in[0];

        if (is_seen(a, data) && tags_meet(&a->t, data, out))
            return audit_refuse(a, "an output is written over rows that other tiles pick", out);
    }
    return true;
}

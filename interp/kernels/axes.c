/* Reads operands that name axes. */
#include "interp/kernels/axes.h"

#include <stdio.h>
#include <string.h>

bool axis_checked(inlay_call *c, const char *what, int64_t axis, int rank, int *out)
{
    if (axis < -(int64_t)rank || axis >= rank)
        return inlay_call_fail(c, "%s is %lld, it must be in [%d, %d]", what, (long long)axis,
                               -rank, rank - 1);
    *out = (int)(axis < 0 ? axis + rank : axis);
    return true;
}

static bool fail_axes(inlay_call *c, int i, int64_t k, int64_t found, int rank)
{
    char what[64];
    int axis = 0;

    snprintf(what, sizeof what, "%s[%lld]", c->node->op->in[i].name, (long long)k);
    return axis_checked(c, what, found, rank, &axis) &&
           inlay_call_fail(c, "%s is %lld: axis %d is repeated", what, (long long)found, axis);
}

bool axes_of_operand(inlay_call *c, int i, int rank, bool mask[INLAY_MAX_RANK])
{
    int64_t n;
    const int64_t *axes = load_ints(c, i, &n);

    memset(mask, 0, INLAY_MAX_RANK * sizeof *mask);
    for (int64_t k = 0; axes && k < n; k++) {
        int64_t axis = axes[k] < 0 ? axes[k] + rank : axes[k];

        if (axis < 0 || axis >= rank || mask[axis])
            return fail_axes(c, i, k, axes[k], rank);
        mask[axis] = true;
    }
    return axes != NULL;
}

/* Goes from the last axis to the first, and puts each before those that are there. */
void folding_of(const inlay_tensor *data, const int64_t *strides, const bool *folded, folding *f)
{
    int64_t dense[INLAY_MAX_RANK], step = 1;
    int at = INLAY_MAX_RANK; /* f's axes are filled from the back */
    bool before = false;

    f->data = data;
    f->group = 1;
    strides_dense(data->rank, data->dims, dense);
    strides = strides ? strides : dense;
    for (int i = data->rank - 1; i >= 0; i--) {
        if (at < INLAY_MAX_RANK && folded[i] == before && strides[i] == f->from[at] * f->dims[at]) {
            f->dims[at] *= data->dims[i];
        } else {
            f->strides[--at] = folded[i] ? 0 : step;
            f->from[at] = strides[i];
            f->dims[at] = data->dims[i];
            before = folded[i];
        }
        *(folded[i] ? &f->group : &step) *= data->dims[i];
    }
    f->rank = INLAY_MAX_RANK - at;
    for (int i = 0; i < f->rank; i++) {
        f->dims[i] = f->dims[at + i];
        f->strides[i] = f->strides[at + i];
        f->from[i] = f->from[at + i];
    }
    if (f->rank == 0) { /* one element */
        f->rank = 1;
        f->dims[0] = 1;
        f->strides[0] = f->from[0] = 0;
    }
    f->n_in = inlay_tensor_count(data);
    f->n_out = step;
}

int folding_cut(const folding *f, int64_t *unit)
{
    int64_t most = 0;
    int axis = -1;

    *unit = 1;
    for (int i = 0; i < f->rank; i++) {
        int64_t size = i == f->rank - 1 ? CALL_PIECE : 1, n = (f->dims[i] + size - 1) / size;

        if (f->strides[i] != 0 && n > most) {
            most = n;
            axis = i;
            *unit = size;
        }
    }
    return axis;
}

const folding *folding_part(const folding *f, int axis, int64_t from, int64_t to, folding *room)
{
    if (axis < 0 || to - from == f->dims[axis])
        return f;
    *room = *f;
    room->dims[axis] = to - from;
    room->n_in = f->n_in / f->dims[axis] * (to - from);
    room->n_out = f->n_out / f->dims[axis] * (to - from);
    return room;
}

axis_split axis_split_of(const inlay_tensor *t, int axis)
{
    axis_split s = {1, t->dims[axis], 1};

    if (inlay_tensor_count(t) == 0)
        return (axis_split){0, t->dims[axis], 0};
    for (int i = 0; i < axis; i++)
        s.before *= t->dims[i];
    for (int i = axis + 1; i < t->rank; i++)
        s.after *= t->dims[i];
    return s;
}

bool axis_of_operand(inlay_call *c, int i, int rank, int *axis)
{
    int64_t x;

    return load_one_int(c, i, &x) && axis_checked(c, c->node->op->in[i].name, x, rank, axis);
}

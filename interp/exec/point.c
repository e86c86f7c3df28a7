/* One row of a value, which an index picks that only the run knows. The row is shown where it
 * stands: its form is that of the value, with one element along an axis, and so everything of it is
 * known before the run but for where it begins.
 *
 *     %row = Gather(%d, %t)       view of d: a unit of its own, which points into that of d
 *     %y = Tanh(%row)             planned like any other step
 *
 * The pass and the checker of notes say that nobody writes there before the row was read. The units
 * do not say that the two have bytes in common, so whoever depends on that asks the notes
 * (build_floats). */
#include "interp/call/index.h"
#include "interp/call/window.h"
#include "interp/exec/build.h"
#include "interp/exec/frame.h"

/* Returns how many elements there are from the first one of T to the last one, in memory; 0: some
 * are before the first one. */
static int64_t span_of(const inlay_tensor *t)
{
    int64_t span = 1;

    for (int i = 0; i < t->rank; i++) {
        if (t->dims[i] < 1 || t->strides[i] < 0)
            return 0;
        span += (t->dims[i] - 1) * t->strides[i];
    }
    return span;
}

/* Returns whether ROW, what is known of the output, is one row of DATA along AXIS. */
static bool is_row(const inlay_fact *row, const inlay_tensor *data, int axis)
{
    bool is = build_is_exact(row) && row->type == data->type && row->rank == data->rank;

    for (int i = 0; is && i < data->rank; i++)
        is = row->dims[i].lo == (i == axis ? 1 : data->dims[i]);
    return is;
}

/* Returns whether the output of step B->now is one row of DATA, in the strides of which it can be
 * shown. A constant that stands askew is only moved (aligned.c), so that its rows are copied. */
static bool picks_row(const exec_builder *b, const inlay_tensor *data)
{
    const inlay_node *n = b->now->step->node;
    size_t size = (size_t)inlay_type_info_of(data->type)->bits / 8;

    return inlay_node_picks_row(n) && build_plannable(data->type) && span_of(data) > 0 &&
           size > 0 && (uintptr_t)data->data % size == 0 &&
           inlay_node_axis(n, data->rank, &b->now->axis) &&
           is_row(b->fact[b->now->out[0]], data, b->now->axis);
}

bool build_point(exec_builder *b)
{
    size_t from = b->now->in[0], out = b->now->out[0], unit;
    const inlay_tensor *data = from == SIZE_MAX ? NULL : b->x->shadow[from];
    int64_t dims[INLAY_MAX_RANK], size;
    inlay_tensor row;

    b->now->kind = EXEC_WALK;
    if (!data || !picks_row(b, data) || !inlay_fact_dims(b->fact[out], dims))
        return true;
    row = (inlay_tensor){
        .type = data->type, .rank = data->rank, .dims = dims, .strides = data->strides};
    size = inlay_type_info_of(data->type)->bits / 8;
    unit = build_unit(b, EXEC_MADE, out, (uint64_t)(span_of(&row) * size));
    if (unit == SIZE_MAX)
        return true;
    b->x->units[unit].points = true;
    b->now->kind = EXEC_POINT;
    row.data = b->x->units[unit].fake;
    return build_value(b, out, unit, inlay_tensor_window(&row, data->rank, dims, data->strides, 0));
}

/* Shows zeros, which version 8 gives where an index names no row; earlier ones refuse it. Nothing
 * is copied then. */
static bool show_zeros(exec_frame *f, const exec_step *s, inlay_call *c)
{
    size_t unit = f->x->unit[s->out[0]];
    const inlay_tensor *row = f->x->shadow[s->out[0]];
    int64_t span = span_of(row);
    inlay_tensor *own;

    if (!exec_check(c))
        return false;
    own = meter_tensor(f->run.run.env->meter, row->type, 1, &span, c->node, c->diags);
    if (!own)
        return false;
    exec_frame_point(f, unit, own->data, own->buffer, own);
    return true;
}

bool exec_frame_show(exec_frame *f, const exec_step *s, inlay_call *c)
{
    const inlay_tensor *data = c->in[0];
    int64_t size = inlay_type_info_of(data->type)->bits / 8, at;

    if (!call_row_ahead(c, data->dims[s->axis], &at))
        return show_zeros(f, s, c);
    at = data->offset + at * data->strides[s->axis];
    exec_frame_point(f, f->x->unit[s->out[0]], (char *)data->data + at * size, data->buffer, NULL);
    return true;
}

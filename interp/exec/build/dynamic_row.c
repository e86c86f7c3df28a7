/* One row of a value, selected by an index that only the run knows. The row is a view: its shape is
 * that of the value with one element along an axis or, if the index is a scalar, without that axis.
 * So all of it is known before the run except its address.
 *
 *     %row = Gather(%d, %t)       view of d: an allocation of its own, which points into that of d
 *     %y = Tanh(%row)             planned like any other step
 *
 * The notes guarantee that nothing overwrites the row before it is read. The two allocations do not
 * show that they share bytes, so code that depends on this asks the notes (build_floats). */
#include "interp/exec/build/dynamic_row.h"
#include "interp/exec/build/meta.h"

/* Returns the distance in elements from the first element of T to its last one in memory, both
 * included; 0 if an element lies before the first one. */
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

/* Returns whether ROW, the fact of the output, is one row of DATA along AXIS, with or without this
 * axis. STRIDES receives the strides of the row. */
static bool is_row(const inlay_fact *row, const inlay_tensor *data, int axis, int64_t *strides)
{
    bool is = inlay_fact_is_exact(row) && row->type == data->type;
    int n = 0;

    for (int i = 0; is && i < data->rank; i++) {
        if (i == axis && row->rank == data->rank - 1)
            continue;
        is = n < row->rank && row->dims[n].lo == (i == axis ? 1 : data->dims[i]);
        strides[n++] = data->strides[i];
    }
    return is && n == row->rank;
}

/* Returns whether the output of step B->now is one row of DATA along *AXIS that STRIDES, those of
 * DATA, can describe. A misaligned constant is replaced by an aligned copy only if a kernel
 * computes with it (aligned.c), so rows of one are copied. */
static bool picks_row(const exec_builder *b, const inlay_tensor *data, int *axis, int64_t *strides)
{
    const inlay_node *n = b->now->step->node;
    size_t size = (size_t)inlay_type_info_of(data->type)->bits / 8;

    return inlay_node_picks_row(n) && inlay_op_operand(n->op, INLAY_ROLE_INDICES) >= 0 &&
           build_plannable(data->type) && span_of(data) > 0 && size > 0 &&
           (uintptr_t)data->data % size == 0 && inlay_node_axis(n, data->rank, axis) &&
           is_row(b->fact[b->now->out[0]], data, *axis, strides);
}

/* Finds the contiguous parts of R, a row of the form of T, that are worth prefetching; none if they
 * are many, small, or at irregular distances. */
static void find_parts(exec_row *r, const inlay_tensor *t, ptrdiff_t size)
{
    enum { LEAST = 64, MOST = 4 << 10 };
    bool simple = true;

    r->parts = 1;
    r->bytes = size;
    for (int i = t->rank - 1; i >= 0; i--) {
        if (t->dims[i] == 1)
            continue;
        if (r->parts == 1 && t->strides[i] * size == r->bytes) {
            r->bytes *= t->dims[i];
            continue;
        }
        simple = simple && r->parts == 1;
        r->parts = t->dims[i];
        r->pitch = t->strides[i] * size;
    }
    if (!simple || r->bytes < LEAST || r->bytes > MOST || r->parts > MOST / r->bytes)
        r->parts = 0;
}

/* Records that step B->now selects a row of DATA along AXIS; ROW is the form of the row. */
static bool keep_row(exec_builder *b, const inlay_tensor *data, int axis, const inlay_tensor *row)
{
    exec_row *r = inlay_arena_alloc(b->x->memory, sizeof *r);
    ptrdiff_t size = inlay_type_info_of(data->type)->bits / 8;

    if (!r)
        return false;
    r->axis = axis;
    r->index = inlay_op_operand(b->now->step->node->op, INLAY_ROLE_INDICES);
    r->step = data->strides[axis] * size;
    find_parts(r, row, size);
    b->now->row = r;
    return true;
}

bool build_point(exec_builder *b)
{
    size_t from = b->now->in[0], out = b->now->out[0], allocation;
    const inlay_tensor *data = from == SIZE_MAX ? NULL : b->x->meta[from];
    int64_t dims[INLAY_MAX_RANK], strides[INLAY_MAX_RANK], size;
    inlay_tensor row;
    int axis;

    b->now->kind = EXEC_WALK;
    if (!data || !picks_row(b, data, &axis, strides) || !inlay_fact_dims(b->fact[out], dims))
        return true;
    row = (inlay_tensor){
        .type = data->type, .rank = b->fact[out]->rank, .dims = dims, .strides = strides};
    size = inlay_type_info_of(data->type)->bits / 8;
    allocation = build_allocation(b, EXEC_MADE, out, (uint64_t)(span_of(&row) * size));
    if (allocation == SIZE_MAX || !keep_row(b, data, axis, &row))
        return true;
    b->x->allocations[allocation].points = true;
    b->now->kind = EXEC_POINT;
    row.data = b->x->allocations[allocation].fake;
    return build_value(b, out, allocation,
                       inlay_tensor_window_in(b->x->memory, &row, row.rank, dims, strides, 0));
}

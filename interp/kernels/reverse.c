/* Reverse, ReverseSequence, Roll: permute elements along an axis, and keep the shape. */
#include "interp/kernels/axes.h"
#include "interp/kernels/moves.h"

#include <inttypes.h>
#include <string.h>

/* Marks the axes that a list names, or that are marked in a mask. */
static bool reversed_axes(inlay_call *c, bool *reversed)
{
    const bool *mask;

    if (strcmp(inlay_node_string(c->node, "mode"), "index") == 0)
        return axes_of_operand(c, 1, c->in[0]->rank, reversed);
    mask = load_bool(c, 1);
    for (int i = 0; mask && i < c->in[0]->rank; i++)
        reversed[i] = mask[i];
    return mask != NULL;
}

/* The output is a copy of a view of the data with negative strides on the reversed axes. */
bool eval_reverse(inlay_call *c)
{
    struct view v = view_all(c->in[0]);
    bool reversed[INLAY_MAX_RANK];

    if (!reversed_axes(c, reversed))
        return false;
    for (int i = 0; i < v.rank; i++) {
        if (!reversed[i] || v.dims[i] == 0)
            continue;
        v.offset += (v.dims[i] - 1) * v.strides[i];
        v.strides[i] = -v.strides[i];
    }
    return move_output(c, 0, NULL, c->in[0], &v);
}

/* Moves the elements FROM <= i < TO of axis SEQ of batch B: those from the first one on are
 * reversed. */
static bool move_sequence(inlay_call *c, int batch, int seq, int64_t b, int64_t from, int64_t to)
{
    const inlay_tensor *data = c->in[0], *out = c->out[0];
    struct view x = view_all(data), y = view_all(out);

    x.dims[batch] = y.dims[batch] = 1;
    x.dims[seq] = y.dims[seq] = to - from;
    x.offset = b * data->strides[batch] + (from > 0 ? from : to - 1) * data->strides[seq];
    y.offset = b * out->strides[batch] + from * out->strides[seq];
    if (from == 0)
        x.strides[seq] = -data->strides[seq];
    return from == to || move_piece(c, &y, data, &x);
}

/* The first seq_lengths[b] elements along seq_axis are reversed, for every b of batch_axis. */
bool eval_reverse_sequence(inlay_call *c)
{
    const inlay_tensor *data = c->in[0];
    int64_t batch = inlay_node_int(c->node, "batch_axis"),
            seq = inlay_node_int(c->node, "seq_axis");
    const int64_t *lengths = load_i64(c, 1);

    if (!lengths)
        return false;
    batch += batch < 0 ? data->rank : 0;
    seq += seq < 0 ? data->rank : 0;
    for (int64_t b = 0; b < data->dims[batch]; b++) {
        if (lengths[b] < 1 || lengths[b] > data->dims[seq])
            return inlay_call_fail(
                c, "seq_lengths[%" PRId64 "] is %" PRId64 ", it must be in [1, %" PRId64 "]", b,
                lengths[b], data->dims[seq]);
    }
    for (int64_t b = 0; b < data->dims[batch] && inlay_tensor_count(data) > 0; b++) {
        if (!move_sequence(c, (int)batch, (int)seq, b, 0, lengths[b]) ||
            !move_sequence(c, (int)batch, (int)seq, b, lengths[b], data->dims[seq]))
            return false;
    }
    return true;
}

/* Moves data by SHIFT along each axis: on an axis that is shifted it is two pieces, which change
 * their places. */
static bool move_rolled(inlay_call *c, const int64_t *shift)
{
    const inlay_tensor *data = c->in[0], *out = c->out[0];
    int64_t pieces[INLAY_MAX_RANK];

    for (int i = 0; i < data->rank; i++)
        pieces[i] = shift[i] > 0 ? 2 : 1;
    for (index_iter it = index_begin(data->rank, pieces); index_valid(&it); index_next(&it)) {
        struct view x = view_all(data), y = view_all(out);

        for (int i = 0; i < data->rank; i++) {
            int64_t kept = data->dims[i] - shift[i];

            x.dims[i] = y.dims[i] = it.at[i] == 0 ? kept : shift[i];
            x.offset += it.at[i] == 0 ? 0 : kept * data->strides[i];
            y.offset += it.at[i] == 0 ? shift[i] * out->strides[i] : 0;
        }
        if (!move_piece(c, &y, data, &x))
            return false;
    }
    return true;
}

/* out[(p + shift) mod d] = data[p] on every axis; shifts of one axis add up. */
bool eval_roll(inlay_call *c)
{
    const inlay_tensor *data = c->in[0];
    int64_t n_shift, n_axes, total[INLAY_MAX_RANK] = {0};
    const int64_t *shift = load_ints(c, 1, &n_shift), *axes = load_ints(c, 2, &n_axes);

    if (!shift || !axes)
        return false;
    for (int64_t i = 0; i < n_axes; i++) {
        int64_t d, axis = axes[i];

        if (axis < -data->rank || axis >= data->rank)
            return inlay_call_fail(c, "axes[%" PRId64 "] is %" PRId64 ", it must be in [%d, %d]", i,
                                   axis, -data->rank, data->rank - 1);
        axis += axis < 0 ? data->rank : 0;
        d = data->dims[axis] > 0 ? data->dims[axis] : 1;
        total[axis] = (total[axis] + shift[n_shift == 1 ? 0 : i] % d + d) % d;
    }
    return inlay_tensor_count(data) == 0 || move_rolled(c, total);
}

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
    for (index_iter it = index_begin(data->rank, data->dims); index_valid(&it); index_next(&it)) {
        int64_t s = it.at[seq], length = lengths[it.at[batch]];
        int64_t from = tensor_at(data, it.at);

        if (s < length)
            from += (length - 1 - 2 * s) * data->strides[seq];
        tensor_move_element(c->out[0], tensor_at(c->out[0], it.at), data, from);
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
    for (index_iter it = index_begin(data->rank, data->dims); index_valid(&it); index_next(&it)) {
        int64_t to = c->out[0]->offset;

        for (int i = 0; i < data->rank; i++)
            to += (it.at[i] + total[i]) % data->dims[i] * c->out[0]->strides[i];
        tensor_move_element(c->out[0], to, data, tensor_at(data, it.at));
    }
    return true;
}

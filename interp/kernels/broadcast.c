/* Broadcast, Tile, Select: elements repeated to fill a shape. */
#include "interp/kernels/moves.h"

#include <string.h>

/* Data seen through strides of 0 where it repeats. */
bool eval_broadcast(inlay_call *c)
{
    const inlay_tensor *data = c->in[0], *out = c->out[0];
    struct view v = view_all(out);

    if (strcmp(inlay_node_string(c->node, "mode"), "explicit") == 0) {
        int64_t n;
        const int64_t *map = call_ints(c, 2, &n);

        if (!map)
            return false;
        memset(v.strides, 0, sizeof v.strides);
        for (int i = 0; i < data->rank; i++) {
            if (map[i] < 0 || map[i] >= out->rank ||
                (data->dims[i] != 1 && data->dims[i] != out->dims[map[i]]))
                return call_fail(c, "axis %d of data does not fill axis %lld of the output", i,
                                 (long long)map[i]);
            v.strides[map[i]] = data->dims[i] == 1 ? 0 : data->strides[i];
        }
    } else {
        broadcast_strides(data, out->rank, out->dims, v.strides);
    }
    return move(c, c->out[0], NULL, data, &v);
}

/* out[p] = data[p mod data's size] on every axis, data filled up with axes of 1 in front */
bool eval_tile(inlay_call *c)
{
    const inlay_tensor *data = c->in[0];
    int lead = c->out[0]->rank - data->rank;

    for (index_iter it = index_begin(c->out[0]->rank, c->out[0]->dims); index_valid(&it);
         index_next(&it)) {
        int64_t from = data->offset;

        for (int i = 0; i < data->rank; i++)
            from += it.at[lead + i] % data->dims[i] * data->strides[i];
        move_element(c->out[0], tensor_at(c->out[0], it.at), data, from);
    }
    return true;
}

/* out[p] = cond[p] ? then[p] : else[p], all three broadcast to the output */
bool eval_select(inlay_call *c)
{
    const inlay_tensor *out = c->out[0];
    int64_t cond[INLAY_MAX_RANK], yes[INLAY_MAX_RANK], no[INLAY_MAX_RANK];

    broadcast_strides(c->in[0], out->rank, out->dims, cond);
    broadcast_strides(c->in[1], out->rank, out->dims, yes);
    broadcast_strides(c->in[2], out->rank, out->dims, no);
    for (index_iter it = index_begin(out->rank, out->dims); index_valid(&it); index_next(&it)) {
        int64_t at = c->in[0]->offset + index_dot(it.rank, it.at, cond);
        bool x = inlay_load_i64(c->in[0]->type, c->in[0]->data, at) != 0;
        const inlay_tensor *from = x ? c->in[1] : c->in[2];

        move_element(c->out[0], tensor_at(out, it.at), from,
                     from->offset + index_dot(it.rank, it.at, x ? yes : no));
    }
    return true;
}

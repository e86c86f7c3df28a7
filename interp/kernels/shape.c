/* ShapeOf, Reshape, Squeeze, Unsqueeze, Transpose: the same elements in another shape. */
#include "interp/kernels/moves.h"

bool eval_shape_of(inlay_call *c)
{
    return store_i64(c, 0, c->in[0]->dims);
}

/* The elements keep their row-major order: data is seen in the output's shape, or, where its
 * strides do not allow that, the output in data's. */
static bool same_order(inlay_call *c)
{
    const inlay_tensor *data = c->in[0];
    struct view v;

    if (inlay_tensor_is_dense(data)) {
        v = view_dense(c->out[0]->rank, c->out[0]->dims);
        return move(c, c->out[0], NULL, data, &v);
    }
    v = view_dense(data->rank, data->dims);
    return move(c, c->out[0], &v, data, NULL);
}

bool eval_reshape(inlay_call *c)
{
    return same_order(c);
}

bool eval_squeeze(inlay_call *c)
{
    return same_order(c);
}

bool eval_unsqueeze(inlay_call *c)
{
    return same_order(c);
}

/* output[i(order[0]), i(order[1]), ...] = data[i(0), i(1), ...] */
bool eval_transpose(inlay_call *c)
{
    const inlay_tensor *data = c->in[0];
    int64_t n;
    const int64_t *order = call_ints(c, 1, &n);
    struct view v = view_all(c->out[0]);

    if (!order)
        return false;
    for (int i = 0; i < data->rank; i++)
        v.strides[i] = data->strides[n == 0 ? data->rank - 1 - i : order[i]];
    return move(c, c->out[0], NULL, data, &v);
}

/* ShapeOf, Reshape, Squeeze, Unsqueeze, Identity, Transpose: results have the elements of data in
 * another shape. */
#include "interp/kernels/moves.h"

static const char *dims_text(int rank, const int64_t *dims, char *buf, size_t size)
{
    inlay_dim d[INLAY_MAX_RANK];

    for (int i = 0; i < rank; i++)
        d[i] = inlay_dim_of(dims[i]);
    return inlay_shape_text(rank, d, buf, size);
}

bool eval_shape_of(inlay_call *c)
{
    return store_i64(c, 0, c->in[0]->dims);
}

/* The elements keep their row-major order: data is seen in the shape of the output, or, where the
 * strides of data do not allow that, the output is seen in the shape of data. */
static bool same_order(inlay_call *c)
{
    const inlay_tensor *data = c->in[0];
    struct view v;

    if (inlay_tensor_is_dense(data)) {
        v = view_dense(c->out[0]->rank, c->out[0]->dims);
        return move_output(c, 0, NULL, data, &v);
    }
    v = view_dense(data->rank, data->dims);
    return move_output(c, 0, &v, data, NULL);
}

/* The shape of the output may follow from the number of elements alone: so the pattern is compared
 * with it. */
bool eval_reshape(inlay_call *c)
{
    const inlay_tensor *data = c->in[0], *out = c->out[0];
    bool special_zero = inlay_node_bool(c->node, "special_zero");
    int64_t n;
    const int64_t *pattern = load_ints(c, 1, &n);
    char from[512], to[512];

    for (int i = 0; pattern && i < out->rank; i++) {
        bool copies = special_zero && pattern[i] == 0 && i < data->rank;

        if (out->dims[i] != (copies ? data->dims[i] : pattern[i]) && pattern[i] != -1)
            return inlay_call_fail(
                c, "data %s cannot be reshaped to %s: the numbers of elements differ",
                dims_text(data->rank, data->dims, from, sizeof from),
                dims_text(out->rank, pattern, to, sizeof to));
    }
    return pattern && same_order(c);
}

bool eval_squeeze(inlay_call *c)
{
    return same_order(c);
}

bool eval_identity(inlay_call *c)
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
    const int64_t *order = load_ints(c, 1, &n);
    struct view v = view_all(c->out[0]);

    if (!order)
        return false;
    for (int i = 0; i < data->rank; i++)
        v.strides[i] = data->strides[n == 0 ? data->rank - 1 - i : order[i]];
    return move_output(c, 0, NULL, data, &v);
}

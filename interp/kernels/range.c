/* Range, NonZero, OneHot, Eye: the result's size is a number in an operand, or depends on data. */
#include "interp/kernels/moves.h"
#include "ir/shared.h"

#include <string.h>

/* val[i + 1] = val[i] + step is computed in a type that is wide enough for the output's. */
bool eval_range(inlay_call *c)
{
    int64_t n = inlay_tensor_count(c->out[0]);

    if (inlay_type_is_int(c->out[0]->type)) {
        const int64_t *start = load_i64(c, 0), *step = load_i64(c, 2);
        int64_t *x = inlay_call_memory(c, n, sizeof *x);

        if (!start || !step || !x)
            return false;
        for (int64_t i = 0; i < n; i++)
            x[i] = (int64_t)((uint64_t)*start + (uint64_t)i * (uint64_t)*step);
        return store_i64(c, 0, x);
    } else {
        const double *start = load_f64(c, 0), *step = load_f64(c, 2);
        double *x = inlay_call_memory(c, n, sizeof *x);

        if (!start || !step || !x)
            return false;
        for (int64_t i = 0; i < n; i++)
            x[i] = i == 0 ? *start : x[i - 1] + *step;
        return store_f64(c, 0, x);
    }
}

static bool is_zero(const inlay_tensor *t, int64_t at)
{
    if (t->type == INLAY_STRING)
        return false;
    return inlay_type_is_float(t->type) ? inlay_load_f64(t->type, t->data, at) == 0
                                        : inlay_load_i64(t->type, t->data, at) == 0;
}

/* Column k of the output is the index of the k-th element that is not zero, in row-major order. */
bool eval_non_zero(inlay_call *c)
{
    const inlay_tensor *data = c->in[0];
    int64_t dims[2] = {data->rank, 0}, k = 0;
    inlay_tensor *out;

    for (index_iter it = index_begin(data->rank, data->dims); index_valid(&it); index_next(&it))
        dims[1] += !is_zero(data, tensor_at(data, it.at));
    out = call_sized_output(c, 0, inlay_node_type(c->node, "output_type"), 2, dims);
    if (!out)
        return false;
    for (index_iter it = index_begin(data->rank, data->dims); index_valid(&it); index_next(&it)) {
        if (is_zero(data, tensor_at(data, it.at)))
            continue;
        for (int i = 0; i < data->rank; i++)
            inlay_tensor_set_i64(out, i * dims[1] + k, it.at[i]);
        k++;
    }
    return true;
}

/* output[..., i, ...] = indices[..., ...] == i ? on_value : off_value; a negative index equals no
 * i. */
bool eval_one_hot(inlay_call *c)
{
    const inlay_tensor *on = c->in[2], *off = c->in[3];
    int64_t n, axis = inlay_node_int(c->node, "axis"), strides[INLAY_MAX_RANK];
    const int64_t *index = load_ints(c, 0, &n);
    const inlay_attr *mode = inlay_node_attr(c->node, "negative_indices_mode");
    bool from_end = mode && strcmp(mode->as.s, "normalize") == 0;
    inlay_tensor *out = c->out[0];

    if (!index)
        return false;
    axis += axis < 0 ? out->rank : 0;
    strides_dense(c->in[0]->rank, c->in[0]->dims, strides);
    for (index_iter it = index_begin(out->rank, out->dims); index_valid(&it); index_next(&it)) {
        int64_t from = 0, hot;
        const inlay_tensor *value;

        for (int i = 0; i < out->rank; i++)
            from += i == axis ? 0 : it.at[i] * strides[i > axis ? i - 1 : i];
        hot = index[from] + (from_end && index[from] < 0 ? out->dims[axis] : 0);
        value = hot == it.at[axis] ? on : off;
        tensor_move_element(out, tensor_at(out, it.at), value, value->offset);
    }
    return true;
}

/* output[..., i, i + diagonal_index] = 1 */
bool eval_eye(inlay_call *c)
{
    inlay_tensor *out = c->out[0];
    int64_t diagonal = inlay_tensor_get_i64(c->in[2], 0);
    int rank = out->rank;

    for (index_iter it = index_begin(rank, out->dims); index_valid(&it); index_next(&it))
        inlay_tensor_set_i64(out, it.linear, it.at[rank - 1] - it.at[rank - 2] == diagonal);
    return true;
}

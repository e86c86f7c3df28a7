/* Gather, GatherElements, GatherND: elements and slices selected by index. */
#include "ir/infer/infer.h"
#include "ir/tensor/dim.h"

#include <string.h>

/* Checks that RANK dimensions are not too many. */
static bool check_result_rank(inlay_infer *cx, int rank)
{
    if (rank > INLAY_MAX_RANK)
        return inlay_infer_fail(cx, "the result would have more than %d dimensions",
                                INLAY_MAX_RANK);
    return true;
}

/* Appends A[FROM:UP_TO] to S. */
static bool append(inlay_infer *cx, inlay_shape *s, const inlay_shape *a, int from, int up_to)
{
    if (!check_result_rank(cx, s->rank + up_to - from))
        return false;
    for (int i = from; i < up_to; i++)
        s->dim[s->rank++] = a->dim[i];
    return true;
}

/* A batch_dims that is negative counts from the back of the indices. */
static bool find_batch(inlay_infer *cx, const inlay_shape *data, const inlay_shape *indices,
                       int *batch)
{
    int64_t b = inlay_node_int(cx->node, "batch_dims");
    int most = data->rank < indices->rank ? data->rank : indices->rank;

    if (b < -(int64_t)most || b > most)
        return inlay_infer_fail(cx, "batch_dims is %lld, it must be in [%d, %d]", (long long)b,
                                -most, most);
    *batch = (int)(b < 0 ? b + indices->rank : b);
    if (*batch > most)
        return inlay_infer_fail(cx, "batch_dims is %lld, data %s has no such dimensions",
                                (long long)b, in_text(cx, 0));
    return true;
}

/* Returns the element of DATA that a known index selects. An index out of range selects 0 in
 * Gather-8; in other versions the run decides, so the element may be any number. */
static inlay_dim picked(const inlay_infer *cx, const inlay_dim *data, int n, inlay_dim index)
{
    bool newest = cx->node->op->version == 8;
    inlay_dim all;

    if (inlay_dim_is_static(index)) {
        int64_t i = index.lo < 0 ? index.lo + n : index.lo;

        if (i >= 0 && i < n)
            return data[i];
        return newest ? inlay_dim_of(0) : inlay_dim_unknown_value();
    }
    if (n == 0 || (newest && (index.lo < -n || index.hi >= n)))
        return inlay_dim_unknown_value();
    all = data[0];
    for (int i = 1; i < n; i++)
        all = inlay_dim_union(all, data[i]);
    return all;
}

/* Finds the elements of a list of integers that known indices pick. */
static bool gather_known(inlay_infer *cx)
{
    inlay_dim known[INLAY_MAX_KNOWN];
    int n_data, n;
    const inlay_dim *data = in_known(cx, 0, &n_data), *index = in_known(cx, 1, &n);

    if (!data || !index || in_rank(cx, 0) != 1)
        return true;
    for (int i = 0; i < n; i++)
        known[i] = picked(cx, data, n_data, index[i]);
    return inlay_infer_set_known(cx, 0, known, n);
}

/* data.shape[:axis] + indices.shape[batch_dims:] + data.shape[axis + 1:] */
bool infer_gather(inlay_infer *cx)
{
    inlay_type type = cx->in[0]->type;
    inlay_shape data, indices, out = {.rank = 0};
    int64_t x;
    int batch = 0, axis;

    inlay_infer_shape(cx, 0, &data);
    inlay_infer_shape(cx, 1, &indices);
    if (!in_check_rank(cx, 0, 1, -1) || !in_check_one(cx, 2))
        return false;
    if (data.rank < 0 || indices.rank < 0)
        return set_out_unknown(cx, 0, type);
    if (!find_batch(cx, &data, &indices, &batch) ||
        !check_result_rank(cx, data.rank + indices.rank - 1 - batch))
        return false;
    if (!in_int(cx, 2, &x))
        return batch == 0 || data.rank + indices.rank > 1 + batch /* a run asks again */
                   ? set_out_rank(cx, 0, type, data.rank + indices.rank - 1 - batch)
                   : inlay_infer_fail(cx, "data %s has no axis behind batch_dims, which is %d",
                                      in_text(cx, 0), batch);
    if (!inlay_infer_axis(cx, "axis", x, data.rank, &axis))
        return false;
    if (axis < batch)
        return inlay_infer_fail(cx, "axis is %lld, it must not be below batch_dims, which is %d",
                                (long long)x, batch);
    for (int i = 0; i < batch; i++) {
        if (!merge_dim(cx, 1, i, indices.dim[i], &data.dim[i]))
            return false;
    }
    return append(cx, &out, &data, 0, axis) && append(cx, &out, &indices, batch, indices.rank) &&
           append(cx, &out, &data, axis + 1, data.rank) && inlay_infer_set_out(cx, 0, type, &out) &&
           gather_known(cx);
}

/* The indices have the shape of the data except on the axis, and the output has the shape of the
 * indices. */
bool infer_gather_elements(inlay_infer *cx)
{
    inlay_shape data, indices;
    int axis;

    inlay_infer_shape(cx, 0, &data);
    inlay_infer_shape(cx, 1, &indices);
    if (!in_check_rank(cx, 0, 1, -1) || !in_check_rank(cx, 1, 1, -1))
        return false;
    if (data.rank >= 0) {
        if (!in_check_rank(cx, 1, data.rank, data.rank) ||
            !inlay_infer_axis(cx, "axis", inlay_node_int(cx->node, "axis"), data.rank, &axis))
            return false;
        for (int i = 0; i < indices.rank; i++) {
            if (i != axis && !merge_dim(cx, 1, i, indices.dim[i], &data.dim[i]))
                return false;
            if (i != axis)
                indices.dim[i] = data.dim[i];
        }
    }
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &indices);
}

/* A batch dimension has the same size in both operands, or is 1 in one of them. */
static bool batch_dim(inlay_infer *cx, int i, inlay_dim data, inlay_dim indices, inlay_dim *out)
{
    inlay_shape a = {.rank = 1, .dim = {data}}, b = {.rank = 1, .dim = {indices}}, both;
    int axis;

    if (!broadcast_shapes(&a, &b, &both, &axis))
        return inlay_infer_fail(cx, "data %s and indices %s do not agree on batch dimension %d",
                                in_text(cx, 0), in_text(cx, 1), i);
    *out = both.dim[0];
    return true;
}

/* GatherND-5 multiplies the batch dimensions into one; GatherND-8 keeps them. */
static bool nd_batch(inlay_infer *cx, const inlay_shape *data, const inlay_shape *indices,
                     int batch, inlay_shape *out)
{
    out->rank = 0;
    for (int i = 0; i < batch; i++) {
        if (!batch_dim(cx, i, data->dim[i], indices->dim[i], &out->dim[out->rank++]))
            return false;
    }
    if (cx->node->op->version == 5 && batch > 1) {
        for (int i = 1; i < batch; i++)
            out->dim[0] = inlay_dim_mul(out->dim[0], out->dim[i]);
        out->rank = 1;
    }
    return true;
}

/* batch + indices.shape[batch:-1] + data.shape[batch + k:], k = indices.shape[-1] */
bool infer_gather_nd(inlay_infer *cx)
{
    int64_t b = inlay_node_int(cx->node, "batch_dims");
    inlay_type type = cx->in[0]->type;
    inlay_shape data, indices, out;
    inlay_dim k;
    int least;

    inlay_infer_shape(cx, 0, &data);
    inlay_infer_shape(cx, 1, &indices);
    if (!in_check_rank(cx, 0, 1, -1) || !in_check_rank(cx, 1, 1, -1))
        return false;
    if (data.rank < 0 || indices.rank < 0)
        return set_out_unknown(cx, 0, type);
    least = data.rank < indices.rank ? data.rank : indices.rank;
    if (b < 0 || b >= least)
        return inlay_infer_fail(cx, "batch_dims is %lld, it must be in [0, %d]", (long long)b,
                                least - 1);
    k = indices.dim[indices.rank - 1];
    if (k.lo > data.rank - b)
        return inlay_infer_fail(
            cx,
            "indices %s has tuples of %lld, data %s has %d dimension%s after %lld "
            "batch dimensions",
            in_text(cx, 1), (long long)k.lo, in_text(cx, 0), data.rank - (int)b,
            inlay_plural(data.rank - (int)b, "", "s"), (long long)b);
    if (!nd_batch(cx, &data, &indices, (int)b, &out))
        return false;
    if (!inlay_dim_is_static(k))
        return set_out_unknown(cx, 0, type);
    return append(cx, &out, &indices, (int)b, indices.rank - 1) &&
           append(cx, &out, &data, (int)(b + k.lo), data.rank) &&
           inlay_infer_set_out(cx, 0, type, &out);
}

/* step_ids and parent_ids have the shape [time, batch, beam]; max_seq_len has an element for each
 * batch. */
bool infer_gather_tree(inlay_infer *cx)
{
    inlay_shape s;
    inlay_dim lengths;

    if (!in_check_rank(cx, 0, 3, 3) || !in_check_rank(cx, 1, 3, 3) || !in_check_one(cx, 3) ||
        !in_length(cx, 2, false, &lengths))
        return false;
    inlay_shape_of_rank(&s, 3);
    for (int i = 0; i < 3; i++) {
        s.dim[i] = in_dim(cx, 0, i);
        if (!merge_dim(cx, 1, i, in_dim(cx, 1, i), &s.dim[i]))
            return false;
    }
    return merge_dim(cx, 2, 0, lengths, &s.dim[1]) &&
           inlay_infer_set_out(cx, 0, shared_type(cx), &s);
}

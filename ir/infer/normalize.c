/* Shape rules of normalisations, over axes of data or by channel: they keep the shape. */
#include "ir/infer/facts.h"
#include "ir/infer/infer.h"

/* MVN-6, NormalizeL2-1, LRN-1: input 1 lists axes of the data. */
bool infer_along_axes(inlay_infer *cx)
{
    int64_t axes[INLAY_MAX_RANK];
    int n, at[INLAY_MAX_RANK], rank = in_rank(cx, 0);
    inlay_dim length;

    if (!in_length(cx, 1, true, &length))
        return false;
    if (rank >= 0 && length.lo > rank)
        return inlay_infer_fail(cx, "input 1 \"%s\" has %lld element%s, data has rank %d",
                                in_name(cx, 1), (long long)length.lo,
                                inlay_plural(length.lo, "", "s"), rank);
    if (rank >= 0 && inlay_infer_ints(cx, 1, axes, INLAY_MAX_RANK, &n) &&
        !norm_axes(cx, in_name(cx, 1), axes, n, rank, at))
        return false;
    return inlay_infer_set_out_like(cx, 0, 0);
}

bool infer_lrn(inlay_infer *cx)
{
    int64_t size = inlay_node_int(cx->node, "size");

    if (size < 1)
        return inlay_infer_fail(cx, "size is %lld, it must be at least 1", (long long)size);
    return infer_along_axes(cx);
}

/* MVN-1 */
bool infer_mvn_1(inlay_infer *cx)
{
    int n, at[INLAY_MAX_RANK], rank = in_rank(cx, 0);
    const int64_t *axes = inlay_node_ints(cx->node, "reduction_axes", &n);

    if (rank >= 0 && n > rank)
        return inlay_infer_fail(cx, "reduction_axes has %d element%s, data has rank %d", n,
                                inlay_plural(n, "", "s"), rank);
    if (rank >= 0 && !norm_axes(cx, "reduction_axes", axes, n, rank, at))
        return false;
    return inlay_infer_set_out_like(cx, 0, 0);
}

int inlay_batch_norm_data(int rank_0, int rank_2)
{
    if (rank_0 >= 0)
        return rank_0 >= 2 ? 0 : 2;
    return rank_2 < 0 ? -1 : rank_2 >= 2 ? 2 : 0;
}

/* Every operand except operand DATA has one number for each channel, which is axis 1 of the data.
 * DATA -1: it is not known which operand is the data. */
static bool batch_norm(inlay_infer *cx, int data)
{
    double epsilon = inlay_node_float(cx->node, "epsilon");
    inlay_shape s;

    if (!(epsilon >= 0))
        return inlay_infer_fail(cx, "epsilon is %g, it must not be negative", epsilon);
    if (data < 0)
        return set_out_unknown(cx, 0, cx->in[0]->type);
    if (!in_check_rank(cx, data, 2, -1))
        return false;
    inlay_infer_shape(cx, data, &s);
    for (int i = 0; i < 5; i++) {
        inlay_dim length;

        if (i != data && (!in_length(cx, i, false, &length) ||
                          (s.rank >= 0 && !merge_dim(cx, i, 0, length, &s.dim[1]))))
            return false;
    }
    return inlay_infer_set_out(cx, 0, cx->in[data]->type, &s);
}

/* BatchNormInference-5 */
bool infer_batch_norm(inlay_infer *cx)
{
    return batch_norm(cx, 0);
}

bool infer_batch_norm_1(inlay_infer *cx)
{
    return batch_norm(cx, inlay_batch_norm_data(in_rank(cx, 0), in_rank(cx, 2)));
}

bool infer_grn(inlay_infer *cx)
{
    double bias = inlay_node_float(cx->node, "bias");

    if (!(bias >= 0))
        return inlay_infer_fail(cx, "bias is %g, it must not be negative", bias);
    return in_check_rank(cx, 0, 2, 4) && inlay_infer_set_out_like(cx, 0, 0);
}

/* scale and bias have one number a channel, axis 1 of data. */
bool infer_group_normalization(inlay_infer *cx)
{
    int64_t groups = inlay_node_int(cx->node, "num_groups");
    double epsilon = inlay_node_float(cx->node, "epsilon");
    inlay_dim channels = inlay_dim_any();

    if (!(epsilon >= 0))
        return inlay_infer_fail(cx, "epsilon is %g, it must not be negative", epsilon);
    if (groups < 1)
        return inlay_infer_fail(cx, "num_groups is %lld, it must be positive", (long long)groups);
    if (!in_check_rank(cx, 0, 2, -1))
        return false;
    if (in_rank(cx, 0) >= 0)
        channels = in_dim(cx, 0, 1);
    for (int i = 1; i <= 2; i++) {
        inlay_dim length;

        if (!in_length(cx, i, false, &length) || !merge_dim(cx, i, 0, length, &channels))
            return false;
    }
    if (inlay_dim_is_static(channels) && channels.lo % groups != 0)
        return inlay_infer_fail(cx, "data %s has %lld channel%s, no multiple of num_groups, %lld",
                                in_text(cx, 0), (long long)channels.lo,
                                inlay_plural(channels.lo, "", "s"), (long long)groups);
    return inlay_infer_set_out_like(cx, 0, 0);
}

/* Data keeps its shape where operand I, the scale, is broadcast to it. */
static bool check_scale(inlay_infer *cx, int i)
{
    inlay_shape data, scale;

    inlay_infer_shape(cx, 0, &data);
    inlay_infer_shape(cx, i, &scale);
    return broadcasts_to(&scale, &data) ||
           inlay_infer_fail(cx, "scale %s does not fit data %s, which keeps its shape",
                            in_text(cx, i), in_text(cx, 0));
}

/* RMSNorm-14 */
bool infer_rms_norm(inlay_infer *cx)
{
    return (!in_has(cx, 2) || check_scale(cx, 2)) && infer_along_axes(cx);
}

/* "undefined" and "dynamic" are the type of data. */
bool infer_rms(inlay_infer *cx)
{
    inlay_type type;
    inlay_shape data;

    if (!inlay_type_by_name(inlay_node_string(cx->node, "output_type"), &type) ||
        type == INLAY_DYNAMIC)
        type = shared_type(cx);
    if (!in_check_rank(cx, 0, 1, -1))
        return false;
    inlay_infer_shape(cx, 0, &data);
    return check_scale(cx, 1) && inlay_infer_set_out(cx, 0, type, &data);
}

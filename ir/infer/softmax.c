/* Shape rules of softmax, which works along one axis and keeps the shape. */
#include "ir/infer/infer.h"

/* SoftMax-8, LogSoftmax-5 */
bool infer_along_axis(inlay_infer *cx)
{
    int axis, rank = in_rank(cx, 0);

    if (rank >= 0 && !inlay_infer_axis(cx, "axis", inlay_node_int(cx->node, "axis"), rank, &axis))
        return false;
    return inlay_infer_set_out_like(cx, 0, 0);
}

/* SoftMax-1 counts its axis from the front only. */
bool infer_softmax_1(inlay_infer *cx)
{
    int64_t axis = inlay_node_int(cx->node, "axis");

    if (axis < 0)
        return inlay_infer_fail(cx, "axis is %lld, it must not be negative", (long long)axis);
    return infer_along_axis(cx);
}

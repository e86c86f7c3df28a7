/* Shape rules of non-maximum suppression. */
#include "ir/infer/infer.h"
#include "ir/tensor/dim.h"

/* Checks that input I, when it is present, is a scalar or a tensor with one element. */
static bool check_number(inlay_infer *cx, int i)
{
    inlay_dim length;

    if (!in_has(cx, i))
        return true;
    if (!in_length(cx, i, true, &length))
        return false;
    return inlay_dim_compatible(length, inlay_dim_of(1)) ||
           inlay_infer_fail(cx, "input %d \"%s\" has shape %s, it must be one number", i,
                            in_name(cx, i), in_text(cx, i));
}

/* Returns how many boxes of one class can be selected at most. */
static inlay_dim boxes_per_class(const inlay_infer *cx, inlay_dim boxes)
{
    int64_t most = 0;

    if (in_has(cx, 2) && !in_int(cx, 2, &most))
        return boxes;
    return inlay_dim_min(boxes, inlay_dim_of(most < 0 ? 0 : most));
}

/* The type of selected_scores is that of the thresholds; it is f32 where there are none. */
static inlay_type score_type(const inlay_infer *cx)
{
    for (int i = 3; i < 6; i++) {
        if (in_has(cx, i))
            return cx->in[i]->type;
    }
    return INLAY_F32;
}

bool infer_non_max_suppression(inlay_infer *cx)
{
    inlay_type type = inlay_node_type(cx->node, "output_type");
    inlay_dim batches, boxes, bound;
    inlay_shape out = {.rank = 2};

    if (type != INLAY_I32 && type != INLAY_I64)
        return inlay_infer_fail(cx, "output_type is %s, it must be i32 or i64",
                                inlay_type_info_of(type)->name);
    if (!in_check_rank(cx, 0, 3, 3) || !in_check_rank(cx, 1, 3, 3) || !check_number(cx, 2) ||
        !check_number(cx, 3) || !check_number(cx, 4) || !check_number(cx, 5))
        return false;
    batches = in_dim(cx, 0, 0);
    boxes = in_dim(cx, 0, 1);
    if (in_rank(cx, 0) >= 0 && !inlay_dim_compatible(in_dim(cx, 0, 2), inlay_dim_of(4)))
        return inlay_infer_fail(cx, "input 0 \"boxes\" has shape %s, a box has 4 numbers",
                                in_text(cx, 0));
    if (in_rank(cx, 1) >= 0 && (!merge_dim(cx, 1, 0, in_dim(cx, 1, 0), &batches) ||
                                !merge_dim(cx, 1, 2, in_dim(cx, 1, 2), &boxes)))
        return false;
    bound = inlay_dim_mul(inlay_dim_mul(batches, in_dim(cx, 1, 1)), boxes_per_class(cx, boxes));
    out.dim[0] = fresh_dim(cx, 0, bound.hi);
    out.dim[1] = inlay_dim_of(3);
    if (!inlay_infer_set_out(cx, 0, type, &out) ||
        !inlay_infer_set_out(cx, 1, score_type(cx), &out))
        return false;
    out = (inlay_shape){.rank = 1};
    out.dim[0] = inlay_dim_of(1);
    return inlay_infer_set_out(cx, 2, type, &out);
}

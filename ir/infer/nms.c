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

/* The sizes of boxes [batches, boxes, numbers of a box] and scores [batches, classes, boxes]. */
typedef struct candidates {
    inlay_dim batches, classes, boxes;
} candidates;

/* A box has 4 numbers, or an angle, too, where the operation has a direction for it. */
static bool read_candidates(inlay_infer *cx, candidates *n)
{
    int row = inlay_node_attr(cx->node, "clockwise") ? 5 : 4;

    if (!in_check_rank(cx, 0, 3, 3) || !in_check_rank(cx, 1, 3, 3) || !check_number(cx, 2) ||
        !check_number(cx, 3) || !check_number(cx, 4) || !check_number(cx, 5))
        return false;
    n->batches = in_dim(cx, 0, 0);
    n->boxes = in_dim(cx, 0, 1);
    n->classes = in_dim(cx, 1, 1);
    if (in_rank(cx, 0) >= 0 && !inlay_dim_compatible(in_dim(cx, 0, 2), inlay_dim_of(row)))
        return inlay_infer_fail(cx, "input 0 \"boxes\" has shape %s, a box has %d number%s",
                                in_text(cx, 0), row, inlay_plural(row, "", "s"));
    return in_rank(cx, 1) < 0 || (merge_dim(cx, 1, 0, in_dim(cx, 1, 0), &n->batches) &&
                                  merge_dim(cx, 1, 2, in_dim(cx, 1, 2), &n->boxes));
}

static bool check_type(inlay_infer *cx, inlay_type type)
{
    return type == INLAY_I32 || type == INLAY_I64 ||
           inlay_infer_fail(cx, "output_type is %s, it must be i32 or i64",
                            inlay_type_info_of(type)->name);
}

/* Sets *MOST to the greatest number of boxes of one class that may be selected. False: it is not
 * known. */
static bool read_most(const inlay_infer *cx, int64_t *most)
{
    *most = 0;
    if (in_has(cx, 2) && !in_int(cx, 2, most))
        return false;
    *most = *most < 0 ? 0 : *most;
    return true;
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
    inlay_shape out = {.rank = 2};
    inlay_dim bound;
    candidates n;
    int64_t most;

    if (!check_type(cx, type) || !read_candidates(cx, &n))
        return false;
    bound = read_most(cx, &most) ? inlay_dim_min(n.boxes, inlay_dim_of(most)) : n.boxes;
    bound = inlay_dim_mul(inlay_dim_mul(n.batches, n.classes), bound);
    out.dim[0] = fresh_dim(cx, 0, bound.hi);
    out.dim[1] = inlay_dim_of(3);
    if (!inlay_infer_set_out(cx, 0, type, &out) ||
        !inlay_infer_set_out(cx, 1, score_type(cx), &out))
        return false;
    out = (inlay_shape){.rank = 1};
    out.dim[0] = inlay_dim_of(1);
    return inlay_infer_set_out(cx, 2, type, &out);
}

/* Versions 1 and 3 have room for min(boxes, most * classes) boxes, version 4 for
 * min(boxes, most) * batches * classes. */
bool infer_padded_suppression(inlay_infer *cx)
{
    const inlay_attr *given = inlay_node_attr(cx->node, "output_type");
    inlay_type type = given ? inlay_node_type(cx->node, "output_type") : INLAY_I64;
    inlay_shape out = {.rank = 2};
    inlay_dim limit;
    candidates n;
    int64_t most;

    if (!check_type(cx, type) || !read_candidates(cx, &n))
        return false;
    limit = read_most(cx, &most) ? inlay_dim_of(most) : inlay_dim_any();
    if (cx->node->op->version == 4)
        out.dim[0] =
            inlay_dim_mul(inlay_dim_mul(n.batches, n.classes), inlay_dim_min(n.boxes, limit));
    else
        out.dim[0] = inlay_dim_min(n.boxes, inlay_dim_mul(limit, n.classes));
    out.dim[1] = inlay_dim_of(3);
    return inlay_infer_set_out(cx, 0, type, &out);
}

/* Shape rules of operations that propose regions. */
#include "ir/infer/infer.h"
#include "ir/tensor/dim.h"

#include <string.h>

/* What the operands say of the feature map: [N, anchors * EACH, height, width] or the like. */
typedef struct map {
    inlay_dim batch, anchors, height, width;
} map;

/* Reads operand I: [N,] EACH numbers for each of the anchors, height, width. */
static bool read_map(inlay_infer *cx, int i, bool batched, int64_t each, map *m)
{
    int axis = batched;
    inlay_dim channels = inlay_dim_mul(m->anchors, inlay_dim_of(each));

    if (!in_check_rank(cx, i, 3 + batched, 3 + batched))
        return false;
    if (in_rank(cx, i) < 0)
        return true;
    if (batched && !merge_dim(cx, i, 0, in_dim(cx, i, 0), &m->batch))
        return false;
    return merge_dim(cx, i, axis, in_dim(cx, i, axis), each == 1 ? &m->anchors : &channels) &&
           merge_dim(cx, i, axis + 1, in_dim(cx, i, axis + 1), &m->height) &&
           merge_dim(cx, i, axis + 2, in_dim(cx, i, axis + 2), &m->width);
}

/* Checks that the last axis of operand I says the sizes of an image, and one scale or two. */
static bool check_image(inlay_infer *cx, int i, int axis)
{
    inlay_dim n = in_dim(cx, i, axis);

    if (in_rank(cx, i) < 0 || (n.hi >= 3 && n.lo <= 4))
        return true;
    return inlay_infer_fail(cx, "input %d \"%s\" has shape %s, an image has 3 or 4 numbers", i,
                            in_name(cx, i), in_text(cx, i));
}

/* Proposal */

static bool check_framework(inlay_infer *cx)
{
    const char *name = inlay_node_string(cx->node, "framework");

    return !*name || strcmp(name, "tensorflow") == 0 ||
           inlay_infer_fail(cx, "framework is \"%s\", it must be empty or \"tensorflow\"", name);
}

bool infer_proposal(inlay_infer *cx)
{
    int64_t base, before, after, stride;
    inlay_shape rois = {.rank = 2}, scores = {.rank = 1};
    map m = {inlay_dim_any(), inlay_dim_any(), inlay_dim_any(), inlay_dim_any()};

    if (!attr_count(cx, "base_size", 1, &base) || !attr_count(cx, "pre_nms_topn", 1, &before) ||
        !attr_count(cx, "post_nms_topn", 1, &after) || !attr_count(cx, "feat_stride", 1, &stride) ||
        !check_framework(cx))
        return false;
    m.anchors = inlay_dim_of((int64_t)inlay_node_attr(cx->node, "ratio")->n *
                             inlay_node_attr(cx->node, "scale")->n);
    if (!read_map(cx, 0, true, 2, &m) || !read_map(cx, 1, true, 4, &m) ||
        !in_check_rank(cx, 2, 1, 1) || !check_image(cx, 2, 0))
        return false;
    rois.dim[0] = scores.dim[0] = inlay_dim_mul(m.batch, inlay_dim_of(after));
    rois.dim[1] = inlay_dim_of(5);
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &rois) &&
           (cx->n_out < 2 || inlay_infer_set_out(cx, 1, cx->in[0]->type, &scores));
}

/* Proposals of anchors that are an operand */

static bool read_counts(inlay_infer *cx, int64_t *after)
{
    int64_t before;

    return attr_count(cx, "pre_nms_count", 0, &before) &&
           attr_count(cx, "post_nms_count", 0, after);
}

bool infer_detectron_generate_proposals(inlay_infer *cx)
{
    inlay_shape rois = {.rank = 2}, scores = {.rank = 1};
    inlay_dim three = inlay_dim_of(3), four = inlay_dim_of(4), length, anchors;
    map m = {inlay_dim_any(), inlay_dim_any(), inlay_dim_any(), inlay_dim_any()};
    int64_t after;

    if (!read_counts(cx, &after) || !in_length(cx, 0, false, &length) ||
        !merge_dim(cx, 0, 0, length, &three) || !in_check_rank(cx, 1, 2, 2) ||
        !read_map(cx, 3, false, 1, &m) || !read_map(cx, 2, false, 4, &m))
        return false;
    anchors = inlay_dim_mul(m.anchors, inlay_dim_mul(m.height, m.width));
    if (in_rank(cx, 1) >= 0 && (!merge_dim(cx, 1, 0, in_dim(cx, 1, 0), &anchors) ||
                                !merge_dim(cx, 1, 1, in_dim(cx, 1, 1), &four)))
        return false;
    rois.dim[0] = scores.dim[0] = inlay_dim_of(after);
    rois.dim[1] = four;
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &rois) &&
           inlay_infer_set_out(cx, 1, cx->in[0]->type, &scores);
}

/* The anchors of GenerateProposals are [height, width, anchors, 4]. */
static bool read_anchors(inlay_infer *cx, map *m)
{
    inlay_dim four = inlay_dim_of(4);

    return in_check_rank(cx, 1, 4, 4) &&
           (in_rank(cx, 1) < 0 || (merge_dim(cx, 1, 0, in_dim(cx, 1, 0), &m->height) &&
                                   merge_dim(cx, 1, 1, in_dim(cx, 1, 1), &m->width) &&
                                   merge_dim(cx, 1, 2, in_dim(cx, 1, 2), &m->anchors) &&
                                   merge_dim(cx, 1, 3, in_dim(cx, 1, 3), &four)));
}

bool infer_generate_proposals(inlay_infer *cx)
{
    inlay_type type = inlay_node_type(cx->node, "roi_num_type");
    inlay_shape rois = {.rank = 2}, list = {.rank = 1};
    map m = {inlay_dim_any(), inlay_dim_any(), inlay_dim_any(), inlay_dim_any()};
    inlay_dim bound;
    int64_t after;

    if (type != INLAY_I32 && type != INLAY_I64)
        return inlay_infer_fail(cx, "roi_num_type is %s, it must be i32 or i64",
                                inlay_type_info_of(type)->name);
    if (!read_counts(cx, &after) || !in_check_rank(cx, 0, 2, 2) || !check_image(cx, 0, 1) ||
        !read_anchors(cx, &m) || !read_map(cx, 3, true, 1, &m) || !read_map(cx, 2, true, 4, &m))
        return false;
    if (in_rank(cx, 0) >= 0 && !merge_dim(cx, 0, 0, in_dim(cx, 0, 0), &m.batch))
        return false;
    bound = inlay_dim_mul(m.anchors, inlay_dim_mul(m.height, m.width));
    bound = inlay_dim_mul(m.batch, inlay_dim_min(bound, inlay_dim_of(after)));
    rois.dim[0] = list.dim[0] = fresh_dim(cx, 0, bound.hi);
    rois.dim[1] = inlay_dim_of(4);
    if (!inlay_infer_set_out(cx, 0, cx->in[0]->type, &rois) ||
        !inlay_infer_set_out(cx, 1, cx->in[0]->type, &list))
        return false;
    list.dim[0] = m.batch;
    return inlay_infer_set_out(cx, 2, type, &list);
}

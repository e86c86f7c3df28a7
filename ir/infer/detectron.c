/* Shape rules of Detectron's operations. */
#include "ir/infer/infer.h"
#include "ir/tensor/dim.h"

/* Checks that input I has the shape [*ROWS, COLS]. */
static bool check_matrix(inlay_infer *cx, int i, inlay_dim *rows, int64_t cols)
{
    inlay_dim width = inlay_dim_of(cols);

    return in_check_rank(cx, i, 2, 2) &&
           (in_rank(cx, i) < 0 || (merge_dim(cx, i, 0, in_dim(cx, i, 0), rows) &&
                                   merge_dim(cx, i, 1, in_dim(cx, i, 1), &width)));
}

bool infer_detectron_detection_output(inlay_infer *cx)
{
    const inlay_attr *weights = inlay_node_attr(cx->node, "deltas_weights");
    int64_t classes, post, most;
    inlay_dim rois = inlay_dim_any(), one = inlay_dim_of(1);
    inlay_shape boxes = {.rank = 2}, list = {.rank = 1};

    if (!attr_count(cx, "num_classes", 0, &classes) ||
        !attr_count(cx, "post_nms_count", 0, &post) ||
        !attr_count(cx, "max_detections_per_image", 0, &most))
        return false;
    if (weights && weights->n != 4)
        return inlay_infer_fail(cx, "deltas_weights has %d elements, it must have 4", weights->n);
    if (!check_matrix(cx, 0, &rois, 4) || !check_matrix(cx, 1, &rois, 4 * classes) ||
        !check_matrix(cx, 2, &rois, classes) || !check_matrix(cx, 3, &one, 3))
        return false;
    list.dim[0] = boxes.dim[0] = inlay_dim_of(most);
    boxes.dim[1] = inlay_dim_of(4);
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &boxes) &&
           inlay_infer_set_out(cx, 1, INLAY_I32, &list) &&
           inlay_infer_set_out(cx, 2, cx->in[0]->type, &list);
}

static bool check_pyramid(inlay_infer *cx, inlay_dim *channels)
{
    int n;
    const int64_t *scales = inlay_node_ints(cx->node, "pyramid_scales", &n);
    inlay_dim one = inlay_dim_of(1);

    if (n < cx->n_in - 1)
        return inlay_infer_fail(cx, "pyramid_scales has %d elements, there are %d layers", n,
                                cx->n_in - 1);
    for (int i = 0; i < n; i++) {
        if (scales[i] < 1)
            return inlay_infer_fail(cx, "pyramid_scales[%d] is %lld, it must be at least 1", i,
                                    (long long)scales[i]);
    }
    for (int i = 1; i < cx->n_in; i++) {
        if (!in_check_rank(cx, i, 4, 4))
            return false;
        if (in_rank(cx, i) >= 0 && (!merge_dim(cx, i, 0, in_dim(cx, i, 0), &one) ||
                                    !merge_dim(cx, i, 1, in_dim(cx, i, 1), channels)))
            return false;
    }
    return true;
}

bool infer_detectron_roi_feature_extractor(inlay_infer *cx)
{
    int64_t size = inlay_node_int(cx->node, "output_size");
    int64_t ratio = inlay_node_int(cx->node, "sampling_ratio");
    inlay_dim rois = inlay_dim_any(), channels = inlay_dim_any();
    inlay_shape features = {.rank = 4}, boxes = {.rank = 2};

    if (size < 1 || size > INT16_MAX)
        return inlay_infer_fail(cx, "output_size is %lld, it must be in [1, %d]", (long long)size,
                                INT16_MAX);
    if (ratio < 0 || ratio > INT16_MAX)
        return inlay_infer_fail(cx, "sampling_ratio is %lld, it must be in [0, %d]",
                                (long long)ratio, INT16_MAX);
    if (!check_matrix(cx, 0, &rois, 4) || !check_pyramid(cx, &channels))
        return false;
    if (!inlay_dim_is_static(rois) && rois.id == 0)
        rois = fresh_dim(cx, rois.lo, rois.hi);
    features.dim[0] = boxes.dim[0] = rois;
    features.dim[1] = channels;
    features.dim[2] = features.dim[3] = inlay_dim_of(size);
    boxes.dim[1] = inlay_dim_of(4);
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &features) &&
           inlay_infer_set_out(cx, 1, cx->in[0]->type, &boxes);
}

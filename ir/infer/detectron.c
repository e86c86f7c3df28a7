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
        return inlay_infer_fail(cx, "deltas_weights has %d element%s, it must have 4", weights->n,
                                inlay_plural(weights->n, "", "s"));
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
        return inlay_infer_fail(cx, "pyramid_scales has %d element%s, there %s %d layer%s", n,
                                inlay_plural(n, "", "s"), inlay_plural(cx->n_in - 1, "is", "are"),
                                cx->n_in - 1, inlay_plural(cx->n_in - 1, "", "s"));
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

/* The grid has as many cells as the feature map, of which attributes h and w may ask for less. */
static bool check_cells(inlay_infer *cx, const char *name, inlay_dim size)
{
    int64_t n;

    if (!attr_count(cx, name, 0, &n))
        return false;
    return n <= size.hi || inlay_infer_fail(cx, "%s is %lld, feature_map has shape %s", name,
                                            (long long)n, in_text(cx, 1));
}

bool infer_detectron_prior_grid_generator(inlay_infer *cx)
{
    inlay_dim priors = inlay_dim_any(), h, w;
    inlay_shape s = {.rank = 4};

    if (!check_matrix(cx, 0, &priors, 4) || !in_check_rank(cx, 1, 4, 4) ||
        !in_check_rank(cx, 2, 4, 4))
        return false;
    h = in_dim(cx, 1, 2);
    w = in_dim(cx, 1, 3);
    if (!check_cells(cx, "h", h) || !check_cells(cx, "w", w))
        return false;
    if (inlay_node_bool(cx->node, "flatten")) {
        s.rank = 2;
        s.dim[0] = inlay_dim_mul(inlay_dim_mul(h, w), priors);
        s.dim[1] = inlay_dim_of(4);
    } else {
        s.dim[0] = h;
        s.dim[1] = w;
        s.dim[2] = priors;
        s.dim[3] = inlay_dim_of(4);
    }
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &s);
}

bool infer_detectron_top_k_rois(inlay_infer *cx)
{
    inlay_dim rois = inlay_dim_any(), length;
    inlay_shape s = {.rank = 2};
    int64_t most;

    if (!attr_count(cx, "max_rois", 0, &most) || !check_matrix(cx, 0, &rois, 4) ||
        !in_length(cx, 1, false, &length) || !merge_dim(cx, 1, 0, length, &rois))
        return false;
    s.dim[0] = inlay_dim_of(most);
    s.dim[1] = inlay_dim_of(4);
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &s);
}

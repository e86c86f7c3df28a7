/* Shape rules of non-maximum suppression over several classes. */
#include "ir/infer/infer.h"
#include "ir/tensor/dim.h"

/* Images, classes, and the boxes of an image, or of all of them where each class has its own. */
typedef struct sizes {
    inlay_dim images, classes, boxes;
} sizes;

/* Reads boxes [N, M, 4] and scores [N, C, M]. */
static bool read_shared(inlay_infer *cx, sizes *n)
{
    n->classes = in_dim(cx, 1, 1);
    return in_rank(cx, 1) < 0 || (merge_dim(cx, 1, 0, in_dim(cx, 1, 0), &n->images) &&
                                  merge_dim(cx, 1, 2, in_dim(cx, 1, 2), &n->boxes));
}

/* Reads boxes [C, M, 4], scores [C, M] and, for each image, how many of the M are on it. */
static bool read_own(inlay_infer *cx, sizes *n)
{
    n->classes = n->images;
    n->images = inlay_dim_any();
    return merge_dim(cx, 1, 0, in_dim(cx, 1, 0), &n->classes) &&
           merge_dim(cx, 1, 1, in_dim(cx, 1, 1), &n->boxes) && in_length(cx, 2, false, &n->images);
}

static bool read_sizes(inlay_infer *cx, sizes *n)
{
    inlay_dim four = inlay_dim_of(4);
    bool own = in_has(cx, 2);

    if (!in_check_rank(cx, 0, 3, 3) || !in_check_rank(cx, 1, own ? 2 : 3, 3))
        return false;
    if (in_rank(cx, 0) >= 0 && !merge_dim(cx, 0, 2, in_dim(cx, 0, 2), &four))
        return false;
    n->images = in_dim(cx, 0, 0);
    n->boxes = in_dim(cx, 0, 1);
    if (own && in_rank(cx, 1) < 0) { /* either form */
        *n = (sizes){inlay_dim_any(), inlay_dim_any(), inlay_dim_any()};
        return true;
    }
    return in_rank(cx, 1) == 2 ? read_own(cx, n) : read_shared(cx, n);
}

/* Reads attribute NAME, a number or -1 for all of BOUND, which becomes the lower of both. */
static bool read_limit(inlay_infer *cx, const char *name, inlay_dim *bound)
{
    int64_t n;

    if (!attr_count(cx, name, -1, &n))
        return false;
    if (n >= 0)
        *bound = inlay_dim_min(*bound, inlay_dim_of(n));
    return true;
}

bool infer_matrix_nms(inlay_infer *cx)
{
    inlay_type type = inlay_node_type(cx->node, "output_type");
    inlay_shape rows = {.rank = 2}, counts = {.rank = 1};
    int64_t background;
    inlay_dim bound;
    sizes n;

    if (type != INLAY_I32 && type != INLAY_I64)
        return inlay_infer_fail(cx, "output_type is %s, it must be i32 or i64",
                                inlay_type_info_of(type)->name);
    if (!attr_count(cx, "background_class", -1, &background) || !read_sizes(cx, &n))
        return false;
    bound = n.boxes;
    if (!read_limit(cx, "nms_top_k", &bound))
        return false;
    bound = inlay_dim_mul(bound, n.classes);
    if (!read_limit(cx, "keep_top_k", &bound))
        return false;
    rows.dim[0] = fresh_dim(cx, 0, inlay_dim_mul(bound, n.images).hi);
    rows.dim[1] = inlay_dim_of(6);
    counts.dim[0] = n.images;
    if (!inlay_infer_set_out(cx, 0, cx->in[0]->type, &rows))
        return false;
    rows.dim[1] = inlay_dim_of(1);
    return inlay_infer_set_out(cx, 1, type, &rows) && inlay_infer_set_out(cx, 2, type, &counts);
}

bool infer_multiclass_nms(inlay_infer *cx)
{
    double eta = inlay_node_float(cx->node, "nms_eta");

    if (!(eta >= 0 && eta <= 1))
        return inlay_infer_fail(cx, "nms_eta is %g, it must be in [0, 1]", eta);
    return infer_matrix_nms(cx);
}

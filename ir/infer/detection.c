/* The shape rule of DetectionOutput. */
#include "ir/infer/infer.h"
#include "ir/tensor/dim.h"

/* What the operands say. A number of classes or priors is any dim where it is not known. */
typedef struct heads {
    inlay_dim images, classes, priors;
} heads;

/* *PART becomes what is left of WHOLE when it is divided by EACH numbers, if that is known. */
static bool divide(inlay_infer *cx, int i, inlay_dim whole, inlay_dim each, inlay_dim *part)
{
    if (!inlay_dim_is_static(whole) || !inlay_dim_is_static(each) || each.lo == 0)
        return true;
    if (whole.lo % each.lo != 0)
        return inlay_infer_fail(cx,
                                "input %d \"%s\" has shape %s, its last axis must be a "
                                "multiple of %lld",
                                i, in_name(cx, i), in_text(cx, i), (long long)each.lo);
    whole = inlay_dim_of(whole.lo / each.lo);
    if (!inlay_dim_compatible(*part, whole))
        return inlay_infer_fail(cx,
                                "input %d \"%s\" has shape %s, its last axis has %lld time%s %lld "
                                "number%s, it must have %lld time%s",
                                i, in_name(cx, i), in_text(cx, i), (long long)whole.lo,
                                inlay_plural(whole.lo, "", "s"), (long long)each.lo,
                                inlay_plural(each.lo, "", "s"), (long long)part->lo,
                                inlay_plural(part->lo, "", "s"));
    return merge_dim(cx, i, in_rank(cx, i) - 1, whole, part);
}

/* Reads operand I, [images, priors * EACH]. */
static bool read_head(inlay_infer *cx, int i, inlay_dim each, heads *h)
{
    if (!in_check_rank(cx, i, 2, 2))
        return false;
    return in_rank(cx, i) < 0 || (merge_dim(cx, i, 0, in_dim(cx, i, 0), &h->images) &&
                                  divide(cx, i, in_dim(cx, i, 1), each, &h->priors));
}

/* Reads the priors, [images or 1, 2 with variances or 1, priors * 4 or 5]. */
static bool read_priors(inlay_infer *cx, heads *h)
{
    bool encoded = inlay_node_bool(cx->node, "variance_encoded_in_target");
    inlay_dim row = inlay_dim_of(inlay_node_bool(cx->node, "normalized") ? 4 : 5);
    inlay_dim rows = inlay_dim_of(encoded ? 1 : 2);

    if (!in_check_rank(cx, 2, 3, 3))
        return false;
    if (in_rank(cx, 2) < 0)
        return true;
    if (!inlay_dim_compatible(in_dim(cx, 2, 0), inlay_dim_of(1)) &&
        !merge_dim(cx, 2, 0, in_dim(cx, 2, 0), &h->images))
        return false;
    return merge_dim(cx, 2, 1, in_dim(cx, 2, 1), &rows) &&
           divide(cx, 2, in_dim(cx, 2, 2), row, &h->priors);
}

/* Version 8 has no attribute for the number of classes: each prior has a score for each. */
static bool read_classes(inlay_infer *cx, heads *h)
{
    int64_t n;

    if (!inlay_node_attr(cx->node, "num_classes"))
        return in_check_rank(cx, 1, 2, 2) &&
               (in_rank(cx, 1) < 0 || divide(cx, 1, in_dim(cx, 1, 1), h->priors, &h->classes));
    if (!attr_count(cx, "num_classes", 1, &n))
        return false;
    h->classes = inlay_dim_of(n);
    return true;
}

static bool read_heads(inlay_infer *cx, heads *h)
{
    bool shares = inlay_node_bool(cx->node, "share_location");
    inlay_dim each;

    if (in_has(cx, 3) != in_has(cx, 4))
        return inlay_infer_fail(cx, "has four operands, there must be three or five");
    if (!in_check_rank(cx, 0, 2, 2))
        return false;
    h->images = in_dim(cx, 0, 0);
    if (!read_priors(cx, h) || !read_classes(cx, h))
        return false;
    each = inlay_dim_mul(inlay_dim_of(4), shares ? inlay_dim_of(1) : h->classes);
    return read_head(cx, 0, each, h) && read_head(cx, 1, h->classes, h) &&
           (!in_has(cx, 3) || (read_head(cx, 3, inlay_dim_of(2), h) && read_head(cx, 4, each, h)));
}

bool infer_detection_output(inlay_infer *cx)
{
    int n_keep;
    const int64_t *keep = inlay_node_ints(cx->node, "keep_top_k", &n_keep);
    inlay_shape s = {.rank = 4};
    heads h = {inlay_dim_any(), inlay_dim_any(), inlay_dim_any()};
    int64_t top, size;

    if (n_keep < 1 || keep[0] < -1 || keep[0] > INT32_MAX)
        return inlay_infer_fail(cx, "keep_top_k must begin with a number in [-1, %d]", INT32_MAX);
    if (!attr_count(cx, "top_k", -1, &top) || !attr_count(cx, "input_height", 1, &size) ||
        !attr_count(cx, "input_width", 1, &size) || !read_heads(cx, &h))
        return false;
    s.dim[0] = s.dim[1] = inlay_dim_of(1);
    s.dim[3] = inlay_dim_of(7);
    if (keep[0] > 0)
        s.dim[2] = inlay_dim_mul(h.images, inlay_dim_of(keep[0]));
    else
        s.dim[2] = inlay_dim_mul(inlay_dim_mul(h.images, h.classes),
                                 top > 0 ? inlay_dim_of(top) : h.priors);
    return inlay_infer_set_out(cx, 0, shared_type(cx), &s);
}

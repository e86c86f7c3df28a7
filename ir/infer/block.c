/* DepthToSpace, SpaceToDepth, Col2Im: blocks of an image that become channels, or come from them.
 */
#include "ir/infer/infer.h"
#include "ir/tensor/dim.h"

/* The product of the block's sizes on AXES axes; 0 and an error where it does not fit. */
static int64_t block_count(inlay_infer *cx, int axes)
{
    int64_t size = inlay_node_int(cx->node, "block_size"), count = 1;
    bool fits = size >= 1;

    for (int i = 0; fits && i < axes; i++)
        fits = !__builtin_mul_overflow(count, size, &count);
    if (!fits)
        inlay_infer_fail(cx, "block_size is %lld, it must be positive and not too large",
                         (long long)size);
    return fits ? count : 0;
}

static bool divide(inlay_infer *cx, int axis, int64_t by, inlay_dim *d)
{
    if (inlay_dim_is_static(*d) && d->lo % by != 0)
        return inlay_infer_fail(cx, "axis %d of data %s has %lld elements, no multiple of %lld",
                                axis, in_text(cx, 0), (long long)d->lo, (long long)by);
    if (by > 1)
        *d = inlay_dim_div_floor(*d, by);
    return true;
}

bool infer_depth_to_space(inlay_infer *cx)
{
    int64_t size = inlay_node_int(cx->node, "block_size"), count;
    inlay_shape s;

    if (!in_check_rank(cx, 0, 3, INLAY_MAX_RANK / 2 + 1))
        return false;
    inlay_infer_shape(cx, 0, &s);
    if (!(count = block_count(cx, s.rank < 0 ? 1 : s.rank - 2)) ||
        (s.rank >= 0 && !divide(cx, 1, count, &s.dim[1])))
        return false;
    for (int i = 2; i < s.rank; i++)
        s.dim[i] = inlay_dim_mul(s.dim[i], inlay_dim_of(size));
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &s);
}

bool infer_space_to_depth(inlay_infer *cx)
{
    int64_t size = inlay_node_int(cx->node, "block_size"), count;
    inlay_shape s;

    if (!in_check_rank(cx, 0, 3, INLAY_MAX_RANK / 2 + 1))
        return false;
    inlay_infer_shape(cx, 0, &s);
    if (!(count = block_count(cx, s.rank < 0 ? 1 : s.rank - 2)))
        return false;
    for (int i = 2; i < s.rank; i++) {
        if (!divide(cx, i, size, &s.dim[i]))
            return false;
    }
    if (s.rank >= 0)
        s.dim[1] = inlay_dim_mul(s.dim[1], inlay_dim_of(count));
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &s);
}

/* The list NAME, when it is there, has AXES elements from LEAST on. */
static bool check_list(inlay_infer *cx, const char *name, int64_t least, int axes)
{
    int n;
    const int64_t *list = inlay_node_ints(cx->node, name, &n);

    if (list && n != axes)
        return inlay_infer_fail(cx, "%s has %d elements, the image has %d axes", name, n, axes);
    for (int i = 0; list && i < n; i++) {
        if (list[i] < least || list[i] > INT32_MAX)
            return inlay_infer_fail(cx, "%s[%d] is %lld, it must be in [%lld, %d]", name, i,
                                    (long long)list[i], (long long)least, INT32_MAX);
    }
    return true;
}

/* How many axes the image has: both lists have as many elements; -1: not known. */
static bool image_axes(inlay_infer *cx, int *axes)
{
    inlay_dim image, block;

    if (!in_length(cx, 1, false, &image) || !in_length(cx, 2, false, &block))
        return false;
    if (!inlay_dim_merge(image, block, &image))
        return inlay_infer_fail(cx,
                                "%s has shape %s, %s has shape %s: they must have as many "
                                "elements",
                                in_name(cx, 1), in_text(cx, 1), in_name(cx, 2), in_text(cx, 2));
    *axes = inlay_dim_is_static(image) && image.lo <= INLAY_MAX_RANK ? (int)image.lo : -1;
    return true;
}

/* Of the list in operand I what is known of element K, at least LEAST. */
static bool listed_size(inlay_infer *cx, int i, int k, int64_t least, inlay_dim *d)
{
    int n;
    const inlay_dim *known = in_known(cx, i, &n);

    *d = known && k < n ? known[k] : inlay_dim_any();
    if (d->hi < least)
        return inlay_infer_fail(cx, "%s[%d] is %lld, it must be at least %lld", in_name(cx, i), k,
                                (long long)d->hi, (long long)least);
    if (d->lo > INT32_MAX)
        return inlay_infer_fail(cx, "%s[%d] is %lld, it must be at most %d", in_name(cx, i), k,
                                (long long)d->lo, INT32_MAX);
    d->lo = d->lo < least ? least : d->lo;
    return true;
}

/* [N, C * block, L] or, where it is not batched, [C * block, L]. */
static bool image_shape(inlay_infer *cx, int axes, bool batched)
{
    inlay_dim block = inlay_dim_of(1), channels = in_dim(cx, 0, batched);
    inlay_shape s = {.rank = axes + 1 + batched};

    if (s.rank > INLAY_MAX_RANK)
        return inlay_infer_fail(cx, "the result would have more than %d dimensions",
                                INLAY_MAX_RANK);
    s.dim[0] = in_dim(cx, 0, 0);
    for (int i = 0; i < axes; i++) {
        inlay_dim d;

        if (!listed_size(cx, 1, i, 0, &s.dim[1 + batched + i]) || !listed_size(cx, 2, i, 1, &d))
            return false;
        block = inlay_dim_mul(block, d);
    }
    s.dim[batched] = inlay_dim_any();
    if (inlay_dim_is_static(block)) {
        if (inlay_dim_is_static(channels) && channels.lo % block.lo != 0)
            return inlay_infer_fail(cx, "data %s has %lld rows, no multiple of the block's %lld",
                                    in_text(cx, 0), (long long)channels.lo, (long long)block.lo);
        s.dim[batched] = inlay_dim_div_floor(channels, block.lo);
    }
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &s);
}

bool infer_col2im(inlay_infer *cx)
{
    int axes;

    if (!in_check_rank(cx, 0, 2, 3) || !image_axes(cx, &axes) || !check_list(cx, "strides", 1, 2) ||
        !check_list(cx, "dilations", 1, 2) || !check_list(cx, "pads_begin", 0, 2) ||
        !check_list(cx, "pads_end", 0, 2))
        return false;
    if (axes >= 0 && axes != 2)
        return inlay_infer_fail(cx, "%s has shape %s, it must have 2 elements", in_name(cx, 1),
                                in_text(cx, 1));
    if (in_rank(cx, 0) < 0)
        return set_out_unknown(cx, 0, cx->in[0]->type);
    return image_shape(cx, 2, in_rank(cx, 0) == 3);
}

bool infer_onnx_col2im(inlay_infer *cx)
{
    int axes;

    if (!in_check_rank(cx, 0, 3, 3) || !image_axes(cx, &axes))
        return false;
    if (axes < 0)
        return set_out_unknown(cx, 0, cx->in[0]->type);
    return check_list(cx, "strides", 1, axes) && check_list(cx, "dilations", 1, axes) &&
           check_list(cx, "pads", 0, 2 * axes) && image_shape(cx, axes, true);
}

/* DepthToSpace, SpaceToDepth, SpaceToBatch, BatchToSpace, ShuffleChannels, ExtractImagePatches,
 * Col2Im: blocks of an image that become channels or batches, or come from them. */
#include "ir/infer/field.h"
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
        return inlay_infer_fail(cx, "axis %d of data %s has %lld element%s, no multiple of %lld",
                                axis, in_text(cx, 0), (long long)d->lo,
                                inlay_plural(d->lo, "", "s"), (long long)by);
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

bool infer_shuffle_channels(inlay_infer *cx)
{
    int64_t group = inlay_node_int(cx->node, "group");
    int axis, rank = in_rank(cx, 0);
    inlay_dim channels;

    if (!in_check_rank(cx, 0, 1, INLAY_MAX_RANK - 1))
        return false;
    if (group < 1)
        return inlay_infer_fail(cx, "group is %lld, it must be positive", (long long)group);
    if (rank < 0)
        return inlay_infer_set_out_like(cx, 0, 0);
    if (!inlay_infer_axis(cx, "axis", inlay_node_int(cx->node, "axis"), rank, &axis))
        return false;
    channels = in_dim(cx, 0, axis);
    return divide(cx, axis, group, &channels) && inlay_infer_set_out_like(cx, 0, 0);
}

/* A field slides over the image, and each of its positions is a patch. */
static bool patch_field(inlay_infer *cx, const int64_t **sizes, inlay_field *w)
{
    w->n = 2;
    w->pads_begin = w->pads_end = NULL;
    w->auto_pad = inlay_node_string(cx->node, "auto_pad");
    w->rounding = "floor";
    return infer_read_list(cx, "sizes", 1, 2, sizes) &&
           infer_read_list(cx, "strides", 1, 2, &w->strides) &&
           infer_read_list(cx, "rates", 1, 2, &w->dilations);
}

bool infer_extract_image_patches(inlay_infer *cx)
{
    const int64_t *sizes;
    inlay_shape s;
    inlay_field w;

    if (!in_check_rank(cx, 0, 4, 4) || !patch_field(cx, &sizes, &w))
        return false;
    inlay_shape_of_rank(&s, 4);
    s.dim[0] = in_dim(cx, 0, 0);
    s.dim[1] = inlay_dim_mul(in_dim(cx, 0, 1), inlay_dim_of(sizes[0] * sizes[1]));
    for (int i = 0; i < 2; i++) {
        if (!infer_slide(cx, &w, i, in_dim(cx, 0, 2 + i), inlay_dim_of(sizes[i]), &s.dim[2 + i]))
            return false;
    }
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &s);
}

/* Checks that the list NAME, where it is given, has AXES elements, each of which is LEAST or
 * more. */
static bool check_list(inlay_infer *cx, const char *name, int64_t least, int axes)
{
    int n;
    const int64_t *list = inlay_node_ints(cx->node, name, &n);

    if (list && n != axes)
        return inlay_infer_fail(cx, "%s has %d element%s, the image has %d ax%s", name, n,
                                inlay_plural(n, "", "s"), axes, inlay_plural(axes, "is", "es"));
    for (int i = 0; list && i < n; i++) {
        if (list[i] < least || list[i] > INT32_MAX)
            return inlay_infer_fail(cx, "%s[%d] is %lld, it must be in [%lld, %d]", name, i,
                                    (long long)list[i], (long long)least, INT32_MAX);
    }
    return true;
}

/* AXES receives how many axes the image has, which is how many elements each of both lists has; -1:
 * not known. */
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

/* D receives what is known of element K of the list in operand I, which must be at least LEAST. */
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

/* Element I of list NAME, or ABSENT. */
static int64_t listed(const inlay_infer *cx, const char *name, int i, int64_t absent)
{
    const inlay_attr *a = inlay_node_attr(cx->node, name);

    return a && i < a->n ? a->as.ints[i] : absent;
}

/* How often a block of SIZE elements fits on axis I of AXES of an image of IMAGE elements. */
static int64_t block_positions(const inlay_infer *cx, int axes, int i, int64_t image, int64_t size)
{
    int64_t before = listed(cx, "pads", i, listed(cx, "pads_begin", i, 0));
    int64_t behind = listed(cx, "pads", axes + i, listed(cx, "pads_end", i, 0));
    int64_t room = before + image + behind - listed(cx, "dilations", i, 1) * (size - 1) - 1;

    return room < 0 ? 0 : room / listed(cx, "strides", i, 1) + 1;
}

/* Data has as many blocks as fit the image, SIZES elements a block, where all that is known. */
static bool check_blocks(inlay_infer *cx, int axes, const inlay_dim *image, const inlay_dim *sizes,
                         inlay_dim blocks)
{
    int64_t fit = 1;

    for (int i = 0; i < axes; i++) {
        if (!inlay_dim_is_static(image[i]) || !inlay_dim_is_static(sizes[i]))
            return true;
        if (__builtin_mul_overflow(fit, block_positions(cx, axes, i, image[i].lo, sizes[i].lo),
                                   &fit))
            fit = INT64_MAX;
    }
    if (blocks.lo <= fit && fit <= blocks.hi)
        return true;
    return inlay_infer_fail(cx, "data %s has %lld block%s, %lld fit the image", in_text(cx, 0),
                            (long long)(blocks.hi < fit ? blocks.hi : blocks.lo),
                            inlay_plural((blocks.hi < fit ? blocks.hi : blocks.lo), "", "s"),
                            (long long)fit);
}

/* [N, C * block, L] or, where it is not batched, [C * block, L]. */
static bool image_shape(inlay_infer *cx, int axes, bool batched)
{
    inlay_dim block = inlay_dim_of(1), channels = in_dim(cx, 0, batched);
    inlay_shape s = {.rank = axes + 1 + batched};
    inlay_dim sizes[INLAY_MAX_RANK];

    if (s.rank > INLAY_MAX_RANK)
        return inlay_infer_fail(cx, "the result would have more than %d dimensions",
                                INLAY_MAX_RANK);
    s.dim[0] = in_dim(cx, 0, 0);
    for (int i = 0; i < axes; i++) {
        if (!listed_size(cx, 1, i, 0, &s.dim[1 + batched + i]) ||
            !listed_size(cx, 2, i, 1, &sizes[i]))
            return false;
        block = inlay_dim_mul(block, sizes[i]);
    }
    if (!check_blocks(cx, axes, &s.dim[1 + batched], sizes, in_dim(cx, 0, 1 + batched)))
        return false;
    s.dim[batched] = inlay_dim_any();
    if (inlay_dim_is_static(block)) {
        if (inlay_dim_is_static(channels) && channels.lo % block.lo != 0)
            return inlay_infer_fail(cx, "data %s has %lld row%s, no multiple of the block's %lld",
                                    in_text(cx, 0), (long long)channels.lo,
                                    inlay_plural(channels.lo, "", "s"), (long long)block.lo);
        s.dim[batched] = inlay_dim_div_floor(channels, block.lo);
    }
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &s);
}

/* Inputs 1 to 3 are lists with an element for each axis of data. */
static bool check_batch_lists(inlay_infer *cx)
{
    int rank = in_rank(cx, 0);
    inlay_dim n;

    for (int i = 1; i <= 3; i++) {
        if (!in_length(cx, i, false, &n))
            return false;
        if (rank >= 0 && (n.lo > rank || n.hi < rank))
            return inlay_infer_fail(cx,
                                    "%s has shape %s, it must have an element for each axis of "
                                    "data %s",
                                    in_name(cx, i), in_text(cx, i), in_text(cx, 0));
    }
    return true;
}

/* Checks that element 0 of list I is X: this element is about the batch axis, which must stay as it
 * is. */
static bool check_of_batch(inlay_infer *cx, int i, int64_t x)
{
    inlay_dim d;

    if (!listed_size(cx, i, 0, x, &d))
        return false;
    if (d.lo > x)
        return inlay_infer_fail(cx, "%s[0] is %lld, it must be %lld", in_name(cx, i),
                                (long long)d.lo, (long long)x);
    return true;
}

/* BLOCK and BORDER receive what operands 1 to 3 say of axis AXIS: the size of its blocks, and how
 * much is added to the axis, or taken away, at both ends together. */
static bool batch_axis(inlay_infer *cx, int axis, inlay_dim *block, inlay_dim *border)
{
    inlay_dim begin, end;

    if (!listed_size(cx, 1, axis, 1, block) || !listed_size(cx, 2, axis, 0, &begin) ||
        !listed_size(cx, 3, axis, 0, &end))
        return false;
    *border = inlay_dim_add(begin, end);
    return true;
}

/* D becomes D divided by BY, which must be a whole number where both are known. */
static bool whole_part(inlay_infer *cx, int axis, inlay_dim by, inlay_dim *d)
{
    if (!inlay_dim_is_static(by)) {
        *d = (inlay_dim){0, d->hi, 0};
        return true;
    }
    if (inlay_dim_is_static(*d) && d->lo % by.lo != 0)
        return inlay_infer_fail(cx,
                                "axis %d of data %s would be cut into blocks of %lld, but it "
                                "has %lld element%s with its padding",
                                axis, in_text(cx, 0), (long long)by.lo, (long long)d->lo,
                                inlay_plural(d->lo, "", "s"));
    *d = inlay_dim_div_floor(*d, by.lo);
    return true;
}

/* Checks what both rules have in common. SHAPE receives the shape of the data; its rank is -1 where
 * that is not known. */
static bool begin_batch(inlay_infer *cx, inlay_shape *shape)
{
    if (!in_check_rank(cx, 0, 2, -1) || !check_batch_lists(cx) || !check_of_batch(cx, 1, 1) ||
        !check_of_batch(cx, 2, 0) || !check_of_batch(cx, 3, 0))
        return false;
    inlay_infer_shape(cx, 0, shape);
    return true;
}

bool infer_space_to_batch(inlay_infer *cx)
{
    inlay_shape s;
    inlay_dim block, pads;

    if (!begin_batch(cx, &s))
        return false;
    for (int i = 1; i < s.rank; i++) {
        if (!batch_axis(cx, i, &block, &pads))
            return false;
        s.dim[i] = inlay_dim_add(s.dim[i], pads);
        if (!whole_part(cx, i, block, &s.dim[i]))
            return false;
        s.dim[0] = inlay_dim_mul(s.dim[0], block);
    }
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &s);
}

bool infer_batch_to_space(inlay_infer *cx)
{
    inlay_dim block, crops, blocks = inlay_dim_of(1);
    inlay_shape s;

    if (!begin_batch(cx, &s))
        return false;
    for (int i = 1; i < s.rank; i++) {
        if (!batch_axis(cx, i, &block, &crops))
            return false;
        blocks = inlay_dim_mul(blocks, block);
        s.dim[i] = inlay_dim_mul(s.dim[i], block);
        if (crops.lo > s.dim[i].hi)
            return inlay_infer_fail(cx, "crops of %lld element%s on axis %d, which has %lld",
                                    (long long)crops.lo, inlay_plural(crops.lo, "", "s"), i,
                                    (long long)s.dim[i].hi);
        s.dim[i] = inlay_dim_max(inlay_dim_of(0), inlay_dim_sub(s.dim[i], crops));
    }
    if (s.rank > 0 && !whole_part(cx, 0, blocks, &s.dim[0]))
        return false;
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

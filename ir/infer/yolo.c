/* Shape rules of YOLO's operations. */
#include "ir/infer/infer.h"
#include "ir/tensor/dim.h"

/* Sets output 0: the data with axes FIRST to LAST as one. */
static bool flatten(inlay_infer *cx, int first, int last)
{
    inlay_shape s, flat = {.rank = 0};

    if (first > last)
        return inlay_infer_fail(cx, "axis %d is after end_axis %d", first, last);
    inlay_infer_shape(cx, 0, &s);
    for (int i = 0; i < s.rank; i++) {
        if (i > first && i <= last)
            flat.dim[first] = inlay_dim_mul(flat.dim[first], s.dim[i]);
        else
            flat.dim[flat.rank++] = s.dim[i];
    }
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &flat);
}

/* Sets *CHANNELS to those of all regions. */
static bool read_regions(inlay_infer *cx, bool softmax, int64_t *channels)
{
    int64_t coords, classes, num;
    int n_mask;

    inlay_node_ints(cx->node, "mask", &n_mask);
    if (!attr_count(cx, "coords", 0, &coords) || !attr_count(cx, "classes", 0, &classes) ||
        !attr_count(cx, "num", 0, &num))
        return false;
    num = softmax ? num : n_mask;
    if (num < 1 || num > INT16_MAX)
        return inlay_infer_fail(cx, "has %lld region%s, there must be 1 to %d", (long long)num,
                                inlay_plural(num, "", "s"), INT16_MAX);
    *channels = num * (coords + classes + 1);
    return true;
}

bool infer_region_yolo(inlay_infer *cx)
{
    bool softmax = inlay_node_bool(cx->node, "do_softmax");
    inlay_dim found;
    inlay_shape s;
    int64_t channels = 0;
    int first, last;

    if (!in_check_rank(cx, 0, 4, 4) || !read_regions(cx, softmax, &channels) ||
        !inlay_infer_axis(cx, "axis", inlay_node_int(cx->node, "axis"), 4, &first) ||
        !inlay_infer_axis(cx, "end_axis", inlay_node_int(cx->node, "end_axis"), 4, &last))
        return false;
    found = in_dim(cx, 0, 1);
    if (found.hi < channels || (softmax && found.lo > channels))
        return inlay_infer_fail(cx, "data has shape %s, the regions have %lld channel%s",
                                in_text(cx, 0), (long long)channels,
                                inlay_plural(channels, "", "s"));
    if (softmax && in_rank(cx, 0) < 0)
        return set_out_unknown(cx, 0, cx->in[0]->type);
    if (softmax)
        return flatten(cx, first, last);
    inlay_infer_shape(cx, 0, &s);
    if (s.rank < 0)
        inlay_shape_of_rank(&s, 4);
    s.dim[1] = inlay_dim_of(channels);
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &s);
}

bool infer_reorg_yolo(inlay_infer *cx)
{
    int64_t stride, parts[] = {1, 1, 1, 1};
    inlay_shape s;

    if (!attr_count(cx, "stride", 1, &stride) || !in_check_rank(cx, 0, 4, 4))
        return false;
    inlay_infer_shape(cx, 0, &s);
    if (s.rank < 0)
        inlay_shape_of_rank(&s, 4);
    parts[1] = stride * stride;
    parts[2] = parts[3] = stride;
    for (int i = 1; i < 4; i++) {
        if (inlay_dim_is_static(s.dim[i]) && s.dim[i].lo % parts[i] != 0)
            return inlay_infer_fail(cx, "axis %d of %s must have a multiple of %lld element%s", i,
                                    in_text(cx, 0), (long long)parts[i],
                                    inlay_plural(parts[i], "", "s"));
    }
    s.dim[1] = inlay_dim_mul(s.dim[1], inlay_dim_of(parts[1]));
    s.dim[2] = inlay_dim_div_floor(s.dim[2], stride);
    s.dim[3] = inlay_dim_div_floor(s.dim[3], stride);
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &s);
}

/* Shape rules of colour conversions of images. */
#include "ir/infer/infer.h"
#include "ir/tensor/dim.h"

/* Checks that axis AXIS of input I has a multiple of BY elements. */
static bool check_multiple(inlay_infer *cx, int i, int axis, int64_t by)
{
    inlay_dim d = in_dim(cx, i, axis);

    return !inlay_dim_is_static(d) || d.lo % by == 0 ||
           inlay_infer_fail(cx, "input %d \"%s\" has shape %s: axis %d must be a multiple of %lld",
                            i, in_name(cx, i), in_text(cx, i), axis, (long long)by);
}

/* Input I is [N, H, W, CHANNELS]. S, a shape like that, becomes what is known of both. */
static bool merge_image(inlay_infer *cx, int i, int64_t channels, inlay_shape *s)
{
    if (!in_check_rank(cx, i, 4, 4))
        return false;
    s->dim[3] = inlay_dim_of(channels);
    for (int k = 0; in_rank(cx, i) >= 0 && k < 4; k++) {
        if (!merge_dim(cx, i, k, in_dim(cx, i, k), &s->dim[k]))
            return false;
    }
    return true;
}

static inlay_dim halved(inlay_dim d)
{
    return inlay_dim_div_floor(d, 2);
}

/* The planes of U and V, which are inputs 1 to PLANES - 1, have half the height and width. */
static bool merge_planes(inlay_infer *cx, int planes, int64_t channels, const inlay_shape *image)
{
    inlay_shape s = *image;

    s.dim[1] = halved(image->dim[1]);
    s.dim[2] = halved(image->dim[2]);
    for (int i = 1; i < planes; i++) {
        if (!in_has(cx, i))
            return inlay_infer_fail(cx, "input %d \"%s\" is missing: there are all planes or one",
                                    i, cx->node->op->in[i].name);
        if (!merge_image(cx, i, channels, &s))
            return false;
    }
    return true;
}

static bool infer_to_rgb(inlay_infer *cx, int planes, int64_t channels)
{
    bool single = true;
    inlay_shape s;

    for (int i = 1; i < planes; i++)
        single = single && !in_has(cx, i);
    inlay_shape_of_rank(&s, 4);
    if (!merge_image(cx, 0, 1, &s))
        return false;
    if (in_rank(cx, 0) >= 0 &&
        (!check_multiple(cx, 0, 1, single ? 3 : 2) || !check_multiple(cx, 0, 2, 2)))
        return false;
    if (single)
        s.dim[1] = inlay_dim_div_floor(inlay_dim_mul(s.dim[1], inlay_dim_of(2)), 3);
    else if (!merge_planes(cx, planes, channels, &s))
        return false;
    s.dim[3] = inlay_dim_of(3);
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &s);
}

bool infer_nv12_to_rgb(inlay_infer *cx)
{
    return infer_to_rgb(cx, 2, 2);
}

bool infer_i420_to_rgb(inlay_infer *cx)
{
    return infer_to_rgb(cx, 3, 1);
}

bool infer_rgb_to_nv12(inlay_infer *cx)
{
    bool single = cx->n_out == 1; /* as single_plane says */
    inlay_shape s;

    inlay_shape_of_rank(&s, 4);
    if (!merge_image(cx, 0, 3, &s) ||
        (in_rank(cx, 0) >= 0 && (!check_multiple(cx, 0, 1, 2) || !check_multiple(cx, 0, 2, 2))))
        return false;
    s.dim[3] = inlay_dim_of(1);
    if (single)
        s.dim[1] = inlay_dim_mul(halved(s.dim[1]), inlay_dim_of(3));
    if (!inlay_infer_set_out(cx, 0, cx->in[0]->type, &s) || single)
        return single;
    s.dim[1] = halved(s.dim[1]);
    s.dim[2] = halved(s.dim[2]);
    s.dim[3] = inlay_dim_of(2);
    return inlay_infer_set_out(cx, 1, cx->in[0]->type, &s);
}

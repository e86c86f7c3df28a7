/* Exports of conversions from and to the planes of video (NV12, I420), and of RegionYolo. The sizes
 * of images must be known, but not that of the batch. */
#include "parser/onnx/export.h"

#include <string.h>

/* The type in which colours are computed. */
static inlay_type type_of(const onnx_export *x)
{
    return put_type(x, 0) == INLAY_F64 ? INLAY_F64 : INLAY_F32;
}

/* A constant [ROWS, COLUMNS]. */
static const char *matrix(onnx_export *x, const char *name, int rows, int columns, const float *m)
{
    inlay_tensor *t = put_new(x, type_of(x), 2, (int64_t[]){rows, columns});

    for (int i = 0; t && i < rows * columns; i++)
        inlay_tensor_set_f64(t, i, (double)m[i]);
    return put_own_tensor(x, name, t);
}

/* Makes a colour in [0, 255] of V, which is in thousandths. WHOLE: rounded to an integer, halves
 * up. */
static const char *colour(onnx_export *x, const char *v, bool whole)
{
    v = put_binary(x, "Div", v, put_number(x, type_of(x), 1000));
    if (whole)
        v = put(x, "Floor", IN(put_binary(x, "Add", v, put_number(x, type_of(x), 0.5))), NULL);
    return put(x, "Clip", IN(v, put_number(x, type_of(x), 0), put_number(x, type_of(x), 255)),
               NULL);
}

/* U and V [batch, h, w, 2] of an image of NV12 or, with PLANAR, of I420, for all pixels. */
static const char *pairs(onnx_export *x, int64_t h, int64_t w, bool planar)
{
    static const int64_t last[] = {0, 2, 3, 1}, twice[] = {1, 1, 2, 1, 2, 1}, between[] = {2, 4};
    const char *v;

    if (planar && inlay_node_input(x->n, 2))
        v = put(x, "Concat", IN(put_in(x, 1), put_in(x, 2)), ATTRS(INT("axis", 3)));
    else if (inlay_node_input(x->n, 1))
        v = put_in(x, 1);
    else
        v = put_cut(x, put_in(x, 0), 1, h, h / 2 * 3, 1);
    if (!inlay_node_input(x->n, 1))
        v = planar
                ? put_transpose(x, put_reshape(x, v, (int64_t[]){0, 2, h / 2, w / 2}, 4), last, 4)
                : put_reshape(x, v, (int64_t[]){0, h / 2, w / 2, 2}, 4);
    v = put(x, "Expand", IN(put_unsqueeze(x, v, between, 2), put_list(x, twice, 6)), NULL);
    return put_reshape(x, v, (int64_t[]){0, h, w, 2}, 4);
}

static bool export_from_planes(onnx_export *x)
{
    static const float rgb[] = {1164, 1164, 1164, 0, -391, 2018, 1596, -813, 0},
                       bgr[] = {1164, 1164, 1164, 2018, -391, 0, 0, -813, 1596},
                       zeros[] = {16, 128, 128};
    bool planar = x->n->op->name[0] == 'I', blue = strcmp(x->how->as, "BGR") == 0;
    const inlay_fact *f = &x->n->out[0].fact;
    const char *v;

    if (f->rank != 4 || !inlay_dim_is_static(f->dims[1]) || !inlay_dim_is_static(f->dims[2]))
        return put_refuse(x, "an image whose size is not known");
    v = inlay_node_input(x->n, 1) ? put_in(x, 0) : put_cut(x, put_in(x, 0), 1, 0, f->dims[1].lo, 1);
    v = put(x, "Concat", IN(v, pairs(x, f->dims[1].lo, f->dims[2].lo, planar)),
            ATTRS(INT("axis", 3)));
    v = put_binary(x, "Sub", put_cast(x, v, type_of(x)), matrix(x, "zeros", 1, 3, zeros));
    v = put_binary(x, "MatMul", v, matrix(x, "colours", 3, 3, blue ? bgr : rgb));
    v = colour(x, v, inlay_type_is_int(f->type));
    return put_give(x, 0, put_cast(x, v, f->type));
}

/* Brightness of each pixel, and the mean of U and V of four. */
static bool export_to_planes(onnx_export *x)
{
    static const float rgb[] = {257, -148, 439, 504, -291, -368, 98, 439, -71},
                       bgr[] = {98, 439, -71, 504, -291, -368, 257, -148, 439},
                       zeros[] = {16000, 128000, 128000};
    static const int64_t four[] = {2, 4};
    int64_t h = put_size(x, 0, 1), w = put_size(x, 0, 2);
    inlay_type type = put_type(x, 0);
    bool whole = inlay_type_is_int(type), single = inlay_node_bool(x->n, "single_plane");
    const char *v, *y, *uv, *half = put_number(x, type_of(x), 0.5);

    if (h < 0 || w < 0)
        return put_refuse(x, "an image whose size is not known");
    v = put_binary(x, "MatMul", put_as(x, 0, type_of(x)),
                   matrix(x, "colours", 3, 3, strcmp(x->how->as, "BGR") == 0 ? bgr : rgb));
    v = colour(x, put_binary(x, "Add", v, matrix(x, "zeros", 1, 3, zeros)), whole);
    y = put_cast(x, put_cut(x, v, 3, 0, 1, 1), type);
    uv = put_reshape(x, put_cut(x, v, 3, 1, 3, 1), (int64_t[]){0, h / 2, 2, w / 2, 2, 2}, 6);
    uv = put_reduce(x, "ReduceMean", uv, four, 2, false);
    if (whole)
        uv = put(x, "Floor", IN(put_binary(x, "Add", uv, half)), NULL);
    uv = put_cast(x, uv, type);
    if (!single)
        return put_give(x, 0, y) && put_give(x, 1, uv);
    uv = put_reshape(x, uv, (int64_t[]){0, h / 2, w, 1}, 4);
    return put_give(x, 0, put(x, "Concat", IN(y, uv), ATTRS(INT("axis", 1))));
}

/* RegionYolo: for each region the sigmoid of two coordinates and of the confidence; classes become
 * softmax or sigmoid. */
static bool export_region(onnx_export *x)
{
    inlay_type type = put_wider(put_type(x, 0), PUT_BASIC);
    const inlay_fact *f = &x->n->out[0].fact;
    int64_t coords = inlay_node_int(x->n, "coords"), count,
            all = coords + 1 + inlay_node_int(x->n, "classes"), two = coords < 2 ? coords : 2,
            channels = put_size(x, 0, 1), dims[INLAY_MAX_RANK];
    bool soft = inlay_node_bool(x->n, "do_softmax");
    const char *v, *parts[5] = {NULL}, *rest;
    int masks, n = 0;

    inlay_node_ints(x->n, "mask", &masks);
    if (channels < 0 || put_fact(x, 0)->rank != 4 || !inlay_fact_dims(f, dims))
        return put_refuse(x, "data whose sizes are not known");
    count = soft ? channels / all : masks;
    v = put_as(x, 0, type);
    v = channels > count * all ? put_cut(x, v, 1, 0, count * all, 1) : v;
    v = put_reshape(x, v, (int64_t[]){0, count, all, -1}, 4);
    if (two > 0)
        parts[n++] = put(x, "Sigmoid", IN(put_cut(x, v, 2, 0, two, 1)), NULL);
    if (coords > 2)
        parts[n++] = put_cut(x, v, 2, 2, coords, 1);
    rest = put_cut(x, v, 2, coords, soft ? coords + 1 : all, 1);
    parts[n++] = put(x, "Sigmoid", IN(rest), NULL);
    if (soft && all > coords + 1)
        parts[n++] =
            put(x, "Softmax", IN(put_cut(x, v, 2, coords + 1, all, 1)), ATTRS(INT("axis", 2)));
    for (int i = 0; i < n; i++) {
        if (!parts[i])
            return false;
    }
    v = put(x, "Concat", parts, ATTRS(INT("axis", 2)));
    return put_give_as(x, 0, put_reshape_to(x, v, dims, f->rank), type);
}

const onnx_exporter onnx_exporters_images[] = {
    {"BGRtoNV12", export_to_planes, "BGR", 0, PUT_ANY},
    {"I420toBGR", export_from_planes, "BGR", 0, PUT_ANY},
    {"I420toRGB", export_from_planes, "RGB", 0, PUT_ANY},
    {"NV12toBGR", export_from_planes, "BGR", 0, PUT_ANY},
    {"NV12toRGB", export_from_planes, "RGB", 0, PUT_ANY},
    {"RGBtoNV12", export_to_planes, "RGB", 0, PUT_ANY},
    {"RegionYolo", export_region, NULL, 0, PUT_ANY},
    {NULL, NULL, NULL, 0, PUT_ANY},
};

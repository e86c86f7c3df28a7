/* Operators on images: sampling, regions, boxes. */
#include "parser/onnx/export.h"
#include "parser/onnx/import/make.h"

#include <math.h>
#include <string.h>

/* Without a score threshold every score is above it. The boxes come in the order of the batches, of
 * the classes, and of the scores. */
static bool import_non_max_suppression(onnx_node *n)
{
    bool ok = true;
    bool center = onnx_attr_int(n, "center_point_box", 0, &ok) != 0;
    inlay_value *in[5] = {n->in[0], n->in[1]};

    in[2] = onnx_in(n, 2) ? onnx_single(n, n->in[2]) : onnx_integer(n, 0);
    in[3] = onnx_in(n, 3) ? onnx_single(n, n->in[3]) : onnx_number(n, INLAY_F32, 0);
    in[4] = onnx_in(n, 4) ? onnx_single(n, n->in[4]) : onnx_number(n, INLAY_F32, -INFINITY);
    return ok && in[2] && in[3] && in[4] &&
           onnx_give(n, 0,
                     onnx_make(n, "NonMaxSuppression", 5, in,
                               ATTRS(WORD("box_encoding", center ? "center" : "corner"),
                                     FLAG("sort_result_descending", false),
                                     TYPE("output_type", INLAY_I64))));
}

/* Returns the coordinates in [-1, 1] of the SIZE elements of an axis: their centres, or with
 * CORNERS points from -1 to 1. */
static inlay_value *stops(onnx_node *n, inlay_value *size, inlay_type type, bool corners)
{
    inlay_value *one = onnx_number(n, type, 1), *two = onnx_number(n, type, 2), *step, *first;
    inlay_value *place = onnx_convert(n, onnx_count(n, onnx_integer(n, 0), size), type);

    size = onnx_convert(n, size, type);
    if (corners)
        size = onnx_binary(n, "Subtract", size, one);
    step = onnx_binary(n, "Divide", two, size);
    first = onnx_number(n, type, -1);
    if (!corners)
        first = onnx_binary(n, "Add", first, onnx_binary(n, "Divide", step, two));
    return onnx_binary(n, "Add", first, onnx_binary(n, "Multiply", place, step));
}

/* Returns the homogeneous coordinates (x, y, perhaps z, 1) of every element: [sizes..., AXES + 1].
 */
static inlay_value *places(onnx_node *n, inlay_value *sizes, int axes, inlay_type type,
                           bool corners)
{
    inlay_value *in[4], *shape;

    for (int i = 0; i < axes; i++) { /* the last axis is x */
        inlay_value *x = stops(n, onnx_element(n, sizes, axes - 1 - i), type, corners);

        in[i] = onnx_along_axis(n, x, axes - 1 - i, axes);
    }
    in[axes] = onnx_number(n, type, 1);
    for (int i = 0; i <= axes; i++) {
        shape = onnx_list(n, (int64_t[]){axes}, 1);
        in[i] = onnx_binary(n, "Unsqueeze", onnx_fill(n, in[i], sizes), shape);
    }
    return onnx_make(n, "Concat", axes + 1, in, ATTRS(INT("axis", -1)));
}

/* Returns the numbers of list X from FIRST on. */
static inlay_value *rest(onnx_node *n, inlay_value *x, int64_t first, int64_t last)
{
    inlay_value *in[] = {x, onnx_list(n, &first, 1), onnx_list(n, &last, 1),
                         onnx_list(n, (int64_t[]){1}, 1)};

    return onnx_make(n, "Slice", 4, in, NULL);
}

/* Returns grid[n, place] = theta[n] (place, 1). */
static bool import_affine_grid(onnx_node *n)
{
    bool ok = true;
    bool corners = onnx_attr_int(n, "align_corners", 0, &ok) != 0;
    inlay_value *theta = n->in[0], *size = n->in[1], *sizes, *flat, *grid, *shape[3];
    int rank = onnx_rank(n, size);
    int64_t count = rank == 1 ? onnx_known_size(n, size, 0) : 0;
    int axes = count == 4 ? 2 : 3;
    inlay_shape matrices = {.rank = 3, .dim = {inlay_dim_any()}};

    if (!ok || rank < 0 || count < 0)
        return false;
    if (count != 4 && count != 5)
        return onnx_node_fail(n, "input \"size\" must be a list of 4 or 5 elements");
    matrices.dim[1] = inlay_dim_of(axes);
    matrices.dim[2] = inlay_dim_of(axes + 1);
    if (!onnx_has_shape(n, 0, &matrices))
        return false;
    sizes = rest(n, size, 2, axes + 2);
    flat = sizes ? places(n, sizes, axes, theta->fact.type, corners) : NULL;
    flat = onnx_reshape(n, flat, onnx_list(n, (int64_t[]){-1, axes + 1}, 2));
    grid =
        onnx_make(n, "MatMul", 2, (inlay_value *[]){flat, theta}, ATTRS(FLAG("transpose_b", true)));
    shape[0] = rest(n, size, 0, 1);
    shape[1] = sizes;
    shape[2] = onnx_list(n, (int64_t[]){axes}, 1);
    if (!grid || !shape[0] || !shape[2])
        return false;
    return onnx_give(
        n, 0, onnx_reshape(n, grid, onnx_make(n, "Concat", 3, shape, ATTRS(INT("axis", 0)))));
}

/* GridSample-9 takes images of two axes; later versions call the modes by their order. */
/* Before version 20 modes are called after images of two axes, as OpenVINO's are. */
static const char *const grid_modes[][2] = {
    {"bilinear", "linear"}, {"bicubic", "cubic"}, {"nearest", "nearest"}};

static bool import_grid_sample(onnx_node *n)
{
    bool ok = true, flat = n->op->since < 20;
    const char *mode = onnx_attr_string(n, "mode", grid_modes[0][!flat], &ok);
    const char *padding = onnx_attr_string(n, "padding_mode", "zeros", &ok);
    bool corners = onnx_attr_int(n, "align_corners", 0, &ok) != 0;
    int rank = onnx_rank(n, n->in[0]);

    if (!ok || rank < 0)
        return false;
    for (size_t i = 0; i < sizeof grid_modes / sizeof grid_modes[0]; i++) {
        if (strcmp(grid_modes[i][!flat], mode) == 0)
            return onnx_give(
                n, 0,
                onnx_make(n, rank == 4 ? "GridSample" : "GridSample@onnx20", 2, n->in,
                          ATTRS(WORD("mode", grid_modes[i][rank != 4]),
                                WORD("padding_mode", padding), FLAG("align_corners", corners))));
    }
    return onnx_node_fail(n, "attribute \"mode\" is \"%.80s\", it must be %s, %s or nearest", mode,
                          grid_modes[0][!flat], grid_modes[1][!flat]);
}

/* Before version 16 the coordinates were those now called output_half_pixel. The maximum is defined
 * differently from OpenVINO's. */
static bool import_roi_align(onnx_node *n)
{
    bool ok = true;
    const char *mode = onnx_attr_string(n, "mode", "avg", &ok);
    const char *coordinates = onnx_attr_word(n, "coordinate_transformation_mode",
                                             n->version < 16 ? "output_half_pixel" : "half_pixel",
                                             "half_pixel output_half_pixel", &ok);
    int64_t height = onnx_attr_int(n, "output_height", 1, &ok);
    int64_t width = onnx_attr_int(n, "output_width", 1, &ok);
    int64_t ratio = onnx_attr_int(n, "sampling_ratio", 0, &ok);
    double scale = onnx_attr_float(n, "spatial_scale", 1, &ok);
    bool half = strcmp(coordinates, "half_pixel") == 0;

    return ok &&
           onnx_give(
               n, 0,
               onnx_make(n, strcmp(mode, "max") == 0 ? "RoiAlign@onnx16" : "ROIAlign", 3, n->in,
                         ATTRS(WORD("mode", mode), INT("pooled_h", height), INT("pooled_w", width),
                               INT("sampling_ratio", ratio), REAL("spatial_scale", scale),
                               WORD("aligned_mode", half ? "half_pixel_for_nn" : "asymmetric"))));
}

static bool import_max_roi_pool(onnx_node *n)
{
    bool ok = true;
    int count;
    const int64_t *shape = onnx_attr_ints(n, "pooled_shape", &count, &ok);
    double scale = onnx_attr_float(n, "spatial_scale", 1, &ok);

    if (!ok)
        return false;
    if (count != 2)
        return onnx_node_fail(n, "attribute \"pooled_shape\" has %d element%s, it must have 2",
                              count, inlay_plural(count, "", "s"));
    return onnx_give(n, 0,
                     onnx_make(n, "ROIPooling", 2, n->in,
                               ATTRS(INT("pooled_h", shape[0]), INT("pooled_w", shape[1]),
                                     REAL("spatial_scale", scale), WORD("method", "max"))));
}

/* CropAndResize of com.microsoft: boxes [y1, x1, y2, x2] of images, whose corners are at 0 and 1,
 * are sampled at their corners and places between them. */
typedef struct crop {
    onnx_node *n;
    inlay_value *image; /* [images, height, width, channels] */
    inlay_value *batch; /* the image of each box, [boxes, 1, 1] */
} crop;

/* The places along an axis of SIZE elements at which COUNT elements of the boxes are taken: [boxes,
 * count]. FIRST is the column of a box with the first place. */
static inlay_value *box_places(onnx_node *n, inlay_value *size, inlay_value *count, int first)
{
    inlay_value *boxes = n->in[1], *start, *stop, *middle, *step, *single;
    inlay_type type = boxes->fact.type;
    const int64_t axis = 1;

    size = onnx_convert(n, onnx_binary(n, "Subtract", size, onnx_integer(n, 1)), type);
    start = make_unsqueeze(n, onnx_take(n, boxes, onnx_integer(n, first), 1), &axis, 1);
    stop = make_unsqueeze(n, onnx_take(n, boxes, onnx_integer(n, first + 2), 1), &axis, 1);
    middle = make_scaled(n, onnx_binary(n, "Add", start, stop), 0.5);
    step = onnx_binary(n, "Multiply", onnx_binary(n, "Subtract", stop, start), size);
    single = onnx_binary(n, "Maximum", onnx_binary(n, "Subtract", count, onnx_integer(n, 1)),
                         onnx_integer(n, 1));
    step = onnx_binary(n, "Divide", step, onnx_convert(n, single, type));
    step = onnx_binary(n, "Multiply", onnx_convert(n, make_counting(n, count), type), step);
    step = onnx_binary(n, "Add", onnx_binary(n, "Multiply", start, size), step);
    single = onnx_binary(n, "Equal", count, onnx_integer(n, 1));
    return make_select(n, single, onnx_binary(n, "Multiply", middle, size), step);
}

/* PLACES with an axis for the other places: rows [boxes, count, 1], columns [boxes, 1, count]. */
static inlay_value *row_or_column(onnx_node *n, inlay_value *places, bool row)
{
    return make_unsqueeze(n, places, (int64_t[]){row ? 2 : 1}, 1);
}

/* PLACES rounded by ROUND, within an axis of SIZE elements. */
static inlay_value *nearest(onnx_node *n, inlay_value *places, const char *round, inlay_value *size)
{
    const char *mode = strcmp(round, "Round") == 0 ? "half_away_from_zero" : NULL;

    places = onnx_make(n, round, 1, &places, mode ? ATTRS(WORD("mode", mode)) : NULL);
    places = onnx_convert(n, places, INLAY_I64);
    places = onnx_binary(n, "Maximum", places, onnx_integer(n, 0));
    return onnx_binary(n, "Minimum", places, onnx_binary(n, "Subtract", size, onnx_integer(n, 1)));
}

/* The elements at rows Y and columns X: [boxes, rows, columns, channels]. */
static inlay_value *elements_at(const crop *c, inlay_value *y, inlay_value *x)
{
    onnx_node *n = c->n;
    const int64_t last = 3;
    inlay_value *all = onnx_binary(n, "Add", onnx_binary(n, "Multiply", y, onnx_integer(n, 0)), x);
    inlay_value *shape = onnx_shape_of(n, all), *in[3];

    in[0] = make_unsqueeze(n, onnx_fill(n, c->batch, shape), &last, 1);
    in[1] = make_unsqueeze(n, onnx_fill(n, y, shape), &last, 1);
    in[2] = make_unsqueeze(n, onnx_fill(n, x, shape), &last, 1);
    all = onnx_make(n, "Concat", 3, in, ATTRS(INT("axis", 3)));
    return onnx_binary(n, "GatherND", c->image, all);
}

/* A + (B - A) * PART. */
static inlay_value *between(onnx_node *n, inlay_value *a, inlay_value *b, inlay_value *part)
{
    part = onnx_binary(n, "Multiply", onnx_binary(n, "Subtract", b, a), part);
    return onnx_binary(n, "Add", a, part);
}

/* How far PLACES lie behind the elements before them, for each channel. */
static inlay_value *parts_of(onnx_node *n, inlay_value *places)
{
    inlay_value *part = onnx_binary(n, "Subtract", places, onnx_unary(n, "Floor", places));

    return make_unsqueeze(n, part, (int64_t[]){3}, 1);
}

static inlay_value *sampled(const crop *c, inlay_value *y, inlay_value *x, inlay_value *height,
                            inlay_value *width)
{
    onnx_node *n = c->n;
    inlay_value *top = nearest(n, y, "Floor", height), *bottom = nearest(n, y, "Ceiling", height),
                *left = nearest(n, x, "Floor", width), *right = nearest(n, x, "Ceiling", width);
    inlay_value *across = parts_of(n, x);

    return between(n, between(n, elements_at(c, top, left), elements_at(c, top, right), across),
                   between(n, elements_at(c, bottom, left), elements_at(c, bottom, right), across),
                   parts_of(n, y));
}

/* Whether PLACES lie within an axis of SIZE elements. */
static inlay_value *lies_within(onnx_node *n, inlay_value *places, inlay_value *size)
{
    inlay_type type = n->in[1]->fact.type;
    inlay_value *last = onnx_binary(n, "Subtract", size, onnx_integer(n, 1));

    return onnx_binary(n, "LogicalAnd",
                       onnx_binary(n, "GreaterEqual", places, onnx_number(n, type, 0)),
                       onnx_binary(n, "LessEqual", places, onnx_convert(n, last, type)));
}

static bool import_crop_and_resize(onnx_node *n)
{
    bool ok = true;
    double outside = onnx_attr_float(n, "extrapolation_value", 0, &ok);
    const char *mode = onnx_attr_word(n, "mode", "bilinear", "bilinear nearest", &ok);
    crop c = {.n = n};
    inlay_value *height, *width, *counts = onnx_convert(n, n->in[3], INLAY_I64), *y, *x, *found;

    if (!ok || !onnx_has_rank(n, 0, 4, 4) || !onnx_has_rank(n, 1, 2, 2) ||
        !onnx_has_rank(n, 2, 1, 1) || !onnx_has_rank(n, 3, 1, 1))
        return false;
    height = onnx_size(n, n->in[0], 2);
    width = onnx_size(n, n->in[0], 3);
    c.image = make_transpose(n, n->in[0], (int64_t[]){0, 2, 3, 1}, 4);
    c.batch = make_unsqueeze(n, onnx_convert(n, n->in[2], INLAY_I64), (int64_t[]){1, 2}, 2);
    y = row_or_column(n, box_places(n, height, onnx_element(n, counts, 0), 0), true);
    x = row_or_column(n, box_places(n, width, onnx_element(n, counts, 1), 1), false);
    found = mode[0] == 'b'
                ? sampled(&c, y, x, height, width)
                : elements_at(&c, nearest(n, y, "Round", height), nearest(n, x, "Round", width));
    y = onnx_binary(n, "LogicalAnd", lies_within(n, y, height), lies_within(n, x, width));
    found = make_select(n, make_unsqueeze(n, y, (int64_t[]){3}, 1), found,
                        onnx_number(n, n->in[0]->fact.type, outside));
    return onnx_give(n, 0, make_transpose(n, found, (int64_t[]){0, 3, 1, 2}, 4));
}

/* Swaps red and blue. */
static void swap_ends(inlay_tensor *t)
{
    uint8_t *x = t->data;

    for (int64_t i = 0; i < inlay_tensor_count(t); i += 3) {
        uint8_t first = x[i];

        x[i] = x[i + 2];
        x[i + 2] = first;
    }
}

/* A picture that the run gives is decoded when the run has it, because its size is in its bytes. */
static bool import_image_decoder(onnx_node *n)
{
    bool ok = true;
    const char *format = onnx_attr_word(n, "pixel_format", "RGB", "RGB BGR Grayscale", &ok);
    inlay_tensor *bytes, *t;
    inlay_value *v;

    if (!ok || !onnx_has_rank(n, 0, 1, 1))
        return false;
    if (n->in[0]->fact.type != INLAY_U8)
        return onnx_node_fail(n, "input[0] has type %s, it must have u8",
                              inlay_type_info_of(n->in[0]->fact.type)->name);
    onnx_promise(n, INLAY_U8, 3);
    if (!(bytes = onnx_elements(n, n->in[0])))
        return false;
    t = onnx_picture(n, bytes, format[0] == 'G' ? 1 : 3);
    inlay_tensor_release(bytes);
    if (t && format[0] == 'B')
        swap_ends(t);
    v = onnx_constant(n, t);
    inlay_tensor_release(t);
    return onnx_give(n, 0, v);
}

const onnx_operator onnx_operators_vision[] = {
    {"AffineGrid", 20, import_affine_grid, NULL, 2},
    {"GridSample", 20, import_grid_sample, NULL, 2},
    {"GridSample", 16, import_grid_sample, NULL, 2},
    {"com.microsoft.GridSample", 1, import_grid_sample, NULL, 2},
    {"com.microsoft.CropAndResize", 1, import_crop_and_resize, NULL, 4},
    {"ImageDecoder", 20, import_image_decoder, NULL, 1},
    {"MaxRoiPool", 1, import_max_roi_pool, NULL, 2},
    {"NonMaxSuppression", 10, import_non_max_suppression, NULL, 2},
    {"RoiAlign", 16, import_roi_align, NULL, 3},
    {"RoiAlign", 10, import_roi_align, NULL, 3},
    {NULL, 0, NULL, NULL, 0},
};

/* Exports. */

/* ONNX's boxes come batch by batch, class by class, without their scores. */
static bool export_nms(onnx_export *x)
{
    const inlay_node *n = x->n;
    bool sorted = inlay_node_bool(n, "sort_result_descending"),
         one = put_size(x, 1, 0) == 1 && put_size(x, 1, 1) == 1;
    const inlay_tensor *sigma = inlay_node_input(n, 5) ? put_fact(x, 5)->content : NULL;
    const char *in[6] = {put_as(x, 0, INLAY_F32), put_as(x, 1, INLAY_F32)}, *y, *scores;
    inlay_type type = n->out[0].fact.type;

    if (n->op->version < 5)
        return put_refuse(x, "rows that are left when all boxes are found");
    if ((sorted && !one) ||
        (inlay_node_input(n, 5) && !(sigma && inlay_tensor_get_f64(sigma, 0) == 0)))
        return put_refuse(x, "boxes sorted across classes, and soft suppression");
    in[2] = inlay_node_input(n, 2) ? put_i64_list(x, 2) : "";
    for (int i = 3; i < 5; i++)
        in[i] = inlay_node_input(n, i) ? put_as(x, i, INLAY_F32)
                : i == 3               ? ""
                                       : put_number(x, INLAY_F32, 0);
    y = put(x, "NonMaxSuppression", in,
            ATTRS(INT("center_point_box",
                      strcmp(inlay_node_string(n, "box_encoding"), "center") == 0)));
    if (put_wants(x, 1)) {
        inlay_type wide = n->out[1].fact.type;
        const char *place = put_cast(x, put_cut(x, y, 1, 0, 2, 1), wide);

        scores = put(x, "GatherND", IN(put_as(x, 1, wide), y), NULL);
        scores = put_unsqueeze(x, scores, (int64_t[]){1}, 1);
        /* the score of a box stands at its batch, class and place */
        if (!put_give(x, 1, put(x, "Concat", IN(place, scores), ATTRS(INT("axis", 1)))))
            return false;
    }
    if (put_wants(x, 2)) {
        scores = put_cut(x, put(x, "Shape", IN(y), NULL), 0, 0, 1, 1);
        type = n->out[2].fact.type;
        if (!put_give(x, 2, type == INLAY_I64 ? scores : put_cast(x, scores, type)))
            return false;
        type = n->out[0].fact.type;
    }
    return put_give(x, 0, type == INLAY_I64 ? y : put_cast(x, y, type));
}

/* The maximum of OpenVINO's row is another one than ONNX's. */
static bool export_roi_align(onnx_export *x)
{
    const char *mode = inlay_node_string(x->n, "mode"),
               *aligned = inlay_op_attr(x->n->op, "aligned_mode") >= 0
                              ? inlay_node_string(x->n, "aligned_mode")
                              : "asymmetric";
    bool own = strcmp(x->n->op->set, "onnx") == 0, half = strcmp(aligned, "half_pixel_for_nn") == 0;
    inlay_type type = put_wider(put_type(x, 0), PUT_BASIC);

    if ((!own && strcmp(mode, "max") == 0) || strcmp(aligned, "half_pixel") == 0)
        return put_refuse(x, "mode %s with coordinates %s", mode, aligned);
    return put_give_as(
        x, 0,
        put(x, "RoiAlign", IN(put_as(x, 0, type), put_as(x, 1, type), put_i64(x, 2)),
            ATTRS(WORD("coordinate_transformation_mode", half ? "half_pixel" : "output_half_pixel"),
                  WORD("mode", mode), INT("output_height", inlay_node_int(x->n, "pooled_h")),
                  INT("output_width", inlay_node_int(x->n, "pooled_w")),
                  INT("sampling_ratio", inlay_node_int(x->n, "sampling_ratio")),
                  REAL("spatial_scale", inlay_node_float(x->n, "spatial_scale")))),
        type);
}

static bool export_roi_pool(onnx_export *x)
{
    const int64_t shape[] = {inlay_node_int(x->n, "pooled_h"), inlay_node_int(x->n, "pooled_w")};
    inlay_type type = put_wider(put_type(x, 0), PUT_BASIC);

    if (strcmp(inlay_node_string(x->n, "method"), "max") != 0)
        return put_refuse(x, "regions that are interpolated");
    return put_give_as(x, 0,
                       put(x, "MaxRoiPool", IN(put_as(x, 0, type), put_as(x, 1, type)),
                           ATTRS(INTS("pooled_shape", shape, 2),
                                 REAL("spatial_scale", inlay_node_float(x->n, "spatial_scale")))),
                       type);
}

/* Before version 20 images have two axes. */
static bool export_grid_sample(onnx_export *x)
{
    const char *mode = inlay_node_string(x->n, "mode");
    inlay_type type = put_wider(put_type(x, 0), PUT_BASIC);
    bool flat = put_fact(x, 0)->rank == 4;

    if (!flat && !put_needs(x, 20, "other than two axes"))
        return false;
    for (size_t i = 0; i < sizeof grid_modes / sizeof *grid_modes; i++) {
        if (strcmp(mode, grid_modes[i][0]) == 0 || strcmp(mode, grid_modes[i][1]) == 0) {
            mode = grid_modes[i][x->version >= 20];
            break;
        }
    }
    return put_give_as(
        x, 0,
        put(x, "GridSample", IN(put_as(x, 0, type), put_as(x, 1, type)),
            ATTRS(WORD("mode", mode), WORD("padding_mode", inlay_node_string(x->n, "padding_mode")),
                  INT("align_corners", inlay_node_bool(x->n, "align_corners")))),
        type);
}

const onnx_exporter onnx_exporters_vision[] = {
    {"GridSample", export_grid_sample, NULL, 0, PUT_ANY},
    {"GridSample@onnx", export_grid_sample, NULL, 0, PUT_ANY},
    {"NonMaxSuppression", export_nms, NULL, 0, PUT_ANY},
    {"ROIAlign", export_roi_align, NULL, 0, PUT_ANY},
    {"ROIPooling", export_roi_pool, NULL, 0, PUT_ANY},
    {"RoiAlign@onnx", export_roi_align, NULL, 0, PUT_ANY},
    {NULL, NULL, NULL, 0, PUT_ANY},
};

/* Resize and Upsample. */
#include "parser/onnx/export.h"

#include <math.h>
#include <string.h>

/* What the attributes of a Resize say; Upsample and old versions have fewer of them. */
typedef struct resize {
    const char *mode, *coordinates, *nearest, *policy;
    bool antialias, exclude;
    double cubic, outside;
    const int64_t *axes; /* NULL: all */
    int n_axes;
    inlay_value *roi, *scales, *sizes; /* either scales or sizes is NULL */
} resize;

static bool is_nearest_mode(const char *word)
{
    static const char *const words[] = {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(words[i], word) == 0)
            return true;
    }
    return false;
}

static bool read_resize(onnx_node *n, resize *r)
{
    bool ok = true;

    r->mode = onnx_attr_string(n, "mode", "nearest", &ok);
    r->coordinates = onnx_attr_string(n, "coordinate_transformation_mode", "half_pixel", &ok);
    r->nearest = onnx_attr_string(n, "nearest_mode", "round_prefer_floor", &ok);
    r->policy = onnx_attr_string(n, "keep_aspect_ratio_policy", "stretch", &ok);
    r->antialias = onnx_attr_int(n, "antialias", 0, &ok) != 0;
    r->exclude = onnx_attr_int(n, "exclude_outside", 0, &ok) != 0;
    r->cubic = onnx_attr_float(n, "cubic_coeff_a", -0.75, &ok);
    r->outside = onnx_attr_float(n, "extrapolation_value", 0, &ok);
    r->axes = onnx_attr_ints(n, "axes", &r->n_axes, &ok);
    if (ok && strcmp(r->mode, "nearest") != 0 && is_nearest_mode(r->nearest))
        r->nearest = "round_prefer_floor"; /* of no meaning, so two files have one form */
    return ok;
}

/* Sets the coordinate mode of later versions that Upsample and Resize-10 use. */
static bool read_upsample(onnx_node *n, resize *r)
{
    bool ok = true;

    *r = (resize){.coordinates = "asymmetric", .nearest = "floor", .policy = "stretch"};
    r->mode = onnx_attr_string(n, "mode", "nearest", &ok);
    if (strcmp(r->mode, "bilinear") == 0) /* as Upsample-1 calls it */
        r->mode = "linear";
    r->cubic = -0.75;
    return ok;
}

/* Copies the elements of V to OUT, if V is known and has N of them. */
static bool known_numbers(const inlay_value *v, double *out, int n)
{
    const inlay_fact *f = &v->fact;

    if (f->content && inlay_tensor_count(f->content) == n) {
        for (int i = 0; i < n; i++)
            out[i] = inlay_tensor_get_f64(f->content, i);
        return true;
    }
    for (int i = 0; i < n; i++) {
        if (!f->known || f->n_known != n || !inlay_dim_is_static(f->known[i]))
            return false;
        out[i] = (double)f->known[i].lo;
    }
    return true;
}

/* The axes of X that change, with their sizes or scales. */
typedef struct changes {
    int n, axis[INLAY_MAX_RANK];
    double number[INLAY_MAX_RANK];
} changes;

/* Finds the axes that change. False: not everything is known, or there is not one number for each
 * axis. */
static bool find_changes(const resize *r, const inlay_value *x, changes *c)
{
    int rank = x->fact.rank, count = r->axes ? r->n_axes : rank;
    double number[INLAY_MAX_RANK];

    c->n = 0;
    if (count > rank || !known_numbers(r->sizes ? r->sizes : r->scales, number, count))
        return false;
    for (int i = 0; i < count; i++) {
        if (!(number[i] >= 0 && number[i] < 1e9)) /* an error that is reported elsewhere */
            return false;
    }
    for (int i = 0; i < count; i++) {
        int64_t axis = r->axes ? r->axes[i] + (r->axes[i] < 0 ? rank : 0) : i;
        inlay_dim d;

        if (axis < 0 || axis >= rank)
            return false;
        d = x->fact.dims[axis];
        if (r->sizes ? inlay_dim_is_static(d) && number[i] == (double)d.lo : number[i] == 1)
            continue;
        c->axis[c->n] = (int)axis;
        c->number[c->n++] = number[i];
    }
    return true;
}

static bool lengths_matter(const char *coordinates)
{
    return strcmp(coordinates, "align_corners") == 0 ||
           strcmp(coordinates, "pytorch_half_pixel") == 0;
}

/* Returns whether the lengths of resized axes agree: Interpolate's coordinates use the length of
 * the result, those of ONNX use scale * size. */
static bool lengths_agree(const resize *r, const inlay_value *x, const changes *c)
{
    for (int i = 0; lengths_matter(r->coordinates) && !r->sizes && i < c->n; i++) {
        inlay_dim d = x->fact.dims[c->axis[i]];
        double length = (double)d.lo * c->number[i];

        if (!inlay_dim_is_static(d) || length != floor(length))
            return false;
    }
    return true;
}

/* Interpolate knows linear_onnx along the spatial axes only, or along all of a matrix or a volume;
 * axes of these that do not change are added to C. */
static bool fit_linear(const resize *r, const inlay_value *x, changes *c)
{
    int rank = x->fact.rank, first = rank > 3 ? 2 : 0;
    changes all = {.n = rank - first};

    if (rank < 2 || rank > 5)
        return false;
    for (int i = first; i < rank; i++) {
        all.axis[i - first] = i;
        all.number[i - first] = r->sizes ? (double)x->fact.dims[i].lo : 1;
        if (r->sizes && !inlay_dim_is_static(x->fact.dims[i]))
            all.number[i - first] = -1; /* to be replaced */
    }
    for (int i = 0; i < c->n; i++) {
        if (c->axis[i] < first)
            return false;
        all.number[c->axis[i] - first] = c->number[i];
    }
    for (int i = 0; i < all.n; i++) {
        if (all.number[i] < 0)
            return false;
    }
    *c = all;
    return true;
}

/* Returns whether Interpolate along the axes in C means exactly R. */
static bool is_interpolate(const resize *r, const inlay_value *x, changes *c)
{
    static const char *const coordinates[] = {"half_pixel", "pytorch_half_pixel", "align_corners",
                                              "asymmetric", "tf_half_pixel_for_nn"};
    bool known = false;

    for (size_t i = 0; i < sizeof coordinates / sizeof coordinates[0]; i++)
        known = known || strcmp(coordinates[i], r->coordinates) == 0;
    if (!known || r->antialias || r->exclude || strcmp(r->policy, "stretch") != 0 ||
        x->fact.type == INLAY_BOOLEAN || x->fact.type == INLAY_STRING)
        return false;
    if (!find_changes(r, x, c) || !lengths_agree(r, x, c))
        return false;
    return strcmp(r->mode, "linear") != 0 || fit_linear(r, x, c);
}

static inlay_value *as_list(onnx_node *n, const changes *c, bool sizes)
{
    int64_t dims[] = {c->n}, whole[INLAY_MAX_RANK];
    inlay_tensor *t;
    inlay_value *v;

    for (int i = 0; i < c->n; i++)
        whole[i] = (int64_t)c->number[i];
    if (sizes)
        return onnx_list(n, whole, c->n);
    t = assemble_tensor(&n->s->r->a, INLAY_F32, 1, dims);
    if (!t)
        return NULL;
    for (int i = 0; i < c->n; i++)
        inlay_tensor_set_f64(t, i, c->number[i]);
    v = onnx_constant(n, t);
    inlay_tensor_release(t);
    return v;
}

static inlay_value *make_interpolate(onnx_node *n, const resize *r, const changes *c)
{
    int64_t axes[INLAY_MAX_RANK];
    const char *mode = strcmp(r->mode, "linear") == 0 ? "linear_onnx" : r->mode;
    inlay_value *in[3] = {n->in[0], as_list(n, c, r->sizes != NULL), NULL};

    for (int i = 0; i < c->n; i++)
        axes[i] = c->axis[i];
    in[2] = onnx_list(n, axes, c->n);
    if (!in[1] || !in[2])
        return NULL;
    return onnx_make(n, "Interpolate", 3, in,
                     ATTRS(WORD("mode", mode),
                           WORD("shape_calculation_mode", r->sizes ? "sizes" : "scales"),
                           WORD("coordinate_transformation_mode", r->coordinates),
                           WORD("nearest_mode", r->nearest), REAL("cube_coeff", r->cubic)));
}

static inlay_value *make_resize(onnx_node *n, const resize *r)
{
    inlay_value *in[4] = {n->in[0], r->roi, r->scales, r->sizes};

    if (r->roi && !inlay_type_is_float(r->roi->fact.type))
        in[1] = NULL;
    if (r->n_axes > INLAY_MAX_RANK) {
        onnx_node_fail(n, "attribute \"axes\" has %d element%s", r->n_axes,
                       inlay_plural(r->n_axes, "", "s"));
        return NULL;
    }
    return onnx_make(
        n, "Resize@onnx19", 4, in,
        ATTRS(WORD("mode", r->mode), WORD("coordinate_transformation_mode", r->coordinates),
              WORD("nearest_mode", r->nearest), WORD("keep_aspect_ratio_policy", r->policy),
              FLAG("antialias", r->antialias), FLAG("exclude_outside", r->exclude),
              REAL("cubic_coeff_a", r->cubic), REAL("extrapolation_value", r->outside),
              INTS("axes", r->n_axes > 0 ? r->axes : NULL, r->n_axes)));
}

static bool give_resized(onnx_node *n, const resize *r)
{
    changes c;

    if (onnx_rank(n, n->in[0]) < 0)
        return false;
    if (!is_interpolate(r, n->in[0], &c))
        return onnx_give(n, 0, make_resize(n, r));
    return onnx_give(n, 0, c.n == 0 ? n->in[0] : make_interpolate(n, r, &c));
}

static bool is_empty(const inlay_value *v)
{
    return v && v->fact.rank == 1 && v->fact.dims[0].hi == 0;
}

/* Does V, one of two lists of which one must be empty, surely have elements? */
static bool surely_has_elements(onnx_node *n, const inlay_value *v)
{
    int rank = onnx_rank(n, v);

    return rank >= 0 && (rank != 1 || v->fact.dims[0].lo > 0 || onnx_known_size(n, v, 0) > 0);
}

/* One of scales and sizes is there; the other one is left out, or is an empty list. */
static bool import_resize(onnx_node *n)
{
    resize r;

    if (!read_resize(n, &r))
        return false;
    r.roi = onnx_in(n, 1);
    r.scales = onnx_in(n, 2);
    r.sizes = onnx_in(n, 3);
    if (is_empty(r.scales))
        r.scales = NULL;
    if (is_empty(r.sizes))
        r.sizes = NULL;
    if (r.scales && r.sizes &&
        (!surely_has_elements(n, r.scales) || !surely_has_elements(n, r.sizes)))
        return false;
    if (!r.scales == !r.sizes)
        return onnx_node_fail(n, "must have either scales or sizes");
    return give_resized(n, &r);
}

static bool import_upsample_9(onnx_node *n)
{
    resize r;

    if (!read_upsample(n, &r))
        return false;
    r.scales = onnx_flat(n, n->in[1]);
    return r.scales && give_resized(n, &r);
}

/* Makes a list of floats a constant. */
static inlay_value *floats(onnx_node *n, const float *x, int count)
{
    changes c = {.n = count};

    if (count > INLAY_MAX_RANK) {
        onnx_node_fail(n, "has %d scales", count);
        return NULL;
    }
    for (int i = 0; i < count; i++)
        c.number[i] = (double)x[i];
    return as_list(n, &c, false);
}

static bool import_upsample_7(onnx_node *n)
{
    bool ok = true;
    int count;
    const float *scales = onnx_attr_floats(n, "scales", &count, &ok);
    resize r;

    if (!ok || !read_upsample(n, &r))
        return false;
    if (!scales)
        return onnx_node_fail(n, "has no attribute \"scales\"");
    r.scales = floats(n, scales, count);
    return r.scales && give_resized(n, &r);
}

/* Upsample-1 takes an image only: it has scales of height and width. */
static bool import_upsample_1(onnx_node *n)
{
    bool ok = true;
    float scales[] = {1, 1, (float)onnx_attr_float(n, "height_scale", 0, &ok),
                      (float)onnx_attr_float(n, "width_scale", 0, &ok)};
    resize r;

    if (!ok || !read_upsample(n, &r))
        return false;
    r.scales = floats(n, scales, 4);
    return r.scales && give_resized(n, &r);
}

const onnx_operator onnx_operators_resize[] = {
    {"Resize", 11, import_resize, NULL, 1},      {"Resize", 10, import_upsample_9, NULL, 2},
    {"Upsample", 9, import_upsample_9, NULL, 2}, {"Upsample", 7, import_upsample_7, NULL, 1},
    {"Upsample", 1, import_upsample_1, NULL, 1}, {NULL, 0, NULL, NULL, 0},
};

/* Exports. */

/* The attributes of Resize: those of the node, and those that it has got in version 18. */
typedef struct resized {
    const char *coordinates, *nearest, *mode, *policy;
    bool antialias, exclude;
    double cubic, outside;
    const int64_t *axes;
    int n_axes;
} resized;

static const char *put_resize(onnx_export *x, const resized *r, const char *roi, const char *scales,
                              const char *sizes)
{
    bool newer = r->antialias || r->axes || (r->policy && strcmp(r->policy, "stretch") != 0);

    if ((newer && !put_needs(x, 18, "axes, antialias and keep_aspect_ratio_policy of Resize")) ||
        (strcmp(r->coordinates, "half_pixel_symmetric") == 0 && !put_needs(x, 19, r->coordinates)))
        return NULL;
    return put(x, "Resize", IN(put_in(x, 0), roi, scales, sizes),
               ATTRS(WORD("mode", r->mode), WORD("coordinate_transformation_mode", r->coordinates),
                     WORD("nearest_mode", strcmp(r->mode, "nearest") == 0 ? r->nearest : NULL),
                     strcmp(r->mode, "cubic") == 0 ? REAL("cubic_coeff_a", r->cubic)
                                                   : WORD("cubic_coeff_a", NULL),
                     r->exclude && strcmp(r->mode, "nearest") != 0 ? INT("exclude_outside", 1)
                                                                   : WORD("exclude_outside", NULL),
                     r->outside != 0 ? REAL("extrapolation_value", r->outside)
                                     : WORD("extrapolation_value", NULL),
                     r->antialias && strcmp(r->mode, "nearest") != 0 ? INT("antialias", 1)
                                                                     : WORD("antialias", NULL),
                     INTS("axes", r->axes, r->n_axes ? r->n_axes : 1),
                     WORD("keep_aspect_ratio_policy", newer ? r->policy : NULL)));
}

static bool export_resize(onnx_export *x)
{
    resized r = {.mode = inlay_node_string(x->n, "mode"),
                 .nearest = inlay_node_string(x->n, "nearest_mode"),
                 .coordinates = inlay_node_string(x->n, "coordinate_transformation_mode"),
                 .policy = inlay_node_string(x->n, "keep_aspect_ratio_policy"),
                 .antialias = inlay_node_bool(x->n, "antialias"),
                 .exclude = inlay_node_bool(x->n, "exclude_outside"),
                 .cubic = inlay_node_float(x->n, "cubic_coeff_a"),
                 .outside = inlay_node_float(x->n, "extrapolation_value")};

    r.axes = inlay_node_ints(x->n, "axes", &r.n_axes);
    if (inlay_node_input(x->n, 2) && inlay_node_input(x->n, 3))
        return put_refuse(x, "both scales and sizes");
    return put_give(x, 0, put_resize(x, &r, put_in(x, 1), put_in(x, 2), put_in(x, 3)));
}

/* Whether all pads of the node are 0. */
static bool is_padded(const onnx_export *x)
{
    static const char *const sides[] = {"pads_begin", "pads_end"};

    for (int k = 0; k < 2; k++) {
        int count = 0;
        const int64_t *pads = inlay_node_ints(x->n, sides[k], &count);

        for (int i = 0; i < count; i++) {
            if (pads[i] != 0)
                return true;
        }
    }
    return false;
}

/* A constant with NUMBERS of the listed axes, and 1 or the size for the others; NULL: a size is not
 * known. */
static const char *for_all_axes(onnx_export *x, const int64_t *axes, int count, int rank,
                                const inlay_tensor *numbers, bool sizes)
{
    inlay_tensor *t = put_new(x, sizes ? INLAY_I64 : INLAY_F32, 1, (int64_t[]){rank});

    for (int i = 0; t && i < rank; i++) {
        int64_t size = put_size(x, 0, i);
        double number = sizes ? (double)size : 1;

        for (int k = 0; k < count; k++)
            number = axes[k] == i ? inlay_tensor_get_f64(numbers, k) : number;
        if (number < 0) {
            inlay_tensor_release(t);
            return NULL;
        }
        inlay_tensor_set_f64(t, i, number);
    }
    return put_own_tensor(x, sizes ? "sizes" : "scales", t);
}

/* `simple` is floor where an axis grows, and ceil where it shrinks. NULL: there are both, or it is
 * not known. */
static const char *nearest_mode(const onnx_export *x, const int64_t *axes, int count,
                                const char *own)
{
    bool up = false, down = false;

    if (strcmp(own, "simple") != 0)
        return own;
    for (int i = 0; i < count; i++) {
        const inlay_fact *out = &x->n->out[0].fact;
        int64_t from = put_size(x, 0, (int)axes[i]),
                to = out->rank > axes[i] ? out->dims[axes[i]].lo : -1;

        if (from < 0 || !inlay_dim_is_static(out->dims[axes[i]]))
            return NULL;
        up |= to > from;
        down |= to < from;
    }
    return up && down ? NULL : down ? "ceil" : "floor";
}

/* Version 1 says less, and its document nothing of coordinates (ir/OPERATIONS.md). */
static resized first_version(const onnx_export *x, int rank, const int64_t *axes, int count)
{
    resized r = {.mode = inlay_node_string(x->n, "mode"), .cubic = -0.75};
    bool linear = strcmp(r.mode, "linear") == 0,
         image = rank == 4 && count == 2 && axes[0] + axes[1] == 5;

    r.antialias = linear && rank >= 5 && inlay_node_bool(x->n, "antialias");
    r.coordinates = inlay_node_bool(x->n, "align_corners") ? "align_corners"
                    : linear && !image                     ? "half_pixel"
                                                           : "asymmetric";
    r.nearest = nearest_mode(x, axes, count, "simple");
    return r;
}

static resized later_version(const onnx_export *x, const int64_t *axes, int count)
{
    resized r = {.mode = inlay_node_string(x->n, "mode"),
                 .antialias = inlay_node_bool(x->n, "antialias"),
                 .coordinates = inlay_node_string(x->n, "coordinate_transformation_mode"),
                 .cubic = inlay_node_float(x->n, "cube_coeff")};

    r.nearest = nearest_mode(x, axes, count, inlay_node_string(x->n, "nearest_mode"));
    r.antialias = r.antialias && strcmp(r.mode, "linear") == 0;
    return r;
}

/* Sets AXES to those that the node resizes, of RANK. Returns how many; -1: they are not known. */
static int resized_axes(onnx_export *x, int rank, int64_t *axes)
{
    int at = x->n->op->version == 4 ? 3 : 2, count = 0;
    const int64_t *list = x->n->op->version == 1 ? inlay_node_ints(x->n, "axes", &count) : NULL;

    for (int i = 0; i < rank; i++)
        axes[i] = i;
    if (list) {
        for (int i = 0; i < count && i < INLAY_MAX_RANK; i++)
            axes[i] = list[i] < 0 ? list[i] + rank : list[i];
        return count < INLAY_MAX_RANK ? count : -1;
    }
    return inlay_node_input(x->n, at) ? put_axes(x, at, rank, axes) : rank;
}

/* Whether the axes of operand 0, times operand LIST, are as long as those of the result. */
static bool scales_say_lengths(const onnx_export *x, const int64_t *axes, int count, int list)
{
    const inlay_tensor *scales = put_fact(x, list)->content;
    bool say = scales && inlay_tensor_count(scales) == count;

    for (int i = 0; say && i < count; i++) {
        int64_t size = put_size(x, 0, (int)axes[i]);
        double length = (double)size * inlay_tensor_get_f64(scales, i);

        say = size >= 0 && length == floor(length);
    }
    return say;
}

/* A Resize by the sizes of the result; of align_corners the scales say nothing else. */
static bool put_lengths(onnx_export *x, const resized *r, int rank)
{
    int64_t dims[INLAY_MAX_RANK];

    if (strcmp(r->coordinates, "align_corners") != 0 || !inlay_fact_dims(&x->n->out[0].fact, dims))
        return put_refuse(x, "%s of sizes times scales that are no integers", r->coordinates);
    return put_give(x, 0, put_resize(x, r, "", "", put_list(x, dims, rank)));
}

static bool export_interpolate(onnx_export *x)
{
    int version = x->n->op->version, rank = put_rank(x, 0);
    bool sizes =
        version == 1 || strcmp(inlay_node_string(x->n, "shape_calculation_mode"), "sizes") == 0;
    int64_t axes[INLAY_MAX_RANK];
    int count = rank < 0 ? -1 : resized_axes(x, rank, axes), list = version == 4 && !sizes ? 2 : 1;
    resized r;
    const char *all;

    if (count < 0)
        return false;
    r = version == 1 ? first_version(x, rank, axes, count) : later_version(x, axes, count);
    if (is_padded(x) || r.antialias)
        return put_refuse(x, "pads, and the filter of mode linear");
    if (!r.nearest && strcmp(r.mode, "nearest") == 0)
        return put_refuse(x, "rounding that differs from axis to axis");
    if (strcmp(r.mode, "linear") != 0 && strcmp(r.mode, "linear_onnx") != 0 &&
        strcmp(r.mode, "nearest") != 0 && strcmp(r.mode, "cubic") != 0)
        return put_refuse(x, "mode %s", r.mode);
    r.mode = strncmp(r.mode, "linear", 6) == 0 ? "linear" : r.mode;
    if (!sizes && lengths_matter(r.coordinates) && !scales_say_lengths(x, axes, count, list))
        return put_lengths(x, &r, rank);
    all = put_fact(x, list)->content
              ? for_all_axes(x, axes, count, rank, put_fact(x, list)->content, sizes)
              : NULL;
    if (!all) {
        r.axes = axes;
        r.n_axes = count;
        all = sizes ? put_i64_list(x, list) : put_as(x, list, INLAY_F32);
    }
    return put_give(x, 0, sizes ? put_resize(x, &r, "", "", all) : put_resize(x, &r, "", all, ""));
}

const onnx_exporter onnx_exporters_resize[] = {
    {"Interpolate", export_interpolate, NULL, 0, PUT_ANY},
    {"Resize@onnx", export_resize, NULL, 0, PUT_ANY},
    {NULL, NULL, NULL, 0, PUT_ANY},
};

/* Convolutions and pools. */
#include "parser/onnx/export.h"
#include "parser/onnx/import/make.h"

#include <math.h>
#include <string.h>

/* The attributes that place a kernel on the data, with OpenVINO's names; N spatial axes. */
typedef struct field {
    int n;
    int64_t strides[INLAY_MAX_RANK], dilations[INLAY_MAX_RANK], begin[INLAY_MAX_RANK],
        end[INLAY_MAX_RANK];
    int64_t kernel[INLAY_MAX_RANK];
    const char *auto_pad;
} field;

static bool read_list(onnx_node *n, const char *name, int first, int count, int64_t absent,
                      int wanted, int64_t *out)
{
    bool ok = true;
    int given;
    const int64_t *list = onnx_attr_ints(n, name, &given, &ok);

    if (!ok)
        return false;
    if (list && given != wanted)
        return onnx_node_fail(n, "attribute \"%s\" has %d element%s, it must have %d", name, given,
                              inlay_plural(given, "", "s"), wanted);
    for (int i = 0; i < count; i++) {
        out[i] = list ? list[first + i] : absent;
        if (out[i] > INT32_MAX || out[i] < -INT32_MAX)
            return onnx_node_fail(n, "attribute \"%s\" has an element %lld, which is too large",
                                  name, (long long)out[i]);
    }
    return true;
}

static bool read_auto_pad(onnx_node *n, field *f)
{
    static const char *const words[][2] = {{"NOTSET", "explicit"},
                                           {"VALID", "valid"},
                                           {"SAME_UPPER", "same_upper"},
                                           {"SAME_LOWER", "same_lower"}};
    bool ok = true;
    const char *word = onnx_attr_string(n, "auto_pad", "NOTSET", &ok);

    for (size_t i = 0; ok && i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(words[i][0], word) == 0) {
            f->auto_pad = words[i][1];
            return true;
        }
    }
    return ok ? onnx_node_fail(n, "attribute \"auto_pad\" is \"%.80s\"", word) : false;
}

/* Reads the attributes for the axes behind the first two of X. */
static bool read_field(onnx_node *n, const inlay_value *x, field *f)
{
    int rank = onnx_rank(n, x);

    *f = (field){.n = rank - 2};
    if (rank < 0)
        return false;
    if (rank < 3)
        return onnx_node_fail(n, "the data has %d ax%s, it must have 3 or more", rank,
                              inlay_plural(rank, "is", "es"));
    return read_list(n, "strides", 0, f->n, 1, f->n, f->strides) &&
           read_list(n, "dilations", 0, f->n, 1, f->n, f->dilations) &&
           read_list(n, "pads", 0, f->n, 0, 2 * f->n, f->begin) &&
           read_list(n, "pads", f->n, f->n, 0, 2 * f->n, f->end) &&
           read_list(n, "kernel_shape", 0, f->n, 1, f->n, f->kernel) && read_auto_pad(n, f);
}

/* Reads the attributes of a pool; kernel_shape is required. */
static bool read_pool(onnx_node *n, field *f)
{
    return onnx_needs_attr(n, "kernel_shape") && read_field(n, n->in[0], f);
}

/* The attributes of F, a variable, with these dilations; and those of a pool. */
#define FIELD(f, dilated)                                                                          \
    INTS("strides", f.strides, f.n), INTS("pads_begin", f.begin, f.n),                             \
        INTS("pads_end", f.end, f.n), INTS("dilations", dilated, f.n),                             \
        WORD("auto_pad", f.auto_pad)
#define POOL(f, dilated, ceil)                                                                     \
    FIELD(f, dilated), INTS("kernel", f.kernel, f.n),                                              \
        WORD("rounding_type", ceil ? "ceil_torch" : "floor")

/* Adds operand I, a list with an element for each channel, to X along axis 1. */
static inlay_value *add_bias(onnx_node *n, inlay_value *x, int i)
{
    if (!onnx_in(n, i) || !x)
        return x;
    return onnx_binary(n, "Add", x, onnx_list_along(n, i, n->in[i], x, 1));
}

/* Reshapes filters [M, C/group, k...] to [group, M/group, C/group, k...]. */
static inlay_value *in_groups(onnx_node *n, inlay_value *filters, int64_t group)
{
    int64_t shape[INLAY_MAX_RANK + 1] = {group};
    const inlay_fact *f = &filters->fact;

    for (int i = 0; i < f->rank; i++) {
        if (onnx_known_size(n, filters, i) < 0)
            return NULL;
        shape[i + 1] = f->dims[i].lo;
    }
    if (group < 1 || f->rank < 3 || f->rank >= INLAY_MAX_RANK || shape[1] % group != 0) {
        onnx_node_fail(n, "attribute \"group\" is %lld, it does not divide the filters",
                       (long long)group);
        return NULL;
    }
    shape[1] /= group;
    return onnx_reshape(n, filters, onnx_list(n, shape, f->rank + 1));
}

/* Returns the size of spatial axis I of V; -1: the size is not known. */
static int64_t spatial_size(const inlay_value *v, int i)
{
    bool known = v->fact.rank > i + 2 && inlay_dim_is_static(v->fact.dims[i + 2]);

    return known ? v->fact.dims[i + 2].lo : -1;
}

/* Checks that attribute kernel_shape, if present, agrees with the sizes of the filters. */
static bool has_kernel(onnx_node *n, const inlay_value *filters, const field *f)
{
    for (int i = 0; onnx_attr(n, "kernel_shape") && i < f->n; i++) {
        int64_t size = spatial_size(filters, i);

        if (size >= 0 && size != f->kernel[i])
            return onnx_node_fail(n, "kernel_shape[%d] is %lld, the filters have %lld there", i,
                                  (long long)f->kernel[i], (long long)size);
    }
    return true;
}

inlay_value *onnx_convolve(onnx_node *n, inlay_value *data, inlay_value *filters)
{
    bool ok = data && filters;
    int64_t group = onnx_attr_int(n, "group", 1, &ok);
    field f;

    if (!ok || !read_field(n, filters, &f) || !has_kernel(n, filters, &f))
        return NULL;
    if (group != 1 && !(filters = in_groups(n, filters, group)))
        return NULL;
    return onnx_make(n, group == 1 ? "Convolution" : "GroupConvolution", 2,
                     (inlay_value *[]){data, filters}, ATTRS(FIELD(f, f.dilations)));
}

static bool import_conv(onnx_node *n)
{
    inlay_value *y = onnx_convolve(n, n->in[0], n->in[1]);

    return onnx_give(n, 0, add_bias(n, y, 2));
}

/* The convolution of X, plus a bias and operand 3, and then an activation. */
static inlay_value *fused_conv(onnx_node *n, inlay_value *x, inlay_value *more)
{
    bool ok = true;
    int count;
    const char *name = onnx_attr_string(n, "activation", "", &ok);
    const float *list = onnx_attr_floats(n, "activation_params", &count, &ok);
    double p[MAKE_PARAMETERS] = {0};
    inlay_value *y = ok ? add_bias(n, onnx_convolve(n, x, n->in[1]), 2) : NULL;

    count = count < MAKE_PARAMETERS ? count : MAKE_PARAMETERS;
    for (int i = 0; i < count; i++)
        p[i] = (double)list[i];
    if (more)
        y = onnx_binary(n, "Add", y, more);
    return make_activation(n, y, name, p, count);
}

static bool import_fused_conv(onnx_node *n)
{
    return onnx_give(n, 0, fused_conv(n, n->in[0], onnx_in(n, 3)));
}

/* Data and result have their channels in the last axis; the filters are like those of Conv. */
static bool import_nhwc_conv(onnx_node *n)
{
    inlay_value *more = onnx_in(n, 3) ? make_channels_second(n, n->in[3], false) : NULL;
    inlay_value *x = make_channels_second(n, n->in[0], false);

    if (!x || (onnx_in(n, 3) && !more))
        return false;
    return onnx_give(n, 0, make_channels_second(n, fused_conv(n, x, more), true));
}

static bool is_count(int64_t x)
{
    return x >= 1 && x <= INT32_MAX;
}

/* Returns the size of spatial axis I of V, one of F's; -1: the size is not known. */
static int64_t known_size(onnx_node *n, const inlay_value *v, int i, const field *f)
{
    int rank = onnx_rank(n, v);

    if (rank >= 0 && rank != f->n + 2)
        onnx_node_fail(n, "the data has %d ax%s, the filters have %d", rank,
                       inlay_plural(rank, "is", "es"), f->n + 2);
    return rank == f->n + 2 ? onnx_known_size(n, v, i + 2) : -1;
}

/* Sets the padding so that the output has the sizes in attribute output_shape or, with SAME, those
 * of the data times the strides. An excess becomes padding, its odd element behind with SAME_UPPER,
 * else in front; a lack becomes output padding. */
static bool fit_output(onnx_node *n, field *f, int64_t *padding)
{
    bool ok = true;
    int count;
    const int64_t *shape = onnx_attr_ints(n, "output_shape", &count, &ok);

    if (!ok || (!shape && f->auto_pad[0] != 's'))
        return ok;
    if (shape && count != f->n && count != f->n + 2)
        return onnx_node_fail(n, "attribute \"output_shape\" has %d element%s, it must have %d",
                              count, inlay_plural(count, "", "s"), f->n);
    onnx_promise(n, n->in[0]->fact.type, f->n + 2);
    for (int i = 0; i < f->n; i++) {
        int64_t kernel = known_size(n, n->in[1], i, f), size = known_size(n, n->in[0], i, f), full,
                wanted, more;

        if (size < 0 || kernel < 0)
            return false;
        if (size > INT32_MAX || kernel > INT32_MAX || f->strides[i] < 1 || f->dilations[i] < 1 ||
            (shape && !is_count(shape[count - f->n + i])))
            return onnx_node_fail(
                n,
                "attribute \"output_shape\", \"strides\" or \"dilations\", or a size has a number "
                "that is not from 1 to %d",
                INT32_MAX);
        full = f->strides[i] * (size - 1) + (kernel - 1) * f->dilations[i] + 1 + padding[i];
        wanted = shape ? shape[count - f->n + i] : size * f->strides[i];
        more = full > wanted ? full - wanted : 0;
        f->begin[i] = strcmp(f->auto_pad, "same_upper") == 0 ? more / 2 : more - more / 2;
        f->end[i] = more - f->begin[i];
        padding[i] += wanted > full ? wanted - full : 0;
    }
    f->auto_pad = "explicit";
    return true;
}

/* The transposed convolution, without its bias. */
static inlay_value *transposed(onnx_node *n)
{
    bool ok = true;
    int64_t group = onnx_attr_int(n, "group", 1, &ok), padding[INLAY_MAX_RANK];
    inlay_value *filters = n->in[1];
    field f;

    if (!ok || !read_field(n, filters, &f) || !has_kernel(n, filters, &f) ||
        !read_list(n, "output_padding", 0, f.n, 0, f.n, padding) || !fit_output(n, &f, padding) ||
        (group != 1 && !(filters = in_groups(n, filters, group))))
        return NULL;
    return onnx_make(n, group == 1 ? "ConvolutionBackpropData" : "GroupConvolutionBackpropData", 2,
                     (inlay_value *[]){n->in[0], filters},
                     ATTRS(FIELD(f, f.dilations), INTS("output_padding", padding, f.n)));
}

static bool import_conv_transpose(onnx_node *n)
{
    inlay_value *y = transposed(n);

    return onnx_give(n, 0, add_bias(n, y, 2));
}

/* Pads that the run says, an operand: so much is cut off from the result. */
static inlay_value *cropped(onnx_node *n, inlay_value *x, int i)
{
    inlay_value *pads = onnx_counted(n, i, 2 * (x->fact.rank - 2)), *in[5];
    int64_t count = x->fact.rank - 2, both = 2 * count, zero = 0;
    inlay_value *half = onnx_list(n, &count, 1), *spatial;

    if (!pads || !half)
        return NULL;
    spatial = make_cut(n, onnx_shape_of(n, x), 0, onnx_list(n, (int64_t[]){2}, 1),
                       onnx_list(n, (int64_t[]){x->fact.rank}, 1), 1);
    in[0] = x;
    in[1] = make_cut(n, pads, 0, onnx_list(n, &zero, 1), half, 1);
    in[2] =
        onnx_binary(n, "Subtract", spatial, make_cut(n, pads, 0, half, onnx_list(n, &both, 1), 1));
    in[3] = onnx_fill(n, onnx_integer(n, 1), half);
    in[4] = onnx_axes(n, 2, x->fact.rank);
    return in[4] ? onnx_make(n, "Slice", 5, in, NULL) : NULL;
}

static bool import_padded_transpose(onnx_node *n)
{
    inlay_value *y = transposed(n);

    if (y && onnx_in(n, 2))
        y = onnx_rank(n, y) < 0 ? NULL : cropped(n, y, 2);
    return onnx_give(n, 0, add_bias(n, y, 3));
}

/* Converts INDICES into X, whose fastest axis is the last one, to indices whose fastest axis is the
 * first spatial one: in a plane of 2 rows and 3 columns, 1 becomes 2. */
static inlay_value *first_axis_fastest(onnx_node *n, inlay_value *indices, inlay_value *x)
{
    inlay_value *left = indices, *plane = onnx_integer(n, 1), *sum = NULL;
    inlay_value *sizes[INLAY_MAX_RANK], *faster = plane;

    for (int i = 2; i < x->fact.rank; i++) {
        sizes[i] = onnx_size(n, x, i);
        plane = onnx_binary(n, "Multiply", plane, sizes[i]);
    }
    sum = onnx_binary(n, "Subtract", left, onnx_binary(n, "FloorMod", left, plane));
    left = onnx_binary(n, "FloorMod", left, plane);
    for (int i = 2; i < x->fact.rank; i++) {
        inlay_value *step = onnx_integer(n, 1), *place;

        for (int k = i + 1; k < x->fact.rank; k++)
            step = onnx_binary(n, "Multiply", step, sizes[k]);
        place = onnx_binary(n, "Divide", left, step);
        left = onnx_binary(n, "FloorMod", left, step);
        sum = onnx_binary(n, "Add", sum, onnx_binary(n, "Multiply", place, faster));
        faster = onnx_binary(n, "Multiply", faster, sizes[i]);
    }
    return sum;
}

static bool import_max_pool(onnx_node *n)
{
    bool ok = true;
    bool ceil = onnx_attr_int(n, "ceil_mode", 0, &ok) != 0;
    bool columns = onnx_attr_int(n, "storage_order", 0, &ok) != 0;
    inlay_value *indices;
    inlay_node *made;
    field f;

    if (!ok || !read_pool(n, &f))
        return false;
    made = onnx_make_node(n, "MaxPool", 1, n->in, ATTRS(POOL(f, f.dilations, ceil)));
    if (!made || !onnx_give(n, 0, &made->out[0]))
        return false;
    indices = &made->out[1];
    if (columns && onnx_wants(n, 1))
        indices = first_axis_fastest(n, indices, n->in[0]);
    return onnx_give(n, 1, indices);
}

/* A MaxPool whose channels come last. */
static bool import_nhwc_max_pool(onnx_node *n)
{
    bool ok = true, ceil = onnx_attr_int(n, "ceil_mode", 0, &ok) != 0;
    inlay_value *x = n->in[0];
    inlay_node *made;
    field f;

    if (!ok || !read_pool(n, &f) || !(x = make_channels_second(n, x, false)))
        return false;
    made = onnx_make_node(n, "MaxPool", 1, &x, ATTRS(POOL(f, f.dilations, ceil)));
    return made && onnx_give(n, 0, make_channels_second(n, &made->out[0], true));
}

/* Returns the sizes of the operand from which a MaxPool with the node's attributes makes X, as a
 * list: the size of a spatial axis is (size - 1) * stride + kernel - pads. */
static inlay_value *unpooled_sizes(onnx_node *n, inlay_value *x, const field *f)
{
    int64_t times[INLAY_MAX_RANK] = {1, 1}, more[INLAY_MAX_RANK] = {0, 0};

    for (int i = 0; i < f->n; i++) {
        times[2 + i] = f->strides[i];
        more[2 + i] = f->kernel[i] - f->strides[i] - f->begin[i] - f->end[i];
    }
    return onnx_binary(
        n, "Add", onnx_binary(n, "Multiply", onnx_shape_of(n, x), onnx_list(n, times, f->n + 2)),
        onnx_list(n, more, f->n + 2));
}

/* Scatters X to the places INDICES of a tensor of zeros with these SIZES. */
static inlay_value *scattered(onnx_node *n, inlay_value *x, inlay_value *indices,
                              inlay_value *sizes)
{
    inlay_value *zero = onnx_number(n, x->fact.type, 0), *axis = onnx_integer(n, 0), *zeros,
                *flat = onnx_list(n, (int64_t[]){-1}, 1);
    inlay_value *count = onnx_make(n, "ReduceProd", 2, (inlay_value *[]){sizes, axis},
                                   ATTRS(FLAG("keep_dims", true)));
    inlay_value *in[4] = {onnx_fill(n, zero, count), onnx_reshape(n, indices, flat),
                          onnx_reshape(n, x, flat), axis};

    zeros = onnx_make(n, "ScatterElementsUpdate", 4, in, NULL);
    return onnx_reshape(n, zeros, sizes);
}

/* The indices count in the operand of the MaxPool; output_shape adds zeros behind that. */
static bool import_max_unpool(onnx_node *n)
{
    inlay_value *x = n->in[0], *shape = onnx_in(n, 2), *sizes, *y, *in[3];
    inlay_shape own = onnx_shape(x);
    field f;

    if (!read_pool(n, &f) || !onnx_has_shape(n, 1, &own) ||
        (shape && !(shape = onnx_counted(n, 2, own.rank))))
        return false;
    sizes = unpooled_sizes(n, x, &f);
    y = scattered(n, x, n->in[1], sizes);
    if (!shape || !y)
        return onnx_give(n, 0, y);
    in[0] = y;
    in[1] = onnx_list(n, (int64_t[INLAY_MAX_RANK]){0}, x->fact.rank);
    in[2] = onnx_binary(n, "Subtract", shape, sizes);
    return in[1] && in[2] &&
           onnx_give(n, 0, onnx_make(n, "Pad", 3, in, ATTRS(WORD("pad_mode", "constant"))));
}

static bool all_ones(const int64_t *x, int n)
{
    for (int i = 0; i < n; i++) {
        if (x[i] != 1)
            return false;
    }
    return true;
}

/* With count_include_pad the padding counts, but not what ceil_mode adds behind it; so does
 * exclude-pad=false. */
static bool import_average_pool(onnx_node *n)
{
    bool ok = true;
    bool ceil = onnx_attr_int(n, "ceil_mode", 0, &ok) != 0,
         include = onnx_attr_int(n, "count_include_pad", 0, &ok) != 0;
    const int64_t *dilated = NULL; /* rules recognise an absent list as no dilation */
    field f;

    if (!ok || !read_pool(n, &f))
        return false;
    if (!all_ones(f.dilations, f.n))
        dilated = f.dilations;
    return onnx_give(n, 0,
                     onnx_make(n, "AvgPool", 1, n->in,
                               ATTRS(POOL(f, dilated, ceil), FLAG("exclude-pad", !include))));
}

static bool import_lp_pool(onnx_node *n)
{
    bool ok = true;
    bool ceil = onnx_attr_int(n, "ceil_mode", 0, &ok) != 0;
    double power =
        n->version < 2 ? onnx_attr_float(n, "p", 2, &ok) : (double)onnx_attr_int(n, "p", 2, &ok);
    field f;

    if (!ok || !read_pool(n, &f))
        return false;
    if (power != floor(power) || power < 1 || power >= 0x1p63)
        return onnx_node_fail(n, "attribute \"p\" is %g, it must be a positive integer", power);
    return onnx_give(n, 0,
                     onnx_make(n, "LpPool@onnx18", 1, n->in,
                               ATTRS(POOL(f, f.dilations, ceil), INT("p", (int64_t)power))));
}

/* All axes behind the first two are reduced to size 1. */
static bool import_global_pool(onnx_node *n)
{
    int rank = onnx_rank(n, n->in[0]);
    inlay_value *list = rank >= 2 ? onnx_axes(n, 2, rank) : NULL;

    return list && onnx_give(n, 0,
                             onnx_make(n, n->op->as, 2, (inlay_value *[]){n->in[0], list},
                                       ATTRS(FLAG("keep_dims", true))));
}

/* A point less than one element outside of the image is interpolated between its edge and 0. */
static bool import_deform_conv(onnx_node *n)
{
    bool ok = true;
    int64_t group = onnx_attr_int(n, "group", 1, &ok),
            parts = onnx_attr_int(n, "offset_group", 1, &ok);
    inlay_value *in[] = {n->in[0], n->in[2], n->in[1], onnx_in(n, 4)};
    inlay_value *y;
    field f;

    if (!ok || !read_field(n, n->in[1], &f) || !has_kernel(n, n->in[1], &f))
        return false;
    if (f.n != 2)
        return onnx_node_fail(n, "the data has %d ax%s, 4 are read", f.n + 2,
                              inlay_plural(f.n + 2, "is", "es"));
    y = onnx_make(n, "DeformableConvolution", 4, in,
                  ATTRS(FIELD(f, f.dilations), INT("group", group), INT("deformable_group", parts),
                        FLAG("bilinear_interpolation_pad", true)));
    return onnx_give(n, 0, add_bias(n, y, 3));
}

/* Col2Im-15 takes images of two axes only. */
static bool import_col2im(onnx_node *n)
{
    const inlay_fact *image = &n->in[1]->fact;
    bool flat = image->rank == 1 && inlay_dim_is_static(image->dims[0]) && image->dims[0].lo == 2;
    bool ok = true;
    int n_strides, n_dilations, n_pads;
    const int64_t *strides = onnx_attr_ints(n, "strides", &n_strides, &ok);
    const int64_t *dilations = onnx_attr_ints(n, "dilations", &n_dilations, &ok);
    const int64_t *pads = onnx_attr_ints(n, "pads", &n_pads, &ok);
    const int half = n_pads / 2;

    return ok &&
           onnx_give(n, 0,
                     onnx_make(n, flat ? "Col2Im" : "Col2Im@onnx18", 3, n->in,
                               ATTRS(INTS("strides", strides, n_strides),
                                     INTS("dilations", dilations, n_dilations),
                                     INTS(flat ? "pads_begin" : "pads", pads, flat ? half : n_pads),
                                     INTS("pads_end", flat && pads ? pads + half : NULL,
                                          n_pads - half))));
}

/* Returns the p-th root of the sum over all spatial axes of |x|^p, which is computed in units of
 * the largest number. */
static bool import_global_lp_pool(onnx_node *n)
{
    bool ok = true;
    double p =
        n->version < 2 ? onnx_attr_float(n, "p", 2, &ok) : (double)onnx_attr_int(n, "p", 2, &ok);
    inlay_value *x = make_wide(n, n->in[0]), *axes, *unit;
    int rank = onnx_rank(n, n->in[0]);

    axes = ok && x && rank >= 2 ? onnx_axes(n, 2, rank) : NULL;
    if (!axes)
        return false;
    unit = make_unit(n, x, axes);
    if (!unit)
        return false;
    x = onnx_unary(n, "Abs", onnx_binary(n, "Divide", x, unit));
    x = onnx_binary(n, "Power", x, onnx_number(n, unit->fact.type, p));
    x = make_reduce(n, "ReduceSum", x, axes, true);
    x = onnx_binary(n, "Power", x, onnx_number(n, unit->fact.type, 1 / p));
    x = onnx_binary(n, "Multiply", x, unit);
    return onnx_give(n, 0, onnx_convert(n, x, n->in[0]->fact.type));
}

const onnx_operator onnx_operators_spatial[] = {
    {"AveragePool", 1, import_average_pool, NULL, 1},
    {"Col2Im", 18, import_col2im, NULL, 3},
    {"Conv", 1, import_conv, NULL, 2},
    {"ConvTranspose", 1, import_conv_transpose, NULL, 2},
    {"DeformConv", 19, import_deform_conv, NULL, 3},
    {"GlobalAveragePool", 1, import_global_pool, "ReduceMean", 1},
    {"GlobalLpPool", 2, import_global_lp_pool, NULL, 1},
    {"GlobalLpPool", 1, import_global_lp_pool, NULL, 1},
    {"GlobalMaxPool", 1, import_global_pool, "ReduceMax", 1},
    {"LpPool", 2, import_lp_pool, NULL, 1},
    {"LpPool", 1, import_lp_pool, NULL, 1},
    {"MaxPool", 1, import_max_pool, NULL, 1},
    {"MaxUnpool", 9, import_max_unpool, NULL, 2},
    {"com.microsoft.ConvTransposeWithDynamicPads", 1, import_padded_transpose, NULL, 2},
    {"com.microsoft.FusedConv", 1, import_fused_conv, NULL, 2},
    {"com.microsoft.NhwcConv", 1, import_nhwc_conv, NULL, 2},
    {"com.microsoft.NhwcFusedConv", 1, import_nhwc_conv, NULL, 2},
    {"com.microsoft.NhwcMaxPool", 1, import_nhwc_max_pool, NULL, 1},
    {NULL, 0, NULL, NULL, 0},
};

/* Exports. */

static const char *onnx_auto_pad(const onnx_export *x)
{
    static const char *const words[][2] = {
        {"valid", "VALID"}, {"same_upper", "SAME_UPPER"}, {"same_lower", "SAME_LOWER"}};
    const char *own =
        inlay_op_attr(x->n->op, "auto_pad") >= 0 ? inlay_node_string(x->n, "auto_pad") : "explicit";

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(words[i][0], own) == 0)
            return words[i][1];
    }
    return NULL;
}

/* The attributes of a node that say where a kernel is laid, as ONNX spells them. */
typedef struct laid {
    const int64_t *strides, *dilations, *kernel;
    int64_t pads[2 * INLAY_MAX_RANK];
    int n_strides, n_dilations, n_kernel, n_pads;
    const char *auto_pad;
} laid;

static const int64_t *list_of(const onnx_export *x, const char *name, int *count)
{
    *count = 0;
    return inlay_op_attr(x->n->op, name) >= 0 ? inlay_node_ints(x->n, name, count) : NULL;
}

static laid laid_as(const onnx_export *x)
{
    laid l = {.auto_pad = onnx_auto_pad(x)};
    int n_end;
    const int64_t *begin = list_of(x, "pads_begin", &l.n_pads),
                  *end = list_of(x, "pads_end", &n_end);

    l.strides = list_of(x, "strides", &l.n_strides);
    l.dilations = list_of(x, "dilations", &l.n_dilations);
    l.kernel = list_of(x, "kernel", &l.n_kernel);
    for (int i = 0; i < l.n_pads && i < n_end; i++) {
        l.pads[i] = begin[i];
        l.pads[l.n_pads + i] = end[i];
    }
    l.n_pads = l.auto_pad || n_end != l.n_pads ? 0 : 2 * l.n_pads;
    if (l.n_dilations == 0 || all_ones(l.dilations, l.n_dilations))
        l.dilations = NULL;
    return l;
}

#define LAID(l)                                                                                    \
    INTS("strides", l.strides, l.n_strides),                                                       \
        INTS("pads", l.n_pads ? l.pads : NULL, l.n_pads ? l.n_pads : 1),                           \
        INTS("dilations", l.dilations, l.n_dilations ? l.n_dilations : 1),                         \
        WORD("auto_pad", l.auto_pad)

/* Filters [G, M, C, k...] as [G * M, C, k...]: what a reshape made them of, another constant, or a
 * Reshape. */
static const char *ungrouped(onnx_export *x, int64_t *groups)
{
    const inlay_value *v = x->n->in[1].value, *from;
    int64_t dims[INLAY_MAX_RANK];
    int rank = v->fact.rank - 1;
    inlay_tensor *t;

    if (rank < 2 || !inlay_fact_dims(&v->fact, dims))
        return put_refuse(x, "the sizes of its filters are not known"), NULL;
    *groups = dims[0];
    dims[1] *= dims[0];
    from = v->node->op->flags & INLAY_RESHAPES ? inlay_node_input(v->node, 0) : NULL;
    if (from && from->fact.rank == rank && inlay_dim_is_static(from->fact.dims[0]) &&
        from->fact.dims[0].lo == dims[1])
        return put_value(x, from);
    t = v->fact.content && inlay_tensor_is_dense(v->fact.content) && v->fact.content->offset == 0
            ? inlay_tensor_over(v->fact.content->buffer, v->fact.content->data, v->fact.type, rank,
                                dims + 1)
            : NULL;
    return t ? put_own_tensor(x, "filters", t) : put_reshape(x, put_in(x, 1), dims + 1, rank);
}

/* The codes of 8 bits of which V is the difference to their zero points, which are a number or a
 * list; *ZERO: "" without one. NULL: V is none. */
static const char *codes_of(onnx_export *x, const inlay_value *v, const char **zero)
{
    const inlay_value *less = put_operand_of(v, "Subtract", 1),
                      *wide = less ? put_operand_of(v, "Subtract", 0) : v;
    const inlay_value *codes = put_operand_of(wide, "Convert", 0),
                      *point = put_operand_of(less, "Convert", 0),
                      *list = put_operand_of(point, "Reshape", 0);

    point = list && list->fact.rank <= 1 ? list : point;
    if (!codes || (codes->fact.type != INLAY_I8 && codes->fact.type != INLAY_U8) ||
        (less && (!point || point->fact.rank > 1 || point->fact.type != codes->fact.type)))
        return NULL;
    *zero = point ? put_value(x, point) : "";
    return put_value(x, codes);
}

/* A convolution of integers, if it is one of codes. */
static const char *integer_conv(onnx_export *x, const laid *l)
{
    const char *zeros[2], *data = codes_of(x, x->n->in[0].value, &zeros[0]),
                          *filters = data ? codes_of(x, x->n->in[1].value, &zeros[1]) : NULL;

    return filters ? put(x, "ConvInteger", IN(data, filters, zeros[0], zeros[1]), ATTRS(LAID((*l))))
                   : NULL;
}

static bool export_conv(onnx_export *x)
{
    bool grouped = strncmp(x->n->op->name, "Group", 5) == 0,
         back = strcmp(x->how->as, "ConvTranspose") == 0;
    int64_t groups = 1;
    const char *filters = grouped ? ungrouped(x, &groups) : put_in(x, 1);
    int n_more;
    const int64_t *more = list_of(x, "output_padding", &n_more);
    laid l = laid_as(x);
    const char *whole = grouped || back || put_type(x, 0) != INLAY_I32 ? NULL : integer_conv(x, &l);

    if (whole)
        return put_give(x, 0, whole);
    if (back && l.auto_pad) { /* without a size of the result it takes nothing away; ONNX's does */
        l.auto_pad = NULL;
        l.n_pads = 0;
    }
    if (!(PUT_BASIC & PUT_BIT(put_type(x, 0))) &&
        !(put_type(x, 0) == INLAY_BF16 && put_needs(x, 22, "bf16")))
        return put_refuse(x, "%s of %s", x->how->as, inlay_type_info_of(put_type(x, 0))->name);
    if (inlay_node_input(x->n, 2))
        return put_refuse(x, "a size of the result that is an operand");
    return put_give(x, 0,
                    put(x, x->how->as, IN(put_in(x, 0), filters),
                        back && n_more > 0 && more ? ATTRS(LAID(l), INT("group", groups),
                                                           INTS("output_padding", more, n_more))
                        : groups != 1              ? ATTRS(LAID(l), INT("group", groups))
                                                   : ATTRS(LAID(l))));
}

/* Of bytes, less their zero points; what stands behind the sums is that of MatMulQuantized. */
static bool export_conv_quantized(onnx_export *x)
{
    int64_t groups = 1;
    const char *filters = inlay_node_bool(x->n, "grouped") ? ungrouped(x, &groups) : put_in(x, 1);
    const char *zeros[] = {put_zero_of(x, 0), put_zero_of(x, 1)};
    laid l = laid_as(x);

    if (put_rank(x, 0) < 0)
        return false;
    if (!zeros[0] || !zeros[1])
        return put_refuse(x, "a zero point that is not known");
    return put_ends(x,
                    put(x, "ConvInteger", IN(put_in(x, 0), filters, zeros[0], zeros[1]),
                        ATTRS(LAID(l), INT("group", groups))),
                    put_fact(x, 0)->rank - 2);
}

/* Whether some window begins behind the data, as OpenVINO's `ceil` lets it, and ONNX does not. */
static bool begins_behind(const onnx_export *x, const laid *l)
{
    const inlay_fact *in = put_fact(x, 0), *out = &x->n->out[0].fact;
    int axes = in->rank - 2;

    for (int i = 0; i < axes; i++) {
        int64_t size = put_size(x, 0, i + 2),
                places = out->rank == in->rank ? out->dims[i + 2].lo : -1;

        if (size < 0 || places < 0 ||
            (places - 1) * l->strides[i] >= size + (l->n_pads > i ? l->pads[i] : 0))
            return true;
    }
    return axes < 1;
}

static bool export_pool(onnx_export *x)
{
    const char *rounding = inlay_node_string(x->n, "rounding_type"), *out[2];
    bool ceil = rounding && *rounding == 'c', average = strcmp(x->how->as, "AveragePool") == 0;
    bool lp = strcmp(x->how->as, "LpPool") == 0, indices = x->n->n_out > 1 && put_wants(x, 1);
    inlay_type type = put_wider(put_type(x, 0), x->how->types);
    bool include = average && !inlay_node_bool(x->n, "exclude-pad");
    laid l = laid_as(x);

    if (type == INLAY_DYNAMIC || (average && inlay_type_is_int(put_type(x, 0))))
        return put_refuse(x, "%s of %s", x->how->as, inlay_type_info_of(put_type(x, 0))->name);
    if (lp && inlay_node_int(x->n, "p") < 1)
        return put_refuse(x, "a norm of p = %lld", (long long)inlay_node_int(x->n, "p"));
    if (ceil && strcmp(rounding, "ceil") == 0 && begins_behind(x, &l))
        return put_refuse(x, "windows that may begin behind the data (rounding_type=ceil)");
    if (indices && inlay_node_int(x->n, "axis") != 0)
        return put_refuse(x, "indices that count from axis %lld",
                          (long long)inlay_node_int(x->n, "axis"));
    if (((average && l.dilations) && !put_needs(x, 19, "dilations")) ||
        ((lp && (l.dilations || ceil)) && !put_needs(x, 18, "dilations and ceil_mode of LpPool")))
        return false;
    if (!put_many(
            x, x->how->as, IN(put_as(x, 0, type)),
            ATTRS(INTS("kernel_shape", l.kernel, l.n_kernel), LAID(l),
                  ceil ? INT("ceil_mode", 1) : WORD("ceil_mode", NULL),
                  average ? INT("count_include_pad", include) : WORD("count_include_pad", NULL),
                  lp ? INT("p", inlay_node_int(x->n, "p")) : WORD("p", NULL)),
            indices ? 2 : 1, out) ||
        !put_give_as(x, 0, out[0], type))
        return false;
    return !indices || put_give(x, 1,
                                x->n->out[1].fact.type == INLAY_I64
                                    ? out[1]
                                    : put_cast(x, out[1], x->n->out[1].fact.type));
}

/* ONNX has places between the image and zeros beside it, which OpenVINO may leave out. */
static bool export_deformable(onnx_export *x)
{
    laid l = laid_as(x);
    bool between = inlay_op_attr(x->n->op, "bilinear_interpolation_pad") >= 0 &&
                   inlay_node_bool(x->n, "bilinear_interpolation_pad");

    if (!(PUT_BASIC & PUT_BIT(put_type(x, 0))))
        return put_refuse(x, "DeformConv of %s", inlay_type_info_of(put_type(x, 0))->name);
    if (!between)
        return put_refuse(x, "places beside the image that count nothing");
    if (l.auto_pad)
        return put_refuse(x, "auto_pad");
    return put_give(x, 0,
                    put(x, "DeformConv",
                        IN(put_in(x, 0), put_in(x, 2), put_in(x, 1), "",
                           inlay_node_input(x->n, 3) ? put_in(x, 3) : ""),
                        ATTRS(LAID(l), INT("group", inlay_node_int(x->n, "group")),
                              INT("offset_group", inlay_node_int(x->n, "deformable_group")))));
}

/* OpenVINO's images have two axes, and there may be no batch. */
static bool export_col2im(onnx_export *x)
{
    bool own = strcmp(x->n->op->set, "onnx") == 0;
    int rank = put_rank(x, 0), n_strides, n_dilations, n_pads;
    const int64_t *strides = list_of(x, "strides", &n_strides),
                  *dilations = list_of(x, "dilations", &n_dilations),
                  *pads = list_of(x, "pads", &n_pads), first = 0;
    const char *v = put_in(x, 0), *y;
    laid l;

    if (!own) {
        l = laid_as(x);
        pads = l.pads;
        n_pads = l.n_pads;
    }
    if (rank < 0)
        return false;
    v = !own && rank == 2 ? put_unsqueeze(x, v, &first, 1) : v;
    y = put(x, "Col2Im", IN(v, put_i64_list(x, 1), put_i64_list(x, 2)),
            ATTRS(INTS("strides", strides, n_strides ? n_strides : 1),
                  INTS("dilations", dilations, n_dilations ? n_dilations : 1),
                  INTS("pads", n_pads ? pads : NULL, n_pads)));
    return put_give(x, 0, !own && rank == 2 ? put_squeeze(x, y, &first, 1) : y);
}

const onnx_exporter onnx_exporters_spatial[] = {
    {"Col2Im", export_col2im, NULL, 18, PUT_ANY},
    {"Col2Im@onnx", export_col2im, NULL, 18, PUT_ANY},
    {"DeformableConvolution", export_deformable, NULL, 19, PUT_ANY},
    {"AvgPool", export_pool, "AveragePool", 0, PUT_BASIC},
    {"Convolution", export_conv, "Conv", 0, PUT_ANY},
    {"ConvolutionBackpropData", export_conv, "ConvTranspose", 0, PUT_ANY},
    {"ConvolutionQuantized@inlay", export_conv_quantized, NULL, 0, PUT_ANY},
    {"GroupConvolution", export_conv, "Conv", 0, PUT_ANY},
    {"GroupConvolutionBackpropData", export_conv, "ConvTranspose", 0, PUT_ANY},
    {"LpPool@onnx", export_pool, "LpPool", 0, PUT_BASIC},
    {"MaxPool", export_pool, "MaxPool", 0, PUT_BASIC | PUT_BIT(INLAY_I8) | PUT_BIT(INLAY_U8)},
    {NULL, NULL, NULL, 0, PUT_ANY},
};

/* Convolutions and pools. */
#include "parser/onnx/import.h"

#include <stdio.h>
#include <string.h>

/* The attributes that say where a kernel is laid on its data, as OpenVINO spells them; N spatial
 * axes. */
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
        return onnx_node_fail(n, "attribute \"%s\" has %d elements, it must have %d", name, given,
                              wanted);
    for (int i = 0; i < count; i++)
        out[i] = list ? list[first + i] : absent;
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

/* The axes behind the first two of X. */
static bool read_field(onnx_node *n, const inlay_value *x, field *f)
{
    int rank = onnx_rank(n, x);

    *f = (field){.n = rank - 2};
    if (rank < 0)
        return false;
    if (rank < 3)
        return onnx_node_fail(n, "the data has %d axes, it must have 3 or more", rank);
    return read_list(n, "strides", 0, f->n, 1, f->n, f->strides) &&
           read_list(n, "dilations", 0, f->n, 1, f->n, f->dilations) &&
           read_list(n, "pads", 0, f->n, 0, 2 * f->n, f->begin) &&
           read_list(n, "pads", f->n, f->n, 0, 2 * f->n, f->end) &&
           read_list(n, "kernel_shape", 0, f->n, 1, f->n, f->kernel) && read_auto_pad(n, f);
}

enum { TEXT = 400 };

static void put_list(char *text, const char *name, const int64_t *x, int count)
{
    size_t n = strlen(text);

    n += (size_t)snprintf(text + n, TEXT - n, "%s%s=", n > 0 ? "; " : "", name);
    for (int i = 0; i < count && n < TEXT; i++)
        n += (size_t)snprintf(text + n, TEXT - n, "%s%lld", i ? "," : "", (long long)x[i]);
}

/* "strides=1,1; pads_begin=0,0; ..." */
static void put_field(char *text, const field *f, bool dilations)
{
    text[0] = '\0';
    put_list(text, "strides", f->strides, f->n);
    put_list(text, "pads_begin", f->begin, f->n);
    put_list(text, "pads_end", f->end, f->n);
    if (dilations)
        put_list(text, "dilations", f->dilations, f->n);
}

/* BIAS, a list with an element for each channel, added to X along axis 1. */
static inlay_value *add_bias(onnx_node *n, inlay_value *x, inlay_value *bias)
{
    if (!bias || !x)
        return x;
    return onnx_binary(n, "Add", x, onnx_along_axis(n, bias, 1, x->fact.rank));
}

/* Filters [M, C/group, k...] as [group, M/group, C/group, k...]. */
static inlay_value *in_groups(onnx_node *n, inlay_value *filters, int64_t group)
{
    int64_t shape[INLAY_MAX_RANK + 1] = {group};
    const inlay_fact *f = &filters->fact;

    for (int i = 0; i < f->rank; i++) {
        if (!inlay_dim_is_static(f->dims[i])) {
            onnx_node_fail(n, "the shape of the filters must be known where there are groups");
            return NULL;
        }
        shape[i + 1] = i == 0 ? f->dims[i].lo / group : f->dims[i].lo;
    }
    if (group < 1 || f->rank < 3 || f->rank >= INLAY_MAX_RANK || f->dims[0].lo % group != 0) {
        onnx_node_fail(n, "attribute \"group\" is %lld, it does not divide the filters",
                       (long long)group);
        return NULL;
    }
    return onnx_reshape(n, filters, onnx_list(n, shape, f->rank + 1));
}

inlay_value *onnx_convolve(onnx_node *n, inlay_value *data, inlay_value *filters)
{
    bool ok = data && filters;
    int64_t group = onnx_attr_int(n, "group", 1, &ok);
    char attrs[TEXT];
    field f;

    if (!ok || !read_field(n, filters, &f))
        return NULL;
    if (group != 1 && !(filters = in_groups(n, filters, group)))
        return NULL;
    put_field(attrs, &f, true);
    return onnx_make(n, group == 1 ? "Convolution" : "GroupConvolution", 2,
                     (inlay_value *[]){data, filters}, "%s; auto_pad=%s", attrs, f.auto_pad);
}

static bool import_conv(onnx_node *n)
{
    inlay_value *y = onnx_convolve(n, n->in[0], n->in[1]);

    return onnx_give(n, 0, add_bias(n, y, onnx_in(n, 2)));
}

/* The size of spatial axis I of V; -1 where it is not known. */
static int64_t spatial_size(const inlay_value *v, int i)
{
    bool known = v->fact.rank > i + 2 && inlay_dim_is_static(v->fact.dims[i + 2]);

    return known ? v->fact.dims[i + 2].lo : -1;
}

/* The output has the sizes that attribute output_shape says, or SAME those of the data times the
 * strides: what is too much is padding, of which the odd one goes behind with SAME_UPPER and else
 * in front; what is too little is output padding. */
static bool fit_output(onnx_node *n, field *f, int64_t *padding)
{
    bool ok = true;
    int count;
    const int64_t *shape = onnx_attr_ints(n, "output_shape", &count, &ok);

    if (!ok || (!shape && f->auto_pad[0] != 's'))
        return ok;
    if (shape && count < f->n)
        return onnx_node_fail(n, "attribute \"output_shape\" has %d elements, it must have %d",
                              count, f->n);
    for (int i = 0; i < f->n; i++) {
        int64_t size = spatial_size(n->in[0], i), kernel = spatial_size(n->in[1], i), full, wanted,
                more;

        if (size < 0 || kernel < 0)
            return onnx_node_fail(n, "the sizes of the data and the filters must be known");
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

static bool import_conv_transpose(onnx_node *n)
{
    bool ok = true;
    int64_t group = onnx_attr_int(n, "group", 1, &ok), padding[INLAY_MAX_RANK];
    inlay_value *filters = n->in[1], *y;
    char attrs[TEXT];
    field f;

    if (!ok || !read_field(n, filters, &f) ||
        !read_list(n, "output_padding", 0, f.n, 0, f.n, padding) || !fit_output(n, &f, padding) ||
        (group != 1 && !(filters = in_groups(n, filters, group))))
        return false;
    put_field(attrs, &f, true);
    put_list(attrs, "output_padding", padding, f.n);
    y = onnx_make(n, group == 1 ? "ConvolutionBackpropData" : "GroupConvolutionBackpropData", 2,
                  (inlay_value *[]){n->in[0], filters}, "%s; auto_pad=%s", attrs, f.auto_pad);
    return onnx_give(n, 0, add_bias(n, y, onnx_in(n, 2)));
}

static bool import_max_pool(onnx_node *n)
{
    bool ok = true;
    bool ceil = onnx_attr_int(n, "ceil_mode", 0, &ok) != 0;
    int64_t order = onnx_attr_int(n, "storage_order", 0, &ok);
    char attrs[TEXT];
    inlay_node *made;
    field f;

    if (!ok || !read_field(n, n->in[0], &f))
        return false;
    if (order != 0 && onnx_wants(n, 1))
        return onnx_node_fail(n, "storage_order is %lld, indices are read for 0", (long long)order);
    put_field(attrs, &f, true);
    put_list(attrs, "kernel", f.kernel, f.n);
    made = onnx_make_node(n, "MaxPool", 1, n->in, "%s; auto_pad=%s; rounding_type=%s", attrs,
                          f.auto_pad, ceil ? "ceil_torch" : "floor");
    return made && onnx_give(n, 0, &made->out[0]) && onnx_give(n, 1, &made->out[1]);
}

static bool import_average_pool(onnx_node *n)
{
    bool ok = true;
    bool ceil = onnx_attr_int(n, "ceil_mode", 0, &ok) != 0,
         include = onnx_attr_int(n, "count_include_pad", 0, &ok) != 0;
    char attrs[TEXT];
    field f;

    if (!ok || !read_field(n, n->in[0], &f))
        return false;
    put_field(attrs, &f, true);
    put_list(attrs, "kernel", f.kernel, f.n);
    return onnx_give(
        n, 0,
        onnx_make(n, "AvgPool", 1, n->in, "%s; auto_pad=%s; rounding_type=%s; exclude-pad=%s",
                  attrs, f.auto_pad, ceil ? "ceil_torch" : "floor", include ? "false" : "true"));
}

/* All axes behind the first two are folded to one element. */
static bool import_global_pool(onnx_node *n)
{
    int rank = onnx_rank(n, n->in[0]);
    inlay_value *list = rank >= 2 ? onnx_axes(n, 2, rank) : NULL;

    return list && onnx_give(n, 0,
                             onnx_make(n, n->op->as, 2, (inlay_value *[]){n->in[0], list},
                                       "keep_dims=true"));
}

const onnx_operator onnx_operators_spatial[] = {
    {"AveragePool", 1, import_average_pool, NULL, 1},
    {"Conv", 1, import_conv, NULL, 2},
    {"ConvTranspose", 1, import_conv_transpose, NULL, 2},
    {"GlobalAveragePool", 1, import_global_pool, "ReduceMean", 1},
    {"GlobalMaxPool", 1, import_global_pool, "ReduceMax", 1},
    {"MaxPool", 1, import_max_pool, NULL, 1},
    {NULL, 0, NULL, NULL, 0},
};

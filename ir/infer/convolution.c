/* Shape rules of convolutions and of their transposed forms. */
#include "ir/infer/field.h"
#include "ir/tensor/dim.h"

/* Where the axes of filters stand. A convolution has [groups,] out, in, kernel; a transposed one
 * has [groups,] in, out, kernel. */
typedef struct filters {
    bool known; /* the rank is */
    inlay_dim groups, in, out, kernel[INFER_SPATIAL];
} filters;

static bool read_filters(inlay_infer *cx, bool grouped, bool transposed, int *n, filters *f)
{
    inlay_shape s;
    const inlay_dim *d = s.dim + grouped;

    if (!in_check_rank(cx, 1, 3 + grouped, INFER_SPATIAL + 2 + grouped))
        return false;
    inlay_infer_shape(cx, 1, &s);
    f->known = s.rank >= 0;
    if (!f->known)
        return true;
    if (*n >= 0 && s.rank != *n + 2 + grouped)
        return inlay_infer_fail(cx, "filters have shape %s, data %s asks for rank %d",
                                in_text(cx, 1), in_text(cx, 0), *n + 2 + grouped);
    *n = s.rank - 2 - grouped;
    f->groups = grouped ? s.dim[0] : inlay_dim_of(1);
    f->in = transposed ? d[0] : d[1];
    f->out = transposed ? d[1] : d[0];
    for (int i = 0; i < *n; i++)
        f->kernel[i] = d[2 + i];
    return true;
}

/* Data's channels are groups times the filters' input channels. */
static bool check_channels(inlay_infer *cx, const filters *f)
{
    inlay_dim wanted = inlay_dim_mul(f->groups, f->in), found;
    char text[64];

    if (in_rank(cx, 0) < 0)
        return true;
    found = cx->in[0]->dims[1];
    if (inlay_dim_compatible(found, wanted))
        return true;
    return inlay_infer_fail(cx, "data %s has %s channels, filters %s take %s", in_text(cx, 0),
                            inlay_dim_text(found, (char[64]){0}, 64), in_text(cx, 1),
                            inlay_dim_text(wanted, text, sizeof text));
}

/* What all forms have in common. The output has the batch of the data and the channels of the
 * filters. The spatial sizes of the output, which are open here, follow from both. */
typedef struct common {
    int n; /* the number of spatial axes; -1: that number is not known, and then nothing else is */
    filters filters;
    inlay_field field;
    inlay_shape data, out;
    bool sizes; /* both shapes are known, so that spatial sizes can be computed */
} common;

static bool read_common(inlay_infer *cx, bool grouped, bool transposed, common *c)
{
    c->n = -1;
    if (!infer_spatial_rank(cx, &c->n) ||
        !read_filters(cx, grouped, transposed, &c->n, &c->filters) ||
        !infer_read_field(cx, c->n, &c->field))
        return false;
    if (c->n < 0)
        return true;
    if (c->filters.known && !check_channels(cx, &c->filters))
        return false;
    inlay_shape_of_rank(&c->out, c->n + 2);
    inlay_infer_shape(cx, 0, &c->data);
    if (c->data.rank >= 0)
        c->out.dim[0] = c->data.dim[0];
    if (c->filters.known)
        c->out.dim[1] = inlay_dim_mul(c->filters.groups, c->filters.out);
    c->sizes = c->data.rank >= 0 && c->filters.known;
    return true;
}

static bool convolution(inlay_infer *cx, bool grouped, inlay_type type)
{
    common c;

    if (!read_common(cx, grouped, false, &c))
        return false;
    if (c.n < 0)
        return set_out_unknown(cx, 0, type);
    for (int i = 0; c.sizes && i < c.n; i++) {
        if (!infer_slide(cx, &c.field, i, c.data.dim[2 + i], c.filters.kernel[i],
                         &c.out.dim[2 + i]))
            return false;
    }
    return inlay_infer_set_out(cx, 0, type, &c.out);
}

bool infer_convolution(inlay_infer *cx)
{
    return convolution(cx, false, shared_type(cx));
}

/* The filters are bits, whatever the data is. */
bool infer_binary_convolution(inlay_infer *cx)
{
    return in_check_rank(cx, 0, 4, 4) && in_check_rank(cx, 1, 4, 4) &&
           convolution(cx, false, cx->in[0]->type);
}

bool infer_group_convolution(inlay_infer *cx)
{
    return convolution(cx, true, shared_type(cx));
}

/* ConvolutionBackpropData-1: stride * (x - 1) + ((k - 1) * dilation + 1) - pads + output_padding.
 */
static bool spread(inlay_infer *cx, const inlay_field *w, const int64_t *extra, int i, inlay_dim x,
                   inlay_dim k, inlay_dim *out)
{
    inlay_dim one = inlay_dim_of(1), reach, d;
    int64_t more = infer_listed(extra, i, 0) - infer_listed(w->pads_begin, i, 0) -
                   infer_listed(w->pads_end, i, 0);

    reach = inlay_dim_mul(inlay_dim_sub(k, one), inlay_dim_of(infer_listed(w->dilations, i, 1)));
    d = inlay_dim_mul(inlay_dim_sub(x, one), inlay_dim_of(infer_listed(w->strides, i, 1)));
    d = inlay_dim_add(inlay_dim_add(d, reach), inlay_dim_of(more + 1));
    if (d.hi < 0)
        return inlay_infer_fail(cx, "spatial axis %d of the output would have %lld element%s", i,
                                (long long)d.hi, inlay_plural(d.hi, "", "s"));
    d.lo = d.lo < 0 ? 0 : d.lo;
    *out = d;
    return true;
}

/* OUT receives the sizes in the operand output_shape, as far as they are known. */
static bool asked_shape(inlay_infer *cx, int n, inlay_shape *out)
{
    inlay_dim length;
    int count;
    const inlay_dim *known = in_known(cx, 2, &count);

    if (!in_length(cx, 2, false, &length))
        return false;
    if (!inlay_dim_compatible(length, inlay_dim_of(n)))
        return inlay_infer_fail(cx,
                                "input 2 \"output_shape\" has shape %s, it must have %d element%s",
                                in_text(cx, 2), n, inlay_plural(n, "", "s"));
    for (int i = 0; known && i < n && i < count; i++) {
        if (known[i].hi < 0)
            return inlay_infer_fail(cx, "output_shape[%d] is %lld, it must not be negative", i,
                                    (long long)known[i].hi);
        out->dim[2 + i] = known[i];
        if (known[i].lo < 0)
            out->dim[2 + i].lo = 0;
    }
    return true;
}

static bool transposed_convolution(inlay_infer *cx, bool grouped)
{
    bool asked = in_has(cx, 2);
    const int64_t *extra;
    common c;

    if (!read_common(cx, grouped, true, &c) ||
        !infer_read_list(cx, "output_padding", 0, c.n, &extra))
        return false;
    if (c.n < 0)
        return set_out_unknown(cx, 0, shared_type(cx));
    if (asked && !asked_shape(cx, c.n, &c.out))
        return false;
    for (int i = 0; !asked && c.sizes && i < c.n; i++) {
        if (!spread(cx, &c.field, extra, i, c.data.dim[2 + i], c.filters.kernel[i],
                    &c.out.dim[2 + i]))
            return false;
    }
    return inlay_infer_set_out(cx, 0, shared_type(cx), &c.out);
}

bool infer_convolution_backprop_data(inlay_infer *cx)
{
    return transposed_convolution(cx, false);
}

bool infer_group_convolution_backprop_data(inlay_infer *cx)
{
    return transposed_convolution(cx, true);
}

/* Shape rules of convolutions and poolings: how many positions a window has on each spatial axis.
 */
#include "ir/infer/infer.h"

#include <stdio.h>
#include <string.h>

enum { SPATIAL = 3, ATTR_MAX = INT32_MAX };

/* The attributes of a window op; lists that the op lacks or that are not given keep their default.
 */
typedef struct window {
    int n; /* spatial axes, -1: unknown */
    const int64_t *strides, *dilations, *pads_begin, *pads_end;
    const char *auto_pad, *rounding;
} window;

/* List NAME of the node: N elements (when N is known), each in [LEAST, ATTR_MAX]. */
static bool read_list(inlay_infer *cx, const char *name, int64_t least, int n, const int64_t **out)
{
    int index = inlay_op_attr(cx->node->op, name);
    const inlay_attr *attr = inlay_node_attr(cx->node, name);

    *out = NULL;
    if (!attr || (attr->n == 0 && !cx->node->op->attrs[index].required))
        return true;
    if (n >= 0 && attr->n != n)
        return infer_fail(cx, "%s has %d elements, it must have %d, one a spatial axis", name,
                          attr->n, n);
    for (int i = 0; i < attr->n; i++) {
        int64_t x = attr->as.ints[i];

        if (x < least || x > ATTR_MAX)
            return infer_fail(cx, "%s[%d] is %lld, it must be in [%lld, %d]", name, i, (long long)x,
                              (long long)least, (int)ATTR_MAX);
    }
    *out = attr->as.ints;
    return true;
}

static bool read_window(inlay_infer *cx, int n, window *w)
{
    const inlay_attr *rounding = inlay_node_attr(cx->node, "rounding_type");

    w->n = n;
    w->auto_pad = inlay_node_string(cx->node, "auto_pad");
    w->rounding = rounding ? rounding->as.s : "floor";
    if (!read_list(cx, "strides", 1, n, &w->strides) ||
        !read_list(cx, "dilations", 1, n, &w->dilations))
        return false;
    if (strcmp(w->auto_pad, "explicit") == 0)
        return read_list(cx, "pads_begin", 0, n, &w->pads_begin) &&
               read_list(cx, "pads_end", 0, n, &w->pads_end);
    w->pads_begin = w->pads_end = NULL; /* ignored, so they may be anything */
    return true;
}

static int64_t listed(const int64_t *list, int i, int64_t otherwise)
{
    return list ? list[i] : otherwise;
}

/* Positions of a window of REACH elements on SIZE elements with padding. At least one fits. */
static int64_t positions(const window *w, int i, int64_t size, int64_t reach)
{
    int64_t stride = listed(w->strides, i, 1), begin = listed(w->pads_begin, i, 0);
    int64_t room = size + begin + listed(w->pads_end, i, 0) - reach, n;

    if (strcmp(w->rounding, "floor") == 0)
        return room / stride + 1;
    n = (room + stride - 1) / stride + 1;
    /* ceil_torch: the last window may not start behind the image, in its padding. */
    if (strcmp(w->rounding, "ceil_torch") == 0 && (n - 1) * stride >= size + begin)
        n--;
    return n;
}

/* A size that positions() may be asked for without overflow. */
static int64_t capped(int64_t size)
{
    return size > INT64_MAX / 4 ? INT64_MAX / 4 : size;
}

/* Positions on spatial axis I of IN elements under a kernel of K elements. */
static bool slide(inlay_infer *cx, const window *w, int i, inlay_dim in, inlay_dim k,
                  inlay_dim *out)
{
    int64_t stride = listed(w->strides, i, 1), dilation = listed(w->dilations, i, 1);
    int64_t pads = listed(w->pads_begin, i, 0) + listed(w->pads_end, i, 0);
    int64_t short_reach, long_reach;

    if (strncmp(w->auto_pad, "same", 4) == 0) {
        *out = stride == 1 ? in : inlay_dim_div_ceil(in, stride);
        return true;
    }
    if (k.hi < 1)
        return infer_fail(cx, "the kernel has no elements on spatial axis %d", i);
    k.lo = k.lo < 1 ? 1 : k.lo;
    if (k.lo > ATTR_MAX)
        return infer_fail(cx, "the kernel has %lld elements on spatial axis %d, more than %d",
                          (long long)k.lo, i, (int)ATTR_MAX);
    short_reach = (k.lo - 1) * dilation + 1;
    long_reach = k.hi > ATTR_MAX ? INT64_MAX / 4 : (k.hi - 1) * dilation + 1;
    if (capped(in.hi) + pads < short_reach)
        return infer_fail(cx,
                          "spatial axis %d has %lld elements with its padding, the kernel covers "
                          "%lld",
                          i, (long long)(in.hi + pads), (long long)short_reach);
    if (inlay_dim_is_static(k) && stride == 1 && pads == short_reach - 1) {
        *out = in; /* the size is kept, and so is its identity */
        return true;
    }
    *out = (inlay_dim){1, INLAY_DIM_MAX, 0};
    if (in.lo + pads >= long_reach)
        out->lo = positions(w, i, capped(in.lo), long_reach);
    if (in.hi != INLAY_DIM_MAX)
        out->hi = positions(w, i, capped(in.hi), short_reach);
    return true;
}

/* Input 0 is data of rank 3 to 5; N becomes its spatial rank, or stays as another operand has it.
 */
static bool spatial_rank(inlay_infer *cx, int *n)
{
    if (!in_check_rank(cx, 0, 3, SPATIAL + 2))
        return false;
    if (in_rank(cx, 0) >= 0)
        *n = in_rank(cx, 0) - 2;
    return true;
}

/* Poolings: the kernel is an attribute. */
static bool pool_shape(inlay_infer *cx, inlay_shape *out)
{
    const int64_t *kernel;
    window w;
    int n = -1;

    if (!spatial_rank(cx, &n) || !read_window(cx, n, &w) || !read_list(cx, "kernel", 1, n, &kernel))
        return false;
    in_shape(cx, 0, out);
    for (int i = 0; i < n; i++) {
        if (!slide(cx, &w, i, out->dim[2 + i], inlay_dim_of(kernel[i]), &out->dim[2 + i]))
            return false;
    }
    return true;
}

bool infer_pool(inlay_infer *cx)
{
    inlay_shape out;

    return pool_shape(cx, &out) && set_out(cx, 0, cx->in[0]->type, &out);
}

/* MaxPool-8 and -14 also give the indices of what they take. */
bool infer_pool_indices(inlay_infer *cx)
{
    inlay_type type = inlay_node_type(cx->node, "index_element_type");
    inlay_shape out;
    int axis;

    if (!pool_shape(cx, &out))
        return false;
    if (type != INLAY_I32 && type != INLAY_I64)
        return infer_fail(cx, "index_element_type is %s, it must be i32 or i64",
                          inlay_type_info_of(type)->name);
    if (out.rank >= 0 && !norm_axis(cx, "axis", inlay_node_int(cx->node, "axis"), out.rank, &axis))
        return false;
    if (!set_out(cx, 0, cx->in[0]->type, &out))
        return false;
    out.rank = cx->out[0].rank;
    if (out.rank > 0)
        memcpy(out.dim, cx->out[0].dims, (size_t)out.rank * sizeof *out.dim);
    return set_out(cx, 1, type, &out);
}

/* Filters of a convolution: [groups,] out, in, window; transposed: [groups,] in, out, window. */
typedef struct filters {
    bool known; /* the rank is */
    inlay_dim groups, in, out, kernel[SPATIAL];
} filters;

static bool read_filters(inlay_infer *cx, bool grouped, bool transposed, int *n, filters *f)
{
    inlay_shape s;
    const inlay_dim *d = s.dim + grouped;

    if (!in_check_rank(cx, 1, 3 + grouped, SPATIAL + 2 + grouped))
        return false;
    in_shape(cx, 1, &s);
    f->known = s.rank >= 0;
    if (!f->known)
        return true;
    if (*n >= 0 && s.rank != *n + 2 + grouped)
        return infer_fail(cx, "filters have shape %s, data %s asks for rank %d", in_text(cx, 1),
                          in_text(cx, 0), *n + 2 + grouped);
    *n = s.rank - 2 - grouped;
    f->groups = grouped ? s.dim[0] : inlay_dim_of(1);
    f->in = transposed ? d[0] : d[1];
    f->out = transposed ? d[1] : d[0];
    for (int i = 0; i < *n; i++)
        f->kernel[i] = d[2 + i];
    return true;
}

static inlay_type shared_type(const inlay_infer *cx)
{
    return cx->in[0]->type != INLAY_DYNAMIC ? cx->in[0]->type : cx->in[1]->type;
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
    return infer_fail(cx, "data %s has %s channels, filters %s take %s", in_text(cx, 0),
                      inlay_dim_text(found, (char[64]){0}, 64), in_text(cx, 1),
                      inlay_dim_text(wanted, text, sizeof text));
}

static bool convolution(inlay_infer *cx, bool grouped)
{
    inlay_shape data, out;
    filters f;
    window w;
    int n = -1;

    if (!spatial_rank(cx, &n) || !read_filters(cx, grouped, false, &n, &f) ||
        !read_window(cx, n, &w))
        return false;
    if (n < 0)
        return set_out_unknown(cx, 0, shared_type(cx));
    if (f.known && !check_channels(cx, &f))
        return false;
    inlay_shape_of_rank(&out, n + 2);
    in_shape(cx, 0, &data);
    if (data.rank >= 0)
        out.dim[0] = data.dim[0];
    if (f.known)
        out.dim[1] = inlay_dim_mul(f.groups, f.out);
    for (int i = 0; data.rank >= 0 && f.known && i < n; i++) {
        if (!slide(cx, &w, i, data.dim[2 + i], f.kernel[i], &out.dim[2 + i]))
            return false;
    }
    return set_out(cx, 0, shared_type(cx), &out);
}

bool infer_convolution(inlay_infer *cx)
{
    return convolution(cx, false);
}

bool infer_group_convolution(inlay_infer *cx)
{
    return convolution(cx, true);
}

/* ConvolutionBackpropData-1: stride * (x - 1) + ((k - 1) * dilation + 1) - pads + output_padding.
 */
static bool spread(inlay_infer *cx, const window *w, const int64_t *extra, int i, inlay_dim x,
                   inlay_dim k, inlay_dim *out)
{
    inlay_dim one = inlay_dim_of(1), reach, d;
    int64_t more = listed(extra, i, 0) - listed(w->pads_begin, i, 0) - listed(w->pads_end, i, 0);

    reach = inlay_dim_mul(inlay_dim_sub(k, one), inlay_dim_of(listed(w->dilations, i, 1)));
    d = inlay_dim_mul(inlay_dim_sub(x, one), inlay_dim_of(listed(w->strides, i, 1)));
    d = inlay_dim_add(inlay_dim_add(d, reach), inlay_dim_of(more + 1));
    if (d.hi < 0)
        return infer_fail(cx, "spatial axis %d of the output would have %lld elements", i,
                          (long long)d.hi);
    d.lo = d.lo < 0 ? 0 : d.lo;
    *out = d;
    return true;
}

/* The output_shape operand, where it is known. */
static bool asked_shape(inlay_infer *cx, int n, inlay_shape *out)
{
    inlay_dim length;
    int count;
    const inlay_dim *known = in_known(cx, 2, &count);

    if (!in_length(cx, 2, false, &length))
        return false;
    if (!inlay_dim_compatible(length, inlay_dim_of(n)))
        return infer_fail(cx, "input 2 \"output_shape\" has shape %s, it must have %d elements",
                          in_text(cx, 2), n);
    for (int i = 0; known && i < n && i < count; i++) {
        if (known[i].hi < 0)
            return infer_fail(cx, "output_shape[%d] is %lld, it must not be negative", i,
                              (long long)known[i].hi);
        out->dim[2 + i] = known[i];
        if (known[i].lo < 0)
            out->dim[2 + i].lo = 0;
    }
    return true;
}

static bool transposed_convolution(inlay_infer *cx, bool grouped)
{
    const int64_t *extra;
    inlay_shape data, out;
    filters f;
    window w;
    int n = -1;

    if (!spatial_rank(cx, &n) || !read_filters(cx, grouped, true, &n, &f) ||
        !read_window(cx, n, &w) || !read_list(cx, "output_padding", 0, n, &extra))
        return false;
    if (n < 0)
        return set_out_unknown(cx, 0, shared_type(cx));
    if (f.known && !check_channels(cx, &f))
        return false;
    inlay_shape_of_rank(&out, n + 2);
    in_shape(cx, 0, &data);
    if (data.rank >= 0)
        out.dim[0] = data.dim[0];
    if (f.known)
        out.dim[1] = inlay_dim_mul(f.groups, f.out);
    if (in_has(cx, 2) && !asked_shape(cx, n, &out))
        return false;
    for (int i = 0; !in_has(cx, 2) && data.rank >= 0 && f.known && i < n; i++) {
        if (!spread(cx, &w, extra, i, data.dim[2 + i], f.kernel[i], &out.dim[2 + i]))
            return false;
    }
    return set_out(cx, 0, shared_type(cx), &out);
}

bool infer_convolution_backprop_data(inlay_infer *cx)
{
    return transposed_convolution(cx, false);
}

bool infer_group_convolution_backprop_data(inlay_infer *cx)
{
    return transposed_convolution(cx, true);
}

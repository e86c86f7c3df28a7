/* The positions of sliding windows. */
#include "interp/kernels/field.h"

#include <string.h>

/* Returns element I of a list attribute; OTHERWISE if the operation has no such list, or it is
 * absent. */
static int64_t listed(const inlay_call *c, const char *name, int i, int64_t otherwise)
{
    const inlay_attr *attr = inlay_node_attr(c->node, name);

    return attr && i < attr->n ? attr->as.ints[i] : otherwise;
}

/* Sets the pads of same_upper and same_lower: just enough padding for the number of positions; an
 * odd element goes to the end (upper) or to the beginning (lower). */
static void same_pads(field_axis *a, bool upper)
{
    int64_t total = (a->small - 1) * a->stride + (a->kernel - 1) * a->dilation + 1 - a->large;

    if (total < 0)
        total = 0;
    a->pad = upper ? total / 2 : total - total / 2;
    a->pad_end = total - a->pad;
}

static void read_axis(const inlay_call *c, int i, field_axis *a)
{
    const char *mode = inlay_node_string(c->node, "auto_pad");

    a->stride = listed(c, "strides", i, 1);
    a->dilation = listed(c, "dilations", i, listed(c, "rates", i, 1));
    a->pad = a->pad_end = 0;
    if (strcmp(mode, "explicit") == 0) {
        a->pad = listed(c, "pads_begin", i, 0);
        a->pad_end = listed(c, "pads_end", i, 0);
    } else if (strcmp(mode, "valid") != 0) {
        same_pads(a, strcmp(mode, "same_upper") == 0);
    }
}

static int64_t floor_half(int64_t x)
{
    return x < 0 ? -((1 - x) / 2) : x / 2;
}

void field_axes(int n, const int64_t *large, const int64_t *small, const int64_t *kernel, field *w)
{
    w->large = w->small = w->kernel = 1;
    for (int i = 0; i < FIELD_AXES; i++) {
        field_axis *a = &w->axis[i];
        int k = i - (FIELD_AXES - n);

        *a = (field_axis){1, 1, 1, 1, 1, 0, 0};
        if (k < 0)
            continue;
        a->large = large[k];
        a->small = small[k];
        a->kernel = kernel[k];
        w->large *= a->large;
        w->small *= a->small;
        w->kernel *= a->kernel;
    }
}

void field_of_node(const inlay_call *c, int n, const int64_t *large, const int64_t *small,
                   const int64_t *kernel, field *w)
{
    field_axes(n, large, small, kernel, w);
    for (int i = 0; i < n; i++)
        read_axis(c, i, &w->axis[FIELD_AXES - n + i]);
}

/* If there is an output_shape operand, pads_begin gets the smaller half of the padding, or the
 * larger one for same_upper; a pad may be negative if the output is larger than the windows reach.
 */
void field_of_transposed(const inlay_call *c, int n, const int64_t *small, const int64_t *large,
                         const int64_t *kernel, field *w)
{
    const char *mode = inlay_node_string(c->node, "auto_pad");

    field_axes(n, large, small, kernel, w);
    for (int i = 0; i < n; i++) {
        field_axis *a = &w->axis[FIELD_AXES - n + i];
        int64_t total;

        a->stride = listed(c, "strides", i, 1);
        a->dilation = listed(c, "dilations", i, 1);
        if (!call_has(c, 2)) {
            a->pad = strcmp(mode, "explicit") == 0 ? listed(c, "pads_begin", i, 0) : 0;
            continue;
        }
        total = a->stride * (a->small - 1) + (a->kernel - 1) * a->dilation + 1 - a->large +
                listed(c, "output_padding", i, 0);
        a->pad = strcmp(mode, "same_upper") == 0 ? total - floor_half(total) : floor_half(total);
    }
}

static int64_t ceil_div(int64_t a, int64_t b)
{
    return a > 0 ? (a + b - 1) / b : -(-a / b);
}

static void clip(int64_t *from, int64_t *to, int64_t n)
{
    *from = *from < 0 ? 0 : *from;
    *to = *to > n ? n : *to;
    *to = *to < *from ? *from : *to;
}

void field_reach(const field_axis *a, int64_t k, int64_t *from, int64_t *to)
{
    int64_t at = k * a->dilation - a->pad;

    *from = ceil_div(-at, a->stride);
    *to = ceil_div(a->large - at, a->stride);
    clip(from, to, a->small);
}

void field_inside(const field_axis *a, int64_t p, int64_t *from, int64_t *to)
{
    int64_t at = p * a->stride - a->pad;

    *from = ceil_div(-at, a->dilation);
    *to = ceil_div(a->large - at, a->dilation);
    clip(from, to, a->kernel);
}

const field_place *field_places(inlay_call *c, const field *w)
{
    const int64_t dims[FIELD_AXES] = {w->axis[0].kernel, w->axis[1].kernel, w->axis[2].kernel};
    field_place *places = inlay_call_memory(c, w->kernel, sizeof *places);

    for (index_iter it = index_begin(FIELD_AXES, dims); places && index_valid(&it);
         index_next(&it)) {
        field_place *p = &places[it.linear];

        for (int i = 0; i < FIELD_AXES; i++) {
            p->k[i] = it.at[i];
            field_reach(&w->axis[i], p->k[i], &p->from[i], &p->to[i]);
        }
    }
    return places;
}

static bool is_plain(const field_axis *a)
{
    return a->kernel == 1 && a->stride == 1 && a->pad == 0 && a->small == a->large;
}

void field_join(field *w)
{
    field_axis *last = &w->axis[FIELD_AXES - 1];

    for (int i = FIELD_AXES - 2; i >= 0 && is_plain(last) && is_plain(&w->axis[i]); i--) {
        last->large *= w->axis[i].large;
        last->small = last->large;
        w->axis[i].large = w->axis[i].small = 1;
    }
}

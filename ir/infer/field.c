/* The number of positions of a sliding window on each spatial axis. */
#include "ir/infer/field.h"
#include "ir/tensor/dim.h"

#include <stdio.h>
#include <string.h>

bool infer_read_list(inlay_infer *cx, const char *name, int64_t least, int n, const int64_t **out)
{
    int index = inlay_op_attr(cx->node->op, name);
    const inlay_attr *attr = inlay_node_attr(cx->node, name);

    *out = NULL;
    if (!attr || (attr->n == 0 && !cx->node->op->attrs[index].required))
        return true;
    if (n >= 0 && attr->n != n)
        return inlay_infer_fail(cx, "%s has %d element%s, it must have %d, one a spatial axis",
                                name, attr->n, inlay_plural(attr->n, "", "s"), n);
    for (int i = 0; i < attr->n; i++) {
        int64_t x = attr->as.ints[i];

        if (x < least || x > INFER_ATTR_MAX)
            return inlay_infer_fail(cx, "%s[%d] is %lld, it must be in [%lld, %d]", name, i,
                                    (long long)x, (long long)least, (int)INFER_ATTR_MAX);
    }
    *out = attr->as.ints;
    return true;
}

bool infer_read_field(inlay_infer *cx, int n, inlay_field *w)
{
    const inlay_attr *rounding = inlay_node_attr(cx->node, "rounding_type");

    w->n = n;
    w->auto_pad = inlay_node_string(cx->node, "auto_pad");
    w->rounding = rounding ? rounding->as.s : "floor";
    if (!infer_read_list(cx, "strides", 1, n, &w->strides) ||
        !infer_read_list(cx, "dilations", 1, n, &w->dilations))
        return false;
    if (strcmp(w->auto_pad, "explicit") == 0)
        return infer_read_list(cx, "pads_begin", 0, n, &w->pads_begin) &&
               infer_read_list(cx, "pads_end", 0, n, &w->pads_end);
    w->pads_begin = w->pads_end = NULL; /* the pads are ignored, so they may be anything */
    return true;
}

int64_t infer_listed(const int64_t *list, int i, int64_t otherwise)
{
    return list ? list[i] : otherwise;
}

/* Returns how many positions a window of REACH elements has on SIZE elements with padding; at least
 * one fits. */
static int64_t positions(const inlay_field *w, int i, int64_t size, int64_t reach)
{
    int64_t stride = infer_listed(w->strides, i, 1), begin = infer_listed(w->pads_begin, i, 0);
    int64_t room = size + begin + infer_listed(w->pads_end, i, 0) - reach, n;

    if (strcmp(w->rounding, "floor") == 0)
        return room / stride + 1;
    n = (room + stride - 1) / stride + 1;
    /* ceil_torch: the last position of the window must not begin after the image, in the padding.
     */
    if (strcmp(w->rounding, "ceil_torch") == 0 && (n - 1) * stride >= size + begin)
        n--;
    return n;
}

/* Clamps a size so that positions() cannot overflow. */
static int64_t capped(int64_t size)
{
    return size > INT64_MAX / 4 ? INT64_MAX / 4 : size;
}

bool infer_slide(inlay_infer *cx, const inlay_field *w, int i, inlay_dim in, inlay_dim k,
                 inlay_dim *out)
{
    int64_t stride = infer_listed(w->strides, i, 1), dilation = infer_listed(w->dilations, i, 1);
    int64_t pads = infer_listed(w->pads_begin, i, 0) + infer_listed(w->pads_end, i, 0);
    int64_t short_reach, long_reach;

    if (k.hi < 1)
        return inlay_infer_fail(cx, "the kernel has no elements on spatial axis %d", i);
    k.lo = k.lo < 1 ? 1 : k.lo;
    if (k.lo > INFER_ATTR_MAX)
        return inlay_infer_fail(
            cx, "the kernel has %lld element%s on spatial axis %d, more than %d", (long long)k.lo,
            inlay_plural(k.lo, "", "s"), i, (int)INFER_ATTR_MAX);
    if (strncmp(w->auto_pad, "same", 4) == 0) {
        *out = stride == 1 ? in : inlay_dim_div_ceil(in, stride);
        return true;
    }
    short_reach = (k.lo - 1) * dilation + 1;
    long_reach = k.hi > INFER_ATTR_MAX ? INT64_MAX / 4 : (k.hi - 1) * dilation + 1;
    if (capped(in.hi) + pads < short_reach)
        return inlay_infer_fail(
            cx,
            "spatial axis %d has %lld element%s with its padding, the kernel covers "
            "%lld",
            i, (long long)(in.hi + pads), inlay_plural((in.hi + pads), "", "s"),
            (long long)short_reach);
    if (inlay_dim_is_static(k) && stride == 1 && pads == short_reach - 1) {
        *out = in; /* the size stays the same, and so does its identity; nothing has no window */
        out->lo = in.lo < 1 ? 1 : in.lo;
        return true;
    }
    *out = (inlay_dim){1, INLAY_DIM_MAX, 0};
    if (in.lo + pads >= long_reach)
        out->lo = positions(w, i, capped(in.lo), long_reach);
    if (in.hi != INLAY_DIM_MAX)
        out->hi = positions(w, i, capped(in.hi), short_reach);
    return true;
}

bool infer_spatial_rank(inlay_infer *cx, int *n)
{
    if (!in_check_rank(cx, 0, 3, INFER_SPATIAL + 2))
        return false;
    if (in_rank(cx, 0) >= 0)
        *n = in_rank(cx, 0) - 2;
    return true;
}

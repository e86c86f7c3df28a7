/* Shape rules of poolings. */
#include "ir/infer/field.h"

#include <string.h>

/* Poolings: the kernel is an attribute. */
static bool pool_shape(inlay_infer *cx, inlay_shape *out)
{
    const int64_t *kernel;
    inlay_field w;
    int n = -1;

    if (!infer_spatial_rank(cx, &n) || !infer_read_field(cx, n, &w) ||
        !infer_read_list(cx, "kernel", 1, n, &kernel))
        return false;
    inlay_infer_shape(cx, 0, out);
    for (int i = 0; i < n; i++) {
        if (!infer_slide(cx, &w, i, out->dim[2 + i], inlay_dim_of(kernel[i]), &out->dim[2 + i]))
            return false;
    }
    return true;
}

bool infer_pool(inlay_infer *cx)
{
    inlay_shape out;

    return pool_shape(cx, &out) && inlay_infer_set_out(cx, 0, cx->in[0]->type, &out);
}

/* What is taken has the shape OUT, and so have the indices of it. */
static bool set_out_indices(inlay_infer *cx, inlay_shape *out)
{
    inlay_type type = inlay_node_type(cx->node, "index_element_type");

    if (type != INLAY_I32 && type != INLAY_I64)
        return inlay_infer_fail(cx, "index_element_type is %s, it must be i32 or i64",
                                inlay_type_info_of(type)->name);
    if (!inlay_infer_set_out(cx, 0, cx->in[0]->type, out))
        return false;
    out->rank = cx->out[0].rank;
    if (out->rank > 0)
        memcpy(out->dim, cx->out[0].dims, (size_t)out->rank * sizeof *out->dim);
    return inlay_infer_set_out(cx, 1, type, out);
}

/* MaxPool-8 and -14 also give the indices of what they take. */
bool infer_pool_indices(inlay_infer *cx)
{
    inlay_shape out;
    int axis;

    if (!pool_shape(cx, &out) ||
        (out.rank >= 0 &&
         !inlay_infer_axis(cx, "axis", inlay_node_int(cx->node, "axis"), out.rank, &axis)))
        return false;
    return set_out_indices(cx, &out);
}

/* [N, C, in...] is [N, C, sizes...], sizes in operand 1. */
static bool adaptive_shape(inlay_infer *cx, inlay_shape *out)
{
    inlay_shape sizes;
    int n = -1;

    if (!infer_spatial_rank(cx, &n) || !in_sizes(cx, 1, false, &sizes))
        return false;
    inlay_infer_shape(cx, 0, out);
    if (n >= 0 && sizes.rank >= 0 && sizes.rank != n)
        return inlay_infer_fail(cx, "output_size has %d element%s, data %s has %d spatial axes",
                                sizes.rank, inlay_plural(sizes.rank, "", "s"), in_text(cx, 0), n);
    for (int i = 0; i < n; i++)
        out->dim[2 + i] = sizes.rank >= 0 ? sizes.dim[i] : inlay_dim_any();
    return true;
}

bool infer_adaptive_pool(inlay_infer *cx)
{
    inlay_shape out;

    return adaptive_shape(cx, &out) && inlay_infer_set_out(cx, 0, cx->in[0]->type, &out);
}

bool infer_adaptive_pool_indices(inlay_infer *cx)
{
    inlay_shape out;

    return adaptive_shape(cx, &out) && set_out_indices(cx, &out);
}

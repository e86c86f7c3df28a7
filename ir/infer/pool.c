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

/* MaxPool-8 and -14 also give the indices of what they take. */
bool infer_pool_indices(inlay_infer *cx)
{
    inlay_type type = inlay_node_type(cx->node, "index_element_type");
    inlay_shape out;
    int axis;

    if (!pool_shape(cx, &out))
        return false;
    if (type != INLAY_I32 && type != INLAY_I64)
        return inlay_infer_fail(cx, "index_element_type is %s, it must be i32 or i64",
                                inlay_type_info_of(type)->name);
    if (out.rank >= 0 &&
        !inlay_infer_axis(cx, "axis", inlay_node_int(cx->node, "axis"), out.rank, &axis))
        return false;
    if (!inlay_infer_set_out(cx, 0, cx->in[0]->type, &out))
        return false;
    out.rank = cx->out[0].rank;
    if (out.rank > 0)
        memcpy(out.dim, cx->out[0].dims, (size_t)out.rank * sizeof *out.dim);
    return inlay_infer_set_out(cx, 1, type, &out);
}

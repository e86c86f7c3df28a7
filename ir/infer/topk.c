/* Shape rule of TopK-1, -3, -11. */
#include "ir/infer/infer.h"

/* OUT receives what is known of K, which is one number. A K that is known must lie in [0, DIM]. */
static bool take(inlay_infer *cx, int axis, inlay_dim dim, inlay_dim *out)
{
    int n;
    const inlay_dim *known = in_known(cx, 1, &n);
    inlay_dim k = known && n == 1 ? known[0] : inlay_dim_any();

    if (k.hi < 0)
        return inlay_infer_fail(cx, "k is %lld, it must not be negative", (long long)k.hi);
    if (k.lo > dim.hi)
        return inlay_infer_fail(cx, "k is %lld, axis %d has %lld element%s", (long long)k.lo, axis,
                                (long long)dim.hi, inlay_plural(dim.hi, "", "s"));
    k.lo = k.lo < 0 ? 0 : k.lo;
    if (k.hi > dim.hi)
        k.hi = dim.hi;
    *out = k.lo <= k.hi ? k : inlay_dim_of(k.hi);
    return true;
}

bool infer_topk(inlay_infer *cx)
{
    inlay_type type = inlay_node_type(cx->node, "index_element_type");
    inlay_dim length;
    inlay_shape s;
    int axis;

    if (type != INLAY_I32 && type != INLAY_I64)
        return inlay_infer_fail(cx, "index_element_type is %s, it must be i32 or i64",
                                inlay_type_info_of(type)->name);
    if (!in_check_rank(cx, 0, 1, -1) || !in_length(cx, 1, true, &length))
        return false;
    if (!inlay_dim_compatible(length, inlay_dim_of(1)))
        return inlay_infer_fail(cx, "input 1 \"k\" has shape %s, it must be one number",
                                in_text(cx, 1));
    inlay_infer_shape(cx, 0, &s);
    if (s.rank >= 0 &&
        (!inlay_infer_axis(cx, "axis", inlay_node_int(cx->node, "axis"), s.rank, &axis) ||
         !take(cx, axis, s.dim[axis], &s.dim[axis])))
        return false;
    if (s.rank >= 0 && !inlay_dim_is_static(s.dim[axis]) && s.dim[axis].id == 0)
        s.dim[axis] = fresh_dim(cx, s.dim[axis].lo, s.dim[axis].hi);
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &s) && inlay_infer_set_out(cx, 1, type, &s);
}

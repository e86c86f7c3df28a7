/* Shape rules of random number generators. */
#include "ir/infer/infer.h"

bool infer_random_uniform(inlay_infer *cx)
{
    inlay_type type = inlay_node_type(cx->node, "output_type"), bounds = cx->in[1]->type;
    inlay_shape s;

    if (cx->in[2]->type != INLAY_DYNAMIC)
        bounds = cx->in[2]->type;
    if (bounds != INLAY_DYNAMIC && type != bounds)
        return inlay_infer_fail(cx, "output_type is %s, it must be %s like the bounds",
                                inlay_type_info_of(type)->name, inlay_type_info_of(bounds)->name);
    return in_sizes(cx, 0, false, &s) && in_check_one(cx, 1) && in_check_one(cx, 2) &&
           inlay_infer_set_out(cx, 0, type, &s);
}

bool infer_multinomial(inlay_infer *cx)
{
    inlay_type type = inlay_node_type(cx->node, "convert_type");
    inlay_shape s = {.rank = 2};
    const inlay_dim *known;
    int n;

    if (type != INLAY_I32 && type != INLAY_I64)
        return inlay_infer_fail(cx, "convert_type is %s, it must be i32 or i64",
                                inlay_type_info_of(type)->name);
    if (!in_check_rank(cx, 0, 2, 2) || !in_check_one(cx, 1))
        return false;
    s.dim[0] = in_dim(cx, 0, 0);
    s.dim[1] = inlay_dim_any();
    known = in_known(cx, 1, &n);
    if (known && n == 1) {
        if (known[0].hi < 0)
            return inlay_infer_fail(cx, "num_samples is %lld, it must not be negative",
                                    (long long)known[0].hi);
        s.dim[1] = known[0];
        s.dim[1].lo = s.dim[1].lo < 0 ? 0 : s.dim[1].lo;
    }
    return inlay_infer_set_out(cx, 0, type, &s);
}

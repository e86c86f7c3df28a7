/* Shape rules of numbers that look random. */
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

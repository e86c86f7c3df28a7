/* Shape rules of cumulative operations along an axis, which keep the shape. */
#include "ir/infer/infer.h"

/* CumSum-3: the axis is an operand, 0 when absent. */
bool infer_cumsum(inlay_infer *cx)
{
    int64_t axis = 0;
    int at;
    inlay_dim length;

    if (!in_check_rank(cx, 0, 1, -1))
        return false;
    if (in_has(cx, 1)) {
        if (!in_length(cx, 1, true, &length))
            return false;
        if (!inlay_dim_compatible(length, inlay_dim_of(1)))
            return inlay_infer_fail(cx, "input 1 \"axis\" has shape %s, it must be one number",
                                    in_text(cx, 1));
        if (!in_int(cx, 1, &axis))
            return inlay_infer_set_out_like(cx, 0, 0);
    }
    if (in_rank(cx, 0) >= 0 && !inlay_infer_axis(cx, "axis", axis, in_rank(cx, 0), &at))
        return false;
    return inlay_infer_set_out_like(cx, 0, 0);
}

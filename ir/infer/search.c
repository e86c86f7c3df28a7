/* Shape rules of searches in sorted numbers. */
#include "ir/infer/infer.h"

bool infer_bucketize(inlay_infer *cx)
{
    inlay_type type = inlay_node_type(cx->node, "output_type");
    inlay_dim n;

    if (type != INLAY_I32 && type != INLAY_I64)
        return inlay_infer_fail(cx, "output_type is %s, it must be i32 or i64",
                                inlay_type_info_of(type)->name);
    return in_length(cx, 1, false, &n) && set_out_as(cx, 0, 0, type);
}

/* One sorted list, or one for each row of values. */
bool infer_search_sorted(inlay_infer *cx)
{
    int sorted = in_rank(cx, 0), values = in_rank(cx, 1);

    if (!in_check_rank(cx, 0, 1, -1))
        return false;
    if (sorted > 1 && values >= 0 && values != sorted)
        return inlay_infer_fail(cx, "sorted %s and values %s must have one rank, or sorted rank 1",
                                in_text(cx, 0), in_text(cx, 1));
    for (int i = 0; values >= 0 && i < sorted - 1; i++) {
        inlay_dim d = in_dim(cx, 0, i);

        if (!merge_dim(cx, 1, i, in_dim(cx, 1, i), &d))
            return false;
    }
    return set_out_as(cx, 0, 1, INLAY_I64);
}

/* Shape rules of ONNX's machine-learning models on tables. */
#include "ir/infer/infer.h"

bool infer_label_encoder(inlay_infer *cx)
{
    inlay_dim keys, values;

    if (!in_length(cx, 1, false, &keys) || !in_length(cx, 2, false, &values) ||
        !merge_dim(cx, 2, 0, values, &keys) || !in_check_one(cx, 3))
        return false;
    return set_out_as(cx, 0, 0, cx->in[2]->type);
}

/* [N, features] becomes [N, n_targets]. */
bool infer_tree_ensemble(inlay_infer *cx)
{
    int64_t targets = inlay_node_int(cx->node, "n_targets");
    inlay_shape s;

    if (targets < 0)
        return inlay_infer_fail(cx, "n_targets is %lld, it must not be negative",
                                (long long)targets);
    for (int i = 1; i < cx->n_in; i++) {
        if (!in_check_rank(cx, i, 1, 1))
            return false;
    }
    if (!in_check_rank(cx, 0, 2, 2))
        return false;
    inlay_infer_shape(cx, 0, &s);
    if (s.rank < 0)
        inlay_shape_of_rank(&s, 2);
    s.dim[1] = inlay_dim_of(targets);
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &s);
}

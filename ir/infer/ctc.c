/* Shape rules of sequences of classes. */
#include "ir/infer/infer.h"

/* Input I has the RANK dims D, which become what is known of both. */
static bool merge_dims(inlay_infer *cx, int i, int rank, inlay_dim *const *d)
{
    if (!in_check_rank(cx, i, rank, rank))
        return false;
    for (int k = 0; in_rank(cx, i) >= 0 && k < rank; k++) {
        if (!merge_dim(cx, i, k, in_dim(cx, i, k), d[k]))
            return false;
    }
    return true;
}

bool infer_ctc_greedy_decoder(inlay_infer *cx)
{
    inlay_dim steps = inlay_dim_any(), batch = steps, classes = steps;
    inlay_shape s = {.rank = 4};

    if (!merge_dims(cx, 0, 3, (inlay_dim *[]){&steps, &batch, &classes}) ||
        !merge_dims(cx, 1, 2, (inlay_dim *[]){&steps, &batch}))
        return false;
    s.dim[0] = batch;
    s.dim[1] = steps;
    s.dim[2] = s.dim[3] = inlay_dim_of(1);
    return inlay_infer_set_out(cx, 0, shared_type(cx), &s);
}

/* Returns the type that attribute NAME says, which is one of integers; INLAY_DYNAMIC after an
 * error. */
static inlay_type index_type(inlay_infer *cx, const char *name)
{
    inlay_type type = inlay_node_type(cx->node, name);

    if (type == INLAY_I32 || type == INLAY_I64)
        return type;
    inlay_infer_fail(cx, "%s is %s, it must be i32 or i64", name, inlay_type_info_of(type)->name);
    return INLAY_DYNAMIC;
}

bool infer_ctc_greedy_decoder_seq_len(inlay_infer *cx)
{
    inlay_dim batch = inlay_dim_any(), steps = batch, classes = batch;
    inlay_type index, length;
    inlay_shape s = {.rank = 2};

    if ((index = index_type(cx, "classes_index_type")) == INLAY_DYNAMIC ||
        (length = index_type(cx, "sequence_length_type")) == INLAY_DYNAMIC)
        return false;
    if (!merge_dims(cx, 0, 3, (inlay_dim *[]){&batch, &steps, &classes}) ||
        !merge_dims(cx, 1, 1, (inlay_dim *[]){&batch}) || (in_has(cx, 2) && !in_check_one(cx, 2)))
        return false;
    s.dim[0] = batch;
    s.dim[1] = steps;
    if (!inlay_infer_set_out(cx, 0, index, &s))
        return false;
    s.rank = 1;
    return inlay_infer_set_out(cx, 1, length, &s);
}

bool infer_ctc_loss(inlay_infer *cx)
{
    inlay_dim batch = inlay_dim_any(), steps = batch, classes = batch;
    inlay_shape s = {.rank = 1};

    if (!merge_dims(cx, 0, 3, (inlay_dim *[]){&batch, &steps, &classes}) ||
        !merge_dims(cx, 1, 1, (inlay_dim *[]){&batch}) ||
        !merge_dims(cx, 2, 2, (inlay_dim *[]){&batch, &steps}) ||
        !merge_dims(cx, 3, 1, (inlay_dim *[]){&batch}) || (in_has(cx, 4) && !in_check_one(cx, 4)))
        return false;
    s.dim[0] = batch;
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &s);
}

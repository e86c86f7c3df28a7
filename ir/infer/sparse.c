/* Shape rules of lookups in tables and of sparse tensors. */
#include "ir/infer/infer.h"
#include "ir/tensor/dim.h"

#include <string.h>

/* Sets output 0: BAGS rows of the table. */
static bool set_bags(inlay_infer *cx, inlay_dim bags)
{
    inlay_shape s;

    if (!in_check_rank(cx, 0, 1, -1))
        return false;
    inlay_infer_shape(cx, 0, &s);
    if (s.rank >= 0)
        s.dim[0] = bags;
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &s);
}

/* Input I, where it is present, has the shape of input 1. A mean takes no weights. */
static bool check_weights(inlay_infer *cx, int i)
{
    const char *reduction = inlay_node_string(cx->node, "reduction");
    inlay_shape indices, weights;

    if (!in_has(cx, i))
        return true;
    if (reduction && strcmp(reduction, "mean") == 0)
        return inlay_infer_fail(cx, "reduction is mean, which takes no per_sample_weights");
    inlay_infer_shape(cx, 1, &indices);
    inlay_infer_shape(cx, i, &weights);
    if (indices.rank < 0)
        return true;
    if (!in_check_rank(cx, i, indices.rank, indices.rank))
        return false;
    for (int k = 0; k < weights.rank; k++) {
        if (!merge_dim(cx, i, k, weights.dim[k], &indices.dim[k]))
            return false;
    }
    return true;
}

static bool check_default(inlay_infer *cx, int i)
{
    return !in_has(cx, i) || in_check_one(cx, i);
}

bool infer_embedding_bag_offsets(inlay_infer *cx)
{
    inlay_dim indices, bags;

    return in_length(cx, 1, false, &indices) && in_length(cx, 2, false, &bags) &&
           check_default(cx, 3) && check_weights(cx, 4) && set_bags(cx, bags);
}

bool infer_embedding_bag_packed(inlay_infer *cx)
{
    return in_check_rank(cx, 1, 2, 2) && check_weights(cx, 2) && set_bags(cx, in_dim(cx, 1, 0));
}

/* N receives what is known of operand I, how many segments there are. */
static bool segments(inlay_infer *cx, int i, inlay_dim *n)
{
    int count;
    const inlay_dim *known = in_known(cx, i, &count);

    *n = inlay_dim_any();
    if (!in_check_one(cx, i))
        return false;
    if (!known || count != 1)
        return true;
    if (known[0].hi < 0)
        return inlay_infer_fail(cx, "%s is %lld, it must not be negative", in_name(cx, i),
                                (long long)known[0].hi);
    *n = known[0];
    n->lo = n->lo < 0 ? 0 : n->lo;
    return true;
}

bool infer_embedding_segments_sum(inlay_infer *cx)
{
    inlay_dim indices, ids, n;

    if (!in_length(cx, 1, false, &indices) || !in_length(cx, 2, false, &ids) ||
        (in_rank(cx, 2) >= 0 && !merge_dim(cx, 2, 0, ids, &indices)))
        return false;
    return segments(cx, 3, &n) && check_default(cx, 4) && check_weights(cx, 5) && set_bags(cx, n);
}

/* Returns how many segments there are up to the last one of IDS. */
static inlay_dim segments_of(const inlay_infer *cx, int ids)
{
    inlay_dim n = inlay_dim_of(0);
    int count;
    const inlay_dim *known = in_known(cx, ids, &count);

    if (!known)
        return inlay_dim_any();
    for (int i = 0; i < count; i++)
        n = inlay_dim_max(n, inlay_dim_add(known[i], inlay_dim_of(1)));
    return n;
}

bool infer_segment_max(inlay_infer *cx)
{
    inlay_dim ids, n;

    if (!in_check_rank(cx, 0, 1, -1) || !in_length(cx, 1, false, &ids) ||
        (in_rank(cx, 0) >= 0 && !merge_dim(cx, 0, 0, in_dim(cx, 0, 0), &ids)))
        return false;
    n = segments_of(cx, 1);
    return (!in_has(cx, 2) || segments(cx, 2, &n)) && set_bags(cx, n);
}

/* The tensor has two axes, which dense_shape says; values are a list, and each has its place. */
static bool check_sparse(inlay_infer *cx, inlay_dim *n, inlay_shape *sizes)
{
    inlay_dim pair = inlay_dim_of(2), length;

    return in_length(cx, 0, false, n) && in_length(cx, 1, false, &length) &&
           (in_rank(cx, 1) < 0 || merge_dim(cx, 1, 0, length, &pair)) &&
           in_sizes(cx, 1, false, sizes) && in_check_rank(cx, 2, 2, 2) &&
           (in_rank(cx, 2) < 0 || (merge_dim(cx, 2, 0, in_dim(cx, 2, 0), n) &&
                                   merge_dim(cx, 2, 1, in_dim(cx, 2, 1), &pair))) &&
           in_check_one(cx, 3);
}

bool infer_sparse_fill_empty_rows(inlay_infer *cx)
{
    inlay_type index = cx->in[1]->type != INLAY_DYNAMIC ? cx->in[1]->type : cx->in[2]->type;
    inlay_type type = cx->in[0]->type != INLAY_DYNAMIC ? cx->in[0]->type : cx->in[3]->type;
    inlay_shape sizes, out = {.rank = 2}, list = {.rank = 1};
    inlay_dim n, rows;

    if (!check_sparse(cx, &n, &sizes))
        return false;
    rows = sizes.rank == 2 ? sizes.dim[0] : inlay_dim_any();
    out.dim[0] = list.dim[0] =
        fresh_dim(cx, n.lo > rows.lo ? n.lo : rows.lo, inlay_dim_add(n, rows).hi);
    out.dim[1] = inlay_dim_of(2);
    if (!inlay_infer_set_out(cx, 0, index, &out) || !inlay_infer_set_out(cx, 1, type, &list))
        return false;
    list.dim[0] = rows;
    return inlay_infer_set_out(cx, 2, INLAY_BOOLEAN, &list);
}

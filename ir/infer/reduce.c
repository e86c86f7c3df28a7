/* Shape rule of the reductions, and values of small integer sums, products, minima and maxima. */
#include "ir/infer/values.h"
#include "ir/tensor/dim.h"

/* The known elements of a list are folded to one, as in ShapeOf -> ReduceProd. START is the result
 * for no elements; NULL: there is none. */
static bool fold_known(inlay_infer *cx, value_fn *fold, const int64_t *start)
{
    int n;
    const inlay_dim *known = in_known(cx, 0, &n);
    inlay_type type = cx->in[0]->type;
    inlay_dim sum;

    if (!fold || !known || in_rank(cx, 0) != 1 || !follows_values(type) || (n == 0 && !start))
        return true;
    sum = n > 0 ? known[0] : inlay_dim_of(*start);
    for (int i = 1; i < n; i++)
        sum = combine_values(fold, type, sum, known[i]);
    return inlay_infer_set_known(cx, 0, &sum, 1);
}

/* Some N axes of DATA go, none of them twice: which ones is not known. */
static bool drop_unknown(inlay_infer *cx, const inlay_shape *data, int n)
{
    inlay_shape out = {.rank = data->rank - n};

    for (int i = 0; i < out.rank; i++) {
        out.dim[i] = data->dim[i];
        for (int k = 1; k <= n; k++)
            out.dim[i] = inlay_dim_union(out.dim[i], data->dim[i + k]);
        if (n > 0)
            out.dim[i].id = 0;
    }
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &out);
}

/* Where the axes are unknown each dim stays or becomes 1. LENGTH: how many axes there are. */
static bool reduce_unknown(inlay_infer *cx, const inlay_shape *data, bool keep_dims,
                           inlay_dim length)
{
    inlay_shape out = *data;

    if (data->rank >= 0 && !keep_dims && inlay_dim_is_static(length))
        return drop_unknown(cx, data, (int)length.lo);
    if (!keep_dims || data->rank < 0)
        return set_out_unknown(cx, 0, cx->in[0]->type);
    for (int i = 0; i < out.rank; i++) {
        out.dim[i] = inlay_dim_union(out.dim[i], inlay_dim_of(1));
        out.dim[i].id = 0;
    }
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &out);
}

static bool reduce(inlay_infer *cx, value_fn *fold, const int64_t *start)
{
    bool keep_dims = inlay_node_bool(cx->node, "keep_dims"), reduced[INLAY_MAX_RANK] = {false};
    int64_t axes[INLAY_MAX_RANK];
    int n, at[INLAY_MAX_RANK];
    inlay_shape data, out = {0};
    inlay_dim length;

    if (!in_length(cx, 1, true, &length))
        return false;
    inlay_infer_shape(cx, 0, &data);
    if (data.rank >= 0 && length.lo > data.rank)
        return inlay_infer_fail(cx, "input 1 \"%s\" has %lld element%s, data has rank %d",
                                in_name(cx, 1), (long long)length.lo,
                                inlay_plural(length.lo, "", "s"), data.rank);
    if (data.rank < 0 || !inlay_infer_ints(cx, 1, axes, INLAY_MAX_RANK, &n))
        return reduce_unknown(cx, &data, keep_dims, length);
    if (!norm_axes(cx, in_name(cx, 1), axes, n, data.rank, at))
        return false;
    for (int i = 0; i < n; i++)
        reduced[at[i]] = true;
    for (int i = 0; i < data.rank; i++) {
        if (!reduced[i] || keep_dims)
            out.dim[out.rank++] = reduced[i] ? inlay_dim_of(1) : data.dim[i];
    }
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &out) &&
           (n == 0 || fold_known(cx, fold, start));
}

bool infer_reduce(inlay_infer *cx)
{
    return reduce(cx, NULL, NULL);
}

bool infer_reduce_sum(inlay_infer *cx)
{
    static const int64_t zero = 0;

    return reduce(cx, inlay_dim_add, &zero);
}

bool infer_reduce_prod(inlay_infer *cx)
{
    static const int64_t one = 1;

    return reduce(cx, inlay_dim_mul, &one);
}

bool infer_reduce_max(inlay_infer *cx)
{
    return reduce(cx, inlay_dim_max, NULL);
}

bool infer_reduce_min(inlay_infer *cx)
{
    return reduce(cx, inlay_dim_min, NULL);
}

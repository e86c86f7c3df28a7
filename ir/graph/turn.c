/* The layout of views whose axes are those of their operand permuted, reversed, or sliced. */
#include "inlay_ops.h"
#include "ir/graph.h"
#include "ir/graph/node.h"

/* Output axis i is axis order[i] of the data, or all are in reverse order if none is listed. */
static bool strides_of_order(const inlay_value *v, int rank, const int64_t *strides, int64_t *out)
{
    const inlay_fact *order = &inlay_node_operand(v->node, INLAY_ROLE_ORDER)->fact;

    if (!order->known || v->fact.rank != rank || (order->n_known != rank && order->n_known != 0))
        return false;
    for (int i = 0; i < rank; i++) {
        inlay_dim d = order->n_known > 0 ? order->known[i] : inlay_dim_of(rank - 1 - i);

        if (!inlay_dim_is_static(d) || d.lo < 0 || d.lo >= rank)
            return false;
        out[i] = strides[d.lo];
    }
    return true;
}

/* The axes that a list of numbers names go backwards. */
static bool strides_of_reverse(const inlay_value *v, int rank, const int64_t *strides, int64_t *out)
{
    const inlay_fact *axes = &v->node->in[1].value->fact;

    if (axes->type == INLAY_BOOLEAN || !axes->known || v->fact.rank != rank)
        return false;
    for (int i = 0; i < rank; i++)
        out[i] = strides[i];
    for (int i = 0; i < axes->n_known; i++) {
        int64_t axis = axes->known[i].lo + (axes->known[i].lo < 0 ? rank : 0);

        if (!inlay_dim_is_static(axes->known[i]) || axis < 0 || axis >= rank)
            return false;
        out[axis] = -strides[axis];
    }
    return true;
}

/* How many entries the lists of the StridedSlice N have, and what each of them is about. False:
 * that, or one of the steps, is not known. */
static bool list_entries(const inlay_node *n, int rank, inlay_strided_entry *e, int *count)
{
    const inlay_value *begin = inlay_node_window(n, 0), *steps = inlay_node_window(n, 2);
    const inlay_fact *f = &begin->fact;
    bool known =
        f->rank == 1 && inlay_dim_is_static(f->dims[0]) && f->dims[0].lo <= 2 * INLAY_MAX_RANK + 1;
    char why[160];

    *count = known ? (int)f->dims[0].lo : 0;
    if (steps)
        known = known && steps->fact.known && steps->fact.n_known == *count;
    for (int i = 0; known && steps && i < *count; i++)
        known = inlay_dim_is_static(steps->fact.known[i]);
    return known && inlay_strided_entries(n, *count, rank, e, why, sizeof why);
}

/* The strides of a view that are found one after the other. An axis of one element takes no step,
 * which may be any number. */
typedef struct found {
    int64_t dims[INLAY_MAX_RANK], *strides;
    int rank;
} found;

static void push_axis(found *f, int64_t stride, int64_t step)
{
    int i = f->rank++;

    f->strides[i] = f->dims[i] > 1 ? stride * step : 1;
}

static void push_axes(found *f, const int64_t *strides, int from, int to)
{
    for (int i = from; i < to; i++)
        push_axis(f, strides[i], 1);
}

/* The axes of the data, but for those that the masks take away, and new ones. Where the slice
 * begins and ends along an axis makes no difference. */
static bool strides_of_slice(const inlay_value *v, int rank, const int64_t *strides, int64_t *out)
{
    const inlay_value *steps = inlay_node_window(v->node, 2);
    inlay_strided_entry e[2 * INLAY_MAX_RANK + 1];
    found f = {.strides = out};
    int n, axis = 0, skipped = rank;

    if (!inlay_fact_sizes(&v->fact, f.dims) || !list_entries(v->node, rank, e, &n))
        return false;
    for (int i = 0; i < n; i++)
        skipped -= e[i].axis >= 0;
    for (int i = 0; i < n; i++) {
        if (e[i].axis == -2) {
            push_axes(&f, strides, axis, axis + skipped);
            axis += skipped;
        } else if (e[i].axis == -1) {
            push_axis(&f, 1, 1);
        } else {
            if (!e[i].shrinks)
                push_axis(&f, strides[axis], steps ? steps->fact.known[i].lo : 1);
            axis++;
        }
    }
    push_axes(&f, strides, axis, rank);
    return true;
}

bool inlay_value_strides(const inlay_value *v, int rank, const int64_t *strides, int64_t *out)
{
    if (inlay_node_is(v->node, INLAY_OP_REVERSE))
        return strides_of_reverse(v, rank, strides, out);
    if (inlay_node_is(v->node, INLAY_OP_STRIDED_SLICE))
        return strides_of_slice(v, rank, strides, out);
    return inlay_node_operand(v->node, INLAY_ROLE_ORDER) && strides_of_order(v, rank, strides, out);
}

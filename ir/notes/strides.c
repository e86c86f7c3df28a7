/* Strides of views. See strides.h. */
#include "ir/notes/strides.h"
#include "ir/graph/node.h"
#include "ir/tensor/window.h"

/* The sizes of V, of a tensor that has its place in 64 bits. False: they are not all known. */
static bool read_sizes(const inlay_value *v, int64_t *dims)
{
    size_t bytes;

    return inlay_fact_bytes(&v->fact, &bytes) && inlay_fact_dims(&v->fact, dims);
}

/* The sizes and strides of V. False: they are not all known. */
static bool read_axes(const inlay_value *v, const note_strides *given, int64_t *dims,
                      int64_t *strides)
{
    int64_t step = 1;

    if ((!given->dense && !given->at) || !read_sizes(v, dims))
        return false;
    for (int i = v->fact.rank; i-- > 0; step *= dims[i])
        strides[i] = given->dense ? step : given->at[i];
    return true;
}

static bool keep(inlay_arena *a, int rank, const int64_t *dims, const int64_t *strides,
                 note_strides *out)
{
    int64_t step = 1, *at;

    *out = (note_strides){.dense = true};
    for (int i = rank; i-- > 0; step *= dims[i])
        out->dense = out->dense && (dims[i] == 1 || strides[i] == step);
    if (out->dense)
        return true;
    at = inlay_arena_array(a, (size_t)rank, sizeof *at);
    for (int i = 0; at && i < rank; i++)
        at[i] = strides[i];
    out->at = at;
    return at != NULL;
}

bool note_strides_of_window(inlay_arena *a, const inlay_node *n, const inlay_value *from,
                            const note_strides *given, note_strides *out)
{
    int64_t dims[INLAY_MAX_RANK], strides[INLAY_MAX_RANK];
    inlay_window w[INLAY_MAX_RANK];

    *out = (note_strides){0};
    if (!read_axes(from, given, dims, strides) || !inlay_node_windows(n, NULL, w))
        return true;
    for (int i = 0; i < from->fact.rank; i++) {
        dims[i] = w[i].count;
        strides[i] *= w[i].count > 1 ? w[i].step : 1;
    }
    return keep(a, from->fact.rank, dims, strides, out);
}

/* FROM's axes in the order that the operand of V's node lists, all of them backwards where it lists
 * none. */
static bool of_order(inlay_arena *a, const inlay_value *v, const inlay_value *from,
                     const note_strides *given, note_strides *out)
{
    const inlay_value *order = inlay_node_operand(v->node, INLAY_ROLE_ORDER);
    int64_t dims[INLAY_MAX_RANK], strides[INLAY_MAX_RANK];
    int64_t new_dims[INLAY_MAX_RANK], new_strides[INLAY_MAX_RANK];
    int rank = from->fact.rank;

    *out = (note_strides){0};
    if (!order || !order->fact.known || !read_axes(from, given, dims, strides))
        return true;
    for (int i = 0; i < rank; i++) {
        int64_t axis = rank - 1 - i;

        if (order->fact.n_known > 0) {
            if (order->fact.n_known != rank || !inlay_dim_is_static(order->fact.known[i]))
                return true;
            axis = order->fact.known[i].lo;
        }
        if (axis < 0 || axis >= rank)
            return true;
        new_dims[i] = dims[axis];
        new_strides[i] = strides[axis];
    }
    return keep(a, rank, new_dims, new_strides, out);
}

bool note_strides_of_part(inlay_arena *a, const inlay_value *v, const inlay_value *from,
                          const note_strides *given, note_strides *out)
{
    const inlay_value *shown = inlay_node_shown(from->node, v);
    int64_t dims[INLAY_MAX_RANK], strides[INLAY_MAX_RANK], *at = strides;
    int64_t new_dims[INLAY_MAX_RANK], new_strides[INLAY_MAX_RANK];

    *out = (note_strides){0};
    if (!shown || shown->fact.rank > from->fact.rank || !read_axes(from, given, dims, strides) ||
        !read_sizes(shown, dims) || !read_sizes(v, new_dims))
        return true;
    at += from->fact.rank - shown->fact.rank; /* it has the last axes of FROM */
    if (shown == v)
        return keep(a, v->fact.rank, dims, at, out);
    return !inlay_strides_reshaped(shown->fact.rank, dims, at, v->fact.rank, new_dims,
                                   new_strides) ||
           keep(a, v->fact.rank, new_dims, new_strides, out);
}

static bool of_reshape(inlay_arena *a, const inlay_value *v, const inlay_value *from,
                       const note_strides *given, note_strides *out, bool *shown)
{
    /* only axes of size 1 are added or left out */
    bool ones = inlay_op_operand(v->node->op, INLAY_ROLE_AXES) >= 0;
    int64_t dims[INLAY_MAX_RANK], strides[INLAY_MAX_RANK];
    int64_t new_dims[INLAY_MAX_RANK], new_strides[INLAY_MAX_RANK];

    *out = (note_strides){.dense = given->dense};
    *shown = given->dense || ones;
    if (given->dense || !read_axes(from, given, dims, strides) || !read_sizes(v, new_dims))
        return true;
    *shown =
        inlay_strides_reshaped(from->fact.rank, dims, strides, v->fact.rank, new_dims, new_strides);
    return !*shown || keep(a, v->fact.rank, new_dims, new_strides, out);
}

bool note_strides_of_view(inlay_arena *a, const inlay_value *v, const note_strides *given,
                          note_strides *out, bool *shown)
{
    const inlay_value *from = inlay_node_input(v->node, 0);
    unsigned flags = v->node->op->flags;
    int64_t dims[INLAY_MAX_RANK], strides[INLAY_MAX_RANK];

    *shown = true;
    if (flags & INLAY_RESHAPES)
        return of_reshape(a, v, from, given, out, shown);
    if (inlay_op_operand(v->node->op, INLAY_ROLE_ORDER) >= 0)
        return of_order(a, v, from, given, out);
    if ((flags & (INLAY_CUTS | INLAY_ROWS)) && inlay_node_reads_window(v->node))
        return note_strides_of_window(a, v->node, from, given, out);
    *out = (flags & INLAY_CONVERTS) ? *given : (note_strides){0};
    if (!(flags & INLAY_CUTS) || v->fact.rank != from->fact.rank ||
        !read_axes(from, given, dims, strides) || !read_sizes(v, dims))
        return true;
    return keep(a, v->fact.rank, dims, strides, out);
}

/* Shape rule of attention. */
#include "ir/infer/infer.h"
#include "ir/tensor/dim.h"

/* S receives the axes of inputs 0 to 2 but the last two, broadcast. */
static bool leading_axes(inlay_infer *cx, inlay_shape *s)
{
    *s = (inlay_shape){.rank = 0};
    for (int i = 0; i < 3; i++) {
        inlay_shape one, both;
        int axis;

        if (!in_check_rank(cx, i, 3, -1))
            return false;
        inlay_infer_shape(cx, i, &one);
        one.rank = one.rank < 0 ? -1 : one.rank - 2;
        if (!broadcast_shapes(s, &one, &both, &axis))
            return inlay_infer_fail(cx,
                                    "input %d \"%s\" has shape %s, which does not broadcast with "
                                    "the others (axis %d)",
                                    i, in_name(cx, i), in_text(cx, i), axis);
        *s = both;
    }
    return true;
}

/* Input I is [..., ROWS, COLS]; ROWS and COLS are merged with its sizes. */
static bool merge_matrix(inlay_infer *cx, int i, inlay_dim *rows, inlay_dim *cols)
{
    int rank = in_rank(cx, i);

    return rank < 0 || (merge_dim(cx, i, rank - 2, in_dim(cx, i, rank - 2), rows) &&
                        merge_dim(cx, i, rank - 1, in_dim(cx, i, rank - 1), cols));
}

/* S is the leading axes; the mask is of the type of the query, or boolean. */
static bool check_mask(inlay_infer *cx, inlay_shape s, inlay_dim rows, inlay_dim cols)
{
    inlay_type type = cx->in[3]->type;
    inlay_shape mask;

    if (type != INLAY_BOOLEAN && type != INLAY_DYNAMIC && cx->in[0]->type != INLAY_DYNAMIC &&
        type != cx->in[0]->type)
        return inlay_infer_fail(cx, "attention_mask has type %s, it must be boolean or %s",
                                inlay_type_info_of(type)->name,
                                inlay_type_info_of(cx->in[0]->type)->name);
    inlay_infer_shape(cx, 3, &mask);
    if (s.rank < 0)
        return true;
    s.dim[s.rank++] = rows;
    s.dim[s.rank++] = cols;
    return broadcasts_to(&mask, &s) ||
           inlay_infer_fail(cx,
                            "attention_mask has shape %s, which does not broadcast to [..., L, S]",
                            in_text(cx, 3));
}

bool infer_scaled_dot_product_attention(inlay_infer *cx)
{
    inlay_dim queries = inlay_dim_any(), keys = queries, size = queries, values = queries;
    bool masked = in_has(cx, 3) && !inlay_node_bool(cx->node, "causal");
    inlay_shape s;

    if (!leading_axes(cx, &s) || !merge_matrix(cx, 0, &queries, &size) ||
        !merge_matrix(cx, 1, &keys, &size) || !merge_matrix(cx, 2, &keys, &values) ||
        (masked && !check_mask(cx, s, queries, keys)) || (in_has(cx, 4) && !in_check_one(cx, 4)))
        return false;
    if (s.rank >= 0) {
        s.dim[s.rank++] = queries;
        s.dim[s.rank++] = values;
    }
    return inlay_infer_set_out(cx, 0, shared_type(cx), &s);
}

/* Reverse, ReverseSequence, Roll: permute elements along an axis, and keep the shape. */
#include "ir/infer/infer.h"

#include <stdio.h>
#include <string.h>

static bool check_mask(inlay_infer *cx, int rank)
{
    inlay_dim n;

    if (cx->in[1]->type != INLAY_BOOLEAN && cx->in[1]->type != INLAY_DYNAMIC)
        return inlay_infer_fail(cx, "mode is \"mask\", so axis must be boolean, not %s",
                                inlay_type_info_of(cx->in[1]->type)->name);
    if (!in_length(cx, 1, false, &n))
        return false;
    if (rank >= 0 && (n.lo > rank || n.hi < rank))
        return inlay_infer_fail(cx, "input 1 \"axis\" has shape %s, data %s has %d dimension%s",
                                in_text(cx, 1), in_text(cx, 0), rank, inlay_plural(rank, "", "s"));
    return true;
}

bool infer_reverse(inlay_infer *cx)
{
    int64_t x[INLAY_MAX_RANK];
    int axes[INLAY_MAX_RANK], n, rank = in_rank(cx, 0);
    inlay_dim length;

    if (strcmp(inlay_node_string(cx->node, "mode"), "mask") == 0)
        return check_mask(cx, rank) && inlay_infer_set_out_like(cx, 0, 0);
    if (cx->in[1]->type == INLAY_BOOLEAN)
        return inlay_infer_fail(
            cx, "mode is \"index\", so axis must be of an integer type, not boolean");
    if (!in_length(cx, 1, false, &length))
        return false;
    if (rank >= 0 && length.lo > rank)
        return inlay_infer_fail(cx, "input 1 \"axis\" has shape %s, data %s has %d dimension%s",
                                in_text(cx, 1), in_text(cx, 0), rank, inlay_plural(rank, "", "s"));
    if (rank >= 0 && inlay_infer_ints(cx, 1, x, INLAY_MAX_RANK, &n) &&
        !norm_axes(cx, "axis", x, n, rank, axes))
        return false;
    return inlay_infer_set_out_like(cx, 0, 0);
}

bool infer_reverse_sequence(inlay_infer *cx)
{
    int rank = in_rank(cx, 0), batch, seq;
    inlay_dim n;

    if (!in_check_rank(cx, 0, 2, -1) || !in_length(cx, 1, false, &n))
        return false;
    if (rank >= 0) {
        if (!inlay_infer_axis(cx, "batch_axis", inlay_node_int(cx->node, "batch_axis"), rank,
                              &batch) ||
            !inlay_infer_axis(cx, "seq_axis", inlay_node_int(cx->node, "seq_axis"), rank, &seq))
            return false;
        if (batch == seq)
            return inlay_infer_fail(cx, "batch_axis and seq_axis are both %d", batch);
        if (!inlay_dim_compatible(n, cx->in[0]->dims[batch]))
            return inlay_infer_fail(
                cx,
                "input 1 \"seq_lengths\" has shape %s, axis %d of data %s has not as "
                "many elements",
                in_text(cx, 1), batch, in_text(cx, 0));
    }
    return inlay_infer_set_out_like(cx, 0, 0);
}

/* There is one shift for all axes, or one for each; an axis may be listed more than once. */
bool infer_roll(inlay_infer *cx)
{
    int64_t x[INLAY_MAX_KNOWN];
    int rank = in_rank(cx, 0), n, axis;
    inlay_dim shifts, axes;
    char what[32];

    if (!in_length(cx, 1, true, &shifts) || !in_length(cx, 2, true, &axes))
        return false;
    if (in_rank(cx, 1) == 1 && !inlay_dim_compatible(shifts, axes) &&
        !(shifts.lo <= 1 && shifts.hi >= 1))
        return inlay_infer_fail(
            cx,
            "input 1 \"shift\" has shape %s, axes has shape %s: one shift, or one for "
            "each axis",
            in_text(cx, 1), in_text(cx, 2));
    if (rank >= 0 && inlay_infer_ints(cx, 2, x, INLAY_MAX_KNOWN, &n)) {
        for (int i = 0; i < n; i++) {
            snprintf(what, sizeof what, "axes[%d]", i);
            if (!inlay_infer_axis(cx, what, x[i], rank, &axis))
                return false;
        }
    }
    return inlay_infer_set_out_like(cx, 0, 0);
}

/* Pad-1 and Pad-12: each axis grows, or with negative pads shrinks, at both ends. */
#include "ir/infer/infer.h"
#include "ir/tensor/dim.h"

#include <string.h>

/* Checks that operand I ("pads_begin" or "pads_end") is a list with one element for each axis. */
static bool check_pads(inlay_infer *cx, int i, int rank)
{
    inlay_dim n;

    if (!in_length(cx, i, false, &n))
        return false;
    if (rank >= 0 && (n.lo > rank || n.hi < rank))
        return inlay_infer_fail(cx, "input %d \"%s\" has shape %s, data %s has %d dimension%s", i,
                                in_name(cx, i), in_text(cx, i), in_text(cx, 0), rank,
                                inlay_plural(rank, "", "s"));
    return true;
}

/* Checks how far a pad reaches, because an axis can be mirrored only once. */
static bool check_reach(inlay_infer *cx, const char *mode, int i, int axis, inlay_dim pad,
                        inlay_dim size)
{
    int64_t most = size.hi;

    if (strcmp(mode, "constant") == 0 || pad.lo <= 0 || size.hi == INLAY_DIM_MAX)
        return true;
    if (strcmp(mode, "edge") == 0)
        most = size.hi > 0 ? INT64_MAX : 0;
    else if (strcmp(mode, "reflect") == 0)
        most = size.hi - 1;
    if (pad.lo <= most)
        return true;
    return inlay_infer_fail(
        cx, "%s[%d] is %lld, with pad_mode \"%s\" and data %s it must not be above %lld",
        in_name(cx, i), axis, (long long)pad.lo, mode, in_text(cx, 0),
        (long long)(most < 0 ? 0 : most));
}

/* Data whose rank is not known has as many axes as a list has elements. */
static bool rank_by_lists(inlay_infer *cx, inlay_shape *s)
{
    inlay_dim n;

    for (int i = 1; i <= 2; i++) {
        if (!in_length(cx, i, false, &n))
            return false;
        if (s->rank < 0 && inlay_dim_is_static(n) && n.lo <= INLAY_MAX_RANK)
            inlay_shape_of_rank(s, (int)n.lo);
    }
    return true;
}

static bool check_value(inlay_infer *cx)
{
    return !in_has(cx, 3) || in_check_one(cx, 3);
}

/* max(pads_begin + size + pads_end, 0) */
static bool padded(inlay_infer *cx, int axis, inlay_dim pads, inlay_dim *size)
{
    inlay_dim sum = inlay_dim_add(*size, pads);

    if (!sum_name(cx, *size, 1, pads, &sum))
        return false;
    if (inlay_dim_is_static(*size) && pads.lo > 0 && pads.lo > INT64_MAX - 1 - size->lo)
        return inlay_infer_fail(cx, "pads_begin[%d] and pads_end[%d] make axis %d too long", axis,
                                axis, axis);
    *size = inlay_dim_max(inlay_dim_of(0), sum);
    return true;
}

bool infer_pad(inlay_infer *cx)
{
    const char *mode = inlay_node_string(cx->node, "pad_mode");
    const inlay_dim *begin, *end;
    inlay_shape s;
    int n;

    inlay_infer_shape(cx, 0, &s);
    if (cx->in[0]->type == INLAY_STRING && strcmp(mode, "constant") != 0)
        return inlay_infer_fail(cx, "pad_mode \"%s\" is not defined for string data", mode);
    if (!rank_by_lists(cx, &s) || !check_pads(cx, 1, s.rank) || !check_pads(cx, 2, s.rank) ||
        !check_value(cx))
        return false;
    begin = in_known(cx, 1, &n);
    end = in_known(cx, 2, &n);
    for (int i = 0; i < s.rank; i++) {
        inlay_dim b = begin ? begin[i] : inlay_dim_unknown_value();
        inlay_dim e = end ? end[i] : inlay_dim_unknown_value();
        inlay_dim both = inlay_dim_add(b, e);

        if (!check_reach(cx, mode, 1, i, b, s.dim[i]) || !check_reach(cx, mode, 2, i, e, s.dim[i]))
            return false;
        if (!sum_name(cx, b, 1, e, &both) || !padded(cx, i, both, &s.dim[i]))
            return false;
    }
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &s);
}

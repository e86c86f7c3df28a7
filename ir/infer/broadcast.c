/* Broadcast, Tile, Select: elements repeated to fill a shape. */
#include "ir/infer/infer.h"
#include "ir/tensor/dim.h"

#include <string.h>

/* The data's axis FROM becomes the target's axis TO: it has the same size, or size 1. */
static bool fill_axis(inlay_infer *cx, int from, inlay_dim data, int to, inlay_dim *target)
{
    if (data.lo <= 1 && data.hi >= 1)
        return true; /* the axis may be broadcast, so the target alone decides */
    if (inlay_dim_merge(*target, data, target))
        return true;
    return inlay_infer_fail(
        cx,
        "axis %d of data %s does not fill axis %d of the target, which has %lld "
        "element%s",
        from, in_text(cx, 0), to, (long long)target->lo, inlay_plural(target->lo, "", "s"));
}

/* numpy: axes are matched from the back. */
static bool fill_from_the_back(inlay_infer *cx, const inlay_shape *data, inlay_shape *target)
{
    int lead = target->rank - data->rank;

    if (lead < 0)
        return inlay_infer_fail(cx,
                                "data %s has more dimensions than target_shape has elements, %d",
                                in_text(cx, 0), target->rank);
    for (int i = 0; i < data->rank; i++) {
        if (!fill_axis(cx, i, data->dim[i], lead + i, &target->dim[lead + i]))
            return false;
    }
    return true;
}

/* explicit: data's axis i is the output's axis axes_mapping[i]; in ascending order. A scalar may
 * have one axis too, as if it were a list of one element. */
static bool fill_by_mapping(inlay_infer *cx, const inlay_shape *data, inlay_shape *target)
{
    int64_t map[INLAY_MAX_RANK];
    inlay_dim length;
    int n;

    if (!in_has(cx, 2))
        return inlay_infer_fail(cx, "mode \"explicit\" needs input 2 \"axes_mapping\"");
    if (!in_length(cx, 2, false, &length))
        return false;
    if (data->rank >= 0 &&
        (length.lo > (data->rank > 0 ? data->rank : 1) || length.hi < data->rank))
        return inlay_infer_fail(
            cx, "input 2 \"axes_mapping\" has shape %s, data %s has %d dimension%s", in_text(cx, 2),
            in_text(cx, 0), data->rank, inlay_plural(data->rank, "", "s"));
    if (target->rank < 0 || data->rank < 0 || !inlay_infer_ints(cx, 2, map, INLAY_MAX_RANK, &n))
        return true;
    for (int i = 0; i < n; i++) {
        if (map[i] < 0 || map[i] >= target->rank)
            return inlay_infer_fail(cx, "axes_mapping[%d] is %lld, it must be in [0, %d]", i,
                                    (long long)map[i], target->rank - 1);
        if (i > 0 && map[i] <= map[i - 1])
            return inlay_infer_fail(
                cx, "axes_mapping[%d] is %lld, it must be above axes_mapping[%d], %lld", i,
                (long long)map[i], i - 1, (long long)map[i - 1]);
        if (i < data->rank && !fill_axis(cx, i, data->dim[i], (int)map[i], &target->dim[map[i]]))
            return false;
    }
    return true;
}

static bool fill_both_ways(inlay_infer *cx, const inlay_shape *data, inlay_shape *target)
{
    inlay_shape out;
    int axis;

    if (!broadcast_shapes(data, target, &out, &axis))
        return inlay_infer_fail(
            cx, "data %s does not broadcast with target_shape (axis %d of the result)",
            in_text(cx, 0), axis);
    *target = out;
    return true;
}

/* Data of one known element gives an output whose elements are all that number. */
static bool repeat_known(inlay_infer *cx)
{
    inlay_dim known[INLAY_MAX_KNOWN];
    int64_t count = 1;
    int n;
    const inlay_dim *x = in_known(cx, 0, &n);

    if (!x || n != 1 || cx->out[0].rank < 0)
        return true;
    for (int i = 0; i < cx->out[0].rank; i++) {
        if (!inlay_dim_is_static(cx->out[0].dims[i]) || cx->out[0].dims[i].lo > INLAY_MAX_KNOWN)
            return true;
        count *= cx->out[0].dims[i].lo;
        if (count > INLAY_MAX_KNOWN)
            return true;
    }
    for (int64_t i = 0; i < count; i++)
        known[i] = x[0];
    return inlay_infer_set_known(cx, 0, known, (int)count);
}

bool infer_broadcast(inlay_infer *cx)
{
    const char *mode = inlay_node_string(cx->node, "mode");
    inlay_shape data, target;

    inlay_infer_shape(cx, 0, &data);
    if (!in_sizes(cx, 1, false, &target))
        return false;
    if (strcmp(mode, "explicit") == 0) {
        if (!fill_by_mapping(cx, &data, &target))
            return false;
    } else if (data.rank >= 0 && target.rank >= 0) {
        if (strcmp(mode, "bidirectional") == 0 ? !fill_both_ways(cx, &data, &target)
                                               : !fill_from_the_back(cx, &data, &target))
            return false;
    } else if (strcmp(mode, "bidirectional") == 0) {
        target.rank = -1;
    }
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &target) && repeat_known(cx);
}

/* The shorter of both lists, the sizes of data and the repeats, is filled up with ones in front. */
bool infer_tile(inlay_infer *cx)
{
    inlay_shape data, repeats, out;

    inlay_infer_shape(cx, 0, &data);
    if (!in_sizes(cx, 1, true, &repeats))
        return false;
    if (data.rank < 0 || repeats.rank < 0)
        return set_out_unknown(cx, 0, cx->in[0]->type);
    out.rank = data.rank > repeats.rank ? data.rank : repeats.rank;
    for (int i = 0; i < out.rank; i++) {
        int d = i - (out.rank - data.rank), r = i - (out.rank - repeats.rank);
        inlay_dim size = d < 0 ? inlay_dim_of(1) : data.dim[d];
        inlay_dim times = r < 0 ? inlay_dim_of(1) : repeats.dim[r];

        out.dim[i] = inlay_dim_mul(size, times);
        if (inlay_dim_is_static(size) && inlay_dim_is_static(times) &&
            !inlay_dim_is_static(out.dim[i]))
            return inlay_infer_fail(cx, "repeats[%d] is %lld, which makes axis %d too long", r,
                                    (long long)times.lo, i);
    }
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &out) && repeat_known(cx);
}

/* Finds known elements of a Select of lists and scalars. Where the condition is not known an
 * element may be that of either operand. */
static bool select_known(inlay_infer *cx)
{
    inlay_dim known[INLAY_MAX_KNOWN],
        n = cx->out[0].rank == 1 ? cx->out[0].dims[0] : inlay_dim_of(1);
    int length[3];
    const inlay_dim *x[3];

    for (int i = 0; i < 3; i++)
        x[i] = in_known(cx, i, &length[i]);
    if (cx->out[0].rank < 0 || cx->out[0].rank > 1 || !inlay_dim_is_static(n) ||
        n.lo > INLAY_MAX_KNOWN || !x[1] || !x[2])
        return true;
    for (int k = 0; k < (int)n.lo; k++) {
        inlay_dim cond = x[0] ? x[0][length[0] == 1 ? 0 : k] : inlay_dim_unknown_value();
        inlay_dim yes = x[1][length[1] == 1 ? 0 : k], no = x[2][length[2] == 1 ? 0 : k];

        known[k] = !inlay_dim_is_static(cond) ? inlay_dim_union(yes, no) : cond.lo ? yes : no;
    }
    return inlay_infer_set_known(cx, 0, known, (int)n.lo);
}

/* The document says that `then` and `else` are broadcast to each other, and `cond` to the result.
 * Programs also let `cond` be the larger one, as in where(cond, 1, 0), so here all three are
 * broadcast. */
bool infer_select(inlay_infer *cx)
{
    const char *mode = inlay_node_string(cx->node, "auto_broadcast");
    inlay_shape both, cond, out;
    int axis;

    if (!inlay_infer_broadcast(cx, 1, 2, mode, &both))
        return false;
    inlay_infer_shape(cx, 0, &cond);
    if (strcmp(mode, "none") == 0) {
        if (!inlay_infer_broadcast(cx, 1, 0, mode, &out))
            return false;
    } else if (!broadcast_shapes(&both, &cond, &out, &axis)) {
        return inlay_infer_fail(
            cx,
            "input 0 \"cond\" has shape %s, which does not broadcast with %s and %s "
            "(axis %d of the result)",
            in_text(cx, 0), in_text(cx, 1), in_text(cx, 2), axis);
    }
    return inlay_infer_set_out(cx, 0, cx->in[1]->type, &out) && select_known(cx);
}

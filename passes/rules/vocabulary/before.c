/* The window of an operation's operand that is needed for a window of its result. */
#include "ir/shared.h"
#include "passes/rules/vocabulary/vocabulary.h"

#include <string.h>

/* Sets element I of OUT, axes of the operand of a Transpose with this ORDER, to that of axis AXIS
 * of its result. */
static bool set_axis(rule_ints *out, int i, int64_t axis, const rule_ints *order)
{
    axis += axis < 0 ? order->n : 0;
    if (axis < 0 || axis >= order->n || order->x[axis] < 0)
        return false;
    out->x[i] = order->x[axis];
    return true;
}

/* The window that FROM, which is not known, has in the operand of a Transpose with this ORDER:
 * along other axes, if it names constant ones. */
static rule_answer before_unknown(rule_call *c, const rule_window *from, const rule_ints *order)
{
    const inlay_value *named = from->from ? inlay_node_window(from->from, 3) : NULL;
    const inlay_tensor *t = named ? named->fact.content : NULL;
    int64_t n = t ? inlay_tensor_count(t) : 0;
    rule_ints *axes;
    rule_window *w;

    if (!t || from->axes || order->n != from->rank || n > order->n ||
        !(axes = rule_new_ints(c->match, INLAY_I64, 1, (int)n)) ||
        !(w = rule_new_window(c, from->rank)))
        return RULE_DONT_KNOW;
    for (int i = 0; i < n; i++) {
        if (!set_axis(axes, i, inlay_tensor_get_i64(t, i), order))
            return RULE_DONT_KNOW;
    }
    w->known = false;
    w->from = from->from;
    w->axes = axes;
    return RULE_YES;
}

/* The window before or after Transpose(x, order): axis i of the result is axis order[i] of x. */
static rule_answer beyond_transpose(rule_call *c, bool before)
{
    const rule_window *from = rule_arg_window(c, 0);
    const rule_ints *order = c->arg[1].ints;
    rule_window *w;

    if (before && !from->known)
        return before_unknown(c, from, order);
    if (!from->known || order->n != from->rank || !(w = rule_new_window(c, from->rank)))
        return RULE_DONT_KNOW;
    for (int i = 0; i < w->rank; i++) {
        int64_t of_x = order->x[i];

        if (of_x < 0 || of_x >= w->rank)
            return RULE_NO;
        w->axis[before ? of_x : i] = from->axis[before ? i : of_x];
    }
    return RULE_YES;
}

rule_answer rule_fn_permuted(rule_call *c)
{
    return beyond_transpose(c, true);
}

rule_answer rule_fn_unpermuted(rule_call *c)
{
    return beyond_transpose(c, false);
}

/* X and Y are the same size without a check: if more is known of Y than of X, the operation fails
 * for other sizes of X, and a window of X could hide such a size from it. */
static bool same_unchecked(inlay_dim x, inlay_dim y)
{
    return inlay_dim_proven_equal(x, y) && x.lo == y.lo && x.hi == y.hi;
}

/* The same for each axis. */
static bool same_shape_unchecked(const inlay_fact *x, const inlay_fact *y)
{
    if (!inlay_fact_same_shape(x, y))
        return false;
    for (int i = 0; i < x->rank; i++) {
        if (!same_unchecked(x->dims[i], y->dims[i]))
            return false;
    }
    return true;
}

/* The window of an axis of size X that is needed for window W of an axis of size Y, to which X may
 * be broadcast; then all of X is needed. */
static bool repeated_axis(inlay_dim x, inlay_dim y, inlay_window w, inlay_window *out)
{
    *out = rule_is_one(x) ? (inlay_window){0, 1, 1} : w;
    return rule_is_one(x) || same_unchecked(x, y);
}

/* The window of X that is needed for window W of a value of shape Y. Axis i of X is axis AT[i] of
 * Y. */
static rule_answer repeated_part(rule_match *m, const rule_window *w, const inlay_fact *x,
                                 const int *at, const inlay_fact *y, const rule_window **out)
{
    rule_window *part = rule_make_window(m, x->rank);

    if (!part)
        return RULE_DONT_KNOW;
    for (int i = 0; i < x->rank; i++) {
        if (!repeated_axis(x->dims[i], y->dims[at[i]], w->axis[at[i]], &part->axis[i]))
            return RULE_DONT_KNOW;
    }
    *out = part;
    return RULE_YES;
}

/* The same with axes aligned as numpy does it, the last with the last. */
static rule_answer numpy_part(rule_match *m, const rule_window *w, const inlay_fact *x,
                              const inlay_fact *y, const rule_window **out)
{
    int at[INLAY_MAX_RANK];

    if (!w->known || x->rank < 0 || x->rank > y->rank)
        return RULE_DONT_KNOW;
    if (rule_window_is_empty(w))
        return RULE_NO; /* a part of something broadcast would have to be cut */
    for (int i = 0; i < x->rank; i++)
        at[i] = y->rank - x->rank + i;
    return repeated_part(m, w, x, at, y, out);
}

/* The window of operand X of F that is needed for window W of the result Y. NULL: all of X is
 * needed. */
static rule_answer operand_window(rule_match *m, const inlay_node *f, const inlay_value *x,
                                  const rule_window *w, const inlay_value *y,
                                  const rule_window **out)
{
    const char *mode = inlay_node_string(f, "auto_broadcast");

    *out = w;
    if (f->n_in == 1 || same_shape_unchecked(&x->fact, &y->fact))
        return RULE_YES;
    if (mode && strcmp(mode, "numpy") != 0)
        return RULE_NO; /* its axes may be aligned in another way */
    *out = NULL;
    return rule_has_one_element(&x->fact) ? RULE_YES : numpy_part(m, w, &x->fact, &y->fact, out);
}

/* The window of operand K of a MatMul, X, that is needed for window W of its result Y: all of the
 * axis that is summed over, and the batches that W has, as far as they are not broadcast. */
static rule_answer factor_part(rule_call *c, int k)
{
    const inlay_node *n = c->arg[1].value->node;
    const inlay_fact *y = &n->out[0].fact, *x = &inlay_node_input(n, k)->fact;
    const rule_window *w = rule_arg_window(c, 0);
    bool turned = inlay_node_bool(n, k ? "transpose_b" : "transpose_a");
    int summed = x->rank - 1 - (turned != (k == 1)), ahead = y->rank - x->rank;
    rule_window *part;

    if (!w->known || x->rank < 2 || inlay_node_input(n, 1 - k)->fact.rank < 2 ||
        !(part = rule_new_window(c, x->rank)))
        return RULE_DONT_KNOW;
    if (rule_window_is_empty(w))
        return RULE_NO; /* a part of broadcast batches would have to be cut */
    for (int i = 0; i < x->rank - 2; i++) {
        if (!repeated_axis(x->dims[i], y->dims[ahead + i], w->axis[ahead + i], &part->axis[i]))
            return RULE_DONT_KNOW;
    }
    for (int i = x->rank - 2; i < x->rank; i++)
        part->axis[i] = i == summed ? rule_whole(x->dims[i]) : w->axis[y->rank - 2 + k];
    return RULE_YES;
}

rule_answer rule_fn_first_factor(rule_call *c)
{
    return factor_part(c, 0);
}

rule_answer rule_fn_second_factor(rule_call *c)
{
    return factor_part(c, 1);
}

rule_answer rule_fn_operand_windows(rule_call *c)
{
    int n = c->arg[1].n_list;
    const rule_window **out = rule_alloc(c->match, ((size_t)n + 1) * sizeof *out);

    for (int i = 0; out && i < n; i++) {
        rule_answer a = operand_window(c->match, c->arg[0].op, c->arg[1].list[i],
                                       rule_arg_window(c, 2), c->arg[3].value, &out[i]);

        if (a != RULE_YES)
            return a;
    }
    c->out.windows = out;
    c->out.n_list = n;
    return out ? RULE_YES : RULE_DONT_KNOW;
}

rule_answer rule_fn_repeated_part(rule_call *c)
{
    return numpy_part(c->match, rule_arg_window(c, 0), &c->arg[1].value->fact,
                      &c->arg[2].value->fact, &c->out.window);
}

rule_answer rule_fn_mapped_part(rule_call *c)
{
    const rule_window *w = rule_arg_window(c, 0);
    const rule_ints *axes = c->arg[1].ints;
    const inlay_fact *x = &c->arg[2].value->fact;
    int at[INLAY_MAX_RANK];

    if (!w->known || axes->n != x->rank)
        return RULE_DONT_KNOW;
    if (rule_window_is_empty(w))
        return RULE_NO;
    for (int i = 0; i < x->rank; i++)
        at[i] = (int)axes->x[i]; /* the shape rule has checked it */
    return repeated_part(c->match, w, x, at, &c->arg[3].value->fact, &c->out.window);
}

/* The axis of the data on which a Gather without batches selects, if W, a window of its result, is
 * known. */
static bool gather_axis(const rule_call *c, int *axis)
{
    const inlay_value *data = c->arg[1].value, *indices = c->arg[2].value;

    return rule_arg_window(c, 0)->known && indices->fact.rank >= 0 &&
           rule_axis_of(c->arg[3].ints, data->fact.rank, axis);
}

/* The axes of the result are those of the data, with those of the indices instead of the gathered
 * axis. */
rule_answer rule_fn_gathered_data(rule_call *c)
{
    const inlay_fact *data = &c->arg[1].value->fact;
    int axis, more = c->arg[2].value->fact.rank - 1;
    rule_window *out;

    if (!gather_axis(c, &axis) || !(out = rule_new_window(c, data->rank)))
        return RULE_DONT_KNOW;
    for (int i = 0; i < data->rank; i++)
        out->axis[i] = i == axis ? rule_whole(data->dims[i])
                                 : rule_arg_window(c, 0)->axis[i < axis ? i : i + more];
    return RULE_YES;
}

rule_answer rule_fn_gathered_indices(rule_call *c)
{
    int axis, rank = c->arg[2].value->fact.rank;
    rule_window *out;

    if (!gather_axis(c, &axis) || !(out = rule_new_window(c, rank)))
        return RULE_DONT_KNOW;
    for (int i = 0; i < rank; i++)
        out->axis[i] = rule_arg_window(c, 0)->axis[axis + i];
    return RULE_YES;
}

/* W is on an axis of copies, each of SIZE elements. It selects PART of each copy, N times over. */
static bool tiled_axis(inlay_window w, int64_t size, inlay_window *part, int64_t *n)
{
    int64_t last = w.count > 1 ? w.begin + w.step * (w.count - 1) : w.begin;

    if (w.count == 0)
        return false;
    *part = (inlay_window){0, size, 1};
    *n = w.count / size;
    if (size == 1 || (w.step == 1 && w.begin % size == 0 && w.count % size == 0))
        return true; /* whole copies */
    *n = 1;
    *part = w;
    part->begin %= size;
    return w.begin / size == last / size;
}

/* PART and N of tiled_axis for each axis of the result of a Tile of X. W is known. */
static bool tiled(const rule_window *w, const inlay_fact *x, inlay_window *part, int64_t *n)
{
    int before = w->rank - x->rank;

    for (int i = 0; i < w->rank; i++) {
        if (!tiled_axis(w->axis[i], i < before ? 1 : x->dims[i - before].lo, &part[i], &n[i]))
            return false;
    }
    return true;
}

rule_answer rule_fn_tiled_part(rule_call *c)
{
    const rule_window *w = rule_arg_window(c, 0);
    const inlay_value *x = c->arg[1].value;
    inlay_window part[INLAY_MAX_RANK];
    int64_t n[INLAY_MAX_RANK];
    rule_window *out;

    if (!w->known || !rule_window_is_static(w) || !rule_static_dims(x, x->fact.rank) ||
        !(out = rule_new_window(c, x->fact.rank)))
        return RULE_DONT_KNOW;
    if (!tiled(w, &x->fact, part, n))
        return RULE_NO;
    for (int i = 0; i < out->rank; i++)
        out->axis[i] = part[w->rank - out->rank + i];
    return RULE_YES;
}

rule_answer rule_fn_tiled_repeats(rule_call *c)
{
    const rule_window *w = rule_arg_window(c, 0);
    const inlay_value *x = c->arg[1].value;
    inlay_window part[INLAY_MAX_RANK];
    rule_ints *out;

    if (!w->known || !rule_window_is_static(w) || !rule_static_dims(x, x->fact.rank) ||
        !(out = rule_new_ints(c->match, INLAY_I64, 1, w->rank)))
        return RULE_DONT_KNOW;
    c->out.ints = out;
    return rule_yes_if(tiled(w, &x->fact, part, out->x));
}

/* Conditions and functions on windows. A window with an unknown number, or on an axis of unknown
 * size, can only be compared with another by its operands; every other question about it gives
 * RULE_DONT_KNOW. */
#include "ir/shared.h"
#include "passes/query/scatter.h"
#include "passes/rules/vocabulary/vocabulary.h"

/* Both windows are known, and of tensors of the same rank. */
static bool comparable(const rule_call *c)
{
    return rule_arg_window(c, 0)->known && rule_arg_window(c, 1)->known &&
           rule_arg_window(c, 0)->rank == rule_arg_window(c, 1)->rank;
}

rule_answer rule_fn_disjoint(rule_call *c)
{
    if (!comparable(c))
        return RULE_DONT_KNOW;
    return rule_yes_if(!inlay_windows_meet(rule_arg_window(c, 0)->axis, rule_arg_window(c, 1)->axis,
                                           rule_arg_window(c, 0)->rank));
}

rule_answer rule_fn_inside(rule_call *c)
{
    if (!comparable(c))
        return RULE_DONT_KNOW;
    if (rule_window_is_empty(rule_arg_window(c, 0)))
        return RULE_YES;
    for (int i = 0; i < rule_arg_window(c, 0)->rank; i++) {
        if (!inlay_window_inside(rule_arg_window(c, 0)->axis[i], rule_arg_window(c, 1)->axis[i]))
            return RULE_NO;
    }
    return RULE_YES;
}

/* What N reads or writes differs in size from its data on some axis. */
static bool is_cut(const inlay_node *n)
{
    const inlay_fact *data = &n->in[0].value->fact;
    const inlay_value *updates = query_scatter_updates(n);
    const inlay_fact *part = updates ? &updates->fact : &n->out[0].fact;

    for (int i = 0; i < data->rank && part->rank == data->rank; i++) {
        if (!inlay_dim_compatible(data->dims[i], part->dims[i]))
            return true;
    }
    return false;
}

static bool all_known(const inlay_fact *list)
{
    for (int i = 0; i < list->n_known; i++) {
        if (!inlay_dim_is_static(list->known[i]))
            return false;
    }
    return list->known != NULL;
}

/* No number in the list is 0. */
static bool never_zero(const inlay_fact *list)
{
    for (int i = 0; i < list->n_known; i++) {
        if (list->known[i].lo <= 0 && list->known[i].hi >= 0)
            return false;
    }
    return list->known != NULL;
}

/* The shape rule has checked what is known: that the axes are valid, and not more than the data
 * has. */
static bool is_proper(const inlay_node *n)
{
    const inlay_fact *start = &inlay_node_operand(n, INLAY_ROLE_START)->fact;

    if (n->in[0].value->fact.rank < 0)
        return false;
    for (int i = 1; i < 4; i++) {
        const inlay_value *list = inlay_node_window(n, i);

        if (list && !inlay_fact_same_shape(&list->fact, start))
            return false;
        if (list && i == 3 && !all_known(&list->fact))
            return false;
    }
    return never_zero(&inlay_node_operand(n, INLAY_ROLE_STEP)->fact);
}

rule_answer rule_fn_proper(rule_call *c)
{
    const rule_window *w = rule_arg_window(c, 0);

    return w->known || (w->from && is_proper(w->from)) ? RULE_YES : RULE_DONT_KNOW;
}

/* For data of unknown sizes: each entry takes all of its axis in order, however long it is. */
static rule_answer full_symbol(const inlay_node *n)
{
    const inlay_value *data = inlay_node_input(n, 0), *updates = query_scatter_updates(n);
    const inlay_value *start = inlay_node_operand(n, INLAY_ROLE_START);
    const inlay_value *axes = inlay_node_operand(n, INLAY_ROLE_AXES);

    if (is_cut(n))
        return RULE_NO;
    if (!is_proper(n) || !start->fact.known ||
        (updates && !inlay_fact_same_shape(&data->fact, &updates->fact)))
        return RULE_DONT_KNOW;
    for (int i = 0; i < start->fact.n_known; i++) {
        int64_t x[3], axis = i;
        inlay_dim d;

        for (int k = 0; k < 3; k++) {
            if (!rule_known_entry(inlay_node_window(n, k), i, &x[k]))
                return RULE_DONT_KNOW;
        }
        if (axes && !rule_known_entry(axes, i, &axis))
            return RULE_DONT_KNOW;
        d = data->fact.dims[axis < 0 ? axis + data->fact.rank : axis];
        if (x[2] != 1 || !inlay_dim_proven_equal(inlay_window_length(x[0], x[1], x[2], d), d))
            return RULE_DONT_KNOW;
    }
    return RULE_YES;
}

/* All of the axis of W, a window that was matched. */
static inlay_window whole(const rule_window *w, int axis)
{
    return rule_whole(w->from->in[0].value->fact.dims[axis]);
}

rule_answer rule_fn_full(rule_call *c)
{
    const rule_window *w = rule_arg_window(c, 0);

    if (!w->from)
        return RULE_DONT_KNOW;
    if (!w->known)
        return full_symbol(w->from);
    for (int i = 0; i < w->rank; i++) {
        if (!inlay_window_equal(w->axis[i], whole(w, i)))
            return RULE_NO;
    }
    return RULE_YES;
}

rule_answer rule_fn_covers(rule_call *c)
{
    const rule_window *w = rule_arg_window(c, 0);

    if (!w->known || !w->from)
        return w->from && is_cut(w->from) ? RULE_NO : RULE_DONT_KNOW;
    for (int i = 0; i < w->rank; i++) {
        if (w->axis[i].count != whole(w, i).count) /* all positions, so the step is 1 or -1 */
            return RULE_NO;
    }
    return RULE_YES;
}

rule_answer rule_fn_empty(rule_call *c)
{
    return rule_arg_window(c, 0)->known ? rule_yes_if(rule_window_is_empty(rule_arg_window(c, 0)))
                                        : RULE_DONT_KNOW;
}

static bool goes_back(inlay_window w)
{
    return w.count > 1 && w.step < 0;
}

rule_answer rule_fn_backward(rule_call *c)
{
    const rule_window *w = rule_arg_window(c, 0);

    if (!w->known)
        return RULE_DONT_KNOW;
    for (int i = 0; i < w->rank; i++) {
        if (goes_back(w->axis[i]))
            return RULE_YES;
    }
    return RULE_NO;
}

/* In row-major order of their beginnings. */
rule_answer rule_fn_before(rule_call *c)
{
    if (!comparable(c))
        return RULE_DONT_KNOW;
    for (int i = 0; i < rule_arg_window(c, 0)->rank; i++) {
        int64_t a = rule_arg_window(c, 0)->axis[i].begin, b = rule_arg_window(c, 1)->axis[i].begin;

        if (a < b)
            return RULE_YES;
        if (a > b)
            return RULE_NO;
    }
    return RULE_NO;
}

rule_answer rule_fn_relative(rule_call *c)
{
    rule_answer is_inside = rule_fn_inside(c);
    rule_window *w;

    if (is_inside != RULE_YES)
        return is_inside;
    if (rule_window_is_empty(rule_arg_window(c, 1)) ||
        !(w = rule_new_window(c, rule_arg_window(c, 0)->rank)))
        return RULE_DONT_KNOW;
    for (int i = 0; i < w->rank; i++) {
        /* An empty window may be anywhere on its other axes. */
        if (!inlay_window_inside(rule_arg_window(c, 0)->axis[i], rule_arg_window(c, 1)->axis[i]))
            return RULE_DONT_KNOW;
        w->axis[i] =
            inlay_window_relative(rule_arg_window(c, 0)->axis[i], rule_arg_window(c, 1)->axis[i]);
    }
    return RULE_YES;
}

rule_answer rule_fn_compose(rule_call *c)
{
    rule_window *w;

    if (!comparable(c) || !(w = rule_new_window(c, rule_arg_window(c, 0)->rank)))
        return RULE_DONT_KNOW;
    for (int i = 0; i < w->rank; i++) {
        inlay_window outer = rule_arg_window(c, 0)->axis[i], inner = rule_arg_window(c, 1)->axis[i];

        /* A window of something else than what the outer one takes may reach out of that. */
        if (!inlay_window_inside(inner, (inlay_window){0, outer.count, 1}))
            return RULE_DONT_KNOW;
        w->axis[i] = inlay_window_compose(outer, inner);
    }
    return RULE_YES;
}

rule_answer rule_fn_forward(rule_call *c)
{
    const rule_window *from = rule_arg_window(c, 0);
    rule_window *w = from->known ? rule_new_window(c, from->rank) : NULL;

    if (!w)
        return RULE_DONT_KNOW;
    for (int i = 0; i < w->rank; i++) {
        w->axis[i] = from->axis[i];
        if (goes_back(w->axis[i])) {
            w->axis[i].begin += w->axis[i].step * (w->axis[i].count - 1);
            w->axis[i].step = -w->axis[i].step;
        }
    }
    return RULE_YES;
}

rule_answer rule_fn_mirrored(rule_call *c)
{
    const rule_window *from = rule_arg_window(c, 0);
    rule_window *w = from->known ? rule_new_window(c, from->rank) : NULL;

    if (!w)
        return RULE_DONT_KNOW;
    for (int i = 0; i < w->rank; i++) {
        int64_t n = from->axis[i].count;

        w->axis[i] =
            goes_back(from->axis[i]) ? (inlay_window){n - 1, n, -1} : (inlay_window){0, n, 1};
    }
    return RULE_YES;
}

rule_answer rule_fn_corner(rule_call *c)
{
    const inlay_value *x = c->arg[0].value, *like = c->arg[1].value;
    int rank = like->fact.rank;
    rule_window *w;

    if (rank < 1 || !rule_static_dims(x, rank) || !rule_static_dims(like, rank) ||
        !(w = rule_new_window(c, rank)))
        return RULE_DONT_KNOW;
    for (int i = 0; i < rank; i++) {
        w->axis[i] = (inlay_window){0, like->fact.dims[i].lo, 1};
        if (like->fact.dims[i].lo > x->fact.dims[i].lo)
            return RULE_NO;
    }
    return RULE_YES;
}

/* The number that all elements of T have in common. */
static bool only_number(const inlay_tensor *t, int64_t *out)
{
    int64_t n = t ? inlay_tensor_count(t) : 0;

    for (int64_t i = 0; i < n; i++) {
        if (inlay_tensor_get_i64(t, i) != inlay_tensor_get_i64(t, 0))
            return false;
    }
    if (n > 0)
        *out = inlay_tensor_get_i64(t, 0);
    return n > 0;
}

rule_answer rule_fn_placed(rule_call *c)
{
    const inlay_value *at = c->arg[0].value, *u = c->arg[1].value, *x = c->arg[2].value;
    int rank = x->fact.rank, axis;
    int64_t place, room;
    rule_window *w;

    if (rank < 1 || !at->fact.content || !rule_static_dims(x, rank) || !rule_static_dims(u, rank) ||
        !rule_axis_of(c->arg[3].ints, rank, &axis) || !(w = rule_new_window(c, rank)))
        return RULE_DONT_KNOW;
    for (int i = 0; i < rank; i++)
        w->axis[i] = (inlay_window){0, u->fact.dims[i].lo, 1};
    room = x->fact.dims[axis].lo - u->fact.dims[axis].lo;
    if (!only_number(at->fact.content, &place) || place < 0 || place > room)
        return RULE_NO;
    w->axis[axis].begin = place;
    return RULE_YES;
}

/* What surrounds the updates U of the window: before or after it, on every axis. */
static rule_answer room(rule_call *c, bool behind)
{
    const rule_window *w = rule_arg_window(c, 0);
    rule_ints *out;

    if (!w->known || !w->from || !rule_static_dims(w->from->in[0].value, w->rank) ||
        !rule_static_dims(c->arg[1].value, w->rank) ||
        !(out = rule_new_ints(c->match, INLAY_I64, 1, w->rank)))
        return RULE_DONT_KNOW;
    for (int i = 0; i < w->rank; i++) {
        inlay_window at = w->axis[i];

        if (at.count == 0 || (at.count > 1 && at.step != 1))
            return RULE_NO;
        out->x[i] = behind ? whole(w, i).count - at.begin - at.count : at.begin;
    }
    c->out.ints = out;
    return RULE_YES;
}

rule_answer rule_fn_room_before(rule_call *c)
{
    return room(c, false);
}

rule_answer rule_fn_room_behind(rule_call *c)
{
    return room(c, true);
}

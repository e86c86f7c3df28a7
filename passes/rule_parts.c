/* Windows of values that are joined along an axis, and values that are joined of windows. */
#include "passes/rule_window.h"
#include "passes/storage.h"

#include <string.h>

/* W, moved back by BY along AXIS, as a window of an axis of SIZE there. */
static rule_answer part(rule_call *c, const rule_window *from, int axis, int64_t by, int64_t size)
{
    rule_window *w = rule_new_window(c, from->rank);

    if (!w)
        return RULE_DONT_KNOW;
    memcpy(w->axis, from->axis, (size_t)w->rank * sizeof w->axis[0]);
    return answer(from->axis[axis].count > 0 && rule_window_shift(&w->axis[axis], by, size));
}

rule_answer rule_fn_first_part(rule_call *c)
{
    const rule_window *from = window(c, 0);
    int axis;

    if (!from->known || !rule_static_dims(c->arg[2].value, from->rank) ||
        !rule_axis_of(c->arg[1].ints, from->rank, &axis))
        return RULE_DONT_KNOW;
    return part(c, from, axis, 0, c->arg[2].value->fact.dims[axis].lo);
}

rule_answer rule_fn_second_part(rule_call *c)
{
    const rule_window *from = window(c, 0);
    int axis;

    if (!from->known || !rule_static_dims(c->arg[2].value, from->rank) ||
        !rule_axis_of(c->arg[1].ints, from->rank, &axis))
        return RULE_DONT_KNOW;
    return part(c, from, axis, c->arg[2].value->fact.dims[axis].lo, INT64_MAX);
}

/* Which of the joined values the window lies in; its window there is c->out.window. */
static rule_answer find_part(rule_call *c, inlay_value **which)
{
    const rule_window *from = window(c, 2);
    int64_t by = 0;
    int axis;

    if (!from->known || !rule_axis_of(c->arg[1].ints, from->rank, &axis))
        return RULE_DONT_KNOW;
    for (int i = 0; i < c->arg[0].n_list; i++) {
        inlay_value *v = c->arg[0].list[i];
        rule_answer a;

        if (!rule_static_dims(v, from->rank))
            return RULE_DONT_KNOW;
        a = part(c, from, axis, by, v->fact.dims[axis].lo);
        *which = v;
        if (a != RULE_NO)
            return a;
        by += v->fact.dims[axis].lo;
    }
    return RULE_NO;
}

rule_answer rule_fn_part_of(rule_call *c)
{
    return find_part(c, &c->out.value);
}

rule_answer rule_fn_window_of_part(rule_call *c)
{
    inlay_value *which;

    return find_part(c, &which);
}

static bool is_slice(const inlay_value *v)
{
    return inlay_node_is(v->node, INLAY_OP_SLICE);
}

rule_answer rule_fn_sliced(rule_call *c)
{
    for (int i = 0; i < c->arg[0].n_list; i++) {
        inlay_value *v = c->arg[0].list[i];

        if (!is_slice(v) ||
            inlay_node_input(v->node, 0) != inlay_node_input(c->arg[0].list[0]->node, 0))
            return RULE_NO;
    }
    c->out.value = inlay_node_input(c->arg[0].list[0]->node, 0);
    return c->arg[0].n_list > 1 ? RULE_YES : RULE_NO;
}

/* W grows by NEXT, which goes on along AXIS where W ends, with the same step. */
static bool append(rule_window *w, const inlay_window *next, int axis)
{
    inlay_window *at = &w->axis[axis];
    int64_t step = next[axis].count > 1 ? next[axis].step : at->step;

    for (int i = 0; i < w->rank; i++) {
        if (i != axis && !inlay_window_equal(w->axis[i], next[i]))
            return false;
    }
    if (at->count == 0 || next[axis].count == 0)
        return false;
    if (at->count == 1)
        at->step = next[axis].count > 1 ? step : next[axis].begin - at->begin;
    if (at->step == 0 || (next[axis].count > 1 && step != at->step) ||
        next[axis].begin != at->begin + at->step * at->count)
        return false;
    at->count += next[axis].count;
    return true;
}

rule_answer rule_fn_joined(rule_call *c)
{
    rule_window *w = NULL;
    int axis = 0;

    for (int i = 0; i < c->arg[0].n_list; i++) {
        inlay_window next[INLAY_MAX_RANK];
        const inlay_value *v = c->arg[0].list[i];

        if (!is_slice(v) || !window_of_slice(v->node, next))
            return RULE_DONT_KNOW;
        if (i == 0) {
            w = rule_new_window(c, v->fact.rank);
            if (!w || !rule_axis_of(c->arg[1].ints, w->rank, &axis))
                return RULE_DONT_KNOW;
            memcpy(w->axis, next, (size_t)w->rank * sizeof next[0]);
        } else if (!append(w, next, axis)) {
            return RULE_NO;
        }
    }
    return w ? RULE_YES : RULE_NO;
}

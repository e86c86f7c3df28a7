/* The window that is read of an operation's operand when a window is read of its result. */
#include "passes/rule_window.h"

/* Axis i of the result of Transpose(x, order) is axis order[i] of x. */
rule_answer rule_fn_permuted(rule_call *c)
{
    const rule_window *from = window(c, 0);
    const rule_ints *order = c->arg[1].ints;
    rule_window *w;

    if (!from->known || order->n != from->rank || !(w = rule_new_window(c, from->rank)))
        return RULE_DONT_KNOW;
    for (int i = 0; i < w->rank; i++) {
        if (order->x[i] < 0 || order->x[i] >= w->rank)
            return RULE_NO;
        w->axis[order->x[i]] = from->axis[i];
    }
    return RULE_YES;
}

rule_answer rule_fn_unpermuted(rule_call *c)
{
    const rule_window *from = window(c, 0);
    const rule_ints *order = c->arg[1].ints;
    rule_window *w;

    if (!from->known || order->n != from->rank || !(w = rule_new_window(c, from->rank)))
        return RULE_DONT_KNOW;
    for (int i = 0; i < w->rank; i++) {
        if (order->x[i] < 0 || order->x[i] >= w->rank)
            return RULE_NO;
        w->axis[i] = from->axis[order->x[i]];
    }
    return RULE_YES;
}

rule_answer rule_fn_inside_pad(rule_call *c)
{
    const rule_window *from = window(c, 0);
    const rule_ints *pads = c->arg[1].ints;
    const inlay_value *x = c->arg[2].value;
    rule_window *w;

    if (!from->known || pads->n != from->rank || !rule_static_dims(x, from->rank) ||
        !(w = rule_new_window(c, from->rank)))
        return RULE_DONT_KNOW;
    for (int i = 0; i < w->rank; i++) {
        w->axis[i] = from->axis[i];
        if (!rule_window_shift(&w->axis[i], pads->x[i], x->fact.dims[i].lo))
            return RULE_NO;
    }
    return RULE_YES;
}

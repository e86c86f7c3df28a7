/* The window that is read of an operation's operand when a window is read of its result. */
#include "passes/rule_window.h"

#include <string.h>

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

/* W of a value of shape Y, as what it needs of X, whose axis i is axis AT[i] of Y: all of an axis
 * that is repeated. */
static rule_answer repeated_part(rule_match *m, const rule_window *w, const inlay_fact *x,
                                 const int *at, const inlay_fact *y, const rule_window **out)
{
    rule_window *part = rule_make_window(m, x->rank);

    if (!part)
        return RULE_DONT_KNOW;
    for (int i = 0; i < x->rank; i++) {
        inlay_dim d = x->dims[i];

        if (rule_is_one(d))
            part->axis[i] = (inlay_window){0, 1, 1};
        else if (inlay_dim_proven_equal(d, y->dims[at[i]]))
            part->axis[i] = w->axis[at[i]];
        else
            return RULE_DONT_KNOW;
    }
    *out = part;
    return RULE_YES;
}

/* As numpy aligns axes: the last with the last. */
static rule_answer numpy_part(rule_match *m, const rule_window *w, const inlay_fact *x,
                              const inlay_fact *y, const rule_window **out)
{
    int at[INLAY_MAX_RANK];

    if (!w->known || x->rank < 0 || x->rank > y->rank)
        return RULE_DONT_KNOW;
    if (rule_window_is_empty(w))
        return RULE_NO; /* what is repeated would have to be cut */
    for (int i = 0; i < x->rank; i++)
        at[i] = y->rank - x->rank + i;
    return repeated_part(m, w, x, at, y, out);
}

/* What operand X of F gives to W of the result Y; NULL: all of it. */
static rule_answer operand_window(rule_match *m, const inlay_node *f, const inlay_value *x,
                                  const rule_window *w, const inlay_value *y,
                                  const rule_window **out)
{
    const char *mode = inlay_node_string(f, "auto_broadcast");

    *out = w;
    if (f->n_in == 1 || inlay_fact_same_shape(&x->fact, &y->fact))
        return RULE_YES;
    if (mode && strcmp(mode, "numpy") != 0)
        return RULE_NO; /* its axes may be aligned elsewhere */
    *out = NULL;
    return rule_has_one_element(&x->fact) ? RULE_YES : numpy_part(m, w, &x->fact, &y->fact, out);
}

rule_answer rule_fn_operand_windows(rule_call *c)
{
    int n = c->arg[1].n_list;
    const rule_window **out = rule_alloc(c->match, ((size_t)n + 1) * sizeof *out);

    for (int i = 0; out && i < n; i++) {
        rule_answer a = operand_window(c->match, c->arg[0].op, c->arg[1].list[i], window(c, 2),
                                       c->arg[3].value, &out[i]);

        if (a != RULE_YES)
            return a;
    }
    c->out.windows = out;
    c->out.n_list = n;
    return out ? RULE_YES : RULE_DONT_KNOW;
}

/* Conditions and functions on axes and permutations of axes. */
#include "passes/rules/rule.h"

static rule_answer rule_yes_if(bool yes)
{
    return yes ? RULE_YES : RULE_NO;
}

/* *OUT gets a bit for each of AXES. False if an axis is out of range or repeated. */
static bool axis_set(const rule_ints *axes, int rank, uint64_t *out)
{
    *out = 0;
    for (int i = 0; i < axes->n; i++) {
        int64_t a = axes->x[i] < 0 ? axes->x[i] + rank : axes->x[i];

        if (a < 0 || a >= rank || (*out >> a & 1))
            return false;
        *out |= UINT64_C(1) << a;
    }
    return true;
}

rule_answer rule_fn_same_axes(rule_call *c)
{
    int rank = c->arg[2].value->fact.rank;
    uint64_t a, b;

    if (rank < 0 || !axis_set(c->arg[0].ints, rank, &a) || !axis_set(c->arg[1].ints, rank, &b))
        return RULE_DONT_KNOW;
    return rule_yes_if(a == b);
}

rule_answer rule_fn_same_axis(rule_call *c)
{
    if (c->arg[0].ints->n != 1 || c->arg[1].ints->n != 1)
        return RULE_DONT_KNOW;
    if (c->arg[0].ints->x[0] == c->arg[1].ints->x[0])
        return RULE_YES;
    return rule_fn_same_axes(c);
}

rule_answer rule_fn_front_axis(rule_call *c)
{
    const rule_ints *axis = c->arg[0].ints;
    int rank = c->arg[1].value->fact.rank;
    rule_ints *out;

    if (axis->n != 1 || axis->x[0] < -rank || axis->x[0] >= rank ||
        !(out = rule_new_ints(c->match, INLAY_I64, 1, 1)))
        return RULE_DONT_KNOW;
    out->x[0] = axis->x[0] < 0 ? axis->x[0] + rank : axis->x[0];
    c->out.ints = out;
    return RULE_YES;
}

rule_answer rule_fn_axis_with(rule_call *c)
{
    const rule_ints *axis = c->arg[0].ints, *lost = c->arg[1].ints;
    int rank = c->arg[2].value->fact.rank, at = 0;
    int64_t left = axis->n == 1 ? axis->x[0] : INT64_MIN;
    rule_ints *out;
    uint64_t gone;

    if (rank < 0 || !axis_set(lost, rank, &gone))
        return RULE_DONT_KNOW;
    left += left < 0 ? rank - lost->n : 0;
    for (; at < rank && (left > 0 || gone >> at & 1); at++)
        left -= !(gone >> at & 1);
    if (left != 0 || at == rank || !(out = rule_new_ints(c->match, INLAY_I64, axis->rank, 1)))
        return RULE_DONT_KNOW;
    out->x[0] = at;
    c->out.ints = out;
    return RULE_YES;
}

rule_answer rule_fn_identity_order(rule_call *c)
{
    const rule_ints *order = c->arg[0].ints;

    for (int i = 0; i < order->n; i++) {
        if (order->x[i] != i)
            return RULE_NO;
    }
    return rule_yes_if(order->n > 0); /* an empty order reverses the axes */
}

/* Axis i of the result is axis second[i] of the middle, which is axis first[second[i]]. */
rule_answer rule_fn_compose_orders(rule_call *c)
{
    const rule_ints *first = c->arg[0].ints, *second = c->arg[1].ints;
    rule_ints *out;

    if (first->n != second->n || first->n == 0 ||
        !(out = rule_new_ints(c->match, INLAY_I64, 1, first->n)))
        return RULE_DONT_KNOW;
    for (int i = 0; i < out->n; i++) {
        if (second->x[i] < 0 || second->x[i] >= first->n)
            return RULE_DONT_KNOW;
        out->x[i] = first->x[second->x[i]];
    }
    c->out.ints = out;
    return RULE_YES;
}

rule_answer rule_fn_moves_only_ones(rule_call *c)
{
    const inlay_fact *f = &c->arg[0].value->fact;
    const rule_ints *order = c->arg[1].ints;
    int64_t last = -1;

    if (f->rank < 0 || order->n != f->rank)
        return RULE_DONT_KNOW;
    for (int i = 0; i < order->n; i++) {
        int64_t a = order->x[i];

        if (a < 0 || a >= f->rank)
            return RULE_DONT_KNOW;
        if (f->dims[a].lo == 1 && f->dims[a].hi == 1)
            continue;
        if (a < last)
            return RULE_NO;
        last = a;
    }
    return RULE_YES;
}

rule_answer rule_fn_inverse_order(rule_call *c)
{
    const rule_ints *order = c->arg[0].ints;
    rule_ints *out = rule_new_ints(c->match, INLAY_I64, 1, order->n);

    for (int i = 0; out && i < order->n; i++) {
        if (order->x[i] < 0 || order->x[i] >= order->n)
            return RULE_DONT_KNOW;
        out->x[order->x[i]] = i;
    }
    c->out.ints = out;
    return out && out->n > 0 ? RULE_YES : RULE_DONT_KNOW;
}

/* Axis i of a Transpose is axis order[i] of its data. */
/* Axis I from the end. */
static int64_t from_end(const rule_ints *order, int i)
{
    return order->x[order->n - 1 - i];
}

rule_answer rule_fn_swaps_last(rule_call *c)
{
    const rule_ints *order = c->arg[0].ints;

    if (order->n < 2)
        return RULE_NO;
    for (int i = 0; i < order->n - 2; i++) {
        if (order->x[i] != i)
            return RULE_NO;
    }
    return rule_yes_if(from_end(order, 0) == order->n - 2 && from_end(order, 1) == order->n - 1);
}

rule_answer rule_fn_last_is_before_last(rule_call *c)
{
    const rule_ints *order = c->arg[0].ints;

    return rule_yes_if(order->n >= 2 && from_end(order, 1) == order->n - 1);
}

rule_answer rule_fn_swapped_last(rule_call *c)
{
    const rule_ints *order = c->arg[0].ints;
    rule_ints *out = order->n < 2 ? NULL : rule_new_ints(c->match, INLAY_I64, 1, order->n);

    if (!out)
        return RULE_DONT_KNOW;
    for (int i = 0; i < out->n; i++)
        out->x[i] = order->x[i];
    out->x[out->n - 1] = from_end(order, 1);
    out->x[out->n - 2] = from_end(order, 0);
    c->out.ints = out;
    return RULE_YES;
}

rule_answer rule_fn_axis_before(rule_call *c)
{
    const rule_ints *axis = c->arg[0].ints, *order = c->arg[1].ints;
    int64_t a = axis->n == 1 ? axis->x[0] : INT64_MIN;
    rule_ints *out;

    if (a < -order->n || a >= order->n ||
        !(out = rule_new_ints(c->match, INLAY_I64, axis->rank, 1)))
        return RULE_DONT_KNOW;
    out->x[0] = order->x[a < 0 ? a + order->n : a];
    c->out.ints = out;
    return RULE_YES;
}

rule_answer rule_fn_before_order(rule_call *c)
{
    const rule_ints *x = c->arg[0].ints, *order = c->arg[1].ints;
    rule_ints *out = rule_new_ints(c->match, x->type, 1, x->n);

    if (!out || x->n != order->n)
        return RULE_DONT_KNOW;
    for (int i = 0; i < x->n; i++) {
        if (order->x[i] < 0 || order->x[i] >= x->n)
            return RULE_DONT_KNOW;
        out->x[order->x[i]] = x->x[i];
    }
    c->out.ints = out;
    return RULE_YES;
}

/* Conditions and functions on reductions and their axes. */
#include "passes/rules/vocabulary/vocabulary.h"

rule_answer rule_fn_folds(rule_call *c)
{
    return rule_yes_if(c->arg[0].op->op->flags & INLAY_FOLDS);
}

rule_answer rule_fn_gives_it_nearly(rule_call *c)
{
    return rule_yes_if(c->arg[0].op->op->flags & INLAY_SINGLE);
}

rule_answer rule_fn_gives_it(rule_call *c)
{
    inlay_type type = c->arg[1].value->fact.type;

    if (type == INLAY_DYNAMIC)
        return RULE_DONT_KNOW;
    if (inlay_type_is_float(type) && (c->arg[0].op->op->flags & INLAY_ADDS))
        return RULE_NO;
    return rule_fn_gives_it_nearly(c);
}

rule_answer rule_fn_discrete(rule_call *c)
{
    inlay_type type = c->arg[0].value->fact.type;

    if (type == INLAY_DYNAMIC)
        return RULE_DONT_KNOW;
    return rule_yes_if(type == INLAY_BOOLEAN || inlay_type_is_int(type));
}

/* Marks AXES of RANK, counted from the front. False if one is out of range or repeated. */
static bool mark_axes(const rule_ints *axes, int rank, bool *marked)
{
    for (int i = 0; i < axes->n; i++) {
        int64_t a = axes->x[i] < 0 ? axes->x[i] + rank : axes->x[i];

        if (a < 0 || a >= rank || marked[a])
            return false;
        marked[a] = true;
    }
    return true;
}

rule_answer rule_fn_some(rule_call *c)
{
    return rule_yes_if(c->arg[0].ints->n > 0);
}

rule_answer rule_fn_ones(rule_call *c)
{
    const inlay_fact *f = &c->arg[1].value->fact;
    bool marked[INLAY_MAX_RANK] = {false};

    if (f->rank < 0 || !mark_axes(c->arg[0].ints, f->rank, marked))
        return RULE_DONT_KNOW;
    for (int i = 0; i < f->rank; i++) {
        if (marked[i] && !rule_is_one(f->dims[i]))
            return RULE_DONT_KNOW;
    }
    return RULE_YES;
}

/* ORDER, a permutation of all axes of a value, has at least one entry. */
static bool is_order(const rule_ints *order)
{
    bool marked[INLAY_MAX_RANK] = {false};

    return order->n > 0 && order->n <= INLAY_MAX_RANK && mark_axes(order, order->n, marked);
}

rule_answer rule_fn_axes_before(rule_call *c)
{
    const rule_ints *axes = c->arg[0].ints, *order = c->arg[1].ints;
    rule_ints *out = rule_new_ints(c->match, axes->type, axes->rank, axes->n);

    if (!out || !is_order(order))
        return RULE_DONT_KNOW;
    for (int i = 0; i < axes->n; i++) {
        int64_t a = axes->x[i] < 0 ? axes->x[i] + order->n : axes->x[i];

        if (a < 0 || a >= order->n)
            return RULE_DONT_KNOW;
        out->x[i] = order->x[a];
    }
    c->out.ints = out;
    return RULE_YES;
}

/* The axes before a Transpose, in its order, without those that are AXES after it. Returns their
 * number; -1: not known. */
static int list_rest(const rule_ints *axes, const rule_ints *order, int64_t *rest)
{
    bool gone[INLAY_MAX_RANK] = {false};
    int n = 0;

    if (!is_order(order) || !mark_axes(axes, order->n, gone))
        return -1;
    for (int i = 0; i < order->n; i++) {
        if (!gone[i])
            rest[n++] = order->x[i];
    }
    return n;
}

static bool rises(const int64_t *rest, int n)
{
    for (int i = 1; i < n; i++) {
        if (rest[i] < rest[i - 1])
            return false;
    }
    return true;
}

rule_answer rule_fn_rest_in_order(rule_call *c)
{
    int64_t rest[INLAY_MAX_RANK];
    int n = list_rest(c->arg[0].ints, c->arg[1].ints, rest);

    return n < 0 ? RULE_DONT_KNOW : rule_yes_if(rises(rest, n));
}

/* The remaining axes are renumbered. */
rule_answer rule_fn_rest_order(rule_call *c)
{
    int64_t rest[INLAY_MAX_RANK];
    int n = list_rest(c->arg[0].ints, c->arg[1].ints, rest);
    rule_ints *out = n < 0 ? NULL : rule_new_ints(c->match, INLAY_I64, 1, n);

    if (!out)
        return RULE_DONT_KNOW;
    if (rises(rest, n))
        return RULE_NO;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++)
            out->x[i] += rest[k] < rest[i];
    }
    c->out.ints = out;
    return RULE_YES;
}

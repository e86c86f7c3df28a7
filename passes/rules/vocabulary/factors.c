/* Moves factors of a sum of products into its weights. */
#include "passes/rules/vocabulary/vocabulary.h"

#include "inlay_ops.h"

/* All sizes of X are known, and all are 1 except on AXIS, counted from the end. *N is that size, or
 * 1. */
static bool varies_along(const inlay_fact *x, int axis, int64_t *n)
{
    *n = 1;
    for (int i = 0; i < x->rank; i++) {
        if (!inlay_dim_is_static(x->dims[i]))
            return false;
        if (x->rank - 1 - i == axis)
            *n = x->dims[i].lo;
        else if (x->dims[i].lo != 1)
            return false;
    }
    return x->rank >= 0;
}

/* The axes of the weights W of N that number the channels of N's result Y: *COUNT axes from *FIRST
 * on. Filters have the axes [groups,] out, in, kernel. */
static void channel_axes(const inlay_node *n, const inlay_fact *w, const inlay_fact *y, int *first,
                         int *count)
{
    bool is_product = inlay_node_is(n, INLAY_OP_MAT_MUL);

    *first = is_product ? w->rank - 1 - inlay_node_bool(n, "transpose_b") : 0;
    *count = is_product ? 1 : 1 + w->rank - y->rank;
}

/* Returns the sizes that K needs as factors of the weights that make Y: COUNT axes from FIRST on
 * number the channels of Y, its axis AXIS from the end. */
static rule_answer give_factors(rule_call *c, int axis, int first, int count)
{
    const inlay_fact *k = &c->arg[0].value->fact, *y = &c->arg[1].value->fact;
    const inlay_value *weights = inlay_node_input(c->arg[1].value->node, 1);
    const inlay_fact *w = &weights->fact;
    int64_t numbers, channels = 1;
    rule_ints *out;

    if (!inlay_type_is_float(y->type) || !rule_static_dims(weights, w->rank) ||
        !(out = rule_new_ints(c->match, INLAY_I64, 1, w->rank)))
        return RULE_DONT_KNOW;
    if (k->rank > y->rank || !varies_along(k, axis, &numbers))
        return RULE_NO;
    for (int i = 0; i < w->rank; i++) {
        bool is_channel = i >= first && i < first + count;

        out->x[i] = is_channel && numbers != 1 ? w->dims[i].lo : 1;
        channels *= out->x[i];
    }
    c->out.ints = out;
    return rule_yes_if(channels == numbers);
}

/* The value that C asks about, and the weights that make it, have enough axes. */
static bool have_axes(const rule_call *c)
{
    const inlay_value *y = c->arg[1].value;

    return y->fact.rank >= 1 && inlay_node_input(y->node, 1)->fact.rank >= 2;
}

rule_answer rule_fn_weight_factors(rule_call *c)
{
    const inlay_value *y = c->arg[1].value;
    const inlay_node *n = y->node;
    int first, count;

    if (!have_axes(c))
        return RULE_DONT_KNOW;
    channel_axes(n, &inlay_node_input(n, 1)->fact, &y->fact, &first, &count);
    return give_factors(c, inlay_node_is(n, INLAY_OP_MAT_MUL) ? 0 : y->fact.rank - 2, first, count);
}

rule_answer rule_fn_turned_weight_factors(rule_call *c)
{
    return have_axes(c) ? give_factors(c, c->arg[1].value->fact.rank - 2, 1, 1) : RULE_DONT_KNOW;
}

rule_answer rule_fn_channel_sizes(rule_call *c)
{
    const inlay_fact *y = &c->arg[0].value->fact;
    rule_ints *out;

    if (y->rank < 2 || !inlay_dim_is_static(y->dims[1]) ||
        !(out = rule_new_ints(c->match, INLAY_I64, 1, y->rank)))
        return RULE_DONT_KNOW;
    for (int i = 0; i < y->rank; i++)
        out->x[i] = i == 1 ? y->dims[1].lo : 1;
    c->out.ints = out;
    return RULE_YES;
}

/* What rules ask of values that are joined or cut along an axis. */
#include "passes/rule.h"

static rule_answer answer(bool yes)
{
    return yes ? RULE_YES : RULE_NO;
}

/* The size of V along AXIS, which may count from the end; false when it is not known. */
static bool size_along(const inlay_value *v, const rule_ints *axis, int64_t *out)
{
    int64_t a = axis->n == 1 ? axis->x[0] : INT64_MIN;
    int rank = v->fact.rank;

    if (rank < 0 || a < -rank || a >= rank)
        return false;
    a += a < 0 ? rank : 0;
    *out = v->fact.dims[a].lo;
    return inlay_dim_is_static(v->fact.dims[a]);
}

rule_answer rule_fn_without_empty(rule_call *c)
{
    inlay_value **list =
        rule_alloc(c->match, ((size_t)c->arg[0].n_list + 1) * sizeof(inlay_value *));
    int64_t size;

    for (int i = 0; list && i < c->arg[0].n_list; i++) {
        if (!size_along(c->arg[0].list[i], c->arg[1].ints, &size) || size > 0)
            list[c->out.n_list++] = c->arg[0].list[i];
    }
    c->out.list = list;
    return answer(list && c->out.n_list > 0 && c->out.n_list < c->arg[0].n_list);
}

/* A Concat along AXIS of values with as many axes as V. */
static bool is_joined(const inlay_value *v, const rule_ints *axis)
{
    int64_t a = axis->n == 1 ? axis->x[0] : INT64_MIN, b;

    if (!inlay_node_is(v->node, INLAY_OP_CONCAT) || v->fact.rank < 0)
        return false;
    b = inlay_node_int(v->node, "axis");
    return (a < 0 ? a + v->fact.rank : a) == (b < 0 ? b + v->fact.rank : b);
}

rule_answer rule_fn_flattened(rule_call *c)
{
    inlay_value **list;
    size_t n = 0;
    bool any = false;

    for (int i = 0; i < c->arg[0].n_list; i++) {
        inlay_value *v = c->arg[0].list[i];
        bool flat = is_joined(v, c->arg[1].ints) && v->uses && !v->uses->next;

        n += flat ? (size_t)v->node->n_in : 1;
        any = any || flat;
    }
    list = any ? rule_alloc(c->match, n * sizeof(inlay_value *)) : NULL;
    for (int i = 0; list && i < c->arg[0].n_list; i++) {
        inlay_value *v = c->arg[0].list[i];
        bool flat = is_joined(v, c->arg[1].ints) && v->uses && !v->uses->next;

        for (int k = 0; flat && k < v->node->n_in; k++)
            list[c->out.n_list++] = inlay_node_input(v->node, k);
        if (!flat)
            list[c->out.n_list++] = v;
    }
    c->out.list = list;
    return answer(list != NULL);
}

rule_answer rule_fn_cut_as_joined(rule_call *c)
{
    if (c->arg[0].n_list != c->arg[1].n_list)
        return RULE_NO;
    for (int i = 0; i < c->arg[0].n_list; i++) {
        int64_t a, b;

        if (!size_along(c->arg[0].list[i], c->arg[2].ints, &a) ||
            !size_along(c->arg[1].list[i], c->arg[2].ints, &b))
            return RULE_DONT_KNOW;
        if (a != b)
            return RULE_NO;
    }
    return RULE_YES;
}

/* Conditions and functions on Broadcast and on operations that broadcast like numpy: axes are
 * aligned at the end, and of size 1 or equal. */
#include "passes/rules/vocabulary/vocabulary.h"

#include "inlay_ops.h"

/* The size of F's axis that is axis I of a value of RANK axes; false if F does not have it. */
static bool aligned(const inlay_fact *f, int rank, int i, inlay_dim *out)
{
    int at = i - (rank - f->rank);

    if (at >= 0)
        *out = f->dims[at];
    return at >= 0;
}

/* Some of the N values other than number K are proven to have size D on axis I of RANK. */
static bool others_have(inlay_value *const *list, int n, int k, int rank, int i, inlay_dim d)
{
    for (int j = 0; j < n; j++) {
        inlay_dim b;

        if (j != k && aligned(&list[j]->fact, rank, i, &b) && inlay_dim_proven_equal(b, d))
            return true;
    }
    return false;
}

/* The Broadcast number K of LIST aligns axes as numpy does, and broadcasting with the other
 * operands gives its data X the same sizes. A size that may be 1 must not hide that X cannot be
 * broadcast. */
static bool is_needless(inlay_value *const *list, int n, int k)
{
    const inlay_value *y = list[k], *x = inlay_node_input(y->node, 0);
    int rank = y->fact.rank;

    if (x->fact.rank < 0 || rank < x->fact.rank || !rule_sizes_are_sure(y->node, 1))
        return false;
    for (int i = 0; i < x->fact.rank; i++) {
        if (rule_broadcast_axis(y->node, i) != rank - x->fact.rank + i)
            return false;
    }
    for (int i = 0; i < rank; i++) {
        inlay_dim a, d = y->fact.dims[i];
        bool has_a = aligned(&x->fact, rank, i, &a);

        if ((has_a && inlay_dim_proven_equal(a, d)) || (!has_a && rule_is_one(d)))
            continue;
        if (!others_have(list, n, k, rank, i, d) || (has_a && !rule_is_one(a) && d.lo < 2))
            return false;
    }
    return true;
}

/* The size of X on axis number I from the end; 1 if X has fewer axes. */
static inlay_dim from_end(const inlay_fact *x, int i)
{
    return i < x->rank ? x->dims[x->rank - 1 - i] : inlay_dim_of(1);
}

/* X and Y are facts of operands, not of results: the size of a result is that of an operand only if
 * the operands fit. */
static rule_answer broadcasts(const inlay_fact *x, const inlay_fact *y, bool either)
{
    if (x->rank < 0 || y->rank < 0 || (!either && x->rank > y->rank))
        return RULE_DONT_KNOW;
    for (int i = 0; i < x->rank || i < y->rank; i++) {
        inlay_dim a = from_end(x, i), b = from_end(y, i);

        if (!rule_is_one(a) && !(either && rule_is_one(b)) && !inlay_dim_proven_equal(a, b))
            return RULE_DONT_KNOW;
    }
    return RULE_YES;
}

rule_answer rule_fn_spreads(rule_call *c)
{
    return broadcasts(&c->arg[0].value->fact, &c->arg[1].value->fact, false);
}

rule_answer rule_fn_fit(rule_call *c)
{
    return broadcasts(&c->arg[0].value->fact, &c->arg[1].value->fact, true);
}

rule_answer rule_fn_unbroadcast(rule_call *c)
{
    int n = c->arg[0].n_list;
    inlay_value **list = rule_alloc(c->match, ((size_t)n + 1) * sizeof *list);
    bool any = false;

    for (int i = 0; list && i < n; i++) {
        if (c->arg[0].list[i]->fact.rank < 0)
            return RULE_DONT_KNOW;
        list[i] = c->arg[0].list[i];
    }
    for (int i = 0; list && i < n; i++) {
        if (!inlay_node_is(list[i]->node, INLAY_OP_BROADCAST) || !rule_used_once(list[i]) ||
            !is_needless(list, n, i))
            continue;
        list[i] = inlay_node_input(list[i]->node, 0);
        any = true;
    }
    c->out.list = list;
    c->out.n_list = n;
    return rule_yes_if(any);
}

/* *OUT is an upper bound of the number of elements, or, with LEAST, a lower one. False: it does not
 * fit into 64 bits. */
static bool count(const inlay_fact *f, bool least, int64_t *out)
{
    *out = 1;
    for (int i = 0; i < f->rank; i++) {
        if (__builtin_mul_overflow(*out, least ? f->dims[i].lo : f->dims[i].hi, out))
            return false;
    }
    return f->rank >= 0;
}

rule_answer rule_fn_fewer(rule_call *c)
{
    int64_t a, b;

    if (!count(&c->arg[0].value->fact, false, &a) || !count(&c->arg[1].value->fact, true, &b))
        return RULE_DONT_KNOW;
    return a < b ? RULE_YES : RULE_DONT_KNOW;
}

/* A size of the middle that is neither is only checked by the second Broadcast. A size of 1 there
 * must come from a 1, or from a missing axis: the first Broadcast refuses others. */
rule_answer rule_fn_keeps_sizes(rule_call *c)
{
    const inlay_value *y = c->arg[0].value, *z = c->arg[1].value;
    const inlay_value *x = inlay_node_input(y->node, 0);
    inlay_dim of_x[INLAY_MAX_RANK];

    for (int i = 0; i < INLAY_MAX_RANK; i++)
        of_x[i] = inlay_dim_of(1);
    if (x->fact.rank < 0 || y->fact.rank < 0 || z->fact.rank < 0)
        return RULE_DONT_KNOW;
    for (int i = 0; i < x->fact.rank; i++) {
        int at = rule_broadcast_axis(y->node, i);

        if (at < 0 || at >= y->fact.rank)
            return RULE_DONT_KNOW;
        of_x[at] = x->fact.dims[i];
    }
    for (int i = 0; i < y->fact.rank; i++) {
        inlay_dim d = y->fact.dims[i];
        int at = rule_broadcast_axis(z->node, i);

        if (inlay_dim_proven_equal(d, of_x[i]))
            continue;
        if (at < 0 || at >= z->fact.rank || !inlay_dim_proven_equal(d, z->fact.dims[at]))
            return RULE_DONT_KNOW;
    }
    return RULE_YES;
}

/* It is known to which axes N, a Broadcast, maps its data: otherwise it may be an error. */
static bool is_mapped(const inlay_node *n)
{
    const inlay_value *mapping = inlay_node_operand(n, INLAY_ROLE_PLACES);

    return !mapping || mapping->fact.content;
}

/* Two consecutive Broadcasts, from X to the middle and from there to Z, as one explicit Broadcast
 * of X. */
rule_answer rule_fn_both_axes(rule_call *c)
{
    const inlay_node *z = c->arg[0].value->node, *y = inlay_node_input(z, 0)->node;
    const inlay_value *x = inlay_node_is(y, INLAY_OP_BROADCAST) ? inlay_node_input(y, 0) : NULL;
    rule_ints *out;

    if (!x || x->fact.rank < 0 || y->out[0].fact.rank < 0 || z->out[0].fact.rank < 0 ||
        !is_mapped(y) || !is_mapped(z) ||
        !(out = rule_new_ints(c->match, INLAY_I64, 1, x->fact.rank)))
        return RULE_DONT_KNOW;
    for (int i = 0; i < out->n; i++) {
        int middle = rule_broadcast_axis(y, i);

        out->x[i] = middle < 0 ? -1 : rule_broadcast_axis(z, middle);
        if (out->x[i] < 0)
            return RULE_DONT_KNOW;
    }
    c->out.ints = out;
    return RULE_YES;
}

rule_answer rule_fn_scalar(rule_call *c)
{
    int rank = c->arg[0].value->fact.rank;

    return rank < 0 ? RULE_DONT_KNOW : rank == 0 ? RULE_YES : RULE_NO;
}

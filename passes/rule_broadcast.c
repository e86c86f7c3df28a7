/* What rules ask of a Broadcast as numpy does it: axes are aligned at the end, and of size 1 or
 * equal. */
#include "passes/rule_window.h"

/* The size of the axis of F that is axis I of a value of RANK axes; false when F does not have it.
 */
static bool aligned(const inlay_fact *f, int rank, int i, inlay_dim *out)
{
    int at = i - (rank - f->rank);

    if (at >= 0)
        *out = f->dims[at];
    return at >= 0;
}

/* Where the third has the size that the second has, it brings x there too. A size that may be 1
 * must not hide that x cannot be broadcast. */
rule_answer rule_fn_needless(rule_call *c)
{
    const inlay_fact *x = &c->arg[0].value->fact, *y = &c->arg[1].value->fact;
    const inlay_fact *other = &c->arg[2].value->fact;

    if (x->rank < 0 || y->rank < 0 || other->rank < 0)
        return RULE_DONT_KNOW;
    for (int i = 0; i < y->rank; i++) {
        inlay_dim a, b;
        bool has_a = aligned(x, y->rank, i, &a), has_b = aligned(other, y->rank, i, &b);

        if (has_a && inlay_dim_proven_equal(a, y->dims[i]))
            continue;
        if (!has_b)
            return RULE_NO;
        if (!has_a && rule_is_one(y->dims[i]))
            continue;
        if (!inlay_dim_compatible(b, y->dims[i]))
            return RULE_NO;
        if (!inlay_dim_proven_equal(b, y->dims[i]) ||
            (has_a && !rule_is_one(a) && y->dims[i].lo < 2))
            return RULE_DONT_KNOW;
    }
    return RULE_YES;
}

rule_answer rule_fn_scalar(rule_call *c)
{
    int rank = c->arg[0].value->fact.rank;

    return rank < 0 ? RULE_DONT_KNOW : rank == 0 ? RULE_YES : RULE_NO;
}

/* Windows say more of joined and written values than of a Tile or a Pad. */
rule_answer rule_fn_uncut(rule_call *c)
{
    for (const inlay_use *u = c->arg[0].value->uses; u; u = u->next) {
        if (inlay_node_is(u->node, INLAY_OP_SLICE) ||
            inlay_node_is(u->node, INLAY_OP_SLICE_SCATTER))
            return RULE_NO;
    }
    return RULE_YES;
}

/* Of two, a Tile has as many operands. */
rule_answer rule_fn_copied(rule_call *c)
{
    if (c->arg[0].n_list < 3)
        return RULE_NO;
    for (int i = 1; i < c->arg[0].n_list; i++) {
        if (!inlay_value_same(c->arg[0].list[0], c->arg[0].list[i]))
            return RULE_NO;
    }
    c->out.value = c->arg[0].list[0];
    return RULE_YES;
}

rule_answer rule_fn_repeats(rule_call *c)
{
    int rank = c->arg[0].n_list > 0 ? c->arg[0].list[0]->fact.rank : -1;
    int64_t axis = c->arg[1].ints->n == 1 ? c->arg[1].ints->x[0] : INT64_MIN;
    rule_ints *out;

    if (rank < 1 || axis < -rank || axis >= rank ||
        !(out = rule_new_ints(c->match, INLAY_I64, 1, rank)))
        return RULE_DONT_KNOW;
    for (int i = 0; i < rank; i++)
        out->x[i] = i == (axis < 0 ? axis + rank : axis) ? c->arg[0].n_list : 1;
    c->out.ints = out;
    return RULE_YES;
}

/* What is known where a rule is applied: a result of which less would be known than of what was
 * there is refused. */
#include "passes/prove/case.h"

#include <string.h>

/* V has sizes that are known: those of operands that are, whether the node is an error or not. */
static bool has_fixed_sizes(const prove_value *v)
{
    return v->fixed ||
           (v->node && (v->node->row->flags & PROVE_SIZES_OF_INDICES) && v->node->in[1]->fixed);
}

/* The number that size I of OLD is known to be: it is one, or the same size of NOW, of which NUMBER
 * tells what is known, is; NULL: none is known. */
static const smt *number_of_size(const prove_value *old, int i, const prove_value *now,
                                 const smt *const *number)
{
    const smt *found = old->dim[i]->op == SMT_INT ? old->dim[i] : NULL;

    for (int k = 0; k < now->rank && !found; k++)
        found = smt_same(now->dim[k], old->dim[i]) ? number[k] : NULL;
    return found;
}

/* Where the number of axes is known, so is the size of one that an operation has made, and NOW must
 * be known to have it. */
static void state_known_numbers(prove_case *c, const prove_value *old, const prove_value *now)
{
    const smt *number[PROVE_RANK] = {NULL};

    for (int again = 0; again < old->rank * old->rank; again++) {
        int i = again % old->rank;
        const smt *known = number[i] ? NULL : number_of_size(old, i, now, number);

        if (known) {
            number[i] = known;
            prove_assume(c, smt_eq(&c->pool, now->dim[i], known));
        }
    }
}

/* What NOW, which the rule is given, is known to have is no less than what was known of the OLD
 * value: else the rule is not applied. */
void prove_state_fixed_result(prove_case *c, const prove_value *old, const prove_value *now)
{
    if (c->ranks_known)
        state_known_numbers(c, old, now);
    while (now->node && (now->node->row->flags & PROVE_SIZES_OF_DATA))
        now = now->node->in[0]; /* by the shape rule, too */
    if (!now->node && has_fixed_sizes(old))
        prove_assume(c, prove_same_sizes(c, old, now));
}

/* N makes each element of those of its operands that stand there. */
static bool is_pointwise(const prove_node *n)
{
    return n->from->n_rows > 0 && (n->from->rows[0]->flags & INLAY_POINTWISE);
}

/* The result of N has as many axes as its data. */
static bool keeps_rank(const prove_node *n)
{
    return !is_pointwise(n) &&
           ((n->row->flags & PROVE_KEEPS_RANK) || ((n->row->flags & PROVE_FOLDS) && n->form));
}

/* How many axes V has is known: constants have a known number of them. */
static bool has_known_rank(const prove_value *v)
{
    bool known = v->ranked || v->fixed || v->number || v->n_ints >= 0;

    if (!known && v->node && keeps_rank(v->node))
        return has_known_rank(v->node->in[0]);
    if (!known && v->node && is_pointwise(v->node)) {
        known = true;
        for (int i = 0; i < v->node->n_in; i++)
            known = known && has_known_rank(v->node->in[i]);
    }
    return known;
}

/* Where a constant is broadcast with what has one of its sizes, that size of the result is known.
 * Else the rule is not applied. What is known of sizes is no error: the shape rules saw it. */
static void state_size_of_constant(prove_case *c, const prove_node *n, const prove_value *constant,
                                   const prove_value *now)
{
    smt_pool *p = &c->pool;
    int more = now->rank - constant->rank;

    for (int k = 0; k < constant->rank; k++) {
        const smt *size = constant->dim[k], *had = now->dim[k + more];
        const smt *known =
            smt_and(p, smt_eq(p, had, size), smt_eq(p, had, n->out[0].dim[k + more]));

        if (n->form == PROVE_STRICT)
            prove_assume(c, known);
        else
            prove_assume(c, smt_or(p, smt_eq(p, size, smt_int(p, 1)), known));
    }
}

/* Operands of which one is not to be broadcast have as many axes as the other, or the shape rules
 * have seen that they have not. */
static void state_strict_ranks(prove_case *c)
{
    for (int i = 0; i < c->rule->left.n_nodes && !c->cut; i++) {
        const prove_node *n = c->left[i];

        for (int k = 1; n && is_pointwise(n) && k < n->n_in && n->form == PROVE_STRICT; k++)
            prove_need(c, n->in[0]->rank == n->in[k]->rank || !has_known_rank(&n->out[0]));
    }
}

/* Where nothing is broadcast, NOW has the sizes of CONSTANT, and so has what is known to have them
 * or 1: the shape rules saw that all are the same. Where the last of three operands is broadcast
 * one way, and is NOW, it has the sizes of the second one if that has them or 1: where it has 1 the
 * size of the result is known, as those of the constant are, so that NOW has it, and the shape
 * rules saw that it is 1, too. */
static void state_spread_sizes(prove_case *c, const prove_node *n, const prove_value *constant,
                               const prove_value *now)
{
    for (int i = 0; i < n->n_in && n->form == PROVE_STRICT; i++) {
        if (n->in[i]->over == now && n->in[i]->rank == constant->rank)
            prove_assume(c, prove_same_sizes(c, n->in[i], constant));
    }
    if (n->form == PROVE_ONE_WAY && n->n_in == 3 && n->in[2] == now && n->in[1]->over == now)
        prove_assume(c, prove_same_sizes(c, n->in[1], now));
}

void prove_state_size_of_constants(prove_case *c, const prove_value *old, const prove_value *now)
{
    const prove_node *n = old->node;

    state_strict_ranks(c);
    if (!n || !is_pointwise(n) || !has_known_rank(old))
        return;
    prove_need(c, now->rank == old->rank);
    for (int i = 0; i < n->n_in && !c->cut; i++) {
        if (!n->in[i]->number)
            continue;
        state_size_of_constant(c, n, n->in[i], now);
        state_spread_sizes(c, n, n->in[i], now);
    }
}

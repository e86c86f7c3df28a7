/* What the graph knows where a rule is applied. The application is refused if less would be known
 * of the new result than of the old one. */
#include "passes/prove/case.h"

#include <string.h>

/* The sizes of V are known: those of operands are, and whether the node is valid does not matter.
 */
static bool has_fixed_sizes(const prove_value *v)
{
    return v->fixed ||
           (v->node && (v->node->row->flags & PROVE_SIZES_OF_INDICES) && v->node->in[1]->fixed);
}

static bool has_known_lengths(const prove_node *n)
{
    return n && n->sure && prove_is_type(n->row->type, "VariadicSplit");
}

/* T is one of the lengths of a VariadicSplit, which are known; what is left is taken for one. */
static bool is_known_length(const prove_case *c, const smt *t)
{
    for (int i = 0; i < c->rule->left.n_nodes; i++) {
        const prove_node *n = c->left[i];

        for (int k = 0; has_known_lengths(n) && k < n->n_out; k++) {
            if (smt_same(n->sizes[k], t))
                return true;
        }
    }
    return false;
}

/* Lengths that are known are none below 0. What is left is not, for of a sum of lengths it is known
 * that it is no less than each of them. */
static void state_lengths(prove_case *c)
{
    for (int i = 0; i < c->rule->left.n_nodes; i++) {
        const prove_node *n = c->left[i];

        for (int k = 0; has_known_lengths(n) && k < n->n_out; k++)
            prove_assume(c, smt_le(&c->pool, smt_int(&c->pool, 0), n->sizes[k]));
    }
}

/* T is made of numbers that are known where the rule is applied. */
static bool is_known_number(const prove_case *c, const smt *t)
{
    bool known = t->op == SMT_ADD;

    for (int i = 0; i < t->n_args && known; i++)
        known = is_known_number(c, t->arg[i]);
    return known || t->op == SMT_INT || is_known_length(c, t);
}

/* The number that size I of OLD is known to be: it is one, or the same size of NOW, of which NUMBER
 * tells what is known, is; NULL: none is known. */
static const smt *number_of_size(const prove_case *c, const prove_value *old, int i,
                                 const prove_value *now, const smt *const *number)
{
    const smt *found = is_known_number(c, old->dim[i]) ? old->dim[i] : NULL;

    for (int k = 0; k < now->rank && !found; k++)
        found = smt_same(now->dim[k], old->dim[i]) ? number[k] : NULL;
    return found;
}

/* If the rank is known, so is the size of an axis that an operation adds, and NOW must be known to
 * have it. */
static void state_known_numbers(prove_case *c, const prove_value *old, const prove_value *now)
{
    const smt *number[PROVE_RANK] = {NULL};

    for (int again = 0; again < old->rank * old->rank; again++) {
        int i = again % old->rank;
        const smt *known = number[i] ? NULL : number_of_size(c, old, i, now, number);

        if (known) {
            number[i] = known;
            prove_assume(c, smt_eq(&c->pool, now->dim[i], known));
        }
    }
}

/* Some size of V is a length that is known. */
static bool has_known_length(const prove_case *c, const prove_value *v)
{
    bool has = false;

    for (int i = 0; i < v->rank; i++)
        has = has || (v->dim[i]->op != SMT_INT && is_known_number(c, v->dim[i]));
    return has;
}

/* The rank of V is known; that of a constant always is. */
static bool has_known_rank(const prove_value *v)
{
    bool known = v->ranked || v->fixed || v->number || v->n_ints >= 0;

    if (!known && v->node && !prove_is_by_element(v->node) &&
        ((v->node->row->flags & PROVE_KEEPS_RANK) ||
         ((v->node->row->flags & PROVE_FOLDS) && v->node->form)))
        return has_known_rank(v->node->in[0]);
    if (!known && v->node && prove_is_by_element(v->node)) {
        known = true;
        for (int i = 0; i < v->node->n_in; i++)
            known = known && has_known_rank(v->node->in[i]);
    }
    return known;
}

/* What NOW, which the rule is given, is known to have is no less than what was known of the OLD
 * value: else the rule is not applied. */
void prove_state_fixed_result(prove_case *c, const prove_value *old, const prove_value *now)
{
    if (!c->ranks_known && old->rank == now->rank && has_known_length(c, old)) {
        c->ranks_assumed = c->ranks_assumed || !prove_knows_rank(c, old);
        state_known_numbers(c, old, now);
        state_lengths(c);
    }
    if (c->ranks_known)
        state_known_numbers(c, old, now);
    while (now->node && (now->node->row->flags & PROVE_SIZES_OF_DATA))
        now = now->node->in[0]; /* by the shape rule, too */
    if (!now->node && has_fixed_sizes(old))
        prove_assume(c, prove_same_sizes(c, old, now));
}

/* Where a constant is broadcast with what has one of its sizes, that size of the result is known.
 * Else the rule is not applied. */
static void state_size_of_constant(prove_case *c, const prove_node *n, const prove_value *constant,
                                   const prove_value *now)
{
    smt_pool *p = &c->pool;
    int more = now->rank - constant->rank;

    for (int k = 0; k < constant->rank; k++) {
        const smt *size = constant->dim[k];
        const smt *known = smt_eq(p, now->dim[k + more], size);

        if (n->form == PROVE_STRICT)
            prove_assume(c, known);
        else
            prove_assume(c, smt_or(p, smt_eq(p, size, smt_int(p, 1)), known));
    }
}

/* Operands of which one must not be broadcast have the same rank, or the shape rules have seen that
 * they have not. */
static void state_strict_ranks(prove_case *c)
{
    for (int i = 0; i < c->rule->left.n_nodes && !c->cut; i++) {
        const prove_node *n = c->left[i];

        for (int k = 1; n && prove_is_by_element(n) && k < n->n_in && n->form == PROVE_STRICT; k++)
            prove_need(c, n->in[0]->rank == n->in[k]->rank || !has_known_rank(&n->out[0]));
    }
}

/* If nothing is broadcast, NOW has the sizes of CONSTANT, and so has a value that is known to have
 * them or 1: the shape rules have seen that all are equal. If the last of three operands is
 * broadcast one way, and is NOW, it has the sizes of the second one if that has them or 1: if that
 * has 1, the size of the result is known, like those of the constant, so NOW has it, and the shape
 * rules have seen that it is 1, too. */
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
    if (!n || !prove_is_by_element(n) || !has_known_rank(old))
        return;
    prove_need(c, now->rank == old->rank);
    for (int i = 0; i < n->n_in && !c->cut; i++) {
        if (!n->in[i]->number)
            continue;
        state_size_of_constant(c, n, n->in[i], now);
        state_spread_sizes(c, n, n->in[i], now);
    }
}

/* Operands that the left side of a rule has and its right side does not use, and elements that only
 * one side computes: an error of the left side because of them is lost on the right side. */
#include "passes/prove/rows.h"

#include <string.h>

static bool right_uses(const rule *r, int name)
{
    for (int i = 0; i < r->right.n_nodes; i++) {
        for (int k = 0; k < r->right.nodes[i].n_in; k++) {
            const rule_term *t = &r->right.nodes[i].in[k];

            if (t->kind == TERM_NAME && t->name == name)
                return true;
        }
    }
    return false;
}

static bool is_dropped(const rule *r, const rule_term *t)
{
    return t->kind == TERM_ANY || (t->kind == TERM_NAME && !right_uses(r, t->name));
}

/* Some condition or function has NAME as an argument. */
static bool is_asked_of(const rule *r, int name)
{
    for (int i = 0; i < r->n_clauses; i++) {
        for (int k = 0; k < r->clauses[i].n_args; k++) {
            const rule_term *t = &r->clauses[i].args[k];

            if (t->kind != TERM_INTS && t->name == name)
                return true;
        }
    }
    return false;
}

/* If the right side does not use the axes, and no condition asks about them, they need not be
 * constant: they may turn out invalid in the run, an error that would be lost. */
void prove_state_dropped_axes(prove_case *c, prove_node *n)
{
    bool asked = false;

    for (int i = 0; i < n->from->n_outs; i++)
        asked = asked || (n->from->outs[i] >= 0 && is_asked_of(c->rule, n->from->outs[i]));
    for (int i = 0; i < n->from->n_in && !asked && !c->cut && !c->unknown; i++) {
        const rule_term *t = &n->from->in[i];

        if (prove_names_axes(n->from, i) && is_dropped(c->rule, t) &&
            !(t->kind == TERM_NAME && is_asked_of(c->rule, t->name)))
            prove_must(c, n, smt_constant(&c->pool, "right", "Bool"));
    }
}

/* Whether operand AT of N is sizes or lengths, by the op table. */
static bool says_sizes(const prove_node *n, int at)
{
    static const inlay_role roles[] = {INLAY_ROLE_SHAPE, INLAY_ROLE_REPEATS, INLAY_ROLE_LENGTHS};
    const inlay_op *op = inlay_op_find(NULL, n->row->type, NULL, NULL, NULL);
    bool says = false;

    for (size_t i = 0; op && i < sizeof roles / sizeof *roles; i++)
        says = says || inlay_op_operand(op, roles[i]) == at;
    return says;
}

/* A node whose sizes the right side does not use is matched only if these cannot be invalid:
 * match.c, drops_check. */
void prove_state_dropped_sizes(prove_case *c)
{
    for (int i = 0; i < c->rule->left.n_nodes && !c->cut && !c->unknown; i++) {
        const prove_node *n = c->left[i];

        for (int k = 0; n && k < n->from->n_in; k++) {
            if (is_dropped(c->rule, &n->from->in[k]) && says_sizes(n, k))
                prove_assume(c, n->valid);
        }
    }
}

/* ---- elements ---- */

/* Some condition of the rule excludes errors of elements: the operation is total, or a reduction,
 * which never fails; or a Broadcast only repeats its elements, and drops none. */
static bool excludes_errors(const rule *r)
{
    static const char *const conditions[] = {"total",           "folds", "gives_it",
                                             "gives_it_nearly", "fewer", NULL};
    bool excludes = false;

    for (int i = 0; i < r->n_clauses; i++)
        excludes =
            excludes || (!r->clauses[i].negated && prove_calls_one(&r->clauses[i], conditions));
    return excludes;
}

/* A node of SIDE may drop elements of an operand. */
static bool drops_elements(const rule_side *side)
{
    for (int i = 0; i < side->n_nodes; i++) {
        const rule_node *n = &side->nodes[i];
        const prove_row *row = n->op_name < 0 ? prove_row_of(n->type) : NULL;

        if (row && !(row->flags & PROVE_KEEPS_ELEMENTS))
            return true;
    }
    return false;
}

/* Some `any f` of SIDE has more than one operand; those with one never fail. */
static bool may_fail(const rule_side *side)
{
    for (int i = 0; i < side->n_nodes; i++) {
        const rule_node *n = &side->nodes[i];

        if (n->op_name >= 0 && (n->n_in > 1 || n->in[0].kind == TERM_REST))
            return true;
    }
    return false;
}

/* An operation that fails for some elements, as an integer Divide does, no longer fails if these
 * are dropped. Whether the left side drops them is not known. */
void prove_state_dropped_elements(prove_case *c)
{
    const rule *r = c->rule;

    if (may_fail(&r->left) && !excludes_errors(r) &&
        (drops_elements(&r->left) || drops_elements(&r->right)))
        c->left_valid =
            smt_and(&c->pool, c->left_valid, smt_constant(&c->pool, "faultless", "Bool"));
}

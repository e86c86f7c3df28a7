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

/* Some condition or function is about the result NAME, and wants to know its axes, which its sizes
 * do not tell. */
static bool is_asked_of_axes(const rule *r, int name)
{
    static const char *const sizes[] = {"same_shape", "static_shape", "open_shape", "same_beside",
                                        "ranked",     "once",         "fit",        "spreads",
                                        "scalar",     "same_axis",    NULL};
    bool asked = false;

    for (int i = 0; i < r->n_clauses; i++) {
        for (int k = 0; k < r->clauses[i].n_args; k++)
            asked = asked || (prove_name_at(&r->clauses[i], k) == name &&
                              !prove_calls_one(&r->clauses[i], sizes));
    }
    return asked;
}

/* Operand AT of N says which axes of its result those of its data are. */
static bool is_mapping(const rule_node *n, int at)
{
    return n->n_rows > 0 && inlay_op_operand(n->rows[0], INLAY_ROLE_PLACES) == at;
}

/* Axes that the right side does not have, and no condition asks of, need be no constant: they may
 * be wrong when the graph runs, an error that is lost. */
void prove_state_dropped_axes(prove_case *c, prove_node *n)
{
    bool asked = false;

    for (int i = 0; i < n->from->n_outs; i++)
        asked = asked || (n->from->outs[i] >= 0 && is_asked_of_axes(c->rule, n->from->outs[i]));
    for (int i = 0; i < n->from->n_in && !asked && prove_goes_on(c); i++) {
        const rule_term *t = &n->from->in[i];

        if ((prove_names_axes(n->from, i) || is_mapping(n->from, i)) && is_dropped(c->rule, t) &&
            !(t->kind == TERM_NAME && is_asked_of(c->rule, t->name)))
            n->right_axes =
                smt_and(&c->pool, n->right_axes, smt_constant(&c->pool, "right", "Bool"));
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

/* All sizes of V are known where the rule is applied: the rule asks for them; or Y is what V is
 * made of and each size of Y is one of those, or one of its data. */
static bool has_known_sizes(const prove_case *c, const prove_value *v)
{
    const rule *r = c->rule;

    for (int i = 0; i < r->n_clauses; i++) {
        const rule_clause *clause = &r->clauses[i];
        const prove_value *z = prove_value_at(c, clause, 1);

        if (prove_asks_of(c, clause, "static_shape", 0, v) ||
            (prove_asks_of(c, clause, "keeps_sizes", 0, v) && z != v && has_known_sizes(c, z)))
            return true;
    }
    return false;
}

/* N has a window of which V, of known sizes, is made. */
static const prove_node *known_part(const prove_case *c, const prove_node *n)
{
    const prove_node *part = NULL;

    for (int i = 0; i < c->rule->left.n_nodes; i++) {
        const prove_node *m = c->left[i];

        if (m && m->window && m->in[0] == &n->out[0] && has_known_sizes(c, &m->out[0]))
            part = m;
    }
    return part;
}

/* Some condition or function takes what the term is for integers, so that these are known. */
static bool is_asked_as_integers(const rule *r, const rule_term *t)
{
    bool asked = t->kind == TERM_INTS;

    for (int i = 0; i < r->n_clauses && t->kind == TERM_NAME; i++) {
        for (int k = 0; k < r->clauses[i].n_args; k++)
            asked = asked || (prove_name_at(&r->clauses[i], k) == t->name &&
                              (r->clauses[i].fn->signature[k] & ~0x20) == RULE_INTEGERS);
    }
    return asked;
}

/* Number I of the sizes or repeats that N asks for is known to be no less than 0, or is so where
 * the part that is made of it takes something. */
static const smt *is_sure(prove_case *c, const prove_node *n, bool known, int i)
{
    smt_pool *p = &c->pool;
    const prove_node *part = known ? NULL : known_part(c, n);
    int axis = i + n->out[0].rank - n->in[1]->n_ints;
    const smt *sure = smt_le(p, smt_int(p, 0), n->in[1]->ints[i]);

    if (!part)
        return known ? sure : smt_bool(true);
    return smt_or(p, sure, smt_eq(p, part->window->axis[axis].count, smt_int(p, 0)));
}

/* What N makes is known to have the sizes of its data, or of what that is a view of. */
static bool has_sizes_of_data(const prove_case *c, const prove_node *n)
{
    bool has = false;

    for (int i = 0; i < 2 * c->rule->n_clauses && !has; i++) {
        const rule_clause *clause = &c->rule->clauses[i / 2];
        const prove_value *of = n->in[0];

        while (of->node && !prove_asks_of(c, clause, "same_shape", i % 2, of) &&
               (of->node->row->flags & PROVE_KEEPS_NUMBERS))
            of = of->node->in[0];
        has = prove_asks_of(c, clause, "same_shape", i % 2, of) &&
              prove_asks_of(c, clause, "same_shape", 1 - i % 2, &n->out[0]);
    }
    return has;
}

/* A node whose sizes the right side does not ask for is matched only if what is known of its result
 * comes of sizes that are known (match.c, drops_check): of these the shape rule saw that they are
 * no error. That is so if the result is known to have the sizes of the data. */
static void state_dropped_sizes(prove_case *c, prove_node *n, const rule_term *t)
{
    bool known = is_asked_as_integers(c->rule, t) || has_known_sizes(c, &n->out[0]);

    n->sure = true;
    if (has_sizes_of_data(c, n))
        prove_assume(c, n->valid);
    for (int i = 0; !prove_is_type(n->row->type, "VariadicSplit") && i < n->in[1]->n_ints; i++)
        prove_assume(c, is_sure(c, n, known, i));
}

void prove_state_dropped_sizes(prove_case *c)
{
    for (int i = 0; i < c->rule->left.n_nodes && prove_goes_on(c); i++) {
        prove_node *n = c->left[i];

        for (int k = 0; n && k < n->from->n_in; k++) {
            if (is_dropped(c->rule, &n->from->in[k]) && says_sizes(n, k))
                state_dropped_sizes(c, n, &n->from->in[k]);
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

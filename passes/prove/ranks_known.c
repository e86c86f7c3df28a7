/* The values whose rank is known where a rule is applied: from its conditions, or from the shape
 * rules. See ranks.c. */
#include "passes/prove/ranks.h"

#include <string.h>

/* ---- lists and windows ---- */

static bool is_asked(const rule_clause *clause, int name, bool integers)
{
    for (int k = 0; k < clause->n_args && !clause->negated; k++) {
        bool as_integers = (clause->fn->signature[k] & ~0x20) == RULE_INTEGERS;

        if (clause->args[k].kind != TERM_INTS && clause->args[k].name == name &&
            (!integers || as_integers || prove_calls(clause, "constant")))
            return true;
    }
    return false;
}

/* Some function, or condition that is not negated, has NAME as an argument or result. INTEGERS: as
 * integers, which it knows. */
static bool is_asked_about(const rule *r, int name, bool integers)
{
    for (int i = 0; i < r->n_clauses; i++) {
        if (r->clauses[i].target == name || is_asked(&r->clauses[i], name, integers))
            return true;
    }
    return false;
}

/* Operand I of N is a list whose numbers were known when the rule was applied. */
bool ranks_is_known_list(const prove_case *c, const prove_node *n, int i)
{
    const rule_term *t = n->from && i < n->from->n_in ? &n->from->in[i] : NULL;

    return t && i < n->n_in && n->in[i] && n->in[i]->n_ints >= 0 &&
           (t->kind == TERM_INTS ||
            (t->kind == TERM_NAME && is_asked_about(c->rule, t->name, true)));
}

/* Operand 1 of N is a list with a number for each axis of the data. */
bool ranks_is_by_list(const prove_node *n)
{
    return (n->row->flags & PROVE_BY_LIST) != 0;
}

bool ranks_is_named(const prove_node *n, const char *type)
{
    return strcmp(n->row->type, type) == 0;
}

/* Some node of the left side has the window NAME, so nothing more may be known of it. */
static bool is_of_left(const rule *r, int name)
{
    for (int i = 0; i < r->left.n_nodes; i++) {
        for (int k = 0; k < r->left.nodes[i].n_in; k++) {
            const rule_term *t = &r->left.nodes[i].in[k];

            if (t->kind == TERM_WINDOW && t->name == name)
                return true;
        }
    }
    return false;
}

/* The window of N has a number for each axis of the data: some condition holds for it, or it is
 * computed for the right side, which is not made if the data has another rank or an unknown one. */
bool ranks_counts_axes(const prove_case *c, const prove_node *n)
{
    for (int i = 0; n->from && i < n->from->n_in; i++) {
        const rule_term *t = &n->from->in[i];

        if (t->kind == TERM_WINDOW && (c->rule->names[t->name].kind == RULE_WINDOW || n->right) &&
            (n->right ? !is_of_left(c->rule, t->name) : is_asked_about(c->rule, t->name, false)))
            return true;
    }
    return !n->right && n->window && n->window->known;
}

/* ---- ranks ---- */

/* The shape rule of N knows the rank of its output only if it knows that of operand I. Operands
 * that are not broadcast as numpy does it have the rank of the output, as have a convolution's
 * filters. */
static bool wants_rank_of(const prove_case *c, const prove_node *n, int i)
{
    if (prove_is_pointwise(n) || ranks_is_named(n, "MatMul"))
        return n->n_in == 1 || n->form == 0;
    return i == 0 && !(n->row->flags & PROVE_OF_PICTURES) &&
           (prove_keeps_rank(n) || (n->row->flags & PROVE_FOLDS) || ranks_is_named(n, "Gather") ||
            ((n->row->flags & (PROVE_BRINGS_AXES | PROVE_TAKES_AXES)) &&
             ranks_is_known_list(c, n, 1)));
}

static bool is_told_by_readers(const prove_case *c, const prove_value *v);

/* The rank of some result of N is told, by itself or by a node that reads it. */
static bool has_told_result(const prove_case *c, const prove_node *n)
{
    bool told = false;

    for (int k = 0; k < n->n_out; k++)
        told = told || ranks_is_told(c, &n->out[k]) || is_told_by_readers(c, &n->out[k]);
    return told;
}

/* A node of the left side that reads V tells its rank. */
static bool is_told_by_readers(const prove_case *c, const prove_value *v)
{
    for (int i = 0; i < c->rule->left.n_nodes; i++) {
        const prove_node *n = c->left[i];

        for (int k = 0; n && k < n->n_in; k++) {
            if (n->in[k] == v && ((k == 0 && ranks_counts_axes(c, n)) ||
                                  (wants_rank_of(c, n, k) && has_told_result(c, n))))
                return true;
        }
    }
    return false;
}

/* The shape rule knows operand I of N, which tells the rank of the output. */
static bool says_known(const prove_case *c, const prove_node *n, int i)
{
    bool is_list = n->in[i]->n_ints >= 0;
    bool is_axis = is_list && (ranks_is_named(n, "Gather") || ranks_is_named(n, "ScatterUpdate"));

    return is_list ? is_axis || ranks_is_known_list(c, n, i) : prove_knows_rank(c, n->in[i]);
}

/* The shape rule of N finds the rank of its output. */
static bool finds_rank(const prove_case *c, const prove_node *n)
{
    int used = prove_keeps_rank(n) && !prove_is_pointwise(n) ? 1 : n->n_in;
    bool finds = used > 0;

    if (ranks_is_by_list(n) && (ranks_is_known_list(c, n, 1) || prove_knows_rank(c, n->in[0])))
        return true;
    if (ranks_is_named(n, "Reshape") && ranks_is_known_list(c, n, 1))
        return true;
    if (n->row->flags & PROVE_SIZES_OF_INDICES)
        return prove_knows_rank(c, n->in[1]);
    for (int i = 0; i < used; i++)
        finds = finds && n->in[i] && says_known(c, n, i);
    return finds;
}

/* CLAUSE has looked at the sizes of the axes that N removes, of which none is open then. */
static bool looks_at_sizes(const prove_case *c, const rule_clause *clause, const prove_node *n)
{
    static const char *const looks[] = {"squeezed",  "reshapes",  "never_fails", "constant_sizes",
                                        "axes_come", "axes_gone", NULL};
    bool does = false;

    for (int k = 0; k < clause->n_args && !clause->negated && prove_calls_one(clause, looks); k++) {
        const prove_name *name =
            clause->args[k].kind == TERM_INTS ? NULL : &c->names[clause->args[k].name];

        does =
            does || (name && (name->op == n ||
                              (name->value && (name->value == n->in[0] || name->value->node == n ||
                                               ranks_reads(name->value->node, &n->out[0])))));
    }
    return does;
}

/* V is made of what a Squeeze of the left side makes, whose shape rule assumes of an open axis that
 * it goes away: in a run it may stay. */
bool ranks_is_assumed(const prove_case *c, const prove_value *v)
{
    const prove_node *n = v->node && !v->node->right ? v->node : NULL;
    bool assumed = n && ranks_is_named(n, "Squeeze"), before = false;

    for (int i = 0; i < c->rule->n_clauses && assumed; i++)
        assumed = !looks_at_sizes(c, &c->rule->clauses[i], n);
    for (int k = 0; n && k < n->n_in && !before; k++)
        before = n->in[k] && ranks_is_assumed(c, n->in[k]);
    return assumed || before;
}

bool prove_knows_rank(const prove_case *c, const prove_value *v)
{
    if (ranks_is_assumed(c, v))
        return false;
    return ranks_is_told(c, v) || is_told_by_readers(c, v) || (v->node && finds_rank(c, v->node));
}

/* V is a result of which the number of axes is known, or operand of what makes such a one: else the
 * rule is not applied, because less would be known than before. */
bool ranks_makes_known(const prove_case *c, const prove_value *v)
{
    const prove_node *root = c->left[c->rule->root];

    for (int i = 0; i < c->n_results && i < root->n_out; i++) {
        if (c->results[i] == v && prove_knows_rank(c, &root->out[i]))
            return true;
    }
    for (int i = 0; i < c->rule->right.n_nodes; i++) {
        const prove_node *n = c->right[i];

        for (int k = 0; n && k < n->n_in; k++) {
            if (n->in[k] == v && ((k == 0 && ranks_counts_axes(c, n)) ||
                                  (wants_rank_of(c, n, k) && ranks_makes_known(c, &n->out[0]))))
                return true;
        }
    }
    return false;
}

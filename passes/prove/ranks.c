/* Values whose rank (number of axes) the graph does not know. In a run, an axis, a list or another
 * operand may turn out not to fit the rank of such a value. That is an error, which a rule must not
 * lose; the cases of a proof only cover graphs without such errors.
 *
 * Where the shape rules know all ranks, they have checked this. A rank is known if a condition asks
 * for it; if it is known of an operation's operands, or of its result, since the shape rules derive
 * one from the other; and if a new value replaces one of known rank, since otherwise the rule is
 * not applied.
 *
 * For all other values the right side must fail wherever the left side does. It does so
 *
 * - if it repeats the operation that fails, with operands of the same ranks, the
 *   same lists and the same axes;
 * - if it uses the value, or one of the same rank, with a list whose length was known when the
 *   rule was applied, and the list that does not fit on the left side has this length, too: the
 *   right side then fails for every other rank, and for this one the left side does not fail.
 *
 * Both hold for any graph: the ranks of a run change neither what conditions say nor what functions
 * have returned. */
#include "passes/prove/ranks.h"

/* ---- errors of the left side ---- */

/* The sizes of N, a Reshape, are known, or the list that it gets is: no size is copied from an axis
 * that the data may not have. */
static bool copies_no_size(const prove_case *c, const prove_node *n)
{
    static const char *const sizes[] = {"same_shape", "static_shape", NULL}, *const nodes[] = {
                                                                                 "constant_sizes",
                                                                                 "never_fails",
                                                                                 NULL};

    for (int i = 0; i < c->rule->n_clauses && ranks_is_named(n, "Reshape"); i++) {
        const rule_clause *clause = &c->rule->clauses[i];
        bool of_sizes = prove_calls_one(clause, sizes), of_n = prove_calls_one(clause, nodes);

        for (int k = 0; k < clause->n_args && !clause->negated && (of_sizes || of_n); k++) {
            const prove_name *name = &c->names[clause->args[k].name];

            if ((of_n && name->op == n) || (of_sizes && name->value == &n->out[0]))
                return true;
        }
    }
    return false;
}

/* N, an Unsqueeze, adds an axis at an end of its data: the rule writes the axis, or asks whether it
 * is the last one of the result, which is written in this way or otherwise known. */
static bool is_axis_at_end(const prove_case *c, const prove_node *n)
{
    const rule_term *axes = n->from && n->from->n_in > 1 ? &n->from->in[1] : NULL;

    if (!axes || !ranks_is_named(n, "Unsqueeze"))
        return false;
    if (axes->kind == TERM_INTS)
        return axes->ints->n == 1 && (axes->ints->x[0] == 0 || axes->ints->x[0] == -1);
    for (int i = 0; i < c->rule->n_clauses; i++) {
        const rule_clause *clause = &c->rule->clauses[i];

        if (prove_calls(clause, "same_axis") && !clause->negated &&
            clause->args[0].name == axes->name && clause->args[1].kind == TERM_INTS &&
            clause->args[1].ints->x[0] == -1 && c->names[clause->args[2].name].value == &n->out[0])
            return true;
    }
    return false;
}

/* N, a Reshape, copies no size: the rule says so. */
static bool is_plain_reshape(const prove_node *n)
{
    const rule_attr *zero =
        n->from && ranks_is_named(n, "Reshape") ? prove_attr(n, "special_zero") : NULL;

    return zero && zero->var < 0 && !zero->literal.as.b;
}

/* N is no error for how many axes its operands have: it broadcasts them, or puts an axis at an end
 * of them. */
static bool takes_any_rank(const prove_case *c, const prove_node *n)
{
    return (n->row->flags & PROVE_ANY_RANK) != 0 || is_plain_reshape(n) || copies_no_size(c, n) ||
           is_axis_at_end(c, n);
}

/* How many axes V has is known, or else that of a result is not, of which it must be. */
static bool is_settled(const prove_case *c, const prove_value *v)
{
    bool settled = v->node && v->node->n_in > 0 && !ranks_is_assumed(c, v);

    if (prove_knows_rank(c, v) || ranks_makes_known(c, v))
        return true;
    for (int k = 0; settled && k < v->node->n_in; k++)
        settled =
            !v->node->in[k] || ranks_is_known_list(c, v->node, k) || is_settled(c, v->node->in[k]);
    return settled;
}

/* The right side reads what N makes, so that what is an error of N is one of both. */
static bool is_kept(const prove_case *c, const prove_node *n)
{
    for (int i = 0; i < c->n_results; i++) {
        if (c->results[i]->node == n)
            return true;
    }
    for (int i = 0; i < c->rule->right.n_nodes; i++) {
        for (int k = 0; c->right[i] && k < c->right[i]->n_in; k++) {
            if (c->right[i]->in[k] && c->right[i]->in[k]->node == n)
                return true;
        }
    }
    return false;
}

/* N, a scatter, is an error for all numbers of axes of V but one, which is that of its data, whose
 * rank is known, or also depends on that of indices that are known to be a number or a list. */
static bool is_of_known_data(const prove_case *c, const prove_node *n, const prove_value *v)
{
    bool elements =
        (n->places && n->places->kind == PROVE_ELEMENTS) || ranks_is_named(n, "TensorScatter");

    if (!(n->row->flags & PROVE_BY_INDICES) || !prove_keeps_rank(n) ||
        !prove_knows_rank(c, n->in[0]))
        return false;
    return elements ? v == n->in[1] || (v == n->in[2] && n->places)
                    : n->n_in > 2 && v == n->in[2] && ranks_is_named(n, "ScatterUpdate") &&
                          prove_is_one_list(n->in[1]);
}

/* The right side takes V by a list of known length, or what a known list brings axes to. */
static bool is_taken_on_right(const prove_case *c, const prove_value *v)
{
    for (int i = 0; i < c->rule->right.n_nodes; i++) {
        const prove_node *m = c->right[i];

        if (ranks_takes_by_list(c, m, v, NULL) ||
            (m && (m->row->flags & PROVE_BRINGS_AXES) && m->in[0] == v &&
             ranks_is_known_list(c, m, 1) && is_taken_on_right(c, &m->out[0])))
            return true;
    }
    return false;
}

/* Operand K of N has a valid rank, because the shape rules have checked it; or else the right side
 * fails, too. Tuples have an axis, which an Unsqueeze gives them. */
static bool is_covered(const prove_case *c, const prove_node *n, int k)
{
    const prove_value *v = n->in[k];

    return !v || v->n_ints >= 0 || is_settled(c, v) || prove_needs_alike(c, n) || is_kept(c, n) ||
           (k == 1 && n->window && ranks_counts_axes(c, n)) || ranks_is_error_of_both(c, n, k) ||
           (is_of_known_data(c, n, v) && is_taken_on_right(c, v)) ||
           (k == 1 && ranks_is_named(n, "GatherND") && v->node &&
            ranks_is_named(v->node, "Unsqueeze"));
}

/* ---- errors of the right side alone ---- */

/* M, a Concat, joins V, by itself or in what it joins along the same axis. */
static bool joins(const prove_case *c, const prove_node *m, const prove_value *v)
{
    bool does = ranks_is_joined(m, v);

    for (int k = 0; k < m->n_in && !does; k++) {
        const prove_node *of = m->in[k]->node;

        does = of && ranks_is_named(of, "Concat") &&
               (!of->from || ranks_have_same_axes(c, of, m)) && joins(c, of, v);
    }
    return does;
}

static bool joins_as_much(const prove_case *c, const prove_node *m, const prove_node *n)
{
    bool all =
        ranks_is_named(m, "Concat") && ranks_is_named(n, "Concat") && ranks_have_same_axes(c, n, m);

    for (int k = 0; k < n->n_in && all; k++)
        all = joins(c, m, n->in[k]);
    return all;
}

/* M is an error for all numbers of axes of V but one that was known when the rule was applied. */
static bool pins(const prove_case *c, const prove_node *m, const prove_value *v)
{
    return ranks_takes_by_list(c, m, v, NULL) || is_of_known_data(c, m, v) ||
           (m->n_in > 1 && ranks_counts_axes(c, m) &&
            prove_as_many_axes(m->in[1]) == prove_as_many_axes(v));
}

/* V is one of the updates of a chain of writes, whose windows are known. */
static bool is_of_chain(const prove_case *c, const prove_value *v)
{
    for (int i = 0; i < c->rule->n_clauses; i++) {
        const rule_clause *clause = &c->rule->clauses[i];

        for (int k = 0; prove_calls(clause, "tiles") && k < c->names[clause->target].n_list; k++) {
            if (c->names[clause->target].list[k] == v)
                return true;
        }
    }
    return false;
}

/* Where the left side is no error V has the number of axes that it had when the rule was applied.
 */
static bool is_pinned(const prove_case *c, const prove_value *v)
{
    const prove_node *n = v->node;
    bool pinned = prove_knows_rank(c, v) || is_of_chain(c, v);

    for (int i = 0; i < c->rule->left.n_nodes && !pinned; i++)
        pinned = c->left[i] && pins(c, c->left[i], v);
    if (pinned || !n || !n->right)
        return pinned;
    pinned = n->n_in > 0;
    for (int k = 0; k < n->n_in && pinned; k++)
        pinned = !n->in[k] || ranks_is_known_list(c, n, k) || is_pinned(c, n->in[k]);
    return pinned;
}

/* The left side is an error, too, where operand K of N, a node of the right side, has a wrong
 * number of axes. */
static bool is_error_of_left(const prove_case *c, const prove_node *n, int k)
{
    bool both = false;

    for (int i = 0; i < c->rule->left.n_nodes && !both; i++) {
        const prove_node *m = c->left[i];

        both = m && (ranks_is_error_too(c, n, k, m) || joins_as_much(c, m, n) ||
                     (k == 0 && ranks_needs_first_axis(m, n)));
    }
    return both;
}

static bool is_covered_on_right(const prove_case *c, const prove_node *n, int k)
{
    const prove_value *v = n->in[k];

    return !v || v->n_ints >= 0 || is_pinned(c, v) || ranks_makes_known(c, v) ||
           prove_needs_alike(c, n) || (k == 1 && ranks_is_named(n, "Gather")) ||
           (n->window && ranks_counts_axes(c, n)) || is_error_of_left(c, n, k);
}

static bool is_node_covered(const prove_case *c, const prove_node *n)
{
    bool covered = true;

    for (int k = 0; k < n->n_in && covered && !takes_any_rank(c, n); k++)
        covered = is_covered_on_right(c, n, k);
    return covered;
}

/* What makes V is covered, if it is of the right side: one of a list of nodes is none of C. */
static bool is_value_covered(const prove_case *c, const prove_value *v)
{
    return !v || !v->node || !v->node->right || is_node_covered(c, v->node);
}

static bool covers_right(const prove_case *c)
{
    bool covers = true;

    for (int i = 0; i < c->n_results && covers; i++)
        covers = is_value_covered(c, c->results[i]);
    for (int i = 0; i < c->rule->right.n_nodes; i++) {
        const prove_node *n = c->right[i];

        covers = covers && (!n || is_node_covered(c, n));
        for (int k = 0; n && k < n->n_in && covers; k++)
            covers = is_value_covered(c, n->in[k]);
    }
    return covers;
}

bool prove_covers_unknown_ranks(const prove_case *c)
{
    bool exact = c->rule->exactness == INLAY_EXACT; /* else errors may be lost */

    for (int i = 0; i < c->rule->left.n_nodes && exact; i++) {
        const prove_node *n = c->left[i];

        for (int k = 0; n && k < n->n_in && !takes_any_rank(c, n); k++) {
            if (!is_covered(c, n, k))
                return false;
        }
    }
    return covers_right(c);
}

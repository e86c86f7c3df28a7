/* Errors that both sides of a rule have: a node of one side fails for the same ranks as a node of
 * the other. See ranks.c. */
#include "passes/prove/ranks.h"

/* Two lists of the same numbers, of which no axes are counted from an end, or two other operands of
 * as many axes: they depend on one value, or are known. */
static bool are_as_many(const prove_case *c, const prove_value *a, const prove_value *b)
{
    bool same = a && b && a->n_ints == b->n_ints;

    if (a == b || !same || a->n_ints < 0)
        return a == b || (a && b && prove_as_many_axes(a) == prove_as_many_axes(b)) ||
               (same && a->rank == b->rank && prove_knows_rank(c, a) && prove_knows_rank(c, b));
    for (int i = 0; i < a->n_ints && same; i++)
        same = smt_same(a->ints[i], b->ints[i]);
    return same;
}

/* N reads what a Transpose makes, or is read by one, with the order BY: its length, which is known,
 * is the number of axes that N's data have, or one of both is an error. */
static bool is_turned_by(const prove_case *c, const prove_node *n, const prove_value *by)
{
    const prove_node *of = n->in[0]->node;
    bool turned = of && ranks_is_named(of, "Transpose") && of->in[1] == by;

    for (int i = 0; i < prove_count_nodes(c) && !turned; i++) {
        const prove_node *m = prove_node_at(c, i);

        turned = m && ranks_is_named(m, "Transpose") && m->in[1] == by && m->in[0]->node == n;
    }
    return turned;
}

/* The name B is the axis that A is before an order, which turns the data of N and what M makes:
 * both are axes of as many as the order has. */
static bool is_axis_before(const prove_case *c, const prove_node *n, const prove_node *m, int a,
                           int b)
{
    const rule_clause *clause = a < 0 || b < 0 ? NULL : prove_clause_of(c->rule, b);
    const prove_value *by;

    if (!clause || !prove_calls(clause, "axis_before") || prove_name_at(clause, 0) != a)
        return false;
    by = prove_value_at(c, clause, 1);
    return is_turned_by(c, n, by) && is_turned_by(c, m, by);
}

/* Operand I of N and of M are axes like that. */
static bool are_axes_before(const prove_case *c, const prove_node *n, const prove_node *m, int i)
{
    bool named = n->from && m->from && i < n->from->n_in && i < m->from->n_in &&
                 n->from->in[i].kind == TERM_NAME && m->from->in[i].kind == TERM_NAME;

    return named && (is_axis_before(c, n, m, n->from->in[i].name, m->from->in[i].name) ||
                     is_axis_before(c, m, n, m->from->in[i].name, n->from->in[i].name));
}

/* The integer attributes of N, which may be axes, are those of M. */
bool ranks_have_same_axes(const prove_case *c, const prove_node *n, const prove_node *m)
{
    for (int i = 0; n->from && i < n->from->n_attrs; i++) {
        const rule_attr *a = &n->from->attrs[i], *b = m->from ? prove_attr(m, a->name) : NULL;

        if (b &&
            (is_axis_before(c, n, m, a->var, b->var) || is_axis_before(c, m, n, b->var, a->var)))
            continue;
        if (a->kind == INLAY_ATTR_INT &&
            (!b || a->var != b->var || (a->var < 0 && a->literal.as.i != b->literal.as.i)))
            return false;
    }
    return true;
}

static bool scatters_tuples(const prove_node *n)
{
    return ranks_is_named(n, "ScatterNDUpdate") || ranks_is_named(n, "tensor_scatter_nd_update");
}

/* M fails for the same ranks as N. */
static bool fails_alike(const prove_case *c, const prove_node *n, const prove_node *m)
{
    bool folds = n->row->flags & m->row->flags & PROVE_FOLDS;
    bool alike = (n->row == m->row || folds || (scatters_tuples(n) && scatters_tuples(m))) &&
                 n->n_in == m->n_in && n->window == m->window && ranks_have_same_axes(c, n, m);

    for (int i = 0; i < n->n_in - ((n->row->flags & PROVE_LAST_IS_ONE) != 0) && alike; i++)
        alike = i == 1 && ranks_has_axes(n)
                    ? n->in[1] == m->in[1]
                    : are_as_many(c, n->in[i], m->in[i]) || are_axes_before(c, n, m, i);
    return alike;
}

/* A value of V's rank is an operand of M, which joins its operands. */
bool ranks_is_joined(const prove_node *m, const prove_value *v)
{
    bool is = false;

    for (int k = 0; k < m->n_in; k++)
        is = is || prove_as_many_axes(m->in[k]) == prove_as_many_axes(v);
    return is;
}

/* M joins all operands of N of unknown rank, directly or within a Concat along the same axis, and,
 * if N has an operand of known rank, one such operand as well. */
static bool joins_all_of(const prove_case *c, const prove_node *m, const prove_node *n)
{
    bool all = ranks_is_named(n, "Concat") && ranks_is_named(m, "Concat") &&
               (!n->from || ranks_have_same_axes(c, m, n)),
         any_known = false, has_known = false;

    for (int i = 0; i < n->n_in && all; i++) {
        const prove_value *v = n->in[i];
        bool has = ranks_is_joined(m, v) || (v->node && joins_all_of(c, m, v->node));

        any_known = any_known || prove_knows_rank(c, v);
        has_known = has_known || (has && prove_knows_rank(c, v));
        all = has || prove_knows_rank(c, v);
    }
    return all && (has_known || !any_known);
}

/* N needs only the first axis of operand 0 to exist, and so does M. */
bool ranks_needs_first_axis(const prove_node *n, const prove_node *m)
{
    const prove_value *axis = ranks_is_named(m, "Gather") ? m->in[2] : NULL;

    return ranks_is_named(n, "GatherND") && n->in[1]->components == 2 && axis &&
           axis->n_ints == 1 && axis->ints[0]->op == SMT_INT && axis->ints[0]->n == 0 &&
           prove_as_many_axes(n->in[0]) == prove_as_many_axes(m->in[0]);
}

/* The right side uses the window of N on a value of the same rank. */
static bool takes_window_of(const prove_node *m, const prove_node *n)
{
    return n->window && m->window == n->window &&
           prove_as_many_axes(m->in[0]) == prove_as_many_axes(n->in[0]);
}

/* A clause about lists that all have the same length: its arguments and its result. */
static bool is_of_one_length(const rule_clause *clause)
{
    static const char *const functions[] = {"compose_orders", "inverse_order", "before_order",
                                            "swapped_last",   "sums",          NULL};

    return !clause->negated && prove_calls_one(clause, functions);
}

/* What CLAUSE makes of a list is as long as that. */
static void join_lengths(const rule_clause *clause, bool *joined)
{
    bool any = false;

    for (int k = 0; k < clause->n_args; k++)
        any = any || (clause->args[k].kind != TERM_INTS && joined[clause->args[k].name]);
    if (any && clause->target >= 0)
        joined[clause->target] = true;
}

/* The lists A and B have the same length wherever the rule is applied. */
static bool are_as_long(const prove_case *c, const prove_value *a, const prove_value *b)
{
    bool joined[RULE_NAMES];

    for (int i = 0; i < c->rule->n_names; i++)
        joined[i] = c->names[i].value == a;
    for (int again = 0; again < c->rule->n_clauses; again++) {
        for (int i = 0; i < c->rule->n_clauses; i++) {
            if (is_of_one_length(&c->rule->clauses[i]))
                join_lengths(&c->rule->clauses[i], joined);
        }
    }
    for (int i = 0; i < c->rule->n_names; i++) {
        if (joined[i] && c->names[i].value == b)
            return true;
    }
    return a == b;
}

/* M takes what has as many axes as DATA by a list as long as this one, if that is not NULL, and
 * that length is known. */
bool ranks_takes_by_list(const prove_case *c, const prove_node *m, const prove_value *data,
                         const prove_value *list)
{
    for (int k = 1; m && ranks_is_by_list(m) && k < m->n_in; k++) {
        if (prove_as_many_axes(m->in[0]) == prove_as_many_axes(data) &&
            ranks_is_known_list(c, m, k) && (!list || are_as_long(c, list, m->in[k])))
            return true;
    }
    return false;
}

/* Some node of the right side does. */
static bool is_taken_by_list(const prove_case *c, const prove_value *data, const prove_value *list)
{
    for (int i = 0; i < c->rule->right.n_nodes; i++) {
        if (ranks_takes_by_list(c, c->right[i], data, list))
            return true;
    }
    return false;
}

/* V is the result of FUNCTION for some axes and the order P; *AXES is the name of these axes. */
static bool is_made_of_order(const prove_case *c, const char *function, const prove_value *v,
                             const prove_value *p, int *axes)
{
    for (int i = 0; i < c->rule->n_clauses; i++) {
        const rule_clause *clause = &c->rule->clauses[i];

        if (!prove_calls(clause, function) || c->names[clause->target].value != v)
            continue;
        *axes = prove_name_at(clause, 0);
        return *axes >= 0 && prove_value_at(c, clause, 1) == p;
    }
    return false;
}

/* The right side removes axes of DATA, and takes the rest in an order that is as much shorter than
 * P: it fails for all ranks other than P's length. */
static bool is_rest_taken(const prove_case *c, const prove_value *data, const prove_value *p)
{
    int gone, others;

    for (int i = 0; i < c->rule->right.n_nodes; i++) {
        const prove_node *m = c->right[i], *fold = m && m->n_in > 1 ? m->in[0]->node : NULL;

        if (fold && ranks_is_named(m, "Transpose") && (fold->row->flags & PROVE_FOLDS) &&
            !fold->form && prove_as_many_axes(fold->in[0]) == prove_as_many_axes(data) &&
            is_made_of_order(c, "rest_order", m->in[1], p, &others) &&
            is_made_of_order(c, "axes_before", fold->in[1], p, &gone) && gone == others)
            return true;
    }
    return false;
}

/* The same holds for all lists of N. */
static bool has_lists_taken(const prove_case *c, const prove_node *n)
{
    bool taken = ranks_is_by_list(n);

    if (ranks_is_named(n, "Transpose") && is_rest_taken(c, n->in[0], n->in[1]))
        return true;
    for (int i = 1; i < n->n_in && taken; i++)
        taken = !n->in[i] || n->in[i]->n_ints < 0 || is_taken_by_list(c, n->in[0], n->in[i]);
    return taken;
}

/* M is an operation on pictures; its window's length, plus two, is the rank of its data, and the
 * lists of N, a Pad, have that length, since M's padding is computed from them. */
static bool takes_pictures_of(const prove_case *c, const prove_node *m, const prove_node *n)
{
    int raised = 0;

    for (int i = 0; i < c->rule->n_clauses; i++) {
        const rule_clause *clause = &c->rule->clauses[i];

        for (int k = 1; k < n->n_in; k++)
            raised |= prove_asks_of(c, clause, "raised_padding", 2, n->in[k]) << k;
    }
    return ranks_is_named(n, "Pad") && (m->row->flags & PROVE_OF_PICTURES) && raised == 6 &&
           prove_as_many_axes(m->in[0]) == prove_as_many_axes(n->in[0]);
}

/* M fails if N does because operand K has a wrong rank. The value that a Pad fills with has rank 0.
 */
bool ranks_is_error_too(const prove_case *c, const prove_node *n, int k, const prove_node *m)
{
    bool around = k == 3 && ranks_is_named(n, "Pad") && ranks_is_named(m, "Pad") && m->n_in > 3;

    return fails_alike(c, n, m) || joins_all_of(c, m, n) || (around && m->in[3] == n->in[3]) ||
           (ranks_is_named(n, "Slice") && takes_window_of(m, n)) ||
           (k == 0 &&
            (ranks_needs_first_axis(n, m) || takes_window_of(m, n) || takes_pictures_of(c, m, n)));
}

bool ranks_is_error_of_both(const prove_case *c, const prove_node *n, int k)
{
    bool both = k == 0 && has_lists_taken(c, n);

    for (int i = 0; i < c->rule->right.n_nodes && !both; i++)
        both = c->right[i] && ranks_is_error_too(c, n, k, c->right[i]);
    return both;
}

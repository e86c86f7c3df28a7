/* Permutations of axes ("orders"): which axes of two values are left out together (axes.c). A
 * permutation P says that axis i of its result is axis P[i] of its operand. If operand and result
 * have different rows of axes (`frames`), and nothing but P relates the two, then all axes can be
 * left out except any few, in both rows, and what is computed from permutations still holds for the
 * remaining axes. Otherwise each permutation maps an axis to another one of the same row. If a
 * permutation is restricted to the axes that are reached in this way from some axis, it is a
 * permutation again: so each axis that stays brings along those that it is mapped to. (A cycle of
 * five axes shows that P and P to the power 13 differ; there, an axis is mapped 13 times.) */
#include "passes/prove/prove.h"
#include "passes/prove/rows.h"

#include <string.h>

/* ---- rows of axes ---- */

/* Rows of axes, which are numbered: those of each name and those of each node. A permutation has
 * two: that of its result, and BEFORE it, that of its operand. Rows with the same axes in the same
 * order are joined. */
enum {
    BEFORE = RULE_NAMES,
    LEFT = 2 * RULE_NAMES,
    RIGHT = LEFT + RULE_NODES,
    N_FRAMES = RIGHT + RULE_NODES
};

static int before(int name)
{
    return name < 0 ? -1 : BEFORE + name;
}

static int frame_of_name(const rule *r, int name)
{
    const rule_name *info = name < 0 ? NULL : &r->names[name];

    if (info && info->node >= 0)
        return LEFT + info->node;
    return info && info->right >= 0 ? RIGHT + info->right : name;
}

/* Whether NAME has no axes, or only axes of size 1, all of which may be left out. */
static bool has_no_axes(const prove_case *c, int name)
{
    const prove_value *v = c->names[name].value;
    bool none = c->names[name].absent || (v && v->rank == 0);

    for (int i = 0; i < c->rule->n_clauses && !none; i++) {
        const rule_clause *clause = &c->rule->clauses[i];

        none = prove_calls(clause, "only_number") && prove_name_at(clause, 0) == name;
    }
    return none;
}

/* Returns the row of T, a term of a side whose nodes begin at SIDE; -1: it has no axes. */
static int frame_of(const prove_case *c, const rule_term *t, int side)
{
    if (t->kind == TERM_NODE || t->kind == TERM_SPREAD)
        return side + t->node;
    if (t->kind == TERM_INTS || t->kind == TERM_ANY)
        return -1;
    return t->kind == TERM_NAME && has_no_axes(c, t->name) ? -1 : frame_of_name(c->rule, t->name);
}

static const rule_term *order_of_node(const rule_node *n)
{
    return prove_is_type(n->type, "Transpose") && n->in[1].kind == TERM_NAME ? &n->in[1] : NULL;
}

/* N names an axis, which stays, and each other axis is one of all operands: of scattered elements,
 * and of indices that are one list. Of a TensorScatter the first axis stays, too. */
static bool is_beside_named(const prove_node *n)
{
    const char *type = n->row->type;

    return (n->places && n->places->kind == PROVE_ELEMENTS) ||
           prove_is_type(type, "TensorScatter") ||
           (prove_is_type(type, "ScatterUpdate") && prove_is_one_list(n->in[1]));
}

/* The operands of N that have the axes of its data: not what is a list on an axis that stays. */
static bool has_axes_of_data(const prove_node *n, int i)
{
    if (prove_is_type(n->row->type, "TensorScatter"))
        return i < 2;
    return i != 1 || !prove_is_type(n->row->type, "ScatterUpdate");
}

/* N brings the axis that a scatter of the left side names, which stays, or the only one of a list.
 */
static bool brings_named(const prove_case *c, const rule_node *from, const prove_node *n)
{
    const rule_term *axis = from->n_in > 1 ? &from->in[1] : NULL;
    bool named = n->in[0]->rank == 0 && n->in[0]->ranked;

    if (!(n->row->flags & PROVE_BRINGS_AXES) || !axis)
        return false;
    for (int i = 0; i < c->rule->left.n_nodes && axis->kind == TERM_NAME; i++) {
        const rule_node *of = &c->rule->left.nodes[i];

        named = named || (c->left[i] && is_beside_named(c->left[i]) && of->n_in > 3 &&
                          of->in[3].kind == TERM_NAME && of->in[3].name == axis->name);
    }
    return named;
}

/* Joins the rows of axes that are the same by node AT of the side; false: not known for such a
 * node. */
static bool relate_node(const prove_case *c, int *up, const rule_node *from, const prove_node *n,
                        int side, int at)
{
    const prove_row *row = prove_row_at(c, from, n);
    int data = from->n_in > 0 ? frame_of(c, &from->in[0], side) : -1, out = side + at;
    bool beside;

    if (order_of_node(from)) {
        prove_join(up, out, from->in[1].name);
        prove_join(up, before(from->in[1].name), data);
        return true;
    }
    if (row && n && (row->flags & PROVE_FOLDS) && !(row->flags & PROVE_KEEPS_RANK)) {
        prove_join(up, data, from->n_in > 1 ? frame_of(c, &from->in[1], side) : -1);
        prove_join(up, n->form ? out : -1, data); /* with keep_dims */
        return true;
    }
    beside = n && is_beside_named(n);
    for (int i = 0; i < from->n_in; i++) {
        bool padding = i == 3 && prove_is_type(from->type, "Pad");

        if (!padding && (!beside || has_axes_of_data(n, i)))
            prove_join(up, out, frame_of(c, &from->in[i], side));
    }
    for (int i = 0; i < from->n_attrs; i++)
        prove_join(up, out, prove_is_axis_attr(&from->attrs[i]) ? from->attrs[i].var : -1);
    return beside || (n && brings_named(c, from, n)) ||
           (row && (row->flags & (PROVE_SAME_AXES | PROVE_FOLDS)));
}

/* Joins the rows of axes that are the same by CLAUSE, if it is a function of permutations; GIVEN is
 * the permutation that order_of gives. False: it is no such function. */
static bool relate_orders(int *up, const rule_clause *clause, int given)
{
    static const char *const after[] = {"before_order",  "axis_before", "axes_before", "permuted",
                                        "rest_in_order", "rest_order",  NULL},
                             *const given_by[] = {"untransposed", "untransposed_operands", NULL};
    int a = prove_name_at(clause, 0), b = prove_name_at(clause, 1), out = clause->target;

    if (prove_calls(clause, "inverse_order")) {
        prove_join(up, out, before(a));
        prove_join(up, before(out), a);
    } else if (prove_calls(clause, "compose_orders")) {
        prove_join(up, out, b);
        prove_join(up, before(b), a);
        prove_join(up, before(out), before(a));
    } else if (prove_calls(clause, "swapped_last")) {
        prove_join(up, out, a);
        prove_join(up, before(out), before(a));
    } else if (prove_calls_one(clause, given_by)) {
        prove_join(up, out, before(given));
    } else if (prove_calls(clause, "unpermuted")) {
        prove_join(up, a, before(b));
        prove_join(up, out, b);
    } else if (prove_calls_one(clause, after)) {
        prove_join(up, a, b);
        if (!prove_calls(clause, "rest_order")) /* that is of other axes, those that are left */
            prove_join(up, out, before(b));
    } else {
        return false;
    }
    return true;
}

static void relate_clause(const rule *r, int *up, const rule_clause *clause, int given)
{
    static const char *const nothing[] = {
        "once",     "ranked",      "fewer",          "folds",
        "discrete", "pointwise",   "numpy",          "total",
        "some",     "only_number", "two_transposes", "last_is_before_last",
        "integers", "gives_it",    "turned_back",    "one_axis",
        NULL};
    int first = clause->target;

    if (clause->negated || prove_calls_one(clause, nothing) || relate_orders(up, clause, given))
        return;
    for (int i = 0; i < clause->n_args; i++) {
        int name = prove_name_at(clause, i);

        prove_join(up, frame_of_name(r, name), frame_of_name(r, first));
        prove_join(up, before(name), frame_of_name(r, first));
        first = first < 0 ? name : first;
    }
}

/* Whether NAME is a permutation that moves only the last two axes. */
static bool is_still(const rule *r, int name)
{
    static const char *const still[] = {"swaps_last", "identity_order", NULL};

    for (int i = 0; i < r->n_clauses; i++) {
        if (!r->clauses[i].negated && prove_calls_one(&r->clauses[i], still) &&
            prove_name_at(&r->clauses[i], 0) == name)
            return true;
    }
    return false;
}

/* Whether NAME is a permutation that the rule matches, or computes from axes: nothing else is known
 * of it. */
static bool is_free_order(const rule *r, int name)
{
    static const char *const functions[] = {"order_of", "rest_order", NULL};
    const rule_clause *clause = prove_clause_of(r, name);

    for (int i = 0; i < r->left.n_nodes && !clause; i++) {
        const rule_term *t = order_of_node(&r->left.nodes[i]);

        if (t && t->name == name)
            return true;
    }
    return clause && prove_calls_one(clause, functions);
}

/* Whether NAME is such a permutation, or is computed from such. */
static bool is_known_order(const rule *r, int name)
{
    static const char *const functions[] = {"inverse_order", "compose_orders", "swapped_last",
                                            NULL};
    const rule_clause *clause = name < 0 ? NULL : prove_clause_of(r, name);
    bool known = clause && prove_calls_one(clause, functions);

    if (name >= 0 && is_free_order(r, name))
        return true;
    for (int i = 0; known && i < clause->n_args; i++)
        known = is_known_order(r, prove_name_at(clause, i));
    return known;
}

static bool knows_orders(const rule *r, const rule_side *side)
{
    for (int i = 0; i < side->n_nodes; i++) {
        const rule_term *t = order_of_node(&side->nodes[i]);

        if (prove_is_type(side->nodes[i].type, "Transpose") && !(t && is_known_order(r, t->name)))
            return false;
    }
    return true;
}

/* Joins the rows of axes of the whole rule. False: for some operation it is not known which are the
 * same. */
static bool relate_all(const prove_case *c, int *up)
{
    const rule *r = c->rule;
    int given = -1;
    bool known = knows_orders(r, &r->left) && knows_orders(r, &r->right);

    for (int i = 0; i < N_FRAMES; i++)
        up[i] = i;
    for (int i = 0; i < r->left.n_nodes; i++)
        known = relate_node(c, up, &r->left.nodes[i], c->left[i], LEFT, i) && known;
    for (int i = 0; i < r->right.n_nodes; i++)
        known = relate_node(c, up, &r->right.nodes[i], c->right[i], RIGHT, i) && known;
    for (int i = 0; i < r->n_clauses; i++)
        given = prove_calls(&r->clauses[i], "order_of") ? r->clauses[i].target : given;
    for (int i = 0; i < r->n_clauses; i++)
        relate_clause(r, up, &r->clauses[i], given);
    return known;
}

/* Whether nothing but the permutation itself relates its result to its operand. */
static bool is_forest(const rule *r, const int *up)
{
    int also[N_FRAMES];

    memcpy(also, up, sizeof also);
    for (int i = 0; i < r->n_names; i++) {
        if (!is_free_order(r, i) || is_still(r, i))
            continue;
        if (prove_root_of(also, i) == prove_root_of(also, before(i)))
            return false;
        prove_join(also, i, before(i));
    }
    return true;
}

/* Returns how many axes show how the sides differ: one, if both sides have the same row of axes;
 * otherwise two, whose order differs. */
static int axes_that_differ(const rule *r, const prove_case *c, const int *up)
{
    for (int i = 0; i < r->right.n_values; i++) {
        int right = frame_of(c, &r->right.values[i], RIGHT);

        if (right < 0 || prove_root_of(up, right) != prove_root_of(up, LEFT + r->root))
            return 2;
    }
    return 1;
}

/* Returns how many axes stay for matrices: the last two of each row in which they are those of a
 * matrix, or are exchanged. */
static int axes_of_matrices(const prove_case *c, const int *up)
{
    static const char *const last[] = {"swaps_last", "swapped_last", "last_is_before_last", NULL};
    bool of[N_FRAMES] = {false};
    int n = 0;

    for (int i = 0; i < c->rule->left.n_nodes; i++)
        of[prove_root_of(up, LEFT + i)] |= prove_is_type(c->rule->left.nodes[i].type, "MatMul");
    for (int i = 0; i < c->rule->right.n_nodes; i++)
        of[prove_root_of(up, RIGHT + i)] |= prove_is_type(c->rule->right.nodes[i].type, "MatMul");
    for (int i = 0; i < c->rule->n_clauses; i++) {
        int name = prove_name_at(&c->rule->clauses[i], 0);

        if (name >= 0 && prove_calls_one(&c->rule->clauses[i], last))
            of[prove_root_of(up, name)] = true;
    }
    for (int i = 0; i < N_FRAMES; i++)
        n += 2 * of[i];
    /* The axis that is last before the permutation is another one. */
    return n + prove_count_calls(c->rule, "last_is_before_last");
}

/* ---- the steps that an axis goes ---- */

/* Returns how many times the permutation NAME maps an axis: once, or as often as those that it is
 * computed from do together. */
static int steps_of(const rule *r, int name)
{
    static const char *const functions[] = {"compose_orders", "inverse_order", NULL};
    const rule_clause *clause = name < 0 ? NULL : prove_clause_of(r, name);
    int steps = 0;

    if (name >= 0 && is_free_order(r, name))
        return 1;
    if (!clause || !prove_calls_one(clause, functions))
        return PROVE_MANY;
    for (int i = 0; i < clause->n_args; i++)
        steps += steps_of(r, prove_name_at(clause, i));
    return steps > PROVE_MANY ? PROVE_MANY : steps;
}

static int steps_of_side(const rule *r, const rule_side *side)
{
    int steps = 0;

    for (int i = 0; i < side->n_nodes; i++) {
        const rule_term *t = order_of_node(&side->nodes[i]);

        if (prove_is_type(side->nodes[i].type, "Transpose"))
            steps += t ? steps_of(r, t->name) : PROVE_MANY;
    }
    return steps;
}

/* Returns how many times CLAUSE maps an axis; for other clauses this is not known. */
static int steps_of_clause(const rule *r, const rule_clause *clause)
{
    static const char *const second[] = {"permuted", "unpermuted", "axis_before", "before_order",
                                         NULL},
                             *const given[] = {"untransposed", "untransposed_operands", NULL},
                             *const none[] = {"compose_orders", "inverse_order", NULL};
    int steps = 0;

    if (prove_calls_one(clause, second))
        return steps_of(r, prove_name_at(clause, 1));
    if (prove_calls(clause, "identity_order"))
        return steps_of(r, prove_name_at(clause, 0));
    for (int i = 0; i < clause->n_args && !prove_calls_one(clause, none); i++)
        steps = is_known_order(r, prove_name_at(clause, i)) ? PROVE_MANY : steps;
    return prove_calls_one(clause, given) ? 1 : steps;
}

static int count_steps(const rule *r)
{
    int n = steps_of_side(r, &r->left) + steps_of_side(r, &r->right);

    for (int i = 0; i < r->n_clauses && n < PROVE_MANY; i++)
        n += steps_of_clause(r, &r->clauses[i]);
    return n > PROVE_MANY ? PROVE_MANY : n;
}

void prove_relate_orders(const prove_case *c, prove_orders *out)
{
    int up[N_FRAMES];
    bool known = relate_all(c, up);

    out->forest = known && is_forest(c->rule, up);
    out->differ = axes_that_differ(c->rule, c, up);
    out->of_matrices = axes_of_matrices(c, up);
    out->steps = count_steps(c->rule);
}

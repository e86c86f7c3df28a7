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
#include "passes/prove/prove.h"
#include "passes/prove/rows.h"

#include <string.h>

/* ---- what is asked ---- */

/* Which ranks are known if a condition holds, or if a function returned something: one letter for
 * each argument; no letters mean "vvvv". */
enum {
    OF_VALUE = 'v',      /* of the value, or of each value of a list */
    OF_DATA = 'd',       /* also of operand 0 of the node that makes it */
    OF_ITS_DATA = 'D',   /* also of operand 0 of the node that makes that */
    OF_ALL = 'n',        /* of the value and all operands of the node that makes it */
    OF_FIRST = 'f',      /* of the first value of a list */
    OF_SEVERAL = 's',    /* of each value of a list, if it has several */
    OF_OPERATION = 'o',  /* of all operands of the operation */
    OF_NO_RESHAPE = 'r', /* the same, unless it is a Reshape */
};

typedef struct telling {
    const char *function, *of;
} telling;

/* At least one of the values that without_empty keeps has a known rank; the others, whose rank may
 * not be known, are joined with that one on both sides. */
/* clang-format off */
static const telling tellings[] = {
    {"ranked", 0}, {"same_shape", 0}, {"static_shape", 0}, {"open_shape", 0}, {"scalar", 0}, {"spreads", 0},
    {"fit", 0}, {"fewer", 0}, {"joinable", "s"}, {"ones", 0}, {"constant", 0}, {"equals", 0}, {"finite", 0},
    {"not_zero", 0}, {"all_true", 0}, {"none_true", 0}, {"turns_nothing", "n"}, {"moves_only_ones", 0},
    {"only_number", 0}, {"reciprocal", 0}, {"zeros_only", 0}, {"no_longer", 0}, {"placed", 0}, {"corner", 0},
    {"same_beside", 0}, {"front_axis", 0}, {"counts", "nv"}, {"without_empty", 0}, {"joined", 0}, {"repeats", "f"},
    {"tiles", 0}, {"windows_of_outputs", 0}, {"output_window", 0}, {"cut_as_joined", 0}, {"channel_sizes", 0},
    {"weight_factors", 0}, {"distinct_elements", 0}, {"distinct_tuples", 0}, {"tuples_in_range", 0},
    {"tuples_apart", 0}, {"single_components", 0}, {"same_turn", "nn"}, {"in_padding", 0}, {"padded_part", 0},
    {"inside_pad", 0}, {"one_element", 0}, {"absent_or_zero", 0}, {"least", 0}, {"in_range", 0}, {"distinct", 0},
    {"apart", 0}, {"same_axes", "--v"}, {"same_axis", "--v"}, {"fits", "n"}, {"keeps_sizes", "dv"},
    {"both_axes", "D"}, {"repeated_beside", "d"}, {"axes_come", "D"}, {"axes_gone", "D"}, {"gathered", "n"},
    {"strided_starts", "n"}, {"strided_stops", "n"}, {"strided_steps", "n"}, {"strided_axes", "n"},
    {"lost_axes", "n"}, {"new_axes", "n"}, {"untransposed", "d"}, {"untransposed_operands", "d"},
    {"normalizes", "vvvv-"}, {"never_fails", "o"}, {"constant_sizes", "r"}, {"reshapes", "r"},
    {"repeated_part", "-v"}, {"mapped_part", "--v"},
};
/* clang-format on */

static const telling *telling_of(const rule_clause *clause)
{
    for (size_t i = 0; i < sizeof tellings / sizeof *tellings && !clause->negated; i++) {
        if (prove_calls(clause, tellings[i].function))
            return &tellings[i];
    }
    return NULL;
}

/* The number of argument T; NULL: it is no number, or not one in this case. */
static const smt *number_of(const prove_case *c, const rule_term *t)
{
    const prove_name *name = t->kind == TERM_INTS ? NULL : &c->names[t->name];

    if (!name || name->attr || !name->value)
        return name ? name->attr : NULL;
    return name->value->n_ints == 1 ? name->value->ints[0] : NULL;
}

/* Operand 1 of N is a list of axes. A case counts them from the front; a graph may count them from
 * the end. */
static bool has_axes(const prove_node *n)
{
    return (n->row->flags & (PROVE_FOLDS | PROVE_BRINGS_AXES | PROVE_TAKES_AXES)) != 0;
}

/* Argument T may be counted from the end in a graph, other than in the case. */
static bool may_be_from_end(const prove_case *c, const rule_term *t)
{
    bool may = false;

    for (int i = 0; i < c->rule->left.n_nodes; i++) {
        const prove_node *n = c->left[i];

        may = may || (n && has_axes(n) && n->n_in > 1 && t->kind != TERM_INTS &&
                      n->in[1] == c->names[t->name].value);
    }
    return may;
}

/* The same number on both sides means the same axis of any value. */
static bool is_one_number(const prove_case *c, const rule_clause *clause)
{
    const smt *a, *b;
    bool literal;

    if (!prove_calls(clause, "same_axis"))
        return false;
    a = number_of(c, &clause->args[0]);
    b = number_of(c, &clause->args[1]);
    literal = clause->args[1].kind == TERM_INTS && a && a->op == SMT_INT &&
              clause->args[1].ints->n == 1 && clause->args[1].ints->x[0] == a->n;
    return literal || (a && b && smt_same(a, b)) || may_be_from_end(c, &clause->args[0]) ||
           may_be_from_end(c, &clause->args[1]);
}

static const prove_value *data_of(const prove_value *v)
{
    return v && v->node && v->node->n_in > 0 ? v->node->in[0] : NULL;
}

static bool reads(const prove_node *n, const prove_value *v)
{
    for (int i = 0; n && i < n->n_in; i++) {
        if (n->in[i] == v)
            return true;
    }
    return false;
}

/* A clause that tells the ranks OF value X tells the rank of V. */
static bool tells_of_value(char of, const prove_value *x, const prove_value *v)
{
    bool deep = of == OF_DATA || of == OF_ITS_DATA;

    return x == v || (deep && data_of(x) == v) || (of == OF_ITS_DATA && data_of(data_of(x)) == v) ||
           (of == OF_ALL && reads(x->node, v));
}

static bool tells_of(const prove_name *name, char of, const prove_value *v)
{
    const prove_node *op = name->op;

    if (of == OF_OPERATION || of == OF_NO_RESHAPE)
        return reads(op, v) && (of == OF_OPERATION || strcmp(op->row->type, "Reshape") != 0);
    if (name->value && tells_of_value(of, name->value, v))
        return true;
    for (int i = 0; i < (of == OF_FIRST ? 1 : name->n_list); i++) {
        if (name->list[i] && tells_of_value(of, name->list[i], v))
            return of != OF_SEVERAL || name->n_list > 1;
    }
    return false;
}

/* V is a constant that a function of the rule made. */
static bool is_computed(const prove_case *c, const prove_value *v)
{
    for (int i = 0; i < c->rule->n_names; i++) {
        if (c->names[i].value == v && c->rule->names[i].kind == RULE_INTEGERS)
            return true;
    }
    return false;
}

/* The list NAME has the same value in all places. */
static bool are_copies(const rule *r, int name)
{
    bool are = false;

    for (int i = 0; i < r->n_clauses; i++)
        are = are ||
              (prove_calls(&r->clauses[i], "copied") && prove_name_at(&r->clauses[i], 0) == name);
    return are;
}

/* Some condition or function tells the rank of V. */
static bool is_told(const prove_case *c, const prove_value *v)
{
    for (int i = 0; i < c->rule->n_clauses; i++) {
        const rule_clause *clause = &c->rule->clauses[i];
        const telling *t = telling_of(clause);

        if (!t || is_one_number(c, clause))
            continue;
        for (int k = 0; k < clause->n_args && (!t->of || t->of[k]); k++) {
            char of = t->of ? t->of[k] : OF_VALUE;

            if (of == OF_FIRST && are_copies(c->rule, clause->args[k].name))
                of = OF_VALUE;
            if (of != '-' && clause->args[k].kind != TERM_INTS &&
                tells_of(&c->names[clause->args[k].name], of, v))
                return true;
        }
    }
    return v->ranked || v->fixed || v->number || v->n_ints >= 0 || is_computed(c, v);
}

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
static bool is_known_list(const prove_case *c, const prove_node *n, int i)
{
    const rule_term *t = n->from && i < n->from->n_in ? &n->from->in[i] : NULL;

    return t && i < n->n_in && n->in[i] && n->in[i]->n_ints >= 0 &&
           (t->kind == TERM_INTS ||
            (t->kind == TERM_NAME && is_asked_about(c->rule, t->name, true)));
}

/* Operand 1 of N is a list with a number for each axis of the data. */
static bool is_by_list(const prove_node *n)
{
    return (n->row->flags & PROVE_BY_LIST) != 0;
}

static bool is_named(const prove_node *n, const char *type)
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
static bool counts_axes(const prove_case *c, const prove_node *n)
{
    for (int i = 0; n->from && i < n->from->n_in; i++) {
        const rule_term *t = &n->from->in[i];

        if (t->kind == TERM_WINDOW && (c->rule->names[t->name].kind == RULE_WINDOW || n->right) &&
            (n->right ? !is_of_left(c->rule, t->name) : is_asked_about(c->rule, t->name, false)))
            return true;
    }
    return !n->right && n->window && n->window->known;
}

/* ---- what is known of the numbers of axes ---- */

/* The shape rule of N knows the rank of its output only if it knows that of operand I. Operands
 * that are not broadcast as numpy does it have the rank of the output, as have a convolution's
 * filters. */
static bool wants_rank_of(const prove_case *c, const prove_node *n, int i)
{
    if (prove_is_pointwise(n) || is_named(n, "MatMul"))
        return n->n_in == 1 || n->form == 0;
    return i == 0 && !(n->row->flags & PROVE_OF_PICTURES) &&
           (prove_keeps_rank(n) || (n->row->flags & PROVE_FOLDS) || is_named(n, "Gather") ||
            ((n->row->flags & (PROVE_BRINGS_AXES | PROVE_TAKES_AXES)) && is_known_list(c, n, 1)));
}

static bool is_told_by_readers(const prove_case *c, const prove_value *v);

/* The rank of some result of N is told, by itself or by a node that reads it. */
static bool has_told_result(const prove_case *c, const prove_node *n)
{
    bool told = false;

    for (int k = 0; k < n->n_out; k++)
        told = told || is_told(c, &n->out[k]) || is_told_by_readers(c, &n->out[k]);
    return told;
}

/* A node of the left side that reads V tells its rank. */
static bool is_told_by_readers(const prove_case *c, const prove_value *v)
{
    for (int i = 0; i < c->rule->left.n_nodes; i++) {
        const prove_node *n = c->left[i];

        for (int k = 0; n && k < n->n_in; k++) {
            if (n->in[k] == v && ((k == 0 && counts_axes(c, n)) ||
                                  (wants_rank_of(c, n, k) && has_told_result(c, n))))
                return true;
        }
    }
    return false;
}

static bool is_known(const prove_case *c, const prove_value *v);

/* The shape rule knows operand I of N, which tells the rank of the output. */
static bool says_known(const prove_case *c, const prove_node *n, int i)
{
    bool is_list = n->in[i]->n_ints >= 0;
    bool is_axis = is_list && (is_named(n, "Gather") || is_named(n, "ScatterUpdate"));

    return is_list ? is_axis || is_known_list(c, n, i) : is_known(c, n->in[i]);
}

/* The shape rule of N finds the rank of its output. */
static bool finds_rank(const prove_case *c, const prove_node *n)
{
    int used = prove_keeps_rank(n) && !prove_is_pointwise(n) ? 1 : n->n_in;
    bool finds = used > 0;

    if (is_by_list(n) && (is_known_list(c, n, 1) || is_known(c, n->in[0])))
        return true;
    if (is_named(n, "Reshape") && is_known_list(c, n, 1))
        return true;
    if (n->row->flags & PROVE_SIZES_OF_INDICES)
        return is_known(c, n->in[1]);
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
                                               reads(name->value->node, &n->out[0])))));
    }
    return does;
}

/* V is made of what a Squeeze of the left side makes, whose shape rule assumes of an open axis that
 * it goes away: in a run it may stay. */
static bool is_assumed(const prove_case *c, const prove_value *v)
{
    const prove_node *n = v->node && !v->node->right ? v->node : NULL;
    bool assumed = n && is_named(n, "Squeeze"), before = false;

    for (int i = 0; i < c->rule->n_clauses && assumed; i++)
        assumed = !looks_at_sizes(c, &c->rule->clauses[i], n);
    for (int k = 0; n && k < n->n_in && !before; k++)
        before = n->in[k] && is_assumed(c, n->in[k]);
    return assumed || before;
}

static bool is_known(const prove_case *c, const prove_value *v)
{
    if (is_assumed(c, v))
        return false;
    return is_told(c, v) || is_told_by_readers(c, v) || (v->node && finds_rank(c, v->node));
}

bool prove_knows_rank(const prove_case *c, const prove_value *v)
{
    return is_known(c, v);
}

/* V is a result of which the number of axes is known, or operand of what makes such a one: else the
 * rule is not applied, because less would be known than before. */
static bool makes_known(const prove_case *c, const prove_value *v)
{
    const prove_node *root = c->left[c->rule->root];

    for (int i = 0; i < c->n_results && i < root->n_out; i++) {
        if (c->results[i] == v && is_known(c, &root->out[i]))
            return true;
    }
    for (int i = 0; i < c->rule->right.n_nodes; i++) {
        const prove_node *n = c->right[i];

        for (int k = 0; n && k < n->n_in; k++) {
            if (n->in[k] == v && ((k == 0 && counts_axes(c, n)) ||
                                  (wants_rank_of(c, n, k) && makes_known(c, &n->out[0]))))
                return true;
        }
    }
    return false;
}

/* ---- errors of both sides ---- */

/* Two lists of the same numbers, of which no axes are counted from an end, or two other operands of
 * as many axes: they depend on one value, or are known. */
static bool are_as_many(const prove_case *c, const prove_value *a, const prove_value *b)
{
    bool same = a && b && a->n_ints == b->n_ints;

    if (a == b || !same || a->n_ints < 0)
        return a == b || (a && b && prove_as_many_axes(a) == prove_as_many_axes(b)) ||
               (same && a->rank == b->rank && is_known(c, a) && is_known(c, b));
    for (int i = 0; i < a->n_ints && same; i++)
        same = smt_same(a->ints[i], b->ints[i]);
    return same;
}

/* The integer attributes of N, which may be axes, are those of M. */
static bool have_same_axes(const prove_node *n, const prove_node *m)
{
    for (int i = 0; n->from && i < n->from->n_attrs; i++) {
        const rule_attr *a = &n->from->attrs[i], *b = m->from ? prove_attr(m, a->name) : NULL;

        if (a->kind == INLAY_ATTR_INT &&
            (!b || a->var != b->var || (a->var < 0 && a->literal.as.i != b->literal.as.i)))
            return false;
    }
    return true;
}

static bool scatters_tuples(const prove_node *n)
{
    return is_named(n, "ScatterNDUpdate") || is_named(n, "tensor_scatter_nd_update");
}

/* M fails for the same ranks as N. */
static bool fails_alike(const prove_case *c, const prove_node *n, const prove_node *m)
{
    bool folds = n->row->flags & m->row->flags & PROVE_FOLDS;
    bool alike = (n->row == m->row || folds || (scatters_tuples(n) && scatters_tuples(m))) &&
                 n->n_in == m->n_in && n->window == m->window && have_same_axes(n, m);

    for (int i = 0; i < n->n_in && alike; i++)
        alike = i == 1 && has_axes(n) ? n->in[1] == m->in[1] : are_as_many(c, n->in[i], m->in[i]);
    return alike;
}

/* A value of V's rank is an operand of M, which joins its operands. */
static bool is_joined(const prove_node *m, const prove_value *v)
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
    bool all = is_named(n, "Concat") && is_named(m, "Concat") && (!n->from || have_same_axes(m, n)),
         any_known = false, has_known = false;

    for (int i = 0; i < n->n_in && all; i++) {
        const prove_value *v = n->in[i];
        bool has = is_joined(m, v) || (v->node && joins_all_of(c, m, v->node));

        any_known = any_known || is_known(c, v);
        has_known = has_known || (has && is_known(c, v));
        all = has || is_known(c, v);
    }
    return all && (has_known || !any_known);
}

/* N needs only the first axis of operand 0 to exist, and so does M. */
static bool needs_first_axis(const prove_node *n, const prove_node *m)
{
    const prove_value *axis = is_named(m, "Gather") ? m->in[2] : NULL;

    return is_named(n, "GatherND") && n->in[1]->components == 2 && axis && axis->n_ints == 1 &&
           axis->ints[0]->op == SMT_INT && axis->ints[0]->n == 0 &&
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

static void join_lengths(const prove_case *c, const rule_clause *clause, bool *joined)
{
    const rule_name *name = c->rule->names;
    bool any = clause->target >= 0 && joined[clause->target];

    for (int k = 0; k < clause->n_args; k++)
        any = any || (clause->args[k].kind != TERM_INTS && joined[clause->args[k].name]);
    for (int k = 0; k < clause->n_args && any; k++) {
        if (clause->args[k].kind != TERM_INTS && name[clause->args[k].name].kind != RULE_ATTR)
            joined[clause->args[k].name] = true;
    }
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
                join_lengths(c, &c->rule->clauses[i], joined);
        }
    }
    for (int i = 0; i < c->rule->n_names; i++) {
        if (joined[i] && c->names[i].value == b)
            return true;
    }
    return a == b;
}

/* M takes what has as many axes as DATA by a list as long as this one, if that is not NULL, and that
 * length is known. */
static bool takes_by_list(const prove_case *c, const prove_node *m, const prove_value *data,
                          const prove_value *list)
{
    for (int k = 1; m && is_by_list(m) && k < m->n_in; k++) {
        if (prove_as_many_axes(m->in[0]) == prove_as_many_axes(data) && is_known_list(c, m, k) &&
            (!list || are_as_long(c, list, m->in[k])))
            return true;
    }
    return false;
}

/* Some node of the right side does. */
static bool is_taken_by_list(const prove_case *c, const prove_value *data, const prove_value *list)
{
    for (int i = 0; i < c->rule->right.n_nodes; i++) {
        if (takes_by_list(c, c->right[i], data, list))
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

        if (!prove_calls(clause, function) || c->names[clause->target].value != v ||
            clause->args[0].kind != TERM_NAME || clause->args[1].kind != TERM_NAME)
            continue;
        *axes = clause->args[0].name;
        return c->names[clause->args[1].name].value == p;
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

        if (fold && is_named(m, "Transpose") && (fold->row->flags & PROVE_FOLDS) && !fold->form &&
            prove_as_many_axes(fold->in[0]) == prove_as_many_axes(data) &&
            is_made_of_order(c, "rest_order", m->in[1], p, &others) &&
            is_made_of_order(c, "axes_before", fold->in[1], p, &gone) && gone == others)
            return true;
    }
    return false;
}

/* The same holds for all lists of N. */
static bool has_lists_taken(const prove_case *c, const prove_node *n)
{
    bool taken = is_by_list(n);

    if (is_named(n, "Transpose") && is_rest_taken(c, n->in[0], n->in[1]))
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
        bool raises = prove_calls(clause, "raised_padding") && !clause->negated;

        for (int k = 1; k < n->n_in && raises; k++)
            raised |= (c->names[clause->args[2].name].value == n->in[k]) << k;
    }
    return is_named(n, "Pad") && (m->row->flags & PROVE_OF_PICTURES) && raised == 6 &&
           prove_as_many_axes(m->in[0]) == prove_as_many_axes(n->in[0]);
}

/* M fails if N does because operand K has a wrong rank. The value that a Pad fills with has rank 0.
 */
static bool is_error_too(const prove_case *c, const prove_node *n, int k, const prove_node *m)
{
    bool around = k == 3 && is_named(n, "Pad") && is_named(m, "Pad") && m->n_in > 3;

    return fails_alike(c, n, m) || joins_all_of(c, m, n) || (around && m->in[3] == n->in[3]) ||
           (is_named(n, "Slice") && takes_window_of(m, n)) ||
           (k == 0 &&
            (needs_first_axis(n, m) || takes_window_of(m, n) || takes_pictures_of(c, m, n)));
}

static bool is_error_of_both(const prove_case *c, const prove_node *n, int k)
{
    bool both = k == 0 && has_lists_taken(c, n);

    for (int i = 0; i < c->rule->right.n_nodes && !both; i++)
        both = c->right[i] && is_error_too(c, n, k, c->right[i]);
    return both;
}

/* The sizes of N, a Reshape, are known, or the list that it gets is: no size is copied from an axis
 * that the data may not have. */
static bool copies_no_size(const prove_case *c, const prove_node *n)
{
    static const char *const sizes[] = {"same_shape", "static_shape", NULL}, *const nodes[] = {
                                                                                 "constant_sizes",
                                                                                 "never_fails",
                                                                                 NULL};

    for (int i = 0; i < c->rule->n_clauses && is_named(n, "Reshape"); i++) {
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

    if (!axes || !is_named(n, "Unsqueeze"))
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
        n->from && is_named(n, "Reshape") ? prove_attr(n, "special_zero") : NULL;

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
    bool settled = v->node && v->node->n_in > 0 && !is_assumed(c, v);

    if (is_known(c, v) || makes_known(c, v))
        return true;
    for (int k = 0; settled && k < v->node->n_in; k++)
        settled = !v->node->in[k] || is_known_list(c, v->node, k) || is_settled(c, v->node->in[k]);
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

/* Operand K of N has a valid rank, because the shape rules have checked it; or else the right side
 * fails, too. Tuples have an axis, which an Unsqueeze gives them. */
static bool is_covered(const prove_case *c, const prove_node *n, int k)
{
    const prove_value *v = n->in[k];

    return !v || v->n_ints >= 0 || is_settled(c, v) || prove_needs_alike(c, n) || is_kept(c, n) ||
           (k == 1 && n->window && counts_axes(c, n)) || is_error_of_both(c, n, k) ||
           (k == 1 && is_named(n, "GatherND") && v->node && is_named(v->node, "Unsqueeze"));
}

/* ---- errors of the right side alone ---- */

/* M, a Concat, joins V, by itself or in what it joins along the same axis. */
static bool joins(const prove_node *m, const prove_value *v)
{
    bool does = is_joined(m, v);

    for (int k = 0; k < m->n_in && !does; k++) {
        const prove_node *of = m->in[k]->node;

        does = of && is_named(of, "Concat") && (!of->from || have_same_axes(of, m)) && joins(of, v);
    }
    return does;
}

static bool joins_as_much(const prove_node *m, const prove_node *n)
{
    bool all = is_named(m, "Concat") && is_named(n, "Concat") && have_same_axes(n, m);

    for (int k = 0; k < n->n_in && all; k++)
        all = joins(m, n->in[k]);
    return all;
}

/* M is an error for all numbers of axes of V but one that was known when the rule was applied. */
static bool pins(const prove_case *c, const prove_node *m, const prove_value *v)
{
    return takes_by_list(c, m, v, NULL) || (m->n_in > 1 && counts_axes(c, m) &&
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
    bool pinned = is_known(c, v) || is_of_chain(c, v);

    for (int i = 0; i < c->rule->left.n_nodes && !pinned; i++)
        pinned = c->left[i] && pins(c, c->left[i], v);
    if (pinned || !n || !n->right)
        return pinned;
    pinned = n->n_in > 0;
    for (int k = 0; k < n->n_in && pinned; k++)
        pinned = !n->in[k] || is_known_list(c, n, k) || is_pinned(c, n->in[k]);
    return pinned;
}

/* The left side is an error, too, where operand K of N, a node of the right side, has a wrong number
 * of axes. */
static bool is_error_of_left(const prove_case *c, const prove_node *n, int k)
{
    bool both = false;

    for (int i = 0; i < c->rule->left.n_nodes && !both; i++) {
        const prove_node *m = c->left[i];

        both = m && (is_error_too(c, n, k, m) || joins_as_much(m, n) ||
                     (k == 0 && needs_first_axis(m, n)));
    }
    return both;
}

static bool is_covered_on_right(const prove_case *c, const prove_node *n, int k)
{
    const prove_value *v = n->in[k];

    return !v || v->n_ints >= 0 || is_pinned(c, v) || makes_known(c, v) ||
           prove_needs_alike(c, n) || (k == 1 && is_named(n, "Gather")) ||
           (n->window && counts_axes(c, n)) || is_error_of_left(c, n, k);
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

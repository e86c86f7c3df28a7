/* Values of which the graph does not know how many axes they have. A list, an axis or another
 * operand may be wrong for such a value when the graph runs, which is an error that a rule must not
 * lose; the cases of a proof are those of which nothing is wrong like this.
 *
 * Where the shape rules know the numbers of axes they have seen that nothing is. A number is known
 * by a condition that asks for it; of what an operation makes, if it is of what this is made of,
 * and the other way round, for the shape rules find it there; and of what takes the place of a
 * value of which it was known, for else the rule is not applied.
 *
 * Of all other values the right side must be an error wherever the left side is. It is,
 *
 * - if it does again what is an error: the same operation, with operands of as many axes each, the
 *   same lists and the same axes;
 * - if it takes the value, or one that has as many axes, by a list whose length was known when the
 *   rule was applied, and the list that is wrong on the left side has this length, too: then the
 *   right side is an error for every other number of axes, and for this one nothing is wrong.
 *
 * Both are so whatever the graph is: numbers of axes of a run change neither what conditions say,
 * nor what functions have given. */
#include "passes/prove/prove.h"
#include "passes/prove/rows.h"

#include <string.h>

/* ---- what is asked ---- */

/* What a yes of a condition, or what a function gives, tells of the numbers of axes, with a letter
 * for each argument; no letters are "vvvv". */
enum {
    OF_VALUE = 'v',      /* of the value, or of each one of a list */
    OF_DATA = 'd',       /* and of operand 0 of what makes it */
    OF_ITS_DATA = 'D',   /* and of operand 0 of what makes that */
    OF_ALL = 'n',        /* of the value and all operands of what makes it */
    OF_FIRST = 'f',      /* of the first one of a list */
    OF_SEVERAL = 's',    /* of each one of a list, if it has several */
    OF_OPERATION = 'o',  /* of all operands of the operation */
    OF_NO_RESHAPE = 'r', /* the same, if it is no Reshape */
};

typedef struct telling {
    const char *function, *of;
} telling;

/* Of what without_empty keeps one has as many axes as is known, and the others, of which it may not
 * be known, are joined with that on both sides. */
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
};
/* clang-format on */

static const telling *telling_of(const rule_clause *clause)
{
    for (size_t i = 0; i < sizeof tellings / sizeof *tellings && !clause->negated; i++) {
        if (strcmp(clause->fn->name, tellings[i].function) == 0)
            return &tellings[i];
    }
    return NULL;
}

/* The number that argument T is; NULL: it is none, or none in this case. */
static const smt *number_of(const prove_case *c, const rule_term *t)
{
    const prove_name *name = t->kind == TERM_INTS ? NULL : &c->names[t->name];

    if (!name || name->attr || !name->value)
        return name ? name->attr : NULL;
    return name->value->n_ints == 1 ? name->value->ints[0] : NULL;
}

/* Operand 1 of N is a list of axes. In a case they are counted from the front; in a graph from the
 * end, too. */
static bool has_axes(const prove_node *n)
{
    return n->row == &prove_fold || (n->row->flags & (PROVE_BRINGS_AXES | PROVE_TAKES_AXES));
}

/* Argument I may be a number other than the case has. */
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

/* The same number on both sides is the same axis of whatever value. */
static bool is_one_number(const prove_case *c, const rule_clause *clause)
{
    const smt *a, *b;
    bool literal;

    if (strcmp(clause->fn->name, "same_axis") != 0)
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

/* What is said OF the value X tells how many axes V has. */
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

/* V is a constant that a function has made. */
static bool is_computed(const prove_case *c, const prove_value *v)
{
    for (int i = 0; i < c->rule->n_names; i++) {
        if (c->names[i].value == v && c->rule->names[i].kind == RULE_INTEGERS)
            return true;
    }
    return false;
}

/* All values of the list NAME are one. */
static bool are_copies(const rule *r, int name)
{
    bool are = false;

    for (int i = 0; i < r->n_clauses; i++)
        are = are ||
              (strcmp(r->clauses[i].fn->name, "copied") == 0 && r->clauses[i].args[0].name == name);
    return are;
}

/* Some condition or function tells how many axes V has. */
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
            (!integers || as_integers || strcmp(clause->fn->name, "constant") == 0))
            return true;
    }
    return false;
}

/* Some condition that is not negated, or some function, is about NAME; or gives it. INTEGERS: and
 * takes it for integers, which it knows. */
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

/* Some node of the left side has the window NAME, so that it may be one of which nothing is known.
 */
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

/* The window of N has a number for each axis of the data: some condition holds of it, or it is
 * computed for the right side, which is not made where the data has another number of axes, or an
 * unknown one. */
static bool counts_axes(const prove_case *c, const prove_node *n)
{
    for (int i = 0; n->from && i < n->from->n_in; i++) {
        const rule_term *t = &n->from->in[i];

        if (t->kind == TERM_WINDOW && c->rule->names[t->name].kind == RULE_WINDOW &&
            (n->right ? !is_of_left(c->rule, t->name) : is_asked_about(c->rule, t->name, false)))
            return true;
    }
    return !n->right && n->window && n->window->known;
}

/* ---- what is known of the numbers of axes ---- */

/* N is element by element. What a function of values makes stands for no node of the rule. */
static bool is_pointwise(const prove_node *n)
{
    return n->row == &prove_pointwise || is_named(n, "Select") ||
           (n->from && prove_named_row(n->from) == n->row);
}

/* What N makes has as many axes as its operand 0; the shape rule of N says so, too. */
static bool keeps_rank(const prove_node *n)
{
    return (n->row->flags & (PROVE_KEEPS_RANK | PROVE_SIZES_OF_DATA)) != 0;
}

/* The shape rule of N knows how many axes its output has only if it knows it of operand I. What is
 * not broadcast as numpy does has as many as any operand, and a convolution as its filters. */
static bool wants_rank_of(const prove_case *c, const prove_node *n, int i)
{
    if (is_pointwise(n) || is_named(n, "MatMul"))
        return n->n_in == 1 || n->form == 0;
    return i == 0 && !(n->row->flags & PROVE_OF_PICTURES) &&
           (keeps_rank(n) || n->row == &prove_fold || is_named(n, "Gather") ||
            ((n->row->flags & (PROVE_BRINGS_AXES | PROVE_TAKES_AXES)) && is_known_list(c, n, 1)));
}

/* A node of the left side that reads V tells how many axes V has. */
static bool is_told_by_readers(const prove_case *c, const prove_value *v)
{
    for (int i = 0; i < c->rule->left.n_nodes; i++) {
        const prove_node *n = c->left[i];
        bool told = false;

        for (int k = 0; n && k < n->n_out; k++)
            told = told || is_told(c, &n->out[k]);
        for (int k = 0; n && k < n->n_in; k++) {
            if (n->in[k] == v &&
                ((k == 0 && counts_axes(c, n)) || (told && wants_rank_of(c, n, k))))
                return true;
        }
    }
    return false;
}

static bool is_known(const prove_case *c, const prove_value *v);

/* The operand I of N, which says how many axes the output has, is known to the shape rule. */
static bool says_known(const prove_case *c, const prove_node *n, int i)
{
    bool is_list = n->in[i]->n_ints >= 0;
    bool is_axis = is_list && (is_named(n, "Gather") || is_named(n, "ScatterUpdate"));

    return is_list ? is_axis || is_known_list(c, n, i) : is_known(c, n->in[i]);
}

/* The shape rule of N finds how many axes its output has. */
static bool finds_rank(const prove_case *c, const prove_node *n)
{
    int used = keeps_rank(n) && !is_pointwise(n) ? 1 : n->n_in;
    bool finds = used > 0;

    if (is_by_list(n) && (is_known_list(c, n, 1) || is_known(c, n->in[0])))
        return true;
    if (n->row->flags & PROVE_SIZES_OF_INDICES)
        return is_known(c, n->in[1]);
    for (int i = 0; i < used; i++)
        finds = finds && n->in[i] && says_known(c, n, i);
    return finds;
}

static bool is_known(const prove_case *c, const prove_value *v)
{
    return is_told(c, v) || is_told_by_readers(c, v) || (v->node && finds_rank(c, v->node));
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

/* Where nothing is an error V has as many axes as this. */
static const prove_value *as_many_axes(const prove_value *v)
{
    while (v && v->node &&
           (is_named(v->node, "Transpose") || is_named(v->node, "Pad") ||
            (v->node->row == &prove_fold && v->node->form) ||
            (keeps_rank(v->node) && (v->node->n_in == 1 || !is_pointwise(v->node)))))
        v = v->node->in[0];
    return v;
}

/* Two lists of the same numbers, of which no axes are counted from an end, or two other operands of
 * as many axes: they depend on one value, or are known. */
static bool are_alike(const prove_case *c, const prove_value *a, const prove_value *b)
{
    bool same = a && b && a->n_ints == b->n_ints;

    if (a == b || !same || a->n_ints < 0)
        return a == b || (a && b && as_many_axes(a) == as_many_axes(b)) ||
               (same && a->rank == b->rank && is_known(c, a) && is_known(c, b));
    for (int i = 0; i < a->n_ints && same; i++)
        same = smt_same(a->ints[i], b->ints[i]);
    return same;
}

/* The integers that are attributes of N, which may be axes, are those of M. */
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

/* M fails for the numbers of axes for which N does. */
static bool fails_alike(const prove_case *c, const prove_node *n, const prove_node *m)
{
    bool alike = (n->row == m->row || (scatters_tuples(n) && scatters_tuples(m))) &&
                 n->n_in == m->n_in && n->window == m->window && have_same_axes(n, m);

    for (int i = 0; i < n->n_in && alike; i++)
        alike = i == 1 && has_axes(n) ? n->in[1] == m->in[1] : are_alike(c, n->in[i], m->in[i]);
    return alike;
}

/* What has as many axes as V is joined by M. */
static bool is_joined(const prove_node *m, const prove_value *v)
{
    bool is = false;

    for (int k = 0; k < m->n_in; k++)
        is = is || as_many_axes(m->in[k]) == as_many_axes(v);
    return is;
}

/* M joins all that N joins of which it is not known how many axes it has, by itself or in what is
 * joined along the same axis; and one of which it is, if there is one. */
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

/* N needs no more than one axis of operand 0, the first, and M needs one. */
static bool needs_first_axis(const prove_node *n, const prove_node *m)
{
    const prove_value *axis = is_named(m, "Gather") ? m->in[2] : NULL;

    return is_named(n, "GatherND") && n->in[1]->components == 2 && axis && axis->n_ints == 1 &&
           axis->ints[0]->op == SMT_INT && axis->ints[0]->n == 0 &&
           as_many_axes(n->in[0]) == as_many_axes(m->in[0]);
}

/* The right side takes the window of N of what has as many axes. */
static bool takes_window_of(const prove_node *m, const prove_node *n)
{
    return n->window && m->window == n->window && as_many_axes(m->in[0]) == as_many_axes(n->in[0]);
}

/* A clause about lists of one length: those that it is given and the one that it gives. */
static bool is_of_one_length(const rule_clause *clause)
{
    static const char *const functions[] = {"compose_orders", "inverse_order", "before_order",
                                            "swapped_last", "sums"};
    bool is = false;

    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        is = is || strcmp(clause->fn->name, functions[i]) == 0;
    return is && !clause->negated;
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

/* The lists A and B are of one length wherever the rule is applied. */
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

/* The right side takes what has as many axes as DATA by a list as long as this one, and that length
 * is known. */
static bool is_taken_by_list(const prove_case *c, const prove_value *data, const prove_value *list)
{
    for (int i = 0; i < c->rule->right.n_nodes; i++) {
        const prove_node *m = c->right[i];

        for (int k = 1; m && is_by_list(m) && k < m->n_in; k++) {
            if (as_many_axes(m->in[0]) == as_many_axes(data) && is_known_list(c, m, k) &&
                are_as_long(c, list, m->in[k]))
                return true;
        }
    }
    return false;
}

/* FUNCTION gives V of axes and of the order P; *AXES is what names these axes. */
static bool is_made_of_order(const prove_case *c, const char *function, const prove_value *v,
                             const prove_value *p, int *axes)
{
    for (int i = 0; i < c->rule->n_clauses; i++) {
        const rule_clause *clause = &c->rule->clauses[i];

        if (strcmp(clause->fn->name, function) != 0 || c->names[clause->target].value != v ||
            clause->args[0].kind != TERM_NAME || clause->args[1].kind != TERM_NAME)
            continue;
        *axes = clause->args[0].name;
        return c->names[clause->args[1].name].value == p;
    }
    return false;
}

/* The right side makes less axes of DATA, as many less as the order P has more than the order by
 * which it takes them: it fails for all other numbers of axes than P has. */
static bool is_rest_taken(const prove_case *c, const prove_value *data, const prove_value *p)
{
    int gone, others;

    for (int i = 0; i < c->rule->right.n_nodes; i++) {
        const prove_node *m = c->right[i], *fold = m && m->n_in > 1 ? m->in[0]->node : NULL;

        if (fold && is_named(m, "Transpose") && fold->row == &prove_fold && !fold->form &&
            as_many_axes(fold->in[0]) == as_many_axes(data) &&
            is_made_of_order(c, "rest_order", m->in[1], p, &others) &&
            is_made_of_order(c, "axes_before", fold->in[1], p, &gone) && gone == others)
            return true;
    }
    return false;
}

/* So it does for all lists of N. */
static bool has_lists_taken(const prove_case *c, const prove_node *n)
{
    bool taken = is_by_list(n);

    if (is_named(n, "Transpose") && is_rest_taken(c, n->in[0], n->in[1]))
        return true;
    for (int i = 1; i < n->n_in && taken; i++)
        taken = !n->in[i] || n->in[i]->n_ints < 0 || is_taken_by_list(c, n->in[0], n->in[i]);
    return taken;
}

/* M takes pictures of as many axes as its window has, and two, which are as many as the lists of N,
 * a Pad, have, of which its padding is made. */
static bool takes_pictures_of(const prove_case *c, const prove_node *m, const prove_node *n)
{
    int raised = 0;

    for (int i = 0; i < c->rule->n_clauses; i++) {
        const rule_clause *clause = &c->rule->clauses[i];
        bool raises = strcmp(clause->fn->name, "raised_padding") == 0 && !clause->negated;

        for (int k = 1; k < n->n_in && raises; k++)
            raised |= (c->names[clause->args[2].name].value == n->in[k]) << k;
    }
    return is_named(n, "Pad") && (m->row->flags & PROVE_OF_PICTURES) && raised == 6 &&
           as_many_axes(m->in[0]) == as_many_axes(n->in[0]);
}

/* M is an error where N is because operand K has a wrong number of axes. What a Pad puts around its
 * data has none. */
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

/* The sizes of N, a Reshape, are known, or what it is asked for is: none is copied of an axis that
 * the data may not have. */
static bool copies_no_size(const prove_case *c, const prove_node *n)
{
    for (int i = 0; i < c->rule->n_clauses && is_named(n, "Reshape"); i++) {
        const rule_clause *clause = &c->rule->clauses[i];
        const char *function = clause->negated ? "" : clause->fn->name;
        bool of_sizes =
            strcmp(function, "same_shape") == 0 || strcmp(function, "static_shape") == 0;
        bool of_n = strcmp(function, "constant_sizes") == 0 || strcmp(function, "never_fails") == 0;

        for (int k = 0; k < clause->n_args && (of_sizes || of_n); k++) {
            const prove_name *name = &c->names[clause->args[k].name];

            if ((of_n && name->op == n) || (of_sizes && name->value == &n->out[0]))
                return true;
        }
    }
    return false;
}

/* N, an Unsqueeze, puts an axis at an end of its data: the rule writes it, or asks whether it is
 * the last one of what N makes, which is written so or else known. */
static bool is_axis_at_end(const prove_case *c, const prove_node *n)
{
    const rule_term *axes = n->from && n->from->n_in > 1 ? &n->from->in[1] : NULL;

    if (!axes || !is_named(n, "Unsqueeze"))
        return false;
    if (axes->kind == TERM_INTS)
        return axes->ints->n == 1 && (axes->ints->x[0] == 0 || axes->ints->x[0] == -1);
    for (int i = 0; i < c->rule->n_clauses; i++) {
        const rule_clause *clause = &c->rule->clauses[i];

        if (strcmp(clause->fn->name, "same_axis") == 0 && !clause->negated &&
            clause->args[0].name == axes->name && clause->args[1].kind == TERM_INTS &&
            clause->args[1].ints->x[0] == -1 && c->names[clause->args[2].name].value == &n->out[0])
            return true;
    }
    return false;
}

/* N is no error for how many axes its operands have: it broadcasts them, or puts an axis at an end
 * of them. */
static bool takes_any_rank(const prove_case *c, const prove_node *n)
{
    return (n->row->flags & PROVE_ANY_RANK) != 0 || copies_no_size(c, n) || is_axis_at_end(c, n);
}

/* Operand K of N has the right number of axes, for the shape rules have seen it, or else the right
 * side is an error, too. Tuples have an axis, which an Unsqueeze gives them. */
static bool is_covered(const prove_case *c, const prove_node *n, int k)
{
    const prove_value *v = n->in[k];

    return !v || v->n_ints >= 0 || is_known(c, v) || makes_known(c, v) ||
           (k == 1 && n->window && counts_axes(c, n)) || is_error_of_both(c, n, k) ||
           (k == 1 && is_named(n, "GatherND") && v->node && is_named(v->node, "Unsqueeze"));
}

bool prove_covers_unknown_ranks(const prove_case *c)
{
    for (int i = 0; i < c->rule->left.n_nodes; i++) {
        const prove_node *n = c->left[i];

        for (int k = 0; n && k < n->n_in && !takes_any_rank(c, n); k++) {
            if (!is_covered(c, n, k))
                return false;
        }
    }
    return true;
}

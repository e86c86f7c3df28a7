/* The values whose rank conditions and functions of a rule tell. See ranks.c. */
#include "passes/prove/ranks.h"

#include <string.h>

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
    {"ranked", 0}, {"same_shape", 0}, {"static_shape", 0}, {"open_shape", 0}, {"scalar", 0}, {"one_axis", 0},
    {"spreads", 0}, {"fit", 0}, {"fewer", 0}, {"joinable", "s"}, {"ones", 0}, {"constant", 0}, {"equals", 0}, {"finite", 0},
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
bool ranks_has_axes(const prove_node *n)
{
    return (n->row->flags & (PROVE_FOLDS | PROVE_BRINGS_AXES | PROVE_TAKES_AXES)) != 0;
}

/* Argument T may be counted from the end in a graph, other than in the case. */
static bool may_be_from_end(const prove_case *c, const rule_term *t)
{
    bool may = false;

    for (int i = 0; i < c->rule->left.n_nodes; i++) {
        const prove_node *n = c->left[i];

        may = may || (n && ranks_has_axes(n) && n->n_in > 1 && t->kind != TERM_INTS &&
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

bool ranks_reads(const prove_node *n, const prove_value *v)
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
           (of == OF_ALL && ranks_reads(x->node, v));
}

static bool tells_of(const prove_name *name, char of, const prove_value *v)
{
    const prove_node *op = name->op;

    if (of == OF_OPERATION || of == OF_NO_RESHAPE)
        return ranks_reads(op, v) && (of == OF_OPERATION || strcmp(op->row->type, "Reshape") != 0);
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
bool ranks_is_told(const prove_case *c, const prove_value *v)
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

/* Contracts about numbers and their types (vocabulary/number.c). */
#include "passes/prove/contracts.h"
#include "passes/prove/meaning.h"

#include <string.h>

#define ANY_TYPE (~(inlay_type_set)0)

/* All elements of V, an input of the rule, are NUMBER. */
static void state_all(prove_case *c, prove_value *v, double number, inlay_type_set types)
{
    if (v && !v->node && !v->number)
        v->number = prove_literal(c, number, types);
}

/* All elements of A are the number B. */
static void state_equal(prove_case *c, const prove_name *a, const prove_name *b)
{
    if (b->value && b->value->number)
        state_all(c, a->value, b->value->number->number,
                  meaning_types() & ~number_class_types(NUMBER_BOOLEAN));
}

static void state_all_true(prove_call *call)
{
    state_all(call->c, call->arg[0]->value, 1, number_class_types(NUMBER_BOOLEAN));
}

static void state_none_true(prove_call *call)
{
    state_all(call->c, call->arg[0]->value, 0, number_class_types(NUMBER_BOOLEAN));
}

static void state_equals(prove_call *call)
{
    state_equal(call->c, call->arg[0], call->arg[1]);
    state_equal(call->c, call->arg[1], call->arg[0]);
}

/* The number that the function only_number gives of V's one element, wherever the rule calls it;
 * NULL: it does not. */
static const smt *only_number_of(prove_case *c, const prove_value *v)
{
    for (int i = 0; i < c->rule->n_clauses; i++) {
        const rule_clause *clause = &c->rule->clauses[i];

        if (prove_asks_of(c, clause, "only_number", 0, v))
            return prove_name_number(c, clause->target);
    }
    return NULL;
}

/* The number that argument I is; NULL: it is no number, or several. */
static const smt *number_of(prove_call *call, int i)
{
    prove_case *c = call->c;
    const prove_name *name = call->arg[i];
    bool of_rule = name >= c->names && name < c->names + RULE_NAMES;

    if (of_rule && c->rule->names[name - c->names].kind == RULE_ATTR)
        return prove_name_number(c, (int)(name - c->names));
    if (!name->value || !name->value->number)
        return only_number_of(c, name->value);
    return smt_apply(
        &c->pool,
        prove_literal(c, name->value->number->number, number_class_types(NUMBER_FLOAT))->name, 0,
        NULL);
}

/* States of the numbers ARGS the relation KIND, which is called NAME; if one of them is no number,
 * nothing is stated. */
static void assume_of_numbers(prove_case *c, prove_symbol_kind kind, const char *name, int n,
                              const smt *const *args)
{
    const prove_symbol like = {.kind = kind, .name = name, .attr = -1};

    for (int i = 0; i < n; i++) {
        if (!args[i])
            return;
    }
    c->facts.numbers_assumed =
        smt_and(&c->pool, c->facts.numbers_assumed,
                smt_apply(&c->pool, prove_symbol_like(c, &like, n)->name, n, args));
}

static void state_less(prove_call *call)
{
    const smt *args[] = {number_of(call, 0), number_of(call, 1)};

    assume_of_numbers(call->c, PROVE_LESS, "less", 2, args);
}

/* The result of the function is one of two numbers. */
static void state_one_of(prove_call *call, prove_symbol_kind kind, const char *name)
{
    prove_case *c = call->c;
    const smt *args[] = {prove_name_number(c, (int)(call->out - c->names)), number_of(call, 0),
                         number_of(call, 1)};

    assume_of_numbers(c, kind, name, 3, args);
}

static void state_larger(prove_call *call)
{
    state_one_of(call, PROVE_LARGER, "larger");
}

static void state_smaller(prove_call *call)
{
    state_one_of(call, PROVE_SMALLER, "smaller");
}

static prove_type_fact *new_fact(prove_call *call, int i, inlay_type_set types)
{
    prove_case *c = call->c;

    if (c->facts.n_types == PROVE_PLACES) {
        prove_unknown(c, "too much is said of types");
        c->facts.n_types--;
    }
    c->facts.types[c->facts.n_types] = (prove_type_fact){
        .value = call->arg[i]->value, .types = types, .typed_by = -1, .held_by = -1};
    return &c->facts.types[c->facts.n_types++];
}

void prove_state_types(prove_call *call, int i, inlay_type_set types)
{
    new_fact(call, i, types);
}

static void state_integers(prove_call *call)
{
    new_fact(call, 0, number_class_types(NUMBER_SIGNED) | number_class_types(NUMBER_UNSIGNED));
}

static void state_integer_zero(prove_call *call)
{
    state_integers(call);
    call->out->value = prove_literal_value(
        call->c, 0, number_class_types(NUMBER_SIGNED) | number_class_types(NUMBER_UNSIGNED));
}

static void state_not_zero(prove_call *call)
{
    new_fact(call, 0, meaning_types())->not_zero = true;
}

/* All elements are 0, or -0. */
static void state_zeros_only(prove_call *call)
{
    new_fact(call, 0, meaning_types() & ~number_class_types(NUMBER_BOOLEAN))->zero = true;
}

/* V has one element, whatever axes it has. */
static void be_of_one_element(prove_case *c, prove_value *v)
{
    v->ranked = true;
    for (int i = 0; i < prove_rank(c, v); i++)
        prove_assume(c, smt_eq(&c->pool, v->dim[i], smt_int(&c->pool, 1)));
}

static void state_one_element(prove_call *call)
{
    if (call->arg[0]->value)
        be_of_one_element(call->c, call->arg[0]->value);
}

/* A value of rank 0 whose element is that of V, which has one. */
static prove_value *without_axes(prove_case *c, prove_value *v)
{
    prove_value *out;

    be_of_one_element(c, v);
    if (v->rank == 0)
        return v;
    out = prove_free_value(c);
    prove_be_of_rank(c, out, 0);
    prove_assume(c, smt_eq(&c->pool, prove_element(c, out, NULL), prove_first_element(c, v)));
    return out;
}

/* The result of the function is the number of a float of one element. */
static void state_only_number(prove_call *call)
{
    prove_case *c = call->c;

    call->out->value = without_axes(c, call->arg[0]->value);
    new_fact(call, 0, number_class_types(NUMBER_FLOAT))->number =
        prove_name_number(c, (int)(call->out - c->names));
}

/* The result of the function is 1 divided by the number of a float of one element, a power of two.
 */
static void state_reciprocal(prove_call *call)
{
    prove_case *c = call->c;

    be_of_one_element(c, call->arg[0]->value);
    call->out->value = prove_free_value(c);
    prove_be_of_rank(c, call->out->value, 0);
    new_fact(call, 0, number_class_types(NUMBER_FLOAT))->reciprocal = call->out->value;
}

/* Of floats, all arguments or the first ones: no more is said of their size here. */
static void state_float(prove_call *call)
{
    new_fact(call, 0, number_class_types(NUMBER_FLOAT));
}

/* The let is the number that an attribute is. */
static void state_as_float(prove_call *call)
{
    prove_value *v = prove_free_value(call->c);

    prove_be_of_rank(call->c, v, 0);
    call->out->value = v;
    new_fact(call, 1, number_class_types(NUMBER_FLOAT));
    call->c->facts.types[call->c->facts.n_types - 1].value = v;
    call->c->facts.types[call->c->facts.n_types - 1].number =
        prove_name_number(call->c, (int)(call->arg[0] - call->c->names));
}

static void state_wide_float(prove_call *call)
{
    new_fact(call, 0, (inlay_type_set)1 << INLAY_F32 | (inlay_type_set)1 << INLAY_F64);
}

/* The attribute that argument I names; -1: it is a type that the rule writes. */
static int attribute(const prove_call *call, int i)
{
    return call->arg[i]->type == INLAY_DYNAMIC ? (int)(call->arg[i] - call->c->names) : -1;
}

static void state_holds(prove_call *call)
{
    prove_type_fact *fact = new_fact(call, 1, meaning_types());

    fact->held_by = attribute(call, 0);
    fact->held_in = call->arg[0]->type;
}

static void state_has_type(prove_call *call)
{
    int by = attribute(call, 1);
    inlay_type type = call->arg[1]->type;

    new_fact(call, 0, by < 0 ? (inlay_type_set)1 << type : ANY_TYPE)->typed_by = by;
}

/* Two values have the same type, so a ConvertLike of one to the type of the other changes nothing.
 */
static void state_same_type(prove_call *call)
{
    prove_case *c = call->c;
    const prove_value *a = call->arg[0]->value, *b = call->arg[1]->value;

    new_fact(call, 0, ANY_TYPE)->like = b;
    for (int i = 0; i < c->rule->left.n_nodes; i++) {
        prove_node *n = c->left[i];

        if (n && strcmp(n->row->type, "ConvertLike") == 0 &&
            ((n->in[0] == a && n->in[1] == b) || (n->in[0] == b && n->in[1] == a)))
            n->form = PROVE_SAME_TYPE;
    }
}

/* Both have a known rank. Each size of the first, counted from the last axis, is 1 or that of the
 * second; if EITHER, also vice versa. */
static void state_sizes(prove_call *call, bool either)
{
    smt_pool *p = &call->c->pool;
    prove_value *a = call->arg[0]->value, *b = call->arg[1]->value;
    const smt *one = smt_int(p, 1), *hold;

    a->ranked = b->ranked = true;
    hold = smt_and(p, contract_sizes_hold(call->c, a), contract_sizes_hold(call->c, b));
    prove_need(call->c, either || prove_rank(call->c, a) <= prove_rank(call->c, b));
    for (int i = 1; i <= prove_rank(call->c, a) && i <= prove_rank(call->c, b); i++) {
        const smt *x = a->dim[a->rank - i], *y = b->dim[b->rank - i];
        const smt *fits = smt_or(p, smt_eq(p, x, one), smt_eq(p, x, y));

        prove_assume(call->c,
                     smt_implies(p, hold, either ? smt_or(p, fits, smt_eq(p, y, one)) : fits));
    }
}

static void state_fit(prove_call *call)
{
    state_sizes(call, true);
}

static void state_spreads(prove_call *call)
{
    call->arg[0]->value->over = call->arg[1]->value;
    state_sizes(call, false);
}

/* The type is one in which each number has its negative, and 0 has only bits that are 0. */
static void state_has_negatives(prove_call *call)
{
    new_fact(call, 0,
             meaning_types() &
                 ~((inlay_type_set)1 << INLAY_F8E8M0 | (inlay_type_set)1 << INLAY_NF4));
}

static void state_finite(prove_call *call)
{
    call->arg[0]->value->finite = true;
}

/* The element X is UNDER a window what T is. */
static void state_under(prove_case *c, const char *under, const smt *x, const char *t)
{
    prove_assume(c,
                 smt_eq(&c->pool, smt_apply1(&c->pool, under, x), smt_apply(&c->pool, t, 0, NULL)));
}

/* Argument 0, a number or a zero where it is absent, is under a window what T is. */
static void state_padding(prove_call *call, const char *under, const char *t)
{
    prove_case *c = call->c;
    prove_value *v = call->arg[0]->value;

    if (v) /* a constant, of which the shape rule of a Pad saw that it has one element */
        be_of_one_element(c, v);
    state_under(c, under, v ? prove_first_element(c, v) : prove_zero(c), t);
}

/* What stands for an absent number are bits that are 0, which are no 0 in some types. */
static void state_absent_or_zero(prove_call *call)
{
    if (call->arg[0]->value)
        state_padding(call, "as_term", "no_term");
}

static void state_has_zero(prove_call *call)
{
    state_has_negatives(call);
    state_under(call->c, "as_term", prove_zero(call->c), "no_term");
}

static void state_least(prove_call *call)
{
    state_padding(call, "as_most", "nothing");
}

const prove_contract prove_number_contracts[] = {
    {"has_negatives", state_has_negatives, NULL},
    {"has_zero", state_has_zero, NULL},
    {"equals", state_equals, NULL},
    {"less", state_less, NULL},
    {"larger", state_larger, NULL},
    {"smaller", state_smaller, NULL},
    {"only_number", state_only_number, NULL},
    {"integers", state_integers, NULL},
    {"invertible", state_float, NULL},
    {"product_fits", state_float, NULL},
    {"sum_fits", state_float, NULL},
    {"scales", state_float, NULL},
    {"normalizes", state_float, NULL},
    {"float", state_as_float, NULL},
    {"reciprocal", state_reciprocal, NULL},
    {"wide_float", state_wide_float, NULL},
    {"holds", state_holds, NULL},
    {"has_type", state_has_type, NULL},
    {"same_type", state_same_type, NULL},
    {"integer_zero", state_integer_zero, NULL},
    {"not_zero", state_not_zero, NULL},
    {"zeros_only", state_zeros_only, NULL},
    {"all_true", state_all_true, NULL},
    {"none_true", state_none_true, NULL},
    {"fit", state_fit, NULL},
    {"spreads", state_spreads, NULL},
    {"finite", state_finite, NULL},
    {"absent_or_zero", state_absent_or_zero, NULL},
    {"least", state_least, NULL},
    {"one_element", state_one_element, NULL},
    {NULL, NULL, NULL},
};

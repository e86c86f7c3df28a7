/* Conditions and functions on numbers: elements of constants, attributes, and numbers in the rule.
 */
#include "passes/rules/vocabulary/vocabulary.h"

#include "inlay_ops.h"

#include <math.h>

/* The numbers of an argument: those of a constant, or a single number. */
struct numbers {
    const inlay_tensor *tensor;
    int64_t n;
    double one;
};

static bool from_attr(const rule_binding *b, struct numbers *out)
{
    *out = (struct numbers){.n = 1};
    if (b->attr_kind == INLAY_ATTR_FLOAT)
        out->one = b->attr->as.f;
    else if (b->attr_kind == INLAY_ATTR_NUMBER)
        out->one = b->attr->as.number.f;
    else if (b->attr_kind == INLAY_ATTR_INT)
        out->one = (double)b->attr->as.i;
    else
        return false;
    return true;
}

static bool from_value(const inlay_value *v, struct numbers *out)
{
    const inlay_tensor *t = v->fact.content;

    if (!t || t->type == INLAY_BOOLEAN ||
        (!inlay_type_is_float(t->type) && !inlay_type_is_int(t->type)))
        return false;
    *out = (struct numbers){.tensor = t, .n = inlay_tensor_count(t)};
    return true;
}

static bool from_literal(const rule_ints *literal, struct numbers *out)
{
    *out = (struct numbers){.n = 1, .one = literal->real};
    return literal->is_real;
}

static bool find_numbers(const rule_binding *b, struct numbers *out)
{
    if (b->kind == RULE_VALUE)
        return from_value(b->value, out);
    return b->kind == RULE_ATTR ? from_attr(b, out) : from_literal(b->ints, out);
}

/* Reads number I. False: a double cannot represent it. */
static bool number_at(const struct numbers *x, int64_t i, double *out)
{
    int64_t whole;

    *out = x->one;
    if (!x->tensor)
        return true;
    i = x->n == 1 ? 0 : i;
    if (inlay_type_is_float(x->tensor->type)) {
        *out = inlay_tensor_get_f64(x->tensor, i);
        return true;
    }
    whole = inlay_tensor_get_i64(x->tensor, i);
    *out = (double)whole;
    return whole <= INT64_C(1) << 53 && whole >= -(INT64_C(1) << 53) &&
           (x->tensor->type != INLAY_U64 || whole >= 0);
}

/* A single number is compared with each of the others; two constants must have elements in the same
 * positions. */
static bool same_places(const struct numbers *a, const struct numbers *b)
{
    if (a->n == 1 || b->n == 1)
        return true;
    if (a->tensor->rank != b->tensor->rank)
        return false;
    for (int i = 0; i < a->tensor->rank; i++) {
        if (a->tensor->dims[i] != b->tensor->dims[i])
            return false;
    }
    return true;
}

static bool is_equal(double a, double b)
{
    return a == b && signbit(a) == signbit(b);
}

static bool is_less(double a, double b)
{
    return a < b;
}

static rule_answer compare_all(const rule_call *c, bool (*holds)(double a, double b))
{
    struct numbers a, b;

    if (!find_numbers(&c->arg[0], &a) || !find_numbers(&c->arg[1], &b) || !same_places(&a, &b))
        return RULE_DONT_KNOW;
    for (int64_t i = 0; i < (a.n == 1 ? b.n : a.n); i++) {
        double x, y;

        if (!number_at(&a, i, &x) || !number_at(&b, i, &y))
            return RULE_DONT_KNOW;
        if (!holds(x, y))
            return RULE_NO;
    }
    return RULE_YES;
}

rule_answer rule_fn_equals(rule_call *c)
{
    return compare_all(c, is_equal);
}

rule_answer rule_fn_less(rule_call *c)
{
    return compare_all(c, is_less);
}

rule_answer rule_fn_finite(rule_call *c)
{
    const inlay_tensor *t = c->arg[0].value->fact.content;

    if (!t)
        return RULE_DONT_KNOW;
    for (int64_t i = 0; inlay_type_is_float(t->type) && i < inlay_tensor_count(t); i++) {
        if (!isfinite(inlay_tensor_get_f64(t, i)))
            return RULE_NO;
    }
    return RULE_YES;
}

/* Are all numbers of V 0, or -0; or, if IS_ZERO is false, none of them? */
static rule_answer all_zero(const inlay_value *v, bool is_zero)
{
    struct numbers x;

    if (!from_value(v, &x))
        return RULE_DONT_KNOW;
    for (int64_t i = 0; i < x.n; i++) {
        double number;

        if (!number_at(&x, i, &number) || (number == 0) != is_zero)
            return RULE_NO;
    }
    return RULE_YES;
}

rule_answer rule_fn_zeros_only(rule_call *c)
{
    const inlay_value *v = c->arg[0].value;
    bool is_repeated = inlay_node_is(v->node, INLAY_OP_BROADCAST);

    return all_zero(is_repeated ? inlay_node_input(v->node, 0) : v, true);
}

/* The least integer of type T. */
static int64_t least_integer(inlay_type t)
{
    const inlay_type_info *info = inlay_type_info_of(t);

    return info->cls == INLAY_CLASS_UNSIGNED ? 0 : -(INT64_MAX >> (64 - info->bits)) - 1;
}

/* An absent operand counts as 0. */
rule_answer rule_fn_least(rule_call *c)
{
    const inlay_value *v = c->arg[0].value;
    inlay_type type = c->arg[1].value->fact.type;
    const inlay_tensor *t = v ? v->fact.content : NULL;

    if (type == INLAY_DYNAMIC || (v && (!t || inlay_tensor_count(t) != 1)))
        return RULE_DONT_KNOW;
    if (inlay_type_is_float(type))
        return t && inlay_tensor_get_f64(t, 0) == -(double)INFINITY ? RULE_YES : RULE_NO;
    if (!inlay_type_is_int(type))
        return RULE_NO;
    return (t ? inlay_tensor_get_i64(t, 0) : 0) == least_integer(type) ? RULE_YES : RULE_NO;
}

rule_answer rule_fn_absent_or_zero(rule_call *c)
{
    return c->arg[0].value ? all_zero(c->arg[0].value, true) : RULE_YES;
}

rule_answer rule_fn_not_zero(rule_call *c)
{
    return all_zero(c->arg[0].value, false);
}

static rule_answer all_booleans(const rule_call *c, bool are)
{
    const inlay_tensor *t = c->arg[0].value->fact.content;

    if (!t || t->type != INLAY_BOOLEAN)
        return RULE_DONT_KNOW;
    for (int64_t i = 0; i < inlay_tensor_count(t); i++) {
        if ((inlay_tensor_get_i64(t, i) != 0) != are)
            return RULE_NO;
    }
    return RULE_YES;
}

rule_answer rule_fn_all_true(rule_call *c)
{
    return all_booleans(c, true);
}

rule_answer rule_fn_none_true(rule_call *c)
{
    return all_booleans(c, false);
}

rule_answer rule_fn_wide_float(rule_call *c)
{
    inlay_type type = c->arg[0].value->fact.type;

    if (type == INLAY_DYNAMIC)
        return RULE_DONT_KNOW;
    return type == INLAY_F32 || type == INLAY_F64 ? RULE_YES : RULE_NO;
}

rule_answer rule_fn_has_negatives(rule_call *c)
{
    inlay_type type = c->arg[0].value->fact.type;

    if (type == INLAY_DYNAMIC)
        return RULE_DONT_KNOW;
    return rule_yes_if(!rule_is_for_storage(type));
}

rule_answer rule_fn_has_zero(rule_call *c)
{
    return rule_fn_has_negatives(c);
}

/* Returns NUMBER as a constant of TYPE; nothing if the type cannot represent it. */
static rule_answer give_number(rule_call *c, inlay_type type, double number)
{
    rule_ints *out = rule_new_ints(c->match, type, 0, 1);

    if (!out)
        return RULE_DONT_KNOW;
    if (isfinite(number) && !rule_has_number(type, number, c->match->rule->exactness))
        return RULE_NO;
    out->is_real = true;
    out->real = number;
    out->x[0] = 0;
    c->out.ints = out;
    return RULE_YES;
}

/* Reads the number of a constant of one float. */
static bool read_only(const rule_call *c, double *out)
{
    const inlay_tensor *t = c->arg[0].value->fact.content;

    if (!t || !inlay_type_is_float(t->type) || inlay_tensor_count(t) != 1)
        return false;
    *out = inlay_tensor_get_f64(t, 0);
    return true;
}

rule_answer rule_fn_only_number(rule_call *c)
{
    double number;

    return read_only(c, &number) ? give_number(c, c->arg[0].value->fact.type, number)
                                 : RULE_DONT_KNOW;
}

/* A number that exporters use for a score that must not count, far below any real score. */
rule_answer rule_fn_very_low(rule_call *c)
{
    double number;

    if (!read_only(c, &number))
        return RULE_DONT_KNOW;
    return number < -1e30 ? RULE_YES : RULE_NO;
}

rule_answer rule_fn_float(rule_call *c)
{
    inlay_type type = c->arg[1].value->fact.type;
    struct numbers number;

    if (!inlay_type_is_float(type) || !from_attr(&c->arg[0], &number))
        return RULE_DONT_KNOW;
    return give_number(c, type, number.one);
}

/* Two different numbers become zeros of different signs in f32, of which neither is larger. */
static bool are_two_zeros(double a, double b)
{
    return a != b && (float)a == (float)b && signbit(a) != signbit(b);
}

/* Returns the one of two numbers that a function selects. */
static rule_answer give_one_of(rule_call *c, double (*pick)(double a, double b))
{
    struct numbers a, b;

    if (!from_attr(&c->arg[0], &a) || !from_attr(&c->arg[1], &b) || isnan(a.one) || isnan(b.one) ||
        are_two_zeros(a.one, b.one))
        return RULE_DONT_KNOW;
    return give_number(c, INLAY_F64, pick(a.one, b.one));
}

/* Of -0 and 0 the first. */
static double larger(double a, double b)
{
    return a < b ? b : a;
}

static double smaller(double a, double b)
{
    return b < a ? b : a;
}

rule_answer rule_fn_larger(rule_call *c)
{
    return give_one_of(c, larger);
}

rule_answer rule_fn_smaller(rule_call *c)
{
    return give_one_of(c, smaller);
}

rule_answer rule_fn_invertible(rule_call *c)
{
    const inlay_tensor *t = c->arg[0].value->fact.content;

    if (!t || !inlay_type_is_float(t->type))
        return RULE_DONT_KNOW;
    for (int64_t i = 0; i < inlay_tensor_count(t); i++) {
        double x = inlay_tensor_get_f64(t, i);

        if (x == 0 || !isfinite(x) || !rule_has_number(t->type, 1 / x, INLAY_APPROX))
            return RULE_NO;
    }
    return RULE_YES;
}

/* The smallest and largest absolute values of the numbers of constant V that are not 0; 1 and 0 if
 * there are none. False: V is not a constant of floats, or has infinities or NaN. */
static bool find_ends(const inlay_value *v, double *least, double *most)
{
    const inlay_tensor *t = v->fact.content;

    *least = INFINITY;
    *most = 0;
    for (int64_t i = 0; t && inlay_type_is_float(t->type) && i < inlay_tensor_count(t); i++) {
        double x = fabs(inlay_tensor_get_f64(t, i));

        if (!isfinite(x))
            return false;
        *most = fmax(*most, x);
        *least = x > 0 ? fmin(*least, x) : *least;
    }
    *least = *most > 0 ? *least : 1;
    return t && inlay_type_is_float(t->type);
}

static bool find_both_ends(const rule_call *c, double *least, double *most)
{
    return find_ends(c->arg[0].value, &least[0], &most[0]) &&
           find_ends(c->arg[1].value, &least[1], &most[1]);
}

/* If all numbers lie between two products, it is enough that these two fit. */
rule_answer rule_fn_product_fits(rule_call *c)
{
    inlay_type type = c->arg[0].value->fact.type;
    double least[2], most[2];

    if (!find_both_ends(c, least, most))
        return RULE_DONT_KNOW;
    return rule_yes_if(rule_has_number(type, least[0] * least[1], INLAY_APPROX) &&
                       rule_has_number(type, most[0] * most[1], INLAY_APPROX));
}

rule_answer rule_fn_sum_fits(rule_call *c)
{
    inlay_type type = c->arg[0].value->fact.type;
    double least[2], most[2];

    if (!find_both_ends(c, least, most))
        return RULE_DONT_KNOW;
    return rule_yes_if(rule_has_number(type, most[0] + most[1], INLAY_APPROX));
}

/* The least weights do not matter beside the largest. */
rule_answer rule_fn_scales(rule_call *c)
{
    inlay_type type = c->arg[0].value->fact.type;
    double least[2], most[2];

    if (!find_both_ends(c, least, most))
        return RULE_DONT_KNOW;
    return rule_yes_if(rule_has_number(type, least[0] * most[1], INLAY_APPROX) &&
                       rule_has_number(type, most[0] * most[1], INLAY_APPROX));
}

/* X is not too large for TYPE. */
static bool is_held(inlay_type type, double x)
{
    return x < 1 || rule_has_number(type, x, INLAY_APPROX);
}

/* Each of the four operands has a number for each channel, as the shape rule has checked. */
rule_answer rule_fn_normalizes(rule_call *c)
{
    const inlay_tensor *t[4];
    inlay_type type = c->arg[0].value->fact.type;
    struct numbers epsilon;

    for (int i = 0; i < 4; i++) {
        t[i] = c->arg[i].value->fact.content;
        if (!t[i] || !inlay_type_is_float(t[i]->type) ||
            inlay_tensor_count(t[i]) != inlay_tensor_count(t[0]))
            return RULE_DONT_KNOW;
    }
    if (!from_attr(&c->arg[4], &epsilon))
        return RULE_DONT_KNOW;
    for (int64_t i = 0; i < inlay_tensor_count(t[0]); i++) {
        double variance = inlay_tensor_get_f64(t[3], i) + epsilon.one;
        double factor = fabs(inlay_tensor_get_f64(t[0], i)) / sqrt(variance);
        double shift = fabs(inlay_tensor_get_f64(t[2], i)) * factor;

        if (!(variance > 0) || !rule_has_number(type, variance, INLAY_APPROX) ||
            !rule_has_number(type, factor, INLAY_APPROX) ||
            !is_held(type, shift + fabs(inlay_tensor_get_f64(t[1], i))))
            return RULE_NO;
    }
    return RULE_YES;
}

/* A power of two that is, like its reciprocal, a normal number even in f16. */
rule_answer rule_fn_reciprocal(rule_call *c)
{
    double number;
    int exponent;

    if (!read_only(c, &number))
        return RULE_DONT_KNOW;
    if (fabs(frexp(number, &exponent)) != 0.5 || exponent < -10 || exponent > 12)
        return RULE_NO;
    return give_number(c, c->arg[0].value->fact.type, 1 / number);
}

rule_answer rule_fn_integers(rule_call *c)
{
    inlay_type type = c->arg[0].value->fact.type;

    if (type == INLAY_DYNAMIC)
        return RULE_DONT_KNOW;
    return inlay_type_is_int(type) ? RULE_YES : RULE_NO;
}

/* Signed integers need one bit for the sign: those of 16 bits can represent unsigned ones of 15. */
static bool holds_integers(const inlay_type_info *wide, const inlay_type_info *narrow)
{
    if (wide->cls == narrow->cls)
        return wide->bits >= narrow->bits;
    return wide->cls == INLAY_CLASS_SIGNED && wide->bits > narrow->bits;
}

/* A wider float type can represent the numbers of a narrower one, except f16 and bf16, which cannot
 * represent each other's. */
static bool holds_floats(inlay_type wide, inlay_type narrow)
{
    if (narrow != INLAY_F16 && narrow != INLAY_BF16 && narrow != INLAY_F32)
        return false;
    return wide == INLAY_F64 || (wide == INLAY_F32 && narrow != INLAY_F32);
}

static bool holds(inlay_type wide, inlay_type narrow)
{
    if (inlay_type_is_float(wide))
        return holds_floats(wide, narrow);
    if (!inlay_type_is_int(wide))
        return false;
    return narrow == INLAY_BOOLEAN ||
           (inlay_type_is_int(narrow) &&
            holds_integers(inlay_type_info_of(wide), inlay_type_info_of(narrow)));
}

rule_answer rule_fn_holds(rule_call *c)
{
    inlay_type narrow = c->arg[1].value->fact.type;

    if (narrow == INLAY_DYNAMIC || c->arg[0].attr_kind != INLAY_ATTR_TYPE)
        return RULE_DONT_KNOW;
    return holds(c->arg[0].attr->as.type, narrow) ? RULE_YES : RULE_NO;
}

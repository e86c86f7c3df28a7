/* Real numbers as terms, and numbers that rules write. See real.h. */
#include "passes/prove/real.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char prove_count_of[] = "count_of", prove_per_count[] = "per_count";

/* Terms that are called alike are in the order of their whole texts. */
static int compare_terms(prove_case *c, const smt *a, const smt *b)
{
    int order = strcmp(prove_key(c, a), prove_key(c, b));
    inlay_strbuf x = {0}, y = {0};

    if (order != 0)
        return order;
    smt_print(&x, a);
    smt_print(&y, b);
    order = strcmp(x.bytes ? x.bytes : "", y.bytes ? y.bytes : "");
    inlay_strbuf_free(&x);
    inlay_strbuf_free(&y);
    return order;
}

/* ---- numbers as terms ---- */

static const smt *apply2(reals *r, const char *type, const smt *a, const smt *b)
{
    return prove_operation(r->c, type, 2, (const smt *[]){a, b});
}

static const smt *integer(reals *r, int64_t n)
{
    return smt_apply1(&r->c->pool, prove_of_int, smt_int(&r->c->pool, n));
}

static const smt *multiplied(reals *r, const smt *a, const smt *b)
{
    return a && b ? apply2(r, "Multiply", a, b) : a ? a : b;
}

/* A power above 0 of an atom. */
static const smt *power_term(reals *r, const smt *t, int power)
{
    const smt *out = t;

    if (power > 3)
        return apply2(r, "Power", t, integer(r, power));
    for (int i = 1; i < power; i++)
        out = apply2(r, "Multiply", out, t);
    return out;
}

/* Puts N terms in the order of their texts. */
static void sort(reals *r, const smt **terms, int n)
{
    for (int i = 1; i < n && real_may_go_on(r, i); i++) {
        const smt *t = terms[i];
        int at = i;

        for (; at > 0 && compare_terms(r->c, t, terms[at - 1]) < 0; at--)
            terms[at] = terms[at - 1];
        terms[at] = t;
    }
}

/* The factors of P with powers above 0, or those below (BELOW), as a product; NULL: there are none.
 */
static const smt *factors_term(reals *r, const real_product *p, bool below)
{
    const smt *terms[REAL_FACTORS], *out = NULL;
    int n = 0;

    for (int i = 0; i < p->n; i++) {
        const struct real_atom *atom = &r->atoms[p->f[i].atom];
        int power = below ? -p->f[i].power : p->f[i].power;

        if (power < 0 && atom->kind == REAL_COUNT && !below) {
            terms[n++] =
                power_term(r, smt_apply1(&r->c->pool, prove_per_count, atom->term->arg[0]), -power);
        } else if (power > 0 && !(below && atom->kind == REAL_COUNT)) {
            terms[n++] = power_term(r, atom->term, power);
        }
    }
    sort(r, terms, n);
    for (int i = 0; i < n; i++)
        out = multiplied(r, out, terms[i]);
    return out;
}

/* P without its fraction. */
static const smt *product_term(reals *r, const real_product *p)
{
    const smt *above = factors_term(r, p, false), *below = factors_term(r, p, true);

    above = above ? above : integer(r, 1);
    return below ? apply2(r, "Divide", above, below) : above;
}

static const smt *with_fraction(reals *r, const smt *t, int64_t over, int64_t under)
{
    if (over != 1)
        t = apply2(r, "Multiply", t, integer(r, over));
    return under != 1 ? apply2(r, "Divide", t, integer(r, under)) : t;
}

/* The products of S as terms in their order, and ORDER[I], which product the I-th is. */
static void sorted_products(reals *r, const real_sum *s, const smt **terms, int *order)
{
    const smt *of[REAL_TERMS];

    for (int i = 0; i < s->n; i++)
        of[i] = terms[i] = product_term(r, &s->p[i]);
    sort(r, terms, s->n);
    for (int i = 0; i < s->n; i++) {
        for (int k = 0; k < s->n; k++) {
            if (of[k] == terms[i])
                order[i] = k;
        }
    }
}

const smt *real_sum_term(reals *r, const real_sum *s)
{
    const smt *terms[REAL_TERMS], *out = NULL;
    int order[REAL_TERMS];

    if (!s || s->n == 0)
        return integer(r, 0);
    sorted_products(r, s, terms, order);
    for (int i = 0; i < s->n; i++) {
        const real_product *p = &s->p[order[i]];
        const smt *t = with_fraction(r, terms[i], p->over, p->under);

        out = out ? apply2(r, "Add", out, t) : t;
    }
    return out;
}

const smt *real_term(reals *r, real_number a)
{
    if (!a.over || !a.under)
        return integer(r, 0);
    return real_sum_is(a.under, 1)
               ? real_sum_term(r, a.over)
               : apply2(r, "Divide", real_sum_term(r, a.over), real_sum_term(r, a.under));
}

real_number real_ramp(reals *r, real_number a)
{
    const smt *terms[REAL_TERMS];
    int order[REAL_TERMS], first = 0;
    real_number by, ramp, w;
    const real_product *p;

    if (r->why)
        return a;
    if (a.over->n > 0) {
        sorted_products(r, a.over, terms, order);
        while (first < a.over->n - 1 && a.over->p[order[first]].n == 0)
            first++;
        p = &a.over->p[order[first]];
        if (p->n == 0) /* a fraction, by itself or divided by something */
            return real_sum_is(a.under, 1) ? real_fraction(r, p->over > 0 ? p->over : 0, p->under)
                                           : real_unknown(r, "the sign of a quotient");
        by = real_fraction(r, p->over < 0 ? -p->over : p->over, p->under);
        w = real_mul(r, a, real_fraction(r, p->under, p->over));
        ramp = real_of_atom(
            r, real_atom(r, REAL_RAMP,
                         prove_operation(r->c, "ReLU", 1, (const smt *[]){real_term(r, w)}), ""));
        return real_mul(r, by, p->over > 0 ? ramp : real_subtract(r, ramp, w));
    }
    return real_fraction(r, 0, 1);
}

real_number real_function(reals *r, real_kind kind, const char *type, real_number a)
{
    const smt *of = real_term(r, a), *t = prove_operation(r->c, type, 1, (const smt *[]){of});

    return real_of_atom(r, real_atom(r, kind, t, prove_key(r->c, t)));
}

/* ---- roots ---- */

/* The root of N, which is not below 0, is SQUARE times that of REST. */
static void take_squares(int64_t n, int64_t *square, int64_t *rest)
{
    *square = 1;
    *rest = n;
    for (int64_t i = 2; i < 1000 && i * i <= *rest; i++) {
        while (*rest % (i * i) == 0) {
            *rest /= i * i;
            *square *= i;
        }
    }
}

/* The root of p/q is that of p q, divided by q. */
static real_number root_of_fraction(reals *r, int64_t over, int64_t under)
{
    int64_t square, rest;
    real_number root;

    if (over > INT32_MAX || under > INT32_MAX || over < 0)
        return real_function(r, REAL_TOTAL, "Sqrt", real_fraction(r, over, under));
    take_squares(over * under, &square, &rest);
    root = real_function(r, REAL_ROOT, "Sqrt", real_fraction(r, rest, 1));
    if (rest <= 1)
        root = real_fraction(r, rest, 1);
    else if (!r->why)
        r->atoms[root.over->p[0].f[0].atom].root_of = real_sum_of(r, rest, 1);
    return real_mul(r, root, real_fraction(r, square, under));
}

real_number real_root(reals *r, real_number a)
{
    int64_t over, under;
    real_number root;

    if (r->why)
        return a;
    real_demand(r, REAL_NOT_BELOW_ZERO, real_sum_mul(r, a.over, a.under));
    if (real_is_fraction(a, &over, &under))
        return root_of_fraction(r, over, under);
    root = real_function(r, REAL_ROOT, "Sqrt", a);
    if (!r->why && real_sum_is(a.under, 1))
        r->atoms[root.over->p[0].f[0].atom].root_of = a.over;
    return root;
}

/* ---- literals ---- */

/* Numbers of rules that stand for what no decimal is: the constant that such a literal matches is
 * the float of its type that is nearest to it (passes/rules/README.md), and the double written is
 * the one that is nearest to this number. */
static const struct reading {
    double number;
    const char *text, *is;
    int64_t over, under; /* of which it is the root, or which it is; 0: of what no fraction is */
    bool root;
} readings[] = {
    {1.4142135623730951, "1.4142135623730951", "the root of 2", 2, 1, true},
    {0.7071067811865476, "0.7071067811865476", "the root of 1/2", 1, 2, true},
    {0.7978845608028654, "0.7978845608028654", "the root of 2/pi", 0, 1, true},
    {0.16666666666666666, "0.16666666666666666", "1/6", 1, 6, false},
    {0.3333333333333333, "0.3333333333333333", "1/3", 1, 3, false},
    {0.6666666666666666, "0.6666666666666666", "2/3", 2, 3, false},
};

enum { N_READINGS = sizeof readings / sizeof *readings };

void real_readings_text(unsigned read, inlay_strbuf *out)
{
    const char *before = "";

    for (int i = 0; i < N_READINGS; i++) {
        if (!(read >> i & 1))
            continue;
        inlay_strbuf_printf(out, "%s%s as %s", before, readings[i].text, readings[i].is);
        before = ", ";
    }
}

/* The number X itself, of which nothing is told. */
static real_number literal_atom(reals *r, double x, real_kind kind)
{
    const prove_symbol *s = prove_literal(r->c, x, number_class_types(NUMBER_FLOAT));

    return real_of_atom(r, real_atom(r, kind, smt_apply(&r->c->pool, s->name, 0, NULL), s->name));
}

/* The fraction that the decimal D.DDDe+DD, of so many DIGITS behind the point, is. */
static bool read_decimal(const char *text, int digits, int64_t *over, int64_t *under)
{
    int exponent = atoi(strchr(text, 'e') + 1) - digits;

    *over = 0;
    *under = 1;
    for (const char *at = text + (*text == '-'); *at != 'e'; at++)
        *over = *at == '.' ? *over : *over * 10 + (*at - '0');
    *over = *text == '-' ? -*over : *over;
    for (; exponent > 0 && *over < INT64_MAX / 100; exponent--)
        *over *= 10;
    for (; exponent < 0 && *under < INT64_MAX / 100; exponent++)
        *under *= 10;
    return exponent == 0;
}

real_number real_literal(reals *r, double x)
{
    char text[40];
    int digits = 0;
    int64_t over, under;

    for (int i = 0; i < N_READINGS; i++) {
        const struct reading *as = &readings[i];

        if (as->number != x)
            continue;
        r->c->meanings.read |= 1u << i;
        if (as->over == 0)
            return literal_atom(r, x, REAL_ROOT);
        return as->root ? real_root(r, real_fraction(r, as->over, as->under))
                        : real_fraction(r, as->over, as->under);
    }
    if (!isfinite(x))
        return literal_atom(r, x, REAL_ELEMENT);
    for (; digits < 17; digits++) {
        snprintf(text, sizeof text, "%.*e", digits, x);
        if (strtod(text, NULL) == x)
            break;
    }
    return digits < 17 && read_decimal(text, digits, &over, &under)
               ? real_fraction(r, over, under)
               : literal_atom(r, x, REAL_ELEMENT);
}

/* Sums of products of atoms, and quotients of such sums. See real.h. */
#include "passes/prove/real.h"

#include <string.h>

real_number real_unknown(reals *r, const char *why)
{
    if (!r->why)
        r->why = why;
    return (real_number){NULL, NULL};
}

static const real_sum *no_sum(reals *r, const char *why)
{
    real_unknown(r, why);
    return NULL;
}

static const char too_large[] = "numbers are too large";

bool real_may_go_on(reals *r, int more)
{
    r->work += more;
    if (r->work > REAL_WORK)
        real_unknown(r, too_large);
    return !r->why;
}

/* ---- fractions ---- */

static int64_t common_divisor(int64_t a, int64_t b)
{
    a = a < 0 ? -a : a;
    while (b) {
        int64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a ? a : 1;
}

enum { LARGEST_BITS = 61 };

static bool multiply(int64_t a, int64_t b, int64_t *out)
{
    uint64_t x = (uint64_t)(a < 0 ? -a : a), y = (uint64_t)(b < 0 ? -b : b);

    if (y && x > ((uint64_t)1 << LARGEST_BITS) / y)
        return false;
    *out = a * b;
    return true;
}

/* OVER / UNDER, of which UNDER is not 0, in lowest terms. */
static void reduce(int64_t *over, int64_t *under)
{
    int64_t by = common_divisor(*over, *under < 0 ? -*under : *under);

    by = *under < 0 ? -by : by;
    *over /= by;
    *under /= by;
}

static bool add_fractions(real_product *a, const real_product *b, int sign)
{
    int64_t x, y, under;

    if (!multiply(a->over, b->under, &x) || !multiply(b->over, a->under, &y) ||
        !multiply(a->under, b->under, &under))
        return false;
    a->over = x + sign * y;
    a->under = under;
    reduce(&a->over, &a->under);
    return a->over < (int64_t)1 << LARGEST_BITS && a->over > -((int64_t)1 << LARGEST_BITS);
}

static bool multiply_fractions(real_product *a, int64_t over, int64_t under)
{
    int64_t x = a->over, y = a->under;

    reduce(&x, &under);
    reduce(&over, &y);
    if (!multiply(x, over, &a->over) || !multiply(y, under, &a->under))
        return false;
    reduce(&a->over, &a->under);
    return true;
}

/* ---- sums ---- */

static real_sum *new_sum(reals *r, int n, const real_product *p)
{
    real_sum *s = inlay_arena_alloc(r->c->pool.arena, sizeof *s);
    real_product *copy = inlay_arena_array(r->c->pool.arena, (size_t)n + 1, sizeof *copy);

    if (!s || !copy) {
        r->c->pool.no_memory = true;
        real_unknown(r, too_large);
        return NULL;
    }
    if (n > 0)
        memcpy(copy, p, (size_t)n * sizeof *p);
    *s = (real_sum){n, copy};
    return s;
}

const real_sum *real_sum_of(reals *r, int64_t over, int64_t under)
{
    real_product p = {.over = over, .under = under};

    reduce(&p.over, &p.under);
    return new_sum(r, over != 0, &p);
}

const real_sum *real_atom_sum(reals *r, int atom, int power)
{
    real_product p = {.over = 1, .under = 1, .n = power != 0, .f = {{atom, power}}};

    return new_sum(r, 1, &p);
}

static bool same_factors(const real_product *a, const real_product *b)
{
    bool same = a->n == b->n;

    for (int i = 0; same && i < a->n; i++)
        same = a->f[i].atom == b->f[i].atom && a->f[i].power == b->f[i].power;
    return same;
}

/* Adds P to the N products of OUT; false: they are too many, or too large. */
static bool collect(real_product *out, int *n, const real_product *p, int sign)
{
    for (int i = 0; i < *n; i++) {
        if (!same_factors(&out[i], p))
            continue;
        if (!add_fractions(&out[i], p, sign))
            return false;
        if (out[i].over == 0)
            out[i] = out[--*n];
        return true;
    }
    if (*n == REAL_TERMS)
        return false;
    out[*n] = *p;
    out[*n].over *= sign;
    (*n)++;
    return true;
}

const real_sum *real_sum_add(reals *r, const real_sum *a, const real_sum *b, int sign)
{
    real_product out[REAL_TERMS];
    int n = 0;

    for (int i = 0; a && b && i < a->n + b->n; i++) {
        bool first = i < a->n;

        if (!collect(out, &n, first ? &a->p[i] : &b->p[i - a->n], first ? 1 : sign))
            return no_sum(r, too_large);
    }
    return a && b ? new_sum(r, n, out) : NULL;
}

/* Multiplies OUT by a power of an atom. False: there are too many. */
static bool put_factor(const reals *r, real_product *out, real_factor f)
{
    int i = 0;

    while (i < out->n && out->f[i].atom < f.atom)
        i++;
    if (i < out->n && out->f[i].atom == f.atom) {
        out->f[i].power += f.power;
    } else if (out->n == REAL_FACTORS) {
        return false;
    } else {
        memmove(&out->f[i + 1], &out->f[i], (size_t)(out->n - i) * sizeof *out->f);
        out->f[i] = f;
        out->n++;
    }
    if (r->atoms[f.atom].kind == REAL_WHETHER && out->f[i].power > 1)
        out->f[i].power = 1;
    if (out->f[i].power == 0) {
        out->n--;
        memmove(&out->f[i], &out->f[i + 1], (size_t)(out->n - i) * sizeof *out->f);
    }
    return true;
}

static bool multiply_products(const reals *r, const real_product *a, const real_product *b,
                              real_product *out)
{
    *out = *a;
    for (int i = 0; i < b->n; i++) {
        if (!put_factor(r, out, b->f[i]))
            return false;
    }
    return multiply_fractions(out, b->over, b->under);
}

/* P without the squares of a root, and what the root is of in *OF, to be multiplied with; NULL:
 * there are none. */
static real_product without_square(const reals *r, real_product p, const real_sum **of)
{
    *of = NULL;
    for (int i = 0; i < p.n && !*of; i++) {
        if (p.f[i].power < 2 || !r->atoms[p.f[i].atom].root_of)
            continue;
        *of = r->atoms[p.f[i].atom].root_of;
        put_factor(r, &p, (real_factor){p.f[i].atom, -2});
    }
    return p;
}

static const real_sum *without_squares(reals *r, const real_sum *s)
{
    const real_sum *out = s, *of;

    for (int i = 0; s && i < s->n; i++) {
        real_product p = without_square(r, s->p[i], &of);

        if (!of)
            continue;
        out = real_sum_add(r, s, new_sum(r, 1, &s->p[i]), -1);
        return real_sum_add(r, without_squares(r, out), real_sum_mul(r, new_sum(r, 1, &p), of), 1);
    }
    return out;
}

const real_sum *real_sum_mul(reals *r, const real_sum *a, const real_sum *b)
{
    real_product out[REAL_TERMS];
    int n = 0;

    if (a && b && !real_may_go_on(r, a->n * b->n))
        return NULL;
    for (int i = 0; a && b && i < a->n * b->n; i++) {
        real_product p;

        if (!multiply_products(r, &a->p[i / b->n], &b->p[i % b->n], &p) || !collect(out, &n, &p, 1))
            return no_sum(r, too_large);
    }
    return a && b ? without_squares(r, new_sum(r, n, out)) : NULL;
}

bool real_sum_is(const real_sum *s, int64_t number)
{
    return s && (number == 0
                     ? s->n == 0
                     : s->n == 1 && s->p[0].n == 0 && s->p[0].under == 1 && s->p[0].over == number);
}

bool real_sums_same(reals *r, const real_sum *a, const real_sum *b)
{
    const real_sum *left = real_sum_add(r, a, b, -1);

    return left && left->n == 0;
}

/* ---- quotients ---- */

/* It is never 0, so that it may stand to a power below 0. */
static bool is_unit(const reals *r, int atom)
{
    return r->atoms[atom].kind == REAL_EXP;
}

/* The power of ATOM in P. */
static int power_in(const real_product *p, int atom)
{
    for (int i = 0; i < p->n; i++) {
        if (p->f[i].atom == atom)
            return p->f[i].power;
    }
    return 0;
}

/* The least power of ATOM in all products of S. */
static int least_power(const real_sum *s, int atom)
{
    int least = power_in(&s->p[0], atom);

    for (int i = 1; i < s->n; i++) {
        int power = power_in(&s->p[i], atom);

        least = power < least ? power : least;
    }
    return least;
}

/* What both sums of A are divided by: a fraction, and atoms that all products have. */
static real_product common_factor(const reals *r, real_number a)
{
    const real_product *first = &a.under->p[0];
    real_product by = {.over = first->under, .under = first->over, .n = 0};

    reduce(&by.over, &by.under);
    for (int i = 0; i < first->n; i++) {
        int atom = first->f[i].atom, below = least_power(a.under, atom);
        int above = a.over->n > 0 ? least_power(a.over, atom) : below;

        if (!is_unit(r, atom))
            below = below < above ? below : above;
        if (below != 0)
            put_factor(r, &by, (real_factor){atom, -below});
    }
    return by;
}

/* Multiplied with BY, which may take factors away. */
static const real_sum *scaled(reals *r, const real_sum *s, const real_product *by)
{
    real_product out[REAL_TERMS];

    for (int i = 0; i < s->n; i++) {
        if (!multiply_products(r, &s->p[i], by, &out[i]))
            return no_sum(r, too_large);
    }
    return new_sum(r, s->n, out);
}

static real_number quotient(reals *r, const real_sum *over, const real_sum *under)
{
    real_number a = {over, under};
    real_product by;

    if (!over || !under)
        return (real_number){NULL, NULL};
    if (under->n == 0)
        return real_unknown(r, "something is divided by 0");
    for (int i = 0; under->n == 1 && i < under->p[0].n; i++) { /* 1 / s = s / s^2 */
        const struct real_atom *atom = &r->atoms[under->p[0].f[i].atom];
        const real_sum *root = real_atom_sum(r, under->p[0].f[i].atom, 1);

        if (atom->root_of && atom->root_of->n == 1 && atom->root_of->p[0].n == 0)
            return quotient(r, real_sum_mul(r, over, root), real_sum_mul(r, under, root));
    }
    by = common_factor(r, a);
    a = (real_number){scaled(r, over, &by), scaled(r, under, &by)};
    return a.over && a.under ? a : (real_number){NULL, NULL};
}

real_number real_fraction(reals *r, int64_t over, int64_t under)
{
    return (real_number){real_sum_of(r, over, under), real_sum_of(r, 1, 1)};
}

real_number real_of_sum(reals *r, const real_sum *s)
{
    return (real_number){s, real_sum_of(r, 1, 1)};
}

static real_number add(reals *r, real_number a, real_number b, int sign)
{
    if (r->why)
        return a;
    if (real_sums_same(r, a.under, b.under))
        return quotient(r, real_sum_add(r, a.over, b.over, sign), a.under);
    return quotient(
        r,
        real_sum_add(r, real_sum_mul(r, a.over, b.under), real_sum_mul(r, b.over, a.under), sign),
        real_sum_mul(r, a.under, b.under));
}

real_number real_add(reals *r, real_number a, real_number b)
{
    return add(r, a, b, 1);
}

real_number real_subtract(reals *r, real_number a, real_number b)
{
    return add(r, a, b, -1);
}

real_number real_mul(reals *r, real_number a, real_number b)
{
    return quotient(r, real_sum_mul(r, a.over, b.over), real_sum_mul(r, a.under, b.under));
}

real_number real_divide(reals *r, real_number a, real_number b)
{
    if (r->why)
        return a;
    real_demand(r, REAL_NOT_ZERO, b.over);
    return quotient(r, real_sum_mul(r, a.over, b.under), real_sum_mul(r, a.under, b.over));
}

real_number real_to_the(reals *r, real_number a, int power)
{
    real_number out = real_fraction(r, 1, 1);

    for (int i = 0; i < (power < 0 ? -power : power); i++)
        out = real_mul(r, out, a);
    return power < 0 ? real_divide(r, real_fraction(r, 1, 1), out) : out;
}

bool real_same(reals *r, real_number a, real_number b)
{
    return !r->why &&
           real_sums_same(r, real_sum_mul(r, a.over, b.under), real_sum_mul(r, b.over, a.under));
}

bool real_is_fraction(real_number a, int64_t *over, int64_t *under)
{
    if (!a.over || !real_sum_is(a.under, 1) || a.over->n > 1 || (a.over->n == 1 && a.over->p[0].n))
        return false;
    *over = a.over->n ? a.over->p[0].over : 0;
    *under = a.over->n ? a.over->p[0].under : 1;
    return true;
}

/* ---- atoms ---- */

int real_atom(reals *r, real_kind kind, const smt *term, const char *key)
{
    for (int i = 0; i < r->n_atoms; i++) {
        if (r->atoms[i].kind == kind && smt_same(r->atoms[i].term, term))
            return i;
    }
    if (r->n_atoms == REAL_ATOMS) {
        real_unknown(r, too_large);
        return 0;
    }
    r->atoms[r->n_atoms] = (struct real_atom){.kind = kind, .term = term, .key = key};
    return r->n_atoms++;
}

real_number real_of_atom(reals *r, int atom)
{
    return real_of_sum(r, real_atom_sum(r, atom, 1));
}

/* ---- where it is defined ---- */

/* The factor is not below 0; STRICTLY: it is above. */
static bool is_positive_factor(const reals *r, real_factor f, bool strictly)
{
    real_kind kind = r->atoms[f.atom].kind;

    return kind == REAL_EXP ||
           (!strictly && (f.power % 2 == 0 || kind == REAL_ROOT || kind == REAL_RAMP ||
                          kind == REAL_COUNT || kind == REAL_WHETHER));
}

static bool is_positive_product(const reals *r, const real_product *p, bool strictly)
{
    bool is = p->over > 0;

    for (int i = 0; is && i < p->n; i++)
        is = is_positive_factor(r, p->f[i], strictly);
    return is;
}

/* No product of S is below 0, and (STRICTLY) one is above. */
static bool is_positive(const reals *r, const real_sum *s, bool strictly)
{
    bool above = !strictly;

    for (int i = 0; i < s->n; i++) {
        if (!is_positive_product(r, &s->p[i], false))
            return false;
        above = above || is_positive_product(r, &s->p[i], true);
    }
    return above;
}

/* A fraction times S is T; one above 0, unless EITHER. */
static bool is_multiple(reals *r, const real_sum *s, const real_sum *t, bool either)
{
    real_product by = {.over = 1, .under = 1, .n = 0};

    if (s->n == 0 || s->n != t->n)
        return false;
    for (int i = 0; i < t->n; i++) {
        if (!same_factors(&s->p[0], &t->p[i]))
            continue;
        by.over = t->p[i].over;
        by.under = t->p[i].under;
        return multiply_fractions(&by, s->p[0].under, s->p[0].over) && (either || by.over > 0) &&
               real_sums_same(r, scaled(r, s, &by), t);
    }
    return false;
}

static bool is_given(reals *r, int kind, const real_sum *of)
{
    for (int i = 0; i < r->n_given; i++) {
        if ((int)r->given[i].kind == kind &&
            is_multiple(r, r->given[i].of, of, kind != REAL_NOT_BELOW_ZERO))
            return true;
    }
    return false;
}

static void give(reals *r, int kind, const real_sum *of)
{
    if (r->n_given == REAL_CONDITIONS)
        return; /* less is known then */
    r->given[r->n_given].kind = kind;
    r->given[r->n_given++].of = of;
}

/* The sum without factors that are never 0. */
static const real_sum *without_units(reals *r, const real_sum *s)
{
    real_product by = {.over = 1, .under = 1, .n = 0};

    for (int i = 0; i < s->n; i++) {
        for (int k = 0; k < s->p[i].n; k++) {
            int atom = s->p[i].f[k].atom, least = least_power(s, atom);

            if (is_unit(r, atom) && least != 0 && power_in(&by, atom) == 0)
                put_factor(r, &by, (real_factor){atom, -least});
        }
    }
    return scaled(r, s, &by);
}

static void demand(reals *r, int kind, const real_sum *of)
{
    bool strictly = kind == REAL_NOT_ZERO;

    if (r->why || !of || (kind != REAL_DEFINED && is_positive(r, of, strictly)))
        return;
    if (r->in_choice > 0)
        real_unknown(r, "what is chosen from may be undefined");
    else if (r->side == REAL_LEFT)
        give(r, kind, of);
    else if (r->side == REAL_INSIDE || !is_given(r, kind, of))
        real_unknown(r, "the right side may be undefined where the left side is not");
}

void real_demand(reals *r, int kind, const real_sum *of)
{
    const real_product *p;

    if (!of || r->why)
        return;
    if (kind != REAL_NOT_ZERO) {
        demand(r, kind, of);
        return;
    }
    of = without_units(r, of);
    p = of && of->n == 1 ? &of->p[0] : NULL;
    if (!p)
        demand(r, kind, of);
    for (int i = 0; p && i < p->n; i++) { /* a product is not 0 where no factor is */
        const real_sum *root_of = r->atoms[p->f[i].atom].root_of;

        if (root_of)
            real_demand(r, kind, root_of);
        else if (p->f[i].power > 0)
            demand(r, kind, real_atom_sum(r, p->f[i].atom, 1));
    }
}

/* What operations make of real numbers, as their pages have it (OpenVINO's opsets): one row each,
 * with the laws that are used of it. See real.h. */
#include "passes/prove/real.h"

#include <string.h>

static real_number half(reals *r)
{
    return real_fraction(r, 1, 2);
}

static real_number one(reals *r)
{
    return real_fraction(r, 1, 1);
}

/* ---- exponentials ---- */

/* e^(c p) = (e^(p/q))^n of the fraction c = n/q */
static real_number exp_of_product(reals *r, real_product p)
{
    int64_t power = p.over;
    real_sum base = {1, &p};
    real_number atom;

    p.over = 1;
    atom = real_function(r, REAL_EXP, "Exp", real_of_sum(r, &base));
    if (r->why || power < INT32_MIN / 2 || power > INT32_MAX / 2)
        return real_unknown(r, "an exponent is too large");
    return real_of_sum(r, real_atom_sum(r, atom.over->p[0].f[0].atom, (int)power));
}

/* e^(a + b) = e^a e^b */
static real_number exp_of(reals *r, real_number a)
{
    real_number out = one(r);

    if (r->why)
        return a;
    if (!real_sum_is(a.under, 1))
        return real_function(r, REAL_EXP, "Exp", a);
    for (int i = 0; i < a.over->n && !r->why; i++)
        out = real_mul(r, out, exp_of_product(r, a.over->p[i]));
    return out;
}

/* log a, of a > 0 */
static real_number log_of(reals *r, real_number a)
{
    if (r->why)
        return a;
    real_demand(r, REAL_NOT_ZERO, a.over);
    real_demand(r, REAL_NOT_BELOW_ZERO, real_sum_mul(r, a.over, a.under));
    return real_function(r, REAL_TOTAL, "Log", a);
}

/* 1 / (1 + e^-a) = e^a / (e^a + 1) */
static real_number sigmoid_of(reals *r, real_number a)
{
    real_number e = exp_of(r, a);

    return real_divide(r, e, real_add(r, e, one(r)));
}

/* (e^2a - 1) / (e^2a + 1) */
static real_number tanh_of(reals *r, real_number a)
{
    real_number e = exp_of(r, real_add(r, a, a));

    return real_divide(r, real_subtract(r, e, one(r)), real_add(r, e, one(r)));
}

/* log (e^a + 1) */
static real_number softplus_of(reals *r, real_number a)
{
    return log_of(r, real_add(r, exp_of(r, a), one(r)));
}

/* ---- powers ---- */

enum { LARGEST_POWER = 10000 };

/* a^n, and (root of a)^n for halves. */
static bool power_of(reals *r, const real_number *args, real_number *out)
{
    int64_t over, under;

    if (!real_is_fraction(args[1], &over, &under) || under > 2 || over > LARGEST_POWER ||
        over < -LARGEST_POWER)
        return false;
    *out = real_to_the(r, under == 2 ? real_root(r, args[0]) : args[0], (int)over);
    return true;
}

/* ---- pieces of lines ---- */

/* a between the fractions LO and HI: lo + (a - lo)+ - (a - hi)+. False: they are no such. */
static bool clamp_of(reals *r, real_number a, real_number lo, real_number hi, real_number *out)
{
    int64_t over, under;

    if (!real_is_fraction(real_subtract(r, hi, lo), &over, &under) || over < 0)
        return false;
    *out = real_subtract(r, real_add(r, lo, real_ramp(r, real_subtract(r, a, lo))),
                         real_ramp(r, real_subtract(r, a, hi)));
    return true;
}

/* min(max(a + 3, 0), 6) / 6 */
static real_number hsigmoid_of(reals *r, real_number a)
{
    real_number six = real_fraction(r, 6, 1), out = one(r);

    clamp_of(r, real_add(r, a, real_fraction(r, 3, 1)), real_fraction(r, 0, 1), six, &out);
    return real_divide(r, out, six);
}

/* ---- rows ---- */

typedef bool make(reals *r, const prove_symbol *s, const real_number *a, int n, real_number *out);

#define MAKE(name, value)                                                                          \
    static bool name(reals *r, const prove_symbol *s, const real_number *a, int n,                 \
                     real_number *out)                                                             \
    {                                                                                              \
        (void)s;                                                                                   \
        (void)n;                                                                                   \
        (void)r;                                                                                   \
        (void)a;                                                                                   \
        *out = value;                                                                              \
        return true;                                                                               \
    }

MAKE(make_add, real_add(r, a[0], a[1]))
MAKE(make_subtract, real_subtract(r, a[0], a[1]))
MAKE(make_multiply, real_mul(r, a[0], a[1]))
MAKE(make_divide, real_divide(r, a[0], a[1]))
MAKE(make_negative, real_mul(r, a[0], real_fraction(r, -1, 1)))
MAKE(make_sqrt, real_root(r, a[0]))
MAKE(make_exp, exp_of(r, a[0]))
MAKE(make_log, log_of(r, a[0]))
MAKE(make_sigmoid, sigmoid_of(r, a[0]))
MAKE(make_tanh, tanh_of(r, a[0]))
MAKE(make_softplus, softplus_of(r, a[0]))
MAKE(make_mish, real_mul(r, a[0], tanh_of(r, softplus_of(r, a[0]))))
MAKE(make_swish, real_mul(r, a[0], sigmoid_of(r, n > 1 ? real_mul(r, a[0], a[1]) : a[0])))
MAKE(make_hsigmoid, hsigmoid_of(r, a[0]))
MAKE(make_hswish, real_mul(r, a[0], hsigmoid_of(r, a[0])))
MAKE(make_relu, real_ramp(r, a[0]))
/* max(a, b) = b + (a - b)+, min(a, b) = b - (b - a)+, |a| = 2 a+ - a */
MAKE(make_maximum, real_add(r, a[1], real_ramp(r, real_subtract(r, a[0], a[1]))))
MAKE(make_minimum, real_subtract(r, a[1], real_ramp(r, real_subtract(r, a[1], a[0]))))
MAKE(make_abs, real_subtract(r, real_mul(r, real_fraction(r, 2, 1), real_ramp(r, a[0])), a[0]))

static bool make_squared_difference(reals *r, const prove_symbol *s, const real_number *a, int n,
                                    real_number *out)
{
    (void)s;
    (void)n;
    *out = real_to_the(r, real_subtract(r, a[0], a[1]), 2);
    return true;
}

static bool make_power(reals *r, const prove_symbol *s, const real_number *a, int n,
                       real_number *out)
{
    (void)s;
    (void)n;
    return power_of(r, a, out);
}

static bool make_clamp(reals *r, const prove_symbol *s, const real_number *a, int n,
                       real_number *out)
{
    (void)s;
    return n == 3 && clamp_of(r, a[0], a[1], a[2], out);
}

static bool make_hard_sigmoid(reals *r, const prove_symbol *s, const real_number *a, int n,
                              real_number *out)
{
    (void)s;
    return n == 3 && clamp_of(r, real_add(r, real_mul(r, a[0], a[1]), a[2]), real_fraction(r, 0, 1),
                              one(r), out);
}

/* a (1 + erf (a / root of 2)) / 2, or a (1 + tanh (root of 2/pi (a + 0.044715 a^3))) / 2 */
static bool make_gelu(reals *r, const prove_symbol *s, const real_number *a, int n,
                      real_number *out)
{
    real_number inner;

    (void)n;
    if (strcmp(s->name, "|Gelu|") == 0 || strcmp(s->name, "|Gelu.erf|") == 0) {
        inner = real_divide(r, a[0], real_root(r, real_fraction(r, 2, 1)));
        inner = real_function(r, REAL_TOTAL, "Erf", inner);
    } else if (strcmp(s->name, "|Gelu.tanh|") == 0) {
        inner = real_mul(r, real_fraction(r, 44715, 1000000), real_to_the(r, a[0], 3));
        inner = real_mul(r, real_literal(r, 0.7978845608028654), real_add(r, a[0], inner));
        inner = tanh_of(r, inner);
    } else {
        return false;
    }
    *out = real_mul(r, real_mul(r, half(r), a[0]), real_add(r, inner, one(r)));
    return true;
}

/* The number of the operation's name; those without MAKE are told no further. */
static const struct real_row {
    const char *type;
    make *make;
} rows[] = {
    {"Add", make_add},
    {"Subtract", make_subtract},
    {"Multiply", make_multiply},
    {"Divide", make_divide},
    {"Negative", make_negative},
    {"SquaredDifference", make_squared_difference},
    {"Power", make_power},
    {"Sqrt", make_sqrt},
    {"Exp", make_exp},
    {"Log", make_log},
    {"Sigmoid", make_sigmoid},
    {"Tanh", make_tanh},
    {"SoftPlus", make_softplus},
    {"Mish", make_mish},
    {"Swish", make_swish},
    {"HSigmoid", make_hsigmoid},
    {"HSwish", make_hswish},
    {"HardSigmoid", make_hard_sigmoid},
    {"Gelu", make_gelu},
    {"Clamp", make_clamp},
    {"ReLU", make_relu},
    {"Maximum", make_maximum},
    {"Minimum", make_minimum},
    {"Abs", make_abs},
    {"Erf", NULL},
    {"Sin", NULL},
    {"Cos", NULL},
    {"Sinh", NULL},
    {"Cosh", NULL},
    {"Atan", NULL},
    {"Asinh", NULL},
    {"Floor", NULL},
    {"Ceiling", NULL},
    {"Round", NULL},
    {"Sign", NULL},
};

/* Reductions of scatters, by their names (reduced.c). */
static const struct real_row scattered[] = {
    {"|scattered sum|", make_add},
    {"|scattered sub|", make_subtract},
    {"|scattered prod|", make_multiply},
};

static const struct real_row *row_of(const prove_symbol *s)
{
    for (size_t i = 0; s->op && i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].type, s->op->name) == 0)
            return &rows[i];
    }
    for (size_t i = 0; !s->op && i < sizeof scattered / sizeof *scattered; i++) {
        if (strcmp(scattered[i].type, s->name) == 0)
            return &scattered[i];
    }
    return NULL;
}

bool real_is_everywhere(const prove_symbol *s)
{
    const struct real_row *row = row_of(s);

    return row && !row->make;
}

bool real_apply(reals *r, const prove_symbol *s, const real_number *args, int n, real_number *out)
{
    const struct real_row *row = row_of(s);

    return row && row->make && row->make(r, s, args, n, out);
}

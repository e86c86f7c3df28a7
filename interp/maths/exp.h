/* Exponentials and functions of them, in double precision, for arguments that were floats. Private
 * to interp/maths/. The reduction is from Tang, "Table-driven implementation of the exponential
 * function", 1989. Functions of exponentials use a longer polynomial instead of the table. */
#ifndef INLAY_MATHS_EXP_H
#define INLAY_MATHS_EXP_H

#include "interp/maths/coefficients.h"
#include "interp/maths/double.h"

#define MATHS_PER_LN2 0x1.71547652b82fep+0 /* 1 / ln 2 */
#define MATHS_LN2_HIGH 0x1.62e42fefa38p-1  /* 42 bits: its products with exponents are exact */
#define MATHS_LN2_LOW 0x1.ef35793c7673p-45

/* How polynomials are evaluated (coefficients.h). */
#define MATHS_FIRST(c) (c)
#define MATHS_STEP(y, x, c) ((y) * (x) + (c))

/* exp(x) = 2^n (1 + m): x is n ln 2 + r with the smallest r, and m is exp(r) - 1. */
typedef struct maths_exponential {
    double power; /* 2^n */
    double m;
} maths_exponential;

/* Beyond -200 and 200 exp(x) is 0 or infinite as a float, so X is clamped there. NaN stays NaN. */
static inline maths_exponential maths_split_exp(double x)
{
    double y = x < -200 ? -200 : x > 200 ? 200 : x;
    double shifted = y * MATHS_PER_LN2 + MATHS_SHIFT;
    double n = shifted - MATHS_SHIFT;
    double r = (y - n * MATHS_LN2_HIGH) - n * MATHS_LN2_LOW;

    return (maths_exponential){maths_power_of_two(shifted),
                               r + r * r * (0.5 + r * MATHS_POLY_EXP(MATHS_FIRST, MATHS_STEP, r))};
}

/* Results out of the range of floats are 0 or infinite here, so that an infinite X times it is NaN,
 * as the formula says. */
static inline double maths_exp_d(double x)
{
    maths_exponential e = maths_split_exp(x);
    double y = e.power + e.power * e.m;

    return x < -200 ? 0 : x > 200 ? INFINITY : y;
}

/* Returns exp of any double within a unit in the last place. What rounding leaves of r is added to
 * the polynomial; 2^n is a product of two powers, since n may be 1024, or below the exponents of
 * normal numbers. */
static inline double maths_exp_f64(double x)
{
    double y = x < -750 ? -750 : x > 710 ? 710 : x;
    double shifted = y * MATHS_PER_LN2 + MATHS_SHIFT, n = shifted - MATHS_SHIFT;
    double high = y - n * MATHS_LN2_HIGH, low = n * MATHS_LN2_LOW;
    double r = high - low, left = (high - r) - low;
    double m = r + (left + r * r * (0.5 + r * MATHS_POLY_EXP(MATHS_FIRST, MATHS_STEP, r)));
    double half = 0.5 * n + MATHS_SHIFT, rest = n - (half - MATHS_SHIFT);

    return (1 + m) * maths_power_of_two(half) * maths_power_of_two(rest + MATHS_SHIFT);
}

/* Returns exp(x) - 1, which is -0 for -0. */
static inline double maths_expm1_d(double x)
{
    maths_exponential e = maths_split_exp(x);

    return x == 0 ? x : e.power * e.m + (e.power - 1);
}

/* The sum of this and a number of at most 2^47 has its multiple of 1 / 16 in the lowest bits. */
#define MATHS_SHIFT_16 0x1.8p48

/* Returns exp(x) for X between -200 and 200, or NaN, within 2^-45 (floats up to 100: 2^-46): x / ln
 * 2 is n / 16 + f with the smallest f, and 2^f is 1 + f p(f). */
static inline double maths_exp_near_d(double x)
{
    double y = x * MATHS_PER_LN2, shifted = y + MATHS_SHIFT_16;
    double f = y - (shifted - MATHS_SHIFT_16);
    uint64_t n = maths_bits(shifted);
    double whole = maths_from_bits(maths_exp2_whole[n & 15] + (n << 48));

    return whole + whole * (MATHS_POLY_EXP2(MATHS_FIRST, MATHS_STEP, f) * f);
}

/* maths_exp_d within 2^-45 and in half the time, for results that need not be correctly rounded. */
static inline double maths_exp_fast_d(double x)
{
    double y = maths_exp_near_d(x);

    return x < -200 ? 0 : x > 200 ? INFINITY : y;
}

static inline double maths_sinh_d(double x)
{
    double m = maths_expm1_d(fabs(x));

    return maths_sign(0.5 * (m + m / (m + 1)), x);
}

static inline double maths_cosh_d(double x)
{
    double e = maths_exp_d(fabs(x));

    return 0.5 * (e + 1 / e);
}

static inline double maths_tanh_d(double x)
{
    double m = maths_expm1_d(2 * fabs(x));

    return maths_sign(m / (m + 2), x);
}

/* Returns tanh of any double, within 1.3 units in the last place: exp(2 |x|) - 1 is M + E, whose
 * sum with 2 is D + LESS. */
static inline double maths_tanh_f64(double x)
{
    double most = 2 * fabs(x), v = most > 80 ? 80 : most;
    double shifted = v * MATHS_PER_LN2 + MATHS_SHIFT, n = shifted - MATHS_SHIFT;
    double power = maths_power_of_two(shifted), high = v - n * MATHS_LN2_HIGH;
    double low = n * MATHS_LN2_LOW, r = high - low, left = (high - r) - low;
    double tail = r * r * (0.5 + r * MATHS_POLY_EXP(MATHS_FIRST, MATHS_STEP, r));
    double whole = power - 1, part = power * r, h = whole + part;
    double rest = (part - (h - whole)) + power * (tail + (left + left * r));
    double m = h + rest, e = rest - (m - h), d = m + 2, y = m / d;
    double less = (m > 2 ? 2 : m) - (d - (m > 2 ? m : 2));

    return maths_sign(y + (e - y * (less + e)) / d, x);
}

#endif

/* Logarithms and functions of them, in double precision, for arguments that were floats. Private to
 * interp/maths/. The formula is that of fdlibm's e_log.c, Sun Microsystems 1993. */
#ifndef INLAY_MATHS_LOG_H
#define INLAY_MATHS_LOG_H

#include "interp/maths/coefficients.h"
#include "interp/maths/double.h"
#include "interp/maths/exp.h"

/* The bits of sqrt(1 / 2), rounded down. */
#define MATHS_SQRT_HALF_BITS 0x3fe6a09e00000000u

/* Returns k ln 2 + log(1 + f) + c, for f from sqrt(1 / 2) - 1 to sqrt(2) - 1 and a tiny c. With
 * s = f / (2 + f), log(1 + f) is 2 atanh(s); written as f less a correction it keeps all bits of
 * f. */
static inline double maths_log_of_parts(double k, double f, double c)
{
    double s = f / (2 + f), z = s * s, half = 0.5 * f * f;
    double rest = s * (half + z * maths_poly_log(z)) + (k * MATHS_LN2_LOW + c);

    return k * MATHS_LN2_HIGH - ((half - rest) - f);
}

/* Finds k and f with x = 2^k (1 + f), for a positive normal X. */
static inline double maths_split_log(double x, double *f)
{
    uint64_t bits = maths_bits(x);
    uint64_t biased =
        bits - MATHS_SQRT_HALF_BITS + 0x3ff0000000000000u; /* k + 1023, above bit 52 */
    double k = maths_from_bits(biased >> 52 | 0x4330000000000000u) - (0x1p52 + 1023);

    *f = maths_from_bits(bits - (biased & 0xfff0000000000000u) + 0x3ff0000000000000u) - 1;
    return k;
}

/* Returns Y, the logarithm of a positive finite X, or the result for an X at the ends of the
 * domain. */
static inline double maths_log_ends(double x, double y)
{
    y = x == INFINITY ? x : y;
    y = x == 0 ? -INFINITY : y;
    return x >= 0 ? y : NAN;
}

static inline double maths_log_d(double x)
{
    double f, k = maths_split_log(x, &f);

    return maths_log_ends(x, maths_log_of_parts(k, f, 0));
}

/* The same for any double: one below the normal ones is scaled. */
static inline double maths_log_f64(double x)
{
    bool tiny = x < 0x1p-1022;
    double f, k = maths_split_log(tiny ? x * 0x1p54 : x, &f);

    return maths_log_ends(x, maths_log_of_parts(tiny ? k - 54 : k, f, 0));
}

/* Returns log(1 + x). If 1 + x is so close to 1 that k is 0, f is x itself; else c is the rounding
 * error of the sum, divided by the sum. */
static inline double maths_log1p_d(double x)
{
    double u = 1 + x, f, k = maths_split_log(u, &f), y;
    double lost = x < 1 ? x - (u - 1) : 1 - (u - x);
    bool near = x > -0.29 && x < 0.41;

    y = maths_log_of_parts(near ? 0 : k, near ? x : f, near ? 0 : lost / u);
    return x == 0 ? x : maths_log_ends(u, y);
}

static inline double maths_asinh_d(double x)
{
    double a = fabs(x), square = a * a;

    double more = a == INFINITY ? 0 : square / (1 + sqrt(1 + square));

    return maths_sign(maths_log1p_d(a + more), x);
}

static inline double maths_acosh_d(double x)
{
    double over = x < 1 ? NAN : x - 1;

    return maths_log1p_d(over + sqrt(over * (x + 1)));
}

static inline double maths_atanh_d(double x)
{
    double a = fabs(x);

    return maths_sign(0.5 * maths_log1p_d(2 * a / (1 - a)), x);
}

#endif

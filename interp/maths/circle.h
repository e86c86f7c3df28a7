/* Circular functions and their inverses in double precision, for arguments that were floats.
 * Private to interp/maths/. */
#ifndef INLAY_MATHS_CIRCLE_H
#define INLAY_MATHS_CIRCLE_H

#include "interp/maths/coefficients.h"
#include "interp/maths/double.h"

#define MATHS_HALF_PI 0x1.921fb54442d18p+0
#define MATHS_HALF_PI_LOW 0x1.1a62633145c07p-54 /* pi / 2 less the number above */

/* An angle as quarter turns and a remainder: x = (4 n + quarter) pi / 2 + r. */
typedef struct maths_angle {
    uint64_t quarter; /* modulo 4: only its two low bits count */
    double r;         /* from -pi / 4 to pi / 4 */
} maths_angle;

/* Splits X >= 0. X is m 2^k with an integer m of 24 bits, and the table has 2 / pi 2^k modulo 4 in
 * three parts, so that no turn of a large X is lost (Payne and Hanek, 1983). The products of m with
 * two of the parts are exact, and so are the differences that leave less than one. */
static inline maths_angle maths_split_angle(double x)
{
    uint64_t bits = maths_bits(x), exponent = bits >> 52;
    uint64_t row = exponent < 1022 ? 0 : exponent > 1150 ? 128 : exponent - 1022;
    double m = maths_from_bits((bits & 0x000fffffffffffffu) | 0x4160000000000000u);
    double first = m * maths_turns[row][0], whole = first + MATHS_SHIFT;
    double rest = (first - (whole - MATHS_SHIFT)) + m * maths_turns[row][1];
    double more = rest + MATHS_SHIFT;
    double turns = (rest - (more - MATHS_SHIFT)) + m * maths_turns[row][2];
    bool small = x < 0.785;

    return (maths_angle){small ? 0 : maths_bits(whole) + maths_bits(more),
                         small ? x : turns * MATHS_HALF_PI};
}

/* Splits X from 0 to MATHS_NEAR without the table (Cody and Waite): pi / 2 is in three parts, of
 * which the first two have 33 bits, so that their products with n are exact. */
#define MATHS_NEAR 0x1p20f

static inline maths_angle maths_split_near(double x)
{
    double shifted = x * 0x1.45f306dc9c883p-1 /* 2 / pi */ + MATHS_SHIFT, n = shifted - MATHS_SHIFT;
    double r = (x - n * 0x1.921fb544p+0) - n * 0x1.0b4611a6p-34;

    return (maths_angle){maths_bits(shifted), r - n * 0x1.3198a2e037073p-69};
}

static inline double maths_sin_small(double r)
{
    double z = r * r;

    return r + r * z * maths_poly_sin(z);
}

static inline double maths_cos_small(double r)
{
    double z = r * r, half = 0.5 * z, most = 1 - half;

    return most + ((1 - most) - half + z * z * maths_poly_cos(z));
}

/* Returns the sine of the angle plus QUARTERS quarter turns. */
static inline double maths_sin_of(maths_angle a, uint64_t quarters)
{
    uint64_t quarter = a.quarter + quarters;
    double y = quarter & 1 ? maths_cos_small(a.r) : maths_sin_small(a.r);

    return maths_from_bits(maths_bits(y) ^ (quarter & 2) << 62);
}

static inline double maths_tan_of(maths_angle a)
{
    double s = maths_sin_small(a.r), c = maths_cos_small(a.r);

    return (a.quarter & 1 ? -c : s) / (a.quarter & 1 ? s : c);
}

/* Returns Y for a positive X and -Y for a negative one. Infinite angles have no sine: then x - x is
 * NaN. */
static inline double maths_turned(double y, double x)
{
    return maths_from_bits(maths_bits(y + (x - x)) ^ (maths_bits(x) & 0x8000000000000000u));
}

static inline double maths_sin_d(double x)
{
    return maths_turned(maths_sin_of(maths_split_angle(fabs(x)), 0), x);
}

static inline double maths_cos_d(double x)
{
    return maths_sin_of(maths_split_angle(fabs(x)), 1) + (x - x);
}

static inline double maths_tan_d(double x)
{
    return maths_turned(maths_tan_of(maths_split_angle(fabs(x))), x);
}

/* The same for angles up to MATHS_NEAR: looking up the table takes two thirds of the time. */
static inline double maths_sin_near_d(double x)
{
    return maths_turned(maths_sin_of(maths_split_near(fabs(x)), 0), x);
}

static inline double maths_cos_near_d(double x)
{
    return maths_sin_of(maths_split_near(fabs(x)), 1);
}

static inline double maths_tan_near_d(double x)
{
    return maths_turned(maths_tan_of(maths_split_near(fabs(x))), x);
}

/* For angles that need not be floats: those beyond MATHS_NEAR are taken for the nearest float. */
static inline double maths_sin_f64(double x)
{
    return fabs(x) < MATHS_NEAR ? maths_sin_near_d(x) : maths_sin_d((float)x);
}

static inline double maths_cos_f64(double x)
{
    return fabs(x) < MATHS_NEAR ? maths_cos_near_d(x) : maths_cos_d((float)x);
}

/* atan(x) is base + atan(t), with t = tan(atan(x) - base) and base one of 0, pi / 4 and pi / 2, so
 * that t is at most tan(pi / 8). */
static inline double maths_atan_d(double x)
{
    double a = fabs(x);
    bool middle = a > 0.41421356237309503, far = a > 2.4142135623730950;
    double above = far ? -1 : middle ? a - 1 : a, below = far ? a : middle ? a + 1 : 1;
    double base = far ? MATHS_HALF_PI : middle ? MATHS_HALF_PI / 2 : 0;
    double low = far ? MATHS_HALF_PI_LOW : middle ? MATHS_HALF_PI_LOW / 2 : 0;
    double t = above / below, z = t * t;

    return maths_sign(base + (t + (low + t * z * maths_poly_atan(z))), x);
}

/* Returns asin(s) for s from 0 to 1 / 2, where Z is s * s. */
static inline double maths_asin_near(double s, double z)
{
    return s + s * z * maths_poly_asin(z);
}

/* Above 1 / 2, asin(x) is pi / 2 - 2 asin(sqrt((1 - x) / 2)), whose square is exact. */
static inline double maths_asin_d(double x)
{
    double a = fabs(x);
    bool far = a > 0.5;
    double z = far ? 0.5 * (1 - a) : a * a, near = maths_asin_near(far ? sqrt(z) : a, z);

    return maths_sign(far ? MATHS_HALF_PI - (2 * near - MATHS_HALF_PI_LOW) : near, x);
}

static inline double maths_acos_d(double x)
{
    double a = fabs(x);
    bool far = a > 0.5;
    double z = far ? 0.5 * (1 - a) : a * a, near = maths_asin_near(far ? sqrt(z) : a, z);
    double y = MATHS_HALF_PI - ((x < 0 ? -near : near) - MATHS_HALF_PI_LOW);

    y = far ? 2 * near : y;
    return far && x < 0 ? 2 * MATHS_HALF_PI - (y - 2 * MATHS_HALF_PI_LOW) : y;
}

#endif

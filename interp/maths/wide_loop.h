/* Functions of rows in vectors of doubles with fused products, for one width. Private to
 * interp/maths/.
 *
 * wide.h includes this file for each width, and defines
 *
 *     AT(name)        the name for the width
 *     WIDTH_INLINE    how its functions are declared
 *     vec             a vector of doubles
 *     FUSED(a, b, c)  a b + c, rounded once
 *     ALL(c)          a vector of C
 *     STEP(y, x, c)   y x + c for a number C
 *
 * and power, pick, smaller, larger, absolute, with_sign, if_positive and root.
 *
 * Each function sets Y to its value at X within 2^-38 of it, for all WIDE_VECTORS vectors: some
 * advance while others wait. A and B are the parameters. */

/* Sets WHOLE and REST to numbers whose sum is exp(x scale): x scale / ln 2 is a multiple of
 * 1 / 16 or 1 / 2, and f. */
WIDTH_INLINE void AT(powers)(vec *whole, vec *rest, const vec *x, double scale)
{
    const vec times = ALL(scale * MATHS_PER_LN2), shift = ALL(SHIFT);
    vec shifted[WIDE_VECTORS], f[WIDE_VECTORS];

    EACH shifted[i] = FUSED(x[i], times, shift);
    EACH f[i] = FUSED(x[i], times, shift - shifted[i]);
    EACH whole[i] = AT(power)(shifted[i]);
    EACH rest[i] = whole[i] * (f[i] * POLY(ALL, STEP, f[i]));
}

/* Sets Y to a polynomial of X >= 0: x PER_PIECE is n + f with the smallest f, and column n of TABLE
 * has the terms of the polynomial of f, the highest one first. */
WIDTH_INLINE void AT(pieces)(vec *y, const vec *x, double per_piece, const double (*table)[16],
                             size_t terms)
{
    const vec times = ALL(per_piece), shift = ALL(MATHS_SHIFT);
    vec n[WIDE_VECTORS], f[WIDE_VECTORS];

    EACH n[i] = FUSED(x[i], times, shift);
    EACH f[i] = FUSED(x[i], times, shift - n[i]);
    EACH y[i] = AT(pick)(table[0], n[i]);
    for (size_t k = 1; k < terms; k++)
        EACH y[i] = FUSED(y[i], f[i], AT(pick)(table[k], n[i]));
}

WIDTH_INLINE void AT(swish_any)(vec *y, const vec *x, double a, double b)
{
    vec v[WIDE_VECTORS], whole[WIDE_VECTORS], rest[WIDE_VECTORS];

    (void)b;
    EACH v[i] = ALL((float)a) * x[i];
    AT(powers)(whole, rest, v, -1);
    EACH y[i] = x[i] / (ALL(1) + (whole[i] + rest[i]));
}

/* x + log(1 + e) or log(1 + e), e = exp(-|x|) */
WIDTH_INLINE void AT(softplus)(vec *y, const vec *x, double a, double b)
{
    vec e[WIDE_VECTORS], rest[WIDE_VECTORS];

    (void)a, (void)b;
    EACH e[i] = AT(absolute)(x[i]);
    AT(powers)(e, rest, e, -1);
    EACH e[i] += rest[i];
    PIECES(y, e, LOG1P, log1p);
    EACH y[i] = FUSED(e[i], y[i], AT(larger)(ALL(0), x[i]));
}

WIDTH_INLINE void AT(mish)(vec *y, const vec *x, double a, double b)
{
    vec e[WIDE_VECTORS], rest[WIDE_VECTORS];

    (void)a, (void)b;
    AT(powers)(e, rest, x, 1);
    EACH e[i] += rest[i];
    EACH e[i] = e[i] * (e[i] + ALL(2));
    EACH y[i] = x[i] * e[i] / (e[i] + ALL(2));
}

WIDTH_INLINE void AT(gelu_tanh)(vec *y, const vec *x, double a, double b)
{
    vec u[WIDE_VECTORS], whole[WIDE_VECTORS], rest[WIDE_VECTORS];

    (void)a, (void)b;
    EACH u[i] = x[i] * FUSED(ALL(0.044715), x[i] * x[i], ALL(1));
    AT(powers)(whole, rest, u, -2 * MATHS_ROOT_2_PER_PI);
    EACH y[i] = x[i] / (ALL(1) + (whole[i] + rest[i]));
}

WIDTH_INLINE void AT(elu)(vec *y, const vec *x, double a, double b)
{
    vec whole[WIDE_VECTORS], rest[WIDE_VECTORS];

    AT(powers)(whole, rest, x, 1);
    EACH y[i] = ALL(a) * AT(with_sign)(rest[i] + (whole[i] - ALL(1)), x[i]);
    EACH y[i] = ALL(b) * AT(if_positive)(x[i], x[i], y[i]);
}

/* atan(x) as in circle.h */
WIDTH_INLINE void AT(atan)(vec *y, const vec *x, double a, double b)
{
    vec m[WIDE_VECTORS], far[WIDE_VECTORS], base[WIDE_VECTORS], t[WIDE_VECTORS], z[WIDE_VECTORS];

    (void)a, (void)b;
    EACH m[i] = AT(absolute)(x[i]);
    EACH far[i] = m[i] - ALL(2.4142135623730950);
    EACH t[i] = m[i] - ALL(0.41421356237309503);
    EACH base[i] = AT(if_positive)(t[i], ALL(MATHS_HALF_PI / 2), ALL(0));
    EACH z[i] = AT(if_positive)(t[i], m[i] + ALL(1), ALL(1));
    EACH t[i] = AT(if_positive)(t[i], m[i] - ALL(1), m[i]);
    EACH base[i] = AT(if_positive)(far[i], ALL(MATHS_HALF_PI), base[i]);
    EACH t[i] = AT(if_positive)(far[i], ALL(-1), t[i]) / AT(if_positive)(far[i], m[i], z[i]);
    EACH z[i] = t[i] * t[i];
    EACH y[i] = FUSED(t[i] * z[i], MATHS_POLY_ATAN_SHORT(ALL, STEP, z[i]), t[i]);
    EACH y[i] = AT(with_sign)(base[i] + y[i], x[i]);
}

/* Sets NEAR to asin(s), where s is |x|, or where that is above 1 / 2, and so FAR above 0, the root
 * of half of 1 - |x|. */
WIDTH_INLINE void AT(asin_near)(vec *near, vec *far, const vec *x)
{
    vec m[WIDE_VECTORS], z[WIDE_VECTORS];

    EACH m[i] = AT(absolute)(x[i]);
    EACH far[i] = m[i] - ALL(0.5);
    EACH z[i] = AT(if_positive)(far[i], FUSED(far[i], ALL(-0.5), ALL(0.25)), m[i] * m[i]);
    EACH near[i] = AT(if_positive)(far[i], AT(root)(z[i]), m[i]);
    EACH near[i] = FUSED(near[i] * z[i], MATHS_POLY_ASIN_SHORT(ALL, STEP, z[i]), near[i]);
}

WIDTH_INLINE void AT(asin)(vec *y, const vec *x, double a, double b)
{
    vec near[WIDE_VECTORS], far[WIDE_VECTORS];

    (void)a, (void)b;
    AT(asin_near)(near, far, x);
    EACH y[i] = AT(if_positive)(far[i], FUSED(near[i], ALL(-2), ALL(MATHS_HALF_PI)), near[i]);
    EACH y[i] = AT(with_sign)(y[i], x[i]);
}

WIDTH_INLINE void AT(acos)(vec *y, const vec *x, double a, double b)
{
    vec near[WIDE_VECTORS], far[WIDE_VECTORS], base[WIDE_VECTORS];

    (void)a, (void)b;
    AT(asin_near)(near, far, x);
    EACH base[i] = AT(if_positive)(x[i], ALL(0), ALL(2 * MATHS_HALF_PI));
    EACH base[i] = AT(if_positive)(far[i], base[i], ALL(MATHS_HALF_PI));
    EACH near[i] = AT(if_positive)(far[i], near[i] * ALL(-2), near[i]);
    EACH y[i] = AT(if_positive)(x[i], base[i] - near[i], base[i] + near[i]);
}

#ifdef WIDE_TABLES
/* |x| erf(|x|) / |x|; from 3.95 on it is 1 as a float. */
WIDTH_INLINE void AT(erf)(vec *y, const vec *x, double a, double b)
{
    const vec most = ALL(3.95);
    vec m[WIDE_VECTORS];

    (void)a, (void)b;
    EACH m[i] = AT(smaller)(most, AT(absolute)(x[i]));
    PIECES(y, m, ERF, erf);
    EACH y[i] = AT(with_sign)(m[i] * y[i], x[i]);
}

/* x (1 - q(x)) or x q(-x), q(m) = erfc(m / sqrt(2)) / 2; from 5.5 on it is x as a float. Few x are
 * beyond 4, up to where fewer terms will do. */
WIDTH_INLINE void AT(gelu_erf)(vec *y, const vec *x, double a, double b)
{
    vec m[WIDE_VECTORS];

    (void)a, (void)b;
    EACH m[i] = AT(smaller)(ALL(5.5), AT(absolute)(x[i]));
    if (AT(are_below)(m, 4))
        PIECES(y, m, AREA_NEAR, area_near);
    else
        PIECES(y, m, AREA, area);
    EACH y[i] = FUSED(-m[i], y[i], AT(larger)(ALL(0), x[i]));
}
#else
#include "interp/maths/erf_avx2.h"
#endif
WIDE_PART(swish_any, swish, -600 / fabs(a), 600 / fabs(a))
WIDE_PART(softplus, softplus, -600, 600)
WIDE_PART(mish, mish, -300, 300)
WIDE_PART(gelu_tanh, gelu_tanh, -20, 20)
WIDE_PART(elu, elu, -600, 600)
WIDE_PART(atan, atan, -0x1p100, 0x1p100)
WIDE_PART(asin, asin, -1, 1)
WIDE_PART(acos, acos, -1, 1)
WIDE_PART(erf, erf, -INFINITY, INFINITY)
WIDE_PART(gelu_erf, gelu_erf, GELU_LEAST, INFINITY)

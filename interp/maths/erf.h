/* The error function in double precision, for arguments that were floats. Private to
 * interp/maths/. */
#ifndef INLAY_MATHS_ERF_H
#define INLAY_MATHS_ERF_H

#include "interp/maths/coefficients.h"
#include "interp/maths/double.h"
#include "interp/maths/exp.h"

/* Returns 1 - erf(a) for a from 1 to 10.6, where Z is a * a. */
static inline double maths_erfc_far(double a, double z)
{
    double t = (a - 3) / (a + 3);

    return maths_exp_d(-z) * MATHS_POLY_ERFC(MATHS_FIRST, MATHS_STEP, t);
}

/* Above 6, 1 - erf(a) is less than half a unit of a double's last place. */
static inline double maths_erf_d(double x)
{
    double a = fabs(x), z = a * a, far = 1 - maths_erfc_far(a > 6 ? 6 : a, a > 6 ? 36 : z);

    return maths_sign(a > 1 ? far : a + a * MATHS_POLY_ERF(MATHS_FIRST, MATHS_STEP, z), x);
}

/* Returns 1 + erf(x / sqrt(2)), twice the cumulative normal distribution at X. Below -15 that times
 * X underflows to 0 as a float. */
static inline double maths_area_d(double x)
{
    double y = x < -15 ? -15 : x, a = fabs(y) * 0x1.6a09e667f3bcdp-1, z = 0.5 * y * y;
    double rest = maths_erfc_far(a > 6 && y > 0 ? 6 : a, a > 6 && y > 0 ? 36 : z);
    double near = a + a * MATHS_POLY_ERF(MATHS_FIRST, MATHS_STEP, z);

    near = a > 1 ? (y < 0 ? rest : 2 - rest) : 1 + (y < 0 ? -near : near);
    return x < -15 ? 0 : near;
}

#endif

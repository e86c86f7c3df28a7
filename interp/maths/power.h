/* Powers, by logarithms and exponentials in double precision. Private to interp/maths/. The ends
 * of the domain are those of pow in C (ISO 9899:2011, F.10.4.4), which are also numpy's. */
#ifndef INLAY_MATHS_POWER_H
#define INLAY_MATHS_POWER_H

#include "interp/maths/exp.h"
#include "interp/maths/log.h"

/* Returns x^y within 2^-43, which as a float is within 0.501 units in the last place; results out
 * of the range of floats are 0 or infinite. Both are floats, or X is normal or zero. The lowest bit
 * of |y| + 2^52 says whether an integer y is odd; floats of 2^52 and more are even integers,
 * infinity with them. */
MATHS_INLINE double maths_power_d(double x, double y)
{
    double log = maths_log_d(fabs(x)), times = log == 0 ? 0 : y;
    double size = maths_exp_fast_d((y == 0 ? 0 : log) * times);
    double most = fabs(y), shifted = most + 0x1p52, rounded = shifted - 0x1p52;
    double integer = most < 0x1p52 ? rounded : most;
    double turned = maths_from_bits((maths_bits(shifted) << 63) & maths_bits(x));
    double sign = most < 0x1p52 ? turned : 0, below = x == -INFINITY ? 0 : x;
    double whole = maths_from_bits(maths_bits(size) | maths_bits(sign));

    return integer == most ? whole : below < 0 ? NAN : size;
}

#endif

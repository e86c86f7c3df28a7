/* Bit operations on doubles without branches, so that loops over them are vectorized. Private to
 * interp/maths/.
 *
 * The compiler may not fuse multiply-adds here (-ffp-contract=off), nor use -ffast-math: each
 * operation rounds once, so that every machine gets the same bits. */
#ifndef INLAY_MATHS_DOUBLE_H
#define INLAY_MATHS_DOUBLE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* For functions that the compiler takes for too large to be part of a loop, which then would not
 * become vectors. */
#if defined __GNUC__
#define MATHS_INLINE static inline __attribute__((always_inline))
#else
#define MATHS_INLINE static inline
#endif

static inline uint64_t maths_bits(double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double maths_from_bits(uint64_t bits)
{
    double x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The sum of a double x of at most 2^51 and this one has no fraction bits: it is x rounded to an
 * integer, halves to even, which is also in its low bits. */
#define MATHS_SHIFT 0x1.8p52

/* Returns X >= 0 with the sign of S. */
static inline double maths_sign(double x, double s)
{
    return maths_from_bits(maths_bits(x) | (maths_bits(s) & 0x8000000000000000u));
}

/* Returns 2^n, where SHIFTED is MATHS_SHIFT + n and n is from -1022 to 1023. */
static inline double maths_power_of_two(double shifted)
{
    return maths_from_bits((maths_bits(shifted) + 1023) << 52);
}

#endif

/* exp for rows in single precision, in vectors of AVX2 with fused products. Private to
 * interp/maths/.
 *
 * A vector has twice as many floats as doubles, and one exponential in some hundreds needs doubles.
 * x is n ln2 / 8 + r with the smallest r. With a float for ln2 / 8, HIGH, a fused product gives r
 * exactly. What HIGH leaves out, n LOW, and what 2^(n / 8) has besides its float T, are d:
 *
 *     exp(x) = T (1 + r + s),  s = d + (exp(r + d) - 1 - (r + d))
 *
 * 1 + r is a float w and a rest, which s takes. T w + T s is a fused product, too, so that the
 * result has the error of s, less than 1.25 units of 2^-22 of s, and is rounded once. It is
 * computed with an s that is that much too small, and with one that is that much too large: where
 * both give one float, no float is nearer, and where they do not, maths_exp decides (Ziv, "Fast
 * evaluation of elementary mathematical functions with correctly rounded last bit", 1991). That
 * bound was found by trying: tests/maths/exhaustive.c compares all 2^32 floats with maths_exp. */
#ifndef INLAY_MATHS_EXP_AVX2_H
#define INLAY_MATHS_EXP_AVX2_H

#include "interp/maths/maths.h"

#include <immintrin.h>

#define EXP_AVX2 __attribute__((target("avx2,fma")))
#define EXP_INLINE static inline __attribute__((target("avx2,fma"), always_inline))

/* Two vectors are computed side by side: one while the other waits. A tile is the floats of which
 * one word says which are to be decided. */
enum { EXP_EIGHT = 8, EXP_PAIR = 2 * EXP_EIGHT, EXP_TILE = 64 };

#define EXP_ORDINARY 64.0F /* beyond it T s may be too small for a float's precision */

/* A sum of it and a float of at most 2^22 is rounded to an integer. */
#define EXP_SHIFT 0x1.8p23F

EXP_INLINE __m256 exp_all(float x)
{
    return _mm256_set1_ps(x);
}

/* Returns 2^(n / 8), where SHIFTED is EXP_SHIFT + n. */
EXP_INLINE __m256 exp_power(__m256 shifted)
{
    __m256i n = _mm256_castps_si256(shifted);
    __m256i at = _mm256_loadu_si256((const __m256i *)(const void *)maths_exp_eighths);

    at = _mm256_permutevar8x32_epi32(at, n);
    return _mm256_castsi256_ps(_mm256_add_epi32(at, _mm256_slli_epi32(n, 20)));
}

/* Returns the part of d that stands for T, where SHIFTED is EXP_SHIFT + n. */
EXP_INLINE __m256 exp_left(__m256 shifted)
{
    return _mm256_permutevar8x32_ps(_mm256_loadu_ps(maths_exp_eighths_left),
                                    _mm256_castps_si256(shifted));
}

#define EXP_FIRST(c) exp_all(c)
#define EXP_STEP(y, x, c) _mm256_fmadd_ps(y, x, exp_all(c))
#define BOTH for (int i = 0; i < 2; i++)

/* Sets the sixteen floats of TO to exp(x - less), for x of FROM, and MOST to the largest |x - less|
 * that its lanes have seen. Returns bits for those of TO that may be wrong. */
EXP_INLINE uint64_t exp_pair(float *to, const float *from, __m256 less, __m256 *most)
{
    __m256 x[2], shifted[2], n[2], r[2], d[2], w[2], s[2], t[2], low[2], high[2];
    uint64_t unsure = 0;

    BOTH x[i] = _mm256_loadu_ps(from + EXP_EIGHT * i) - less;
    /* A NaN is the first operand, and is lost: low and high differ then. */
    BOTH *most = _mm256_max_ps(_mm256_andnot_ps(exp_all(-0.0F), x[i]), *most);
    BOTH shifted[i] = _mm256_fmadd_ps(x[i], exp_all(MATHS_EIGHTHS), exp_all(EXP_SHIFT));
    BOTH n[i] = shifted[i] - exp_all(EXP_SHIFT);
    BOTH r[i] = _mm256_fnmadd_ps(n[i], exp_all(MATHS_EIGHTH_HIGH), x[i]);
    BOTH d[i] = _mm256_fnmadd_ps(n[i], exp_all(MATHS_EIGHTH_LOW), exp_left(shifted[i]));
    BOTH w[i] = exp_all(1) + r[i];
    BOTH s[i] = (r[i] - (w[i] - exp_all(1))) + d[i];
    BOTH r[i] = r[i] + d[i];
    BOTH s[i] =
        _mm256_fmadd_ps(r[i] * r[i], MATHS_POLY_EXP_SINGLE(EXP_FIRST, EXP_STEP, r[i]), s[i]);
    BOTH t[i] = exp_power(shifted[i]);
    BOTH s[i] = t[i] * s[i];
    BOTH low[i] = _mm256_fmadd_ps(t[i], w[i], s[i]);
    BOTH high[i] = _mm256_fmadd_ps(t[i], w[i], s[i] * exp_all(1 + 2 * MATHS_EXP_UNSURE));
    BOTH _mm256_storeu_ps(to + EXP_EIGHT * i, low[i]);
    BOTH unsure |= (uint64_t)_mm256_movemask_ps(_mm256_cmp_ps(low[i], high[i], _CMP_NEQ_UQ))
                   << EXP_EIGHT * i;
    return unsure;
}

/* Sets the N floats of Y, which is not X, to exp(x - less): N is a multiple of EXP_PAIR, and at
 * most EXP_TILE. */
EXP_INLINE void exp_tile(float *y, const float *x, int n, float less)
{
    __m256 most = _mm256_setzero_ps();
    uint64_t unsure = 0;

    for (int i = 0; i < n; i += EXP_PAIR)
        unsure |= exp_pair(y + i, x + i, exp_all(less), &most) << i;
    for (; unsure; unsure &= unsure - 1) {
        int i = __builtin_ctzll(unsure);

        y[i] = maths_exp(x[i] - less);
    }
    if (_mm256_movemask_ps(_mm256_cmp_ps(most, exp_all(EXP_ORDINARY), _CMP_GT_OQ)))
        _Pragma("omp simd") for (int i = 0; i < n; i++) y[i] = maths_exp(x[i] - less);
}

#undef BOTH

#endif

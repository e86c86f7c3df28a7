/* erf for rows, in vectors of AVX2 with fused products. Private to interp/maths/.
 *
 * The formulas are those of erf.h. A fused product is rounded less often, so results are closer to
 * the true value, if anything, and give the same floats: tests/maths/exhaustive.c compares all
 * 2^32. If all numbers of a group are up to 1, or all beyond, only one of the formulas is computed.
 */
#ifndef INLAY_MATHS_ERF_AVX2_H
#define INLAY_MATHS_ERF_AVX2_H

#include "interp/maths/exp.h"

#include <immintrin.h>

#define ERF_AVX2 __attribute__((target("avx2,fma")))
#define ERF_INLINE static inline __attribute__((target("avx2,fma"), always_inline))

/* Vectors computed at a time: one advances while others wait. */
enum { ERF_FOUR = 4, ERF_VECTORS = 4, ERF_PART = ERF_FOUR * ERF_VECTORS };

#define ERF_FIRST(c) _mm256_set1_pd(c)
#define ERF_STEP(y, x, c) _mm256_fmadd_pd(y, x, _mm256_set1_pd(c))
#define EACH for (int i = 0; i < ERF_VECTORS; i++)

/* Sets Y to erf(a) for A up to 1. */
ERF_INLINE void erf_near(__m256d *y, const __m256d *a)
{
    __m256d z[ERF_VECTORS];

    EACH z[i] = a[i] * a[i];
    EACH y[i] = _mm256_fmadd_pd(a[i], MATHS_POLY_ERF(ERF_FIRST, ERF_STEP, z[i]), a[i]);
}

/* Sets Y to exp(-a a), for A up to 6. */
ERF_INLINE void erf_power(__m256d *y, const __m256d *a)
{
    const __m256d per_ln2 = ERF_FIRST(MATHS_PER_LN2), shift = ERF_FIRST(MATHS_SHIFT);
    const __m256i bias = _mm256_set1_epi64x(1023);
    __m256d x[ERF_VECTORS], shifted[ERF_VECTORS], n[ERF_VECTORS], r[ERF_VECTORS], m[ERF_VECTORS];

    EACH x[i] = -(a[i] * a[i]);
    EACH shifted[i] = _mm256_fmadd_pd(x[i], per_ln2, shift);
    EACH n[i] = shifted[i] - shift;
    EACH r[i] = _mm256_fnmadd_pd(n[i], ERF_FIRST(MATHS_LN2_HIGH), x[i]);
    EACH r[i] = _mm256_fnmadd_pd(n[i], ERF_FIRST(MATHS_LN2_LOW), r[i]);
    EACH m[i] = _mm256_fmadd_pd(r[i], MATHS_POLY_EXP(ERF_FIRST, ERF_STEP, r[i]), ERF_FIRST(0.5));
    EACH m[i] = _mm256_fmadd_pd(r[i] * r[i], m[i], r[i]);
    EACH n[i] = _mm256_castsi256_pd(
        _mm256_slli_epi64(_mm256_add_epi64(_mm256_castpd_si256(shifted[i]), bias), 52));
    EACH y[i] = _mm256_fmadd_pd(n[i], m[i], n[i]);
}

/* Sets Y to erf(a) for A from 1 on; above 6 it is 1. */
ERF_INLINE void erf_far(__m256d *y, const __m256d *a)
{
    __m256d most[ERF_VECTORS], t[ERF_VECTORS], e[ERF_VECTORS];

    EACH most[i] = _mm256_min_pd(a[i], ERF_FIRST(6));
    EACH t[i] = (most[i] - ERF_FIRST(3)) / (most[i] + ERF_FIRST(3));
    erf_power(e, most);
    EACH y[i] = _mm256_fnmadd_pd(e[i], MATHS_POLY_ERFC(ERF_FIRST, ERF_STEP, t[i]), ERF_FIRST(1));
}

/* Sets the ERF_PART floats of TO, which may be FROM, to erf of those of FROM. A NaN counts as up to
 * 1, and stays NaN. */
ERF_INLINE void erf_part(float *to, const float *from)
{
    const __m256d minus = ERF_FIRST(-0.0);
    __m256d x[ERF_VECTORS], a[ERF_VECTORS], beyond[ERF_VECTORS];
    __m256d near[ERF_VECTORS] = {0}, far[ERF_VECTORS] = {0};
    int n = 0;

    EACH x[i] = _mm256_cvtps_pd(_mm_loadu_ps(from + ERF_FOUR * i));
    EACH a[i] = _mm256_andnot_pd(minus, x[i]);
    EACH beyond[i] = _mm256_cmp_pd(a[i], ERF_FIRST(1), _CMP_GT_OQ);
    EACH n += __builtin_popcount((unsigned)_mm256_movemask_pd(beyond[i]));
    if (n < ERF_PART)
        erf_near(near, a);
    if (n > 0)
        erf_far(far, a);
    EACH a[i] = _mm256_blendv_pd(near[i], far[i], beyond[i]);
    EACH a[i] = _mm256_or_pd(a[i], _mm256_and_pd(minus, x[i]));
    EACH _mm_storeu_ps(to + ERF_FOUR * i, _mm256_cvtpd_ps(a[i]));
}

#undef EACH

#endif

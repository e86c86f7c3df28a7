/* erf and GELU in vectors of four doubles, which have no instruction for a table. Private to
 * interp/maths/, and part of wide.h.
 *
 * The formulas are those of erf.h. If all numbers of a part are near 0, or all far from it, only
 * one is computed. */
#ifndef INLAY_MATHS_ERF_AVX2_H
#define INLAY_MATHS_ERF_AVX2_H

/* Sets Y to erf(a) for A up to 1. */
WIDTH_INLINE void erf_near(vec *y, const vec *a)
{
    vec z[WIDE_VECTORS];

    EACH z[i] = a[i] * a[i];
    EACH y[i] = FUSED(a[i], MATHS_POLY_ERF(ALL, STEP, z[i]), a[i]);
}

/* Sets Y to 1 - erf(a) for A from 1 on; above 6 it is that of 6. */
WIDTH_INLINE void erf_far(vec *y, const vec *a)
{
    vec most[WIDE_VECTORS], t[WIDE_VECTORS], e[WIDE_VECTORS], rest[WIDE_VECTORS];

    EACH most[i] = smaller_avx2(a[i], ALL(6));
    EACH t[i] = (most[i] - ALL(3)) / (most[i] + ALL(3));
    EACH most[i] *= most[i];
    powers_avx2(e, rest, most, -1);
    EACH y[i] = (e[i] + rest[i]) * MATHS_POLY_ERFC(ALL, STEP, t[i]);
}

/* Sets NEAR to erf(a) where a is up to 1, FAR to 1 - erf(a) elsewhere, and BEYOND to where that is.
 * A NaN counts as up to 1. */
WIDTH_INLINE void erf_both(vec *near, vec *far, vec *beyond, const vec *a)
{
    int n = 0;

    EACH near[i] = far[i] = ALL(0);
    EACH beyond[i] = _mm256_cmp_pd(a[i], ALL(1), _CMP_GT_OQ);
    EACH n += __builtin_popcount((unsigned)_mm256_movemask_pd(beyond[i]));
    if (n < 4 * WIDE_VECTORS)
        erf_near(near, a);
    if (n > 0)
        erf_far(far, a);
}

WIDTH_INLINE void erf_avx2(vec *y, const vec *x, double a, double b)
{
    vec m[WIDE_VECTORS], near[WIDE_VECTORS], far[WIDE_VECTORS], beyond[WIDE_VECTORS];

    (void)a, (void)b;
    EACH m[i] = absolute_avx2(x[i]);
    erf_both(near, far, beyond, m);
    EACH m[i] = _mm256_blendv_pd(near[i], ALL(1) - far[i], beyond[i]);
    EACH y[i] = with_sign_avx2(m[i], x[i]);
}

/* x / 2 (1 + erf(x / sqrt(2))) */
WIDTH_INLINE void gelu_erf_avx2(vec *y, const vec *x, double a, double b)
{
    vec m[WIDE_VECTORS], half[WIDE_VECTORS];
    vec near[WIDE_VECTORS], far[WIDE_VECTORS], beyond[WIDE_VECTORS];

    (void)a, (void)b;
    EACH m[i] = absolute_avx2(x[i]) * ALL(0x1.6a09e667f3bcdp-1);
    EACH half[i] = ALL(0.5) * x[i];
    erf_both(near, far, beyond, m);
    EACH near[i] = FUSED(half[i], with_sign_avx2(near[i], x[i]), half[i]);
    EACH far[i] =
        FUSED(-smaller_avx2(ALL(4.5), absolute_avx2(half[i])), far[i], larger_avx2(ALL(0), x[i]));
    EACH y[i] = with_sign_avx2(_mm256_blendv_pd(near[i], far[i], beyond[i]), x[i]);
}

#endif

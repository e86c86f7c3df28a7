/* exp for rows in single precision, in vectors of AVX2 with fused products. Private to
 * interp/maths/.
 *
 * A vector has twice as many floats as doubles, and only one exponential in some hundreds needs
 * doubles. x is n ln2 / 8 + r with the smallest r. With a float for ln2 / 8, HIGH, a fused product
 * gives r exactly. d is the error of HIGH, n LOW, plus that of the float T for 2^(n / 8):
 *
 *     exp(x) = T (1 + r + s),  s = d (1 + r) + (exp(r) - 1 - r)
 *
 * 1 + r is a float w and a remainder, which s includes. T w + T s is a fused product, too, so the
 * result has the error of s, less than 1.25 units of 2^-22 of s, and is rounded once. It is
 * computed with an s that is that much too small, and with one that is that much too large: if both
 * give one float, it is the nearest one; if not, maths_exp decides (Ziv, "Fast evaluation of
 * elementary mathematical functions with correctly rounded last bit", 1991). The bound was found by
 * experiment: tests/maths/exhaustive.c compares all 2^32 floats with maths_exp. */
#ifndef INLAY_MATHS_EXP_AVX2_H
#define INLAY_MATHS_EXP_AVX2_H

#include "interp/maths/maths.h"

#include <immintrin.h>
#include <stdbool.h>

#define EXP_AVX2 __attribute__((target("avx2,fma")))
#define EXP_INLINE static inline __attribute__((target("avx2,fma"), always_inline))

/* Two vectors are computed at a time: one advances while the other waits. A tile is the floats that
 * are checked together for unsure results. */
enum { EXP_EIGHT = 8, EXP_PAIR = 2 * EXP_EIGHT, EXP_TILE = 64 };

/* Beyond it d is so large that its error has an effect (three of all floats up to 64 come out
 * wrong), and T s may underflow. */
#define EXP_ORDINARY 56.0F

/* The sum of it and a float of at most 2^22 is rounded to an integer. */
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

/* Returns the part of d that comes from T, where SHIFTED is EXP_SHIFT + n. */
EXP_INLINE __m256 exp_left(__m256 shifted)
{
    return _mm256_permutevar8x32_ps(_mm256_loadu_ps(maths_exp_eighths_left),
                                    _mm256_castps_si256(shifted));
}

#define EXP_FIRST(c) exp_all(c)
#define EXP_STEP(y, x, c) _mm256_fmadd_ps(y, x, exp_all(c))
#define BOTH for (int i = 0; i < 2; i++)

/* Over the lanes of some vectors: the largest |x - less|, and bits that are set where a float may
 * be wrong. */
struct exp_seen {
    __m256 most, unsure;
};

/* Sets the two vectors of Y to exp(x - less), for x of FROM, and HIGH to the second result, which
 * must be the same. */
EXP_INLINE void exp_pair(__m256 *y, float *high, const float *from, __m256 less,
                         struct exp_seen *seen)
{
    __m256 x[2], shifted[2], n[2], r[2], d[2], w[2], s[2], t[2], other[2];

    BOTH x[i] = _mm256_loadu_ps(from + EXP_EIGHT * i) - less;
    /* A NaN is the first operand, and is lost here; but then the floats differ. */
    BOTH seen->most = _mm256_max_ps(_mm256_andnot_ps(exp_all(-0.0F), x[i]), seen->most);
    BOTH shifted[i] = _mm256_fmadd_ps(x[i], exp_all(MATHS_EIGHTHS), exp_all(EXP_SHIFT));
    BOTH n[i] = shifted[i] - exp_all(EXP_SHIFT);
    BOTH r[i] = _mm256_fnmadd_ps(n[i], exp_all(MATHS_EIGHTH_HIGH), x[i]);
    BOTH d[i] = _mm256_fnmadd_ps(n[i], exp_all(MATHS_EIGHTH_LOW), exp_left(shifted[i]));
    BOTH w[i] = exp_all(1) + r[i];
    BOTH s[i] = _mm256_fmadd_ps(d[i], w[i], r[i] - (w[i] - exp_all(1)));
    BOTH s[i] =
        _mm256_fmadd_ps(r[i] * r[i], MATHS_POLY_EXP_SINGLE(EXP_FIRST, EXP_STEP, r[i]), s[i]);
    BOTH t[i] = exp_power(shifted[i]);
    BOTH s[i] = t[i] * s[i];
    BOTH y[i] = _mm256_fmadd_ps(t[i], w[i], s[i]);
    BOTH other[i] = _mm256_fmadd_ps(t[i], w[i], s[i] * exp_all(1 + 2 * MATHS_EXP_UNSURE));
    BOTH seen->unsure = _mm256_or_ps(seen->unsure, _mm256_cmp_ps(y[i], other[i], _CMP_NEQ_UQ));
    BOTH _mm256_storeu_ps(high + EXP_EIGHT * i, other[i]);
}

/* Computes again those of the N floats of Y that differ from HIGH, or, if ALL, each of them. Y is
 * not X. */
static EXP_AVX2 void exp_decide(float *y, const float *high, const float *x, int n, float less,
                                bool all)
{
    if (all) {
        _Pragma("omp simd") for (int i = 0; i < n; i++) y[i] = maths_exp(x[i] - less);
        return;
    }
    for (int k = 0; k < n; k += EXP_EIGHT) {
        __m256 low = _mm256_loadu_ps(y + k), other = _mm256_loadu_ps(high + k);
        unsigned unsure = (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(low, other, _CMP_NEQ_UQ));

        for (; unsure; unsure &= unsure - 1) {
            int i = k + __builtin_ctz(unsure);

            y[i] = maths_exp(x[i] - less);
        }
    }
}

/* Is exp_decide needed? Sets *ALL. */
EXP_INLINE bool exp_is_unsure(const struct exp_seen *seen, bool *all)
{
    __m256 beyond = _mm256_cmp_ps(seen->most, exp_all(EXP_ORDINARY), _CMP_GT_OQ);

    *all = _mm256_movemask_ps(beyond) != 0;
    return _mm256_movemask_ps(_mm256_or_ps(beyond, seen->unsure)) != 0;
}

/* Sets the N floats of Y, which is not X, to exp(x - less): N is a multiple of EXP_PAIR, and at
 * most EXP_TILE. */
EXP_INLINE void exp_tile(float *y, const float *x, int n, float less)
{
    struct exp_seen seen = {_mm256_setzero_ps(), _mm256_setzero_ps()};
    float high[EXP_TILE];
    bool all;

    for (int k = 0; k < n; k += EXP_PAIR) {
        __m256 e[2];

        exp_pair(e, high + k, x + k, exp_all(less), &seen);
        BOTH _mm256_storeu_ps(y + k + EXP_EIGHT * i, e[i]);
    }
    if (exp_is_unsure(&seen, &all))
        exp_decide(y, high, x, n, less, all);
}

/* Sums of exponentials: element I is added to lane I % EXP_PAIR. */
struct exp_sums {
    __m256 lane[2];
};

/* Sets the EXP_TILE floats of Y, which is not X, to exp(x - less), adds them to SUMS, and divides
 * as many of WAS, unless it is NULL, by BY: the divider is a unit of its own, and seldom takes a
 * slot from multiplications. */
EXP_INLINE void exp_sum_tile(float *y, const float *x, float less, struct exp_sums *sums,
                             float *was, float by)
{
    const struct exp_sums before = *sums;
    struct exp_seen seen = {_mm256_setzero_ps(), _mm256_setzero_ps()};
    float high[EXP_TILE];
    bool all;

    for (int k = 0; k < EXP_TILE; k += EXP_PAIR) {
        __m256 e[2];

        exp_pair(e, high + k, x + k, exp_all(less), &seen);
        BOTH _mm256_storeu_ps(y + k + EXP_EIGHT * i, e[i]);
        BOTH sums->lane[i] += e[i];
        for (int i = k; was && i < k + EXP_PAIR; i += EXP_EIGHT)
            _mm256_storeu_ps(was + i, _mm256_loadu_ps(was + i) / exp_all(by));
    }
    if (!exp_is_unsure(&seen, &all))
        return;
    exp_decide(y, high, x, EXP_TILE, less, all);
    *sums = before;
    for (int k = 0; k < EXP_TILE; k += EXP_PAIR)
        BOTH sums->lane[i] += _mm256_loadu_ps(y + k + EXP_EIGHT * i);
}

#undef BOTH

#endif

/* Quotients of a row by one number, in vectors of AVX2 with fused products. Private to
 * interp/maths/.
 *
 * To divide a vector takes some five times as long as to multiply it. Here one division gives NEAR,
 * the float nearest to 1 / b for the divisor b, and LEFT is what NEAR lacks of it. The quotient q
 * of y is first rounded from y NEAR + y LEFT, which is so near to y / b that q is wrong by less
 * than one unit in its last place. Then y - q b is a float, which a fused product gives exactly,
 * and q + (y - q b) NEAR is rounded to the float nearest to y / b (Markstein, "Computation of
 * elementary functions on the IBM RISC System/6000 processor", 1990).
 *
 * Both need that nothing underflows or overflows. With a divisor of 2^-24 to 2^24 and a y of 2^-80
 * to 2^80, whatever its sign, the quotient is of 2^-105 to 2^105, and a unit in the last place of
 * y - q b, that of b times that of q, is no less than 2^-149, the least float. What y LEFT loses
 * where it is below that is far below a unit of q. All else is divided. */
#ifndef INLAY_MATHS_DIVIDE_AVX2_H
#define INLAY_MATHS_DIVIDE_AVX2_H

#include <immintrin.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define DIVIDE_AVX2 __attribute__((target("avx2,fma")))
#define DIVIDE_INLINE static inline __attribute__((target("avx2,fma"), always_inline))

#define DIVIDE_LEAST 0x1p-80F
#define DIVIDE_MOST 0x1p80F
#define DIVIDE_LEAST_BY 0x1p-24F
#define DIVIDE_MOST_BY 0x1p24F

enum { DIVIDE_EIGHT = 8, DIVIDE_PART = 4 * DIVIDE_EIGHT };

struct divisor {
    __m256 b, near, left;
};

DIVIDE_INLINE struct divisor divisor_of(float by)
{
    __m256 one = _mm256_set1_ps(1);
    struct divisor d = {.b = _mm256_set1_ps(by)};

    d.near = one / d.b;
    d.left = _mm256_fnmadd_ps(d.b, d.near, one) * d.near;
    return d;
}

DIVIDE_INLINE __m256 quotient(__m256 y, const struct divisor *d)
{
    __m256 q = _mm256_fmadd_ps(y, d->near, y * d->left);

    return _mm256_fmadd_ps(_mm256_fnmadd_ps(q, d->b, y), d->near, q);
}

/* Divides four vectors, which are computed side by side. */
DIVIDE_INLINE void divide_part(float *at, const struct divisor *d)
{
    const __m256 sign = _mm256_set1_ps(-0.0F);
    const __m256 least = _mm256_set1_ps(DIVIDE_LEAST), most = _mm256_set1_ps(DIVIDE_MOST);
    __m256 y[4], ordinary = _mm256_castsi256_ps(_mm256_set1_epi32(-1));
    bool fit;

    for (int i = 0; i < 4; i++) {
        __m256 size;

        y[i] = _mm256_loadu_ps(at + DIVIDE_EIGHT * i);
        size = _mm256_andnot_ps(sign, y[i]);
        ordinary = _mm256_and_ps(ordinary, _mm256_cmp_ps(size, least, _CMP_GE_OQ));
        ordinary = _mm256_and_ps(ordinary, _mm256_cmp_ps(size, most, _CMP_LE_OQ));
    }
    fit = _mm256_movemask_ps(ordinary) == 0xff;
    for (int i = 0; i < 4; i++)
        _mm256_storeu_ps(at + DIVIDE_EIGHT * i,
                         fit ? quotient(y[i], d) : _mm256_div_ps(y[i], d->b));
}

static DIVIDE_AVX2 void divide_avx2(float *y, int64_t n, float by)
{
    const struct divisor d = divisor_of(by);
    bool fit = by >= DIVIDE_LEAST_BY && by <= DIVIDE_MOST_BY;
    int64_t i = 0;

    for (; fit && i + DIVIDE_PART <= n; i += DIVIDE_PART)
        divide_part(y + i, &d);
    _Pragma("omp simd") for (int64_t k = i; k < n; k++) y[k] /= by;
}

#endif

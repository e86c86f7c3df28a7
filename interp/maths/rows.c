/* exp for rows. The compiler makes vectors of a loop over maths_exp by itself, but these read its
 * table one number at a time. Where two vectors hold the whole table, one instruction reads eight.
 * The steps are those of maths_exp, so that the results are the same bit for bit. */
#include "interp/maths/rows.h"

#include "interp/maths/maths.h"

#if defined __x86_64__ && defined __GNUC__
#define HAS_X86
#include <immintrin.h>
#endif

static void exp_plain(float *to, const float *from, int64_t n, float less)
{
    _Pragma("omp simd") for (int64_t i = 0; i < n; i++) to[i] = maths_exp(from[i] - less);
}

#ifdef HAS_X86
static __attribute__((target("avx2"))) void exp_avx2(float *to, const float *from, int64_t n,
                                                     float less)
{
    _Pragma("omp simd") for (int64_t i = 0; i < n; i++) to[i] = maths_exp(from[i] - less);
}

#define AVX512 __attribute__((target("avx512f")))

/* Does what maths_exp_near_d does. */
static inline AVX512 __m512d exp_near(__m512d x)
{
    const __m512d low = _mm512_loadu_pd(maths_exp2_whole);
    const __m512d high = _mm512_loadu_pd(maths_exp2_whole + 8);
    __m512d y = x * MATHS_PER_LN2, shifted = y + MATHS_SHIFT_16;
    __m512d f = y - (shifted - MATHS_SHIFT_16);
    __m512i n = _mm512_castpd_si512(shifted);
    __m512i at = _mm512_castpd_si512(_mm512_permutex2var_pd(low, n, high));
    __m512d whole = _mm512_castsi512_pd(_mm512_add_epi64(at, _mm512_slli_epi64(n, 48)));

    return whole + whole * (MATHS_POLY_EXP2(f) * f);
}

/* Returns eight of the floats of X, from the lower or the upper half. */
static inline AVX512 __m512d half_of(__m512 x, int upper)
{
    __m512d bits = _mm512_castps_pd(x);

    return _mm512_cvtps_pd(
        _mm256_castpd_ps(upper ? _mm512_extractf64x4_pd(bits, 1) : _mm512_castpd512_pd256(bits)));
}

static inline AVX512 __m512 of_halves(__m512d lower, __m512d upper)
{
    __m512d y = _mm512_castpd256_pd512(_mm256_castps_pd(_mm512_cvtpd_ps(lower)));

    return _mm512_castpd_ps(_mm512_insertf64x4(y, _mm256_castps_pd(_mm512_cvtpd_ps(upper)), 1));
}

static inline AVX512 __m512 but_one(__m512 y)
{
    __mmask16 wrong = _mm512_cmp_ps_mask(y, _mm512_set1_ps(MATHS_EXP_WRONG), _CMP_EQ_OQ);

    return _mm512_mask_mov_ps(y, wrong, _mm512_set1_ps(MATHS_EXP_RIGHT));
}

enum { PART = 32 };

/* Four vectors are computed side by side: one while another waits for its product or sum. A NaN is
 * the second operand of max and min, which they return then. */
static inline AVX512 void exp_part(float *to, const float *from, __m512 less)
{
    const __m512 least = _mm512_set1_ps(MATHS_EXP_LOW), most = _mm512_set1_ps(MATHS_EXP_HIGH);
    __m512d y[4];

    for (int i = 0; i < 2; i++) {
        __m512 x = _mm512_max_ps(least, _mm512_loadu_ps(from + 16 * i) - less);

        x = _mm512_min_ps(most, x);
        y[2 * i] = half_of(x, 0);
        y[2 * i + 1] = half_of(x, 1);
    }
    for (int i = 0; i < 4; i++)
        y[i] = exp_near(y[i]);
    for (int i = 0; i < 2; i++)
        _mm512_storeu_ps(to + 16 * i, but_one(of_halves(y[2 * i], y[2 * i + 1])));
}

static AVX512 void exp_avx512(float *to, const float *from, int64_t n, float less)
{
    float last[PART] = {0};
    int64_t i = 0;

    for (; i + PART <= n; i += PART)
        exp_part(to + i, from + i, _mm512_set1_ps(less));
    if (i == n)
        return;
    memcpy(last, from + i, (size_t)(n - i) * sizeof *last);
    exp_part(last, last, _mm512_set1_ps(less));
    memcpy(to + i, last, (size_t)(n - i) * sizeof *last);
}
#endif

maths_exp_row_fn *maths_exp_row_of(maths_width width)
{
#ifdef HAS_X86
    __builtin_cpu_init();
    if (width == MATHS_AVX512 && __builtin_cpu_supports("avx512f"))
        return exp_avx512;
    if (width == MATHS_AVX2 && __builtin_cpu_supports("avx2"))
        return exp_avx2;
#endif
    return width == MATHS_PLAIN ? exp_plain : NULL;
}

void maths_exp_row(float *to, const float *from, int64_t n, float less)
{
    maths_exp_row_fn *row = NULL;

    for (int width = MATHS_AVX512; !row; width--)
        row = maths_exp_row_of((maths_width)width);
    row(to, from, n, less);
}

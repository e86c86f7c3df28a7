/* exp and quotients for rows. The compiler vectorizes a loop over maths_exp by itself, but reads
 * its table one number at a time. Where two vectors hold the whole table, one instruction reads
 * eight. There products are fused with sums, which round less often. No bit of a result depends on
 * that: it is the float nearest to the true value, as with maths_exp, and tests/maths/exhaustive.c
 * compares the rows of every width with maths_exp for all 2^32 floats. */
#include "interp/maths/rows.h"

#include "interp/maths/maths.h"

#if defined __x86_64__ && defined __GNUC__
#define HAS_X86
#include "interp/maths/erf_avx2.h"
#include "interp/maths/exp_avx2.h"
#endif

/* Adds element I of X to LANE[I % MATHS_LANES]. */
static inline __attribute__((always_inline)) void add_lanes(float *restrict lane, const float *x,
                                                            int64_t n)
{
    int64_t i = 0;

    for (; i + MATHS_LANES <= n; i += MATHS_LANES) {
        _Pragma("omp simd") for (int k = 0; k < MATHS_LANES; k++) lane[k] += x[i + k];
    }
    for (; i < n; i++)
        lane[i % MATHS_LANES] += x[i];
}

static float sum_of_lanes(const float *lane)
{
    float sum = 0;

    for (int k = 0; k < MATHS_LANES; k++)
        sum += lane[k];
    return sum;
}

/* Sets TO to exponentials with ROW, and returns their sum. */
static float exp_then_sum(maths_exp_row_fn *row, float *to, const float *from, int64_t n,
                          float less)
{
    float lane[MATHS_LANES] = {0};

    row(to, from, n, less);
    add_lanes(lane, to, n);
    return sum_of_lanes(lane);
}

static void exp_plain(float *to, const float *from, int64_t n, float less)
{
    _Pragma("omp simd") for (int64_t i = 0; i < n; i++) to[i] = maths_exp(from[i] - less);
}

static inline __attribute__((always_inline)) void divide(float *y, int64_t n, float by)
{
    _Pragma("omp simd") for (int64_t i = 0; i < n; i++) y[i] /= by;
}

static void divide_plain(float *y, int64_t n, float by)
{
    divide(y, n, by);
}

static float exp_sum_plain(float *to, const float *from, int64_t n, float less, float *was,
                           float by)
{
    if (was)
        divide_plain(was, n, by);
    return exp_then_sum(exp_plain, to, from, n, less);
}

static void erf_plain(float *to, const float *from, int64_t n)
{
    _Pragma("omp simd") for (int64_t i = 0; i < n; i++) to[i] = maths_erf(from[i]);
}

#ifdef HAS_X86
static ERF_AVX2 void erf_avx2(float *to, const float *from, int64_t n)
{
    float last[ERF_PART] = {0};
    int64_t i = 0;

    for (; i + ERF_PART <= n; i += ERF_PART)
        erf_part(to + i, from + i);
    memcpy(last, from + i, (size_t)(n - i) * sizeof *last);
    erf_part(last, last);
    memcpy(to + i, last, (size_t)(n - i) * sizeof *last);
}

/* Does so for the last SIZE floats, or for some that are where they came from. */
static EXP_AVX2 void exp_part_avx2(float *to, const float *from, int size, float less)
{
    float x[EXP_TILE], y[EXP_TILE];
    int whole = (size + EXP_PAIR - 1) / EXP_PAIR * EXP_PAIR;

    for (int i = size; i < whole; i++)
        x[i] = less;
    memcpy(x, from, (size_t)size * sizeof *x);
    exp_tile(y, x, whole, less);
    memcpy(to, y, (size_t)size * sizeof *y);
}

static EXP_AVX2 void exp_avx2(float *to, const float *from, int64_t n, float less)
{
    int64_t i = 0;

    for (; to != from && i + EXP_TILE <= n; i += EXP_TILE)
        exp_tile(to + i, from + i, EXP_TILE, less);
    for (; i < n; i += EXP_TILE)
        exp_part_avx2(to + i, from + i, n - i < EXP_TILE ? (int)(n - i) : EXP_TILE, less);
}

static EXP_AVX2 void divide_avx2(float *y, int64_t n, float by)
{
    divide(y, n, by);
}

static EXP_AVX2 float exp_sum_avx2(float *to, const float *from, int64_t n, float less, float *was,
                                   float by)
{
    struct exp_sums sums = {{_mm256_setzero_ps(), _mm256_setzero_ps()}};
    float lane[MATHS_LANES];
    int64_t i = 0;

    for (; to != from && was && i + EXP_TILE <= n; i += EXP_TILE)
        exp_sum_tile(to + i, from + i, less, &sums, was + i, by);
    if (was)
        divide(was + i, n - i, by);
    for (; to != from && i + EXP_TILE <= n; i += EXP_TILE)
        exp_sum_tile(to + i, from + i, less, &sums, NULL, 1);
    memcpy(lane, sums.lane, sizeof lane);
    for (; i < n; i += EXP_TILE) {
        int size = n - i < EXP_TILE ? (int)(n - i) : EXP_TILE;

        exp_part_avx2(to + i, from + i, size, less);
        add_lanes(lane, to + i, size);
    }
    return sum_of_lanes(lane);
}

#define AVX512 __attribute__((target("avx512f")))

#define FUSED_FIRST(c) _mm512_set1_pd(c)
#define FUSED_STEP(y, x, c) _mm512_fmadd_pd(y, x, _mm512_set1_pd(c))

/* Does what maths_exp_near_d does, with fused products. */
static inline AVX512 __m512d exp_near(__m512d x)
{
    const __m512d low = _mm512_loadu_pd(maths_exp2_whole);
    const __m512d high = _mm512_loadu_pd(maths_exp2_whole + 8);
    const __m512d per_ln2 = _mm512_set1_pd(MATHS_PER_LN2), shift = _mm512_set1_pd(MATHS_SHIFT_16);
    __m512d shifted = _mm512_fmadd_pd(x, per_ln2, shift);
    __m512d f = _mm512_fmsub_pd(x, per_ln2, shifted - shift);
    __m512i n = _mm512_castpd_si512(shifted);
    __m512i at = _mm512_castpd_si512(_mm512_permutex2var_pd(low, n, high));
    __m512d whole = _mm512_castsi512_pd(_mm512_add_epi64(at, _mm512_slli_epi64(n, 48)));

    return _mm512_fmadd_pd(whole, MATHS_POLY_EXP2(FUSED_FIRST, FUSED_STEP, f) * f, whole);
}

static inline AVX512 __m256 but_one(__m256 y)
{
    __m256 wrong = _mm256_cmp_ps(y, _mm256_set1_ps(MATHS_EXP_WRONG), _CMP_EQ_OQ);

    return _mm256_blendv_ps(y, _mm256_set1_ps(MATHS_EXP_RIGHT), wrong);
}

enum { HALF = 8, PART = 4 * HALF };

/* Four vectors are computed side by side: one while another waits for its product or sum. A NaN is
 * the second operand of max and min, which they return then. */
static inline AVX512 void exp_part(float *to, const float *from, __m256 less)
{
    const __m256 least = _mm256_set1_ps(MATHS_EXP_LOW), most = _mm256_set1_ps(MATHS_EXP_HIGH);
    __m512d y[4];

    for (int i = 0; i < 4; i++) {
        __m256 x = _mm256_max_ps(least, _mm256_loadu_ps(from + HALF * i) - less);

        y[i] = _mm512_cvtps_pd(_mm256_min_ps(most, x));
    }
    for (int i = 0; i < 4; i++)
        y[i] = exp_near(y[i]);
    for (int i = 0; i < 4; i++)
        _mm256_storeu_ps(to + HALF * i, but_one(_mm512_cvtpd_ps(y[i])));
}

static AVX512 void exp_avx512(float *to, const float *from, int64_t n, float less)
{
    float last[PART] = {0};
    int64_t i = 0;

    for (; i + PART <= n; i += PART)
        exp_part(to + i, from + i, _mm256_set1_ps(less));
    if (i == n)
        return;
    memcpy(last, from + i, (size_t)(n - i) * sizeof *last);
    exp_part(last, last, _mm256_set1_ps(less));
    memcpy(to + i, last, (size_t)(n - i) * sizeof *last);
}

static AVX512 void divide_avx512(float *y, int64_t n, float by)
{
    divide(y, n, by);
}

static float exp_sum_avx512(float *to, const float *from, int64_t n, float less, float *was,
                            float by)
{
    if (was)
        divide_avx512(was, n, by);
    return exp_then_sum(exp_avx512, to, from, n, less);
}
#endif

const maths_rows *maths_rows_of(maths_width width)
{
    static const maths_rows plain = {exp_plain, exp_sum_plain, divide_plain, erf_plain};
#ifdef HAS_X86
    static const maths_rows avx2 = {exp_avx2, exp_sum_avx2, divide_avx2, erf_avx2};
    static const maths_rows avx512 = {exp_avx512, exp_sum_avx512, divide_avx512, erf_avx2};

    __builtin_cpu_init();
    if (width == MATHS_AVX512 && __builtin_cpu_supports("avx512f"))
        return &avx512;
    if (width == MATHS_AVX2 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return &avx2;
#endif
    return width == MATHS_PLAIN ? &plain : NULL;
}

static const maths_rows *best_rows(void)
{
    const maths_rows *rows = NULL;

    for (int width = MATHS_AVX512; !rows; width--)
        rows = maths_rows_of((maths_width)width);
    return rows;
}

void maths_exp_row(float *to, const float *from, int64_t n, float less)
{
    best_rows()->exp(to, from, n, less);
}

float maths_exp_sum_row(float *to, const float *from, int64_t n, float less, float *was, float by)
{
    return best_rows()->exp_sum(to, from, n, less, was, by);
}

void maths_divide_row(float *y, int64_t n, float by)
{
    best_rows()->divide(y, n, by);
}

void maths_erf_row(float *to, const float *from, int64_t n)
{
    best_rows()->erf(to, from, n);
}

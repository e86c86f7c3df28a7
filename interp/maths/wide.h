/* The functions of rows.def in vectors, for processors with AVX-512, and with AVX2. Private to
 * interp/maths/; rows.c includes it behind the plain rows.
 *
 * The functions of wide_loop.h are computed in doubles, within 2^-38 of the true value, and are
 * much simpler than those of maths.h, which are within 2^-45. Such a double rounds to the float
 * that the function of maths.h gives, unless it is as close to the middle between two floats. Those
 * of pairs_loop.h are computed in pairs of floats, of which a vector holds twice as many; they give
 * a float rounded from below and one rounded from above, which must be the same (Ziv, "Fast
 * evaluation of elementary mathematical functions with correctly rounded last bit", 1991). A float
 * that is not decided so, a subnormal result, or that of an x beyond the ends of the functions is
 * computed by the function of maths.h, and in wide_loop.h all floats beside it. So no bit depends
 * on what is done here; tests/maths/exhaustive.c compares all 2^32 floats. */
#ifndef INLAY_MATHS_WIDE_H
#define INLAY_MATHS_WIDE_H

#include "interp/maths/maths.h"

#include <immintrin.h>

/* Vectors of doubles that are computed side by side. */
#define WIDE_VECTORS 4

/* The 29 lowest bits of a double, which a float has no place for, are within 2^15 of the middle,
 * 2^28, if all bits of WIDE_FAR are 0 in their sum with WIDE_NEAR. */
#define WIDE_NEAR ((INT64_C(1) << 15) - (INT64_C(1) << 28))
#define WIDE_FAR ((INT64_C(1) << 29) - (INT64_C(1) << 16))

/* Before functions of a list that some width needs not. */
#define MAY_REST __attribute__((unused))

/* The sum of it and a float of at most 2^22 is rounded to an integer. */
#define PAIRS_SHIFT 0x1.8p23F

#define STEP(y, x, c) FUSED(y, x, ALL(c))
#define EACH for (int i = 0; i < WIDE_VECTORS; i++)

/* Sets Y to the function of X in table NAME. */
#define PIECES(y, x, NAME, name)                                                                   \
    AT(pieces)                                                                                     \
    (y, x, MATHS_PER_PIECE_##NAME, maths_pieces_##name,                                            \
     sizeof maths_pieces_##name / sizeof *maths_pieces_##name)

/* Defines what computes a part of a row of NAME, whose x are from LEAST to MOST. */
#define WIDE_PART(name, plain, least, most)                                                        \
    WIDTH_INLINE void AT(name##_part)(float *to, const float *from, double a, double b)            \
    {                                                                                              \
        vec x[WIDE_VECTORS], y[WIDE_VECTORS];                                                      \
        bool inside = AT(load)(x, from, (float)(least), (float)(most));                            \
                                                                                                   \
        AT(name)(y, x, a, b);                                                                      \
        if (!AT(store)(to, y, inside))                                                             \
            AT(plain##_plain)(to, from, AT(PART), a, b);                                           \
    }                                                                                              \
    WIDTH_ROW(name)

/* Defines a row of parts. */
#define WIDTH_ROW(name)                                                                            \
    static WIDTH_CODE void AT(name##_row)(float *to, const float *from, int64_t n, double a,       \
                                          double b)                                                \
    {                                                                                              \
        float last[AT(PART)] = {0};                                                                \
        int64_t i = 0;                                                                             \
                                                                                                   \
        for (; i + AT(PART) <= n; i += AT(PART))                                                   \
            AT(name##_part)(to + i, from + i, a, b);                                               \
        if (i == n)                                                                                \
            return;                                                                                \
        memcpy(last, from + i, (size_t)(n - i) * sizeof *last);                                    \
        AT(name##_part)(last, last, a, b);                                                         \
        memcpy(to + i, last, (size_t)(n - i) * sizeof *last);                                      \
    }

#define AT(name) name##_avx512
#define WIDTH_CODE __attribute__((target("avx512f,avx512dq,avx512vl,fma"), noinline))
#define WIDTH_INLINE                                                                               \
    static inline __attribute__((target("avx512f,avx512dq,avx512vl,fma"), always_inline))
#define ROW(name, form)                                                                            \
    PLAIN_ROW(MAY_REST WIDTH_CODE, AT(name##_plain), form)                                         \
    WIDTH_INLINE float AT(name##_one)(float x, double a, double b)                                 \
    {                                                                                              \
        (void)a, (void)b;                                                                          \
        return form;                                                                               \
    }
#include "interp/maths/rows.def"
#undef ROW

#define vec __m512d
#define FUSED(x, y, z) _mm512_fmadd_pd(x, y, z)
#define ALL(c) _mm512_set1_pd(c)
#define SHIFT MATHS_SHIFT_16
#define POLY MATHS_POLY_EXP2_SHORT
#define WIDE_TABLES
#define GELU_LEAST (-5.5)
enum { PART_avx512 = 8 * WIDE_VECTORS };

/* Returns 2^(n / 16), where n is in the lowest bits of SHIFTED. */
WIDTH_INLINE vec power_avx512(vec shifted)
{
    const __m512i low = _mm512_loadu_si512(maths_exp2_whole);
    const __m512i high = _mm512_loadu_si512(maths_exp2_whole + 8);
    __m512i n = _mm512_castpd_si512(shifted), at = _mm512_permutex2var_epi64(low, n, high);

    return _mm512_castsi512_pd(_mm512_add_epi64(at, _mm512_slli_epi64(n, 48)));
}

/* Returns number N of ROW, N being in the lowest bits. */
WIDTH_INLINE vec pick_avx512(const double *row, vec n)
{
    return _mm512_permutex2var_pd(_mm512_loadu_pd(row), _mm512_castpd_si512(n),
                                  _mm512_loadu_pd(row + 8));
}

/* Of min and max the second operand is returned if it is a NaN, or if both are zeros. */
WIDTH_INLINE vec smaller_avx512(vec x, vec y)
{
    return _mm512_min_pd(x, y);
}

WIDTH_INLINE vec larger_avx512(vec x, vec y)
{
    return _mm512_max_pd(x, y);
}

WIDTH_INLINE vec absolute_avx512(vec x)
{
    return _mm512_abs_pd(x);
}

/* Returns X, whose sign is that of S unless it is 0, with that sign. */
WIDTH_INLINE vec with_sign_avx512(vec x, vec s)
{
    return _mm512_or_pd(x, _mm512_and_pd(s, ALL(-0.0)));
}

WIDTH_INLINE vec if_positive_avx512(vec x, vec y, vec z)
{
    return _mm512_mask_blend_pd(_mm512_cmp_pd_mask(x, ALL(0), _CMP_GT_OQ), z, y);
}

/* Returns the root of X >= 0 within 2^-50, by two steps of Newton from an estimate. */
WIDTH_INLINE vec root_avx512(vec x)
{
    vec r = _mm512_rsqrt14_pd(larger_avx512(x, ALL(0x1p-200))), half = ALL(0.5) * x, y;

    r = FUSED(r, _mm512_fnmadd_pd(half * r, r, ALL(0.5)), r);
    y = x * r;
    return FUSED(_mm512_fnmadd_pd(y, y, x), ALL(0.5) * r, y);
}

WIDTH_INLINE bool are_below_avx512(const vec *x, double most)
{
    __mmask8 below = 0xff;

    for (int i = 0; i < WIDE_VECTORS; i++)
        below = _mm512_mask_cmp_pd_mask(below, x[i], ALL(most), _CMP_LT_OQ);
    return below == 0xff;
}

/* Sets X to the floats of FROM. Returns whether all of them are from LEAST to MOST. */
WIDTH_INLINE bool load_avx512(vec *x, const float *from, float least, float most)
{
    __mmask8 in = 0xff;

    for (int i = 0; i < WIDE_VECTORS; i++) {
        __m256 eight = _mm256_loadu_ps(from + 8 * i);

        if (least > -INFINITY)
            in = _mm256_mask_cmp_ps_mask(in, eight, _mm256_set1_ps(least), _CMP_GE_OQ);
        if (most < INFINITY)
            in = _mm256_mask_cmp_ps_mask(in, eight, _mm256_set1_ps(most), _CMP_LE_OQ);
        x[i] = _mm512_cvtps_pd(eight);
    }
    return in == 0xff;
}

/* Sets TO to Y, if INSIDE, all of Y are sure, and none is subnormal. Returns whether it does so. */
WIDTH_INLINE bool store_avx512(float *to, const vec *y, bool inside)
{
    const __m512i near = _mm512_set1_epi64(WIDE_NEAR), far = _mm512_set1_epi64(WIDE_FAR);
    __mmask8 sure = 0xff, subnormal = 0;
    __m256 eight[WIDE_VECTORS];

    for (int i = 0; i < WIDE_VECTORS; i++) {
        eight[i] = _mm512_cvtpd_ps(y[i]);
        sure = _mm512_mask_test_epi64_mask(sure, _mm512_add_epi64(_mm512_castpd_si512(y[i]), near),
                                           far);
        subnormal |= _mm256_fpclass_ps_mask(eight[i], 0x20);
    }
    if (!inside || sure != 0xff || subnormal)
        return false;
    for (int i = 0; i < WIDE_VECTORS; i++)
        _mm256_storeu_ps(to + 8 * i, eight[i]);
    return true;
}

#include "interp/maths/wide_loop.h"
#undef vec
#undef FUSED
#undef ALL
#undef SHIFT
#undef POLY
#undef WIDE_TABLES
#undef GELU_LEAST

#define PAIRS(name) name##_pairs_avx512
#define vec __m512
#define FUSED(x, y, z) _mm512_fmadd_ps(x, y, z)
#define LESS(x, y, z) _mm512_fnmadd_ps(x, y, z)
#define MINUS(x, y, z) _mm512_fnmsub_ps(x, y, z)
#define ALL(c) _mm512_set1_ps(c)
#define PER_LN2 MATHS_PER_THIRTYSECOND
#define PART MATHS_THIRTYSECOND_HIGH
#define PART_LOW MATHS_THIRTYSECOND_LOW
#define POLY MATHS_POLY_EXP_THIRTYSECOND
#define UNSURE MATHS_UNSURE_THIRTYSECOND
#define LEFT maths_exp_thirtyseconds_left
#define LEFT_LESS maths_exp_thirtyseconds_less
#define SIDE 4
#define SUM_SIDE 4
#define MOST_SIDE 6
enum { PAIRS(LANES) = 16 };

/* Returns 2^(n / 32), where n is in the lowest bits of SHIFTED. */
WIDTH_INLINE vec power_pairs_avx512(vec shifted)
{
    const __m512i low = _mm512_loadu_si512(maths_exp_thirtyseconds);
    const __m512i high = _mm512_loadu_si512(maths_exp_thirtyseconds + 16);
    __m512i n = _mm512_castps_si512(shifted), at = _mm512_permutex2var_epi32(low, n, high);

    return _mm512_castsi512_ps(_mm512_add_epi32(at, _mm512_slli_epi32(n, 18)));
}

/* Returns what the logarithm of that is less than it should be. */
WIDTH_INLINE vec left_pairs_avx512(vec shifted, const float *left)
{
    return _mm512_permutex2var_ps(_mm512_loadu_ps(left), _mm512_castps_si512(shifted),
                                  _mm512_loadu_ps(left + 16));
}

WIDTH_INLINE vec inverse_pairs_avx512(vec x)
{
    return _mm512_rcp14_ps(x);
}

WIDTH_INLINE vec smaller_pairs_avx512(vec x, vec y)
{
    return _mm512_min_ps(x, y);
}

/* Returns the lanes of X that are below LEAST. */
WIDTH_INLINE uint32_t lanes_below_pairs_avx512(vec x, float least)
{
    return _mm512_cmp_ps_mask(x, ALL(least), _CMP_LT_OQ);
}

/* Returns Y with 0 in these lanes. */
WIDTH_INLINE vec where_not_below_pairs_avx512(vec y, vec x, float least)
{
    return _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(x, ALL(least), _CMP_NLT_UQ), y);
}

/* Returns lane K of X. */
WIDTH_INLINE float lane_pairs_avx512(vec x, int k)
{
    return _mm512_cvtss_f32(_mm512_permutexvar_ps(_mm512_set1_epi32(k), x));
}

/* Returns X with Y in lane K. */
WIDTH_INLINE vec with_lane_pairs_avx512(vec x, int k, float y)
{
    return _mm512_mask_mov_ps(x, (__mmask16)(1U << k), ALL(y));
}

WIDTH_INLINE vec larger_pairs_avx512(vec x, vec y)
{
    return _mm512_max_ps(x, y);
}

/* Returns the largest lane of X, in which there is no NaN. */
WIDTH_INLINE float largest_lane_pairs_avx512(vec x)
{
    return _mm512_reduce_max_ps(x);
}

WIDTH_INLINE vec load_pairs_avx512(const float *from)
{
    return _mm512_loadu_ps(from);
}

WIDTH_INLINE void store_pairs_avx512(float *to, vec x)
{
    _mm512_storeu_ps(to, x);
}

/* The lanes of the first N floats. */
WIDTH_INLINE __mmask16 first_pairs_avx512(int64_t n)
{
    return (__mmask16)(n < 16 ? (1U << (n > 0 ? n : 0)) - 1 : 0xffff);
}

/* Returns the N floats of FROM, as many as there are lanes, and zeros. */
WIDTH_INLINE vec load_some_pairs_avx512(const float *from, int64_t n)
{
    return _mm512_maskz_loadu_ps(first_pairs_avx512(n), from);
}

/* The same, and OTHER for zeros. */
WIDTH_INLINE vec load_or_pairs_avx512(const float *from, int64_t n, float other)
{
    return _mm512_mask_loadu_ps(ALL(other), first_pairs_avx512(n), from);
}

/* Returns X with zeros behind the first N. */
WIDTH_INLINE vec first_of_pairs_avx512(vec x, int64_t n)
{
    return _mm512_maskz_mov_ps(first_pairs_avx512(n), x);
}

WIDTH_INLINE void store_some_pairs_avx512(float *to, vec x, int64_t n)
{
    _mm512_mask_storeu_ps(to, first_pairs_avx512(n), x);
}

WIDTH_INLINE vec absolute_pairs_avx512(vec x)
{
    return _mm512_abs_ps(x);
}

WIDTH_INLINE vec with_sign_pairs_avx512(vec x, vec s)
{
    return _mm512_or_ps(x, _mm512_and_ps(s, ALL(-0.0F)));
}

/* Returns the lanes where LOW and HIGH differ, or X is not from LEAST to MOST, which is -LEAST or
 * infinite. */
WIDTH_INLINE uint32_t unsure_pairs_avx512(vec x, vec low, vec high, float least, float most)
{
    __mmask16 sure = _mm512_cmp_ps_mask(low, high, _CMP_EQ_OQ);

    if (most < INFINITY)
        sure = _mm512_mask_cmp_ps_mask(sure, _mm512_abs_ps(x), ALL(most), _CMP_LE_OQ);
    else if (least > -INFINITY)
        sure = _mm512_mask_cmp_ps_mask(sure, x, ALL(least), _CMP_GE_OQ);
    return sure ^ 0xffffU;
}

/* Whether no lane of COUNT vectors is unsure. X are compared with the ends all at once: of NaN, of
 * which there may be some beside others, LOW and HIGH are NaN, too. */
WIDTH_INLINE bool are_sure_pairs_avx512(const vec *x, const vec *low, const vec *high, float least,
                                        float most, int count)
{
    enum { LARGER_MAGNITUDE = 11 };
    __mmask16 unsure = _mm512_cmp_ps_mask(low[0], high[0], _CMP_NEQ_UQ);
    vec far = most < INFINITY ? _mm512_abs_ps(x[0]) : x[0];

    for (int i = 1; i < count; i++) {
        unsure |= _mm512_cmp_ps_mask(low[i], high[i], _CMP_NEQ_UQ);
        far = most < INFINITY ? _mm512_range_ps(far, x[i], LARGER_MAGNITUDE)
                              : _mm512_min_ps(far, x[i]);
    }
    if (most < INFINITY)
        unsure |= _mm512_cmp_ps_mask(far, ALL(most), _CMP_NLE_UQ);
    else if (least > -INFINITY)
        unsure |= _mm512_cmp_ps_mask(far, ALL(least), _CMP_NGE_UQ);
    return unsure == 0;
}

/* Adds the lanes of E where X is not 0 to SUM. Returns how many they are. */
WIDTH_INLINE int add_others_pairs_avx512(vec *sum, vec x, vec e)
{
    __mmask16 others = _mm512_cmp_ps_mask(x, ALL(0), _CMP_NEQ_UQ);

    *sum = _mm512_mask_add_ps(*sum, others, *sum, e);
    return __builtin_popcount(others);
}

#include "interp/maths/pairs_loop.h"
#undef PAIRS
#undef vec
#undef FUSED
#undef LESS
#undef MINUS
#undef ALL
#undef PER_LN2
#undef PART
#undef PART_LOW
#undef POLY
#undef UNSURE
#undef SIDE
#undef SUM_SIDE
#undef MOST_SIDE
#undef LEFT
#undef LEFT_LESS
#undef AT
#undef WIDTH_CODE
#undef WIDTH_INLINE

#define AT(name) name##_avx2
#define WIDTH_CODE __attribute__((target("avx2,fma"), noinline))
#define WIDTH_INLINE static inline __attribute__((target("avx2,fma"), always_inline))
#define ROW(name, form)                                                                            \
    PLAIN_ROW(MAY_REST WIDTH_CODE, AT(name##_plain), form)                                         \
    WIDTH_INLINE float AT(name##_one)(float x, double a, double b)                                 \
    {                                                                                              \
        (void)a, (void)b;                                                                          \
        return form;                                                                               \
    }
#include "interp/maths/rows.def"
#undef ROW

#define vec __m256d
#define FUSED(x, y, z) _mm256_fmadd_pd(x, y, z)
#define ALL(c) _mm256_set1_pd(c)
#define SHIFT (MATHS_SHIFT / 2)
#define POLY MATHS_POLY_EXP2_HALF
#define GELU_LEAST (-8)
enum { PART_avx2 = 4 * WIDE_VECTORS };

/* Returns 2^(n / 2), where n is in the lowest bits of SHIFTED. The bits of the root of 2 less 2^51
 * are those of another number. */
WIDTH_INLINE vec power_avx2(vec shifted)
{
    const vec roots = _mm256_setr_pd(1, 0x1.ea09e667f3bcdp-1, 1, 0x1.ea09e667f3bcdp-1);
    __m256i n = _mm256_castpd_si256(shifted);
    vec at = _mm256_permutevar_pd(roots, _mm256_slli_epi64(n, 1));

    return _mm256_castsi256_pd(_mm256_add_epi64(_mm256_castpd_si256(at), _mm256_slli_epi64(n, 51)));
}

WIDTH_INLINE vec pick_avx2(const double *row, vec n)
{
    const __m256i mask = _mm256_set1_epi64x(15);

    return _mm256_i64gather_pd(row, _mm256_and_si256(_mm256_castpd_si256(n), mask), 8);
}

WIDTH_INLINE vec smaller_avx2(vec x, vec y)
{
    return _mm256_min_pd(x, y);
}

WIDTH_INLINE vec larger_avx2(vec x, vec y)
{
    return _mm256_max_pd(x, y);
}

WIDTH_INLINE vec absolute_avx2(vec x)
{
    return _mm256_andnot_pd(ALL(-0.0), x);
}

WIDTH_INLINE vec with_sign_avx2(vec x, vec s)
{
    return _mm256_or_pd(x, _mm256_and_pd(s, ALL(-0.0)));
}

WIDTH_INLINE vec if_positive_avx2(vec x, vec y, vec z)
{
    return _mm256_blendv_pd(z, y, _mm256_cmp_pd(x, ALL(0), _CMP_GT_OQ));
}

WIDTH_INLINE vec root_avx2(vec x)
{
    return _mm256_sqrt_pd(x);
}

WIDTH_INLINE bool load_avx2(vec *x, const float *from, float least, float most)
{
    __m128 out = _mm_setzero_ps();

    for (int i = 0; i < WIDE_VECTORS; i++) {
        __m128 four = _mm_loadu_ps(from + 4 * i);

        out = _mm_or_ps(out, _mm_cmp_ps(four, _mm_set1_ps(least), _CMP_NGE_UQ));
        out = _mm_or_ps(out, _mm_cmp_ps(four, _mm_set1_ps(most), _CMP_NLE_UQ));
        x[i] = _mm256_cvtps_pd(four);
    }
    return !_mm_movemask_ps(out);
}

WIDTH_INLINE bool store_avx2(float *to, const vec *y, bool inside)
{
    const __m256i near = _mm256_set1_epi64x(WIDE_NEAR), far = _mm256_set1_epi64x(WIDE_FAR);
    const __m128i normal = _mm_set1_epi32(0x00800000), zero = _mm_setzero_si128();
    __m256i unsure = _mm256_setzero_si256();
    __m128i subnormal = zero;
    __m128 four[WIDE_VECTORS];

    for (int i = 0; i < WIDE_VECTORS; i++) {
        __m256i rest = _mm256_add_epi64(_mm256_castpd_si256(y[i]), near);
        __m256i middle = _mm256_cmpeq_epi64(_mm256_and_si256(rest, far), _mm256_setzero_si256());
        __m128i bits;

        four[i] = _mm256_cvtpd_ps(y[i]);
        bits = _mm_and_si128(_mm_castps_si128(four[i]), _mm_set1_epi32(INT32_MAX));
        bits = _mm_and_si128(_mm_cmpgt_epi32(bits, zero), _mm_cmplt_epi32(bits, normal));
        unsure = _mm256_or_si256(unsure, middle);
        subnormal = _mm_or_si128(subnormal, bits);
    }
    if (!inside || _mm256_movemask_epi8(unsure) || _mm_movemask_epi8(subnormal))
        return false;
    for (int i = 0; i < WIDE_VECTORS; i++)
        _mm_storeu_ps(to + 4 * i, four[i]);
    return true;
}

#include "interp/maths/wide_loop.h"
#undef vec
#undef FUSED
#undef ALL
#undef SHIFT
#undef POLY
#undef GELU_LEAST
#undef EACH
#undef PIECES
#undef WIDE_PART

#define PAIRS(name) name##_pairs_avx2
#define vec __m256
#define FUSED(x, y, z) _mm256_fmadd_ps(x, y, z)
#define LESS(x, y, z) _mm256_fnmadd_ps(x, y, z)
#define MINUS(x, y, z) _mm256_fnmsub_ps(x, y, z)
#define ALL(c) _mm256_set1_ps(c)
#define PER_LN2 MATHS_PER_SIXTEENTH
#define PART MATHS_SIXTEENTH_HIGH
#define PART_LOW MATHS_SIXTEENTH_LOW
#define POLY MATHS_POLY_EXP_SIXTEENTH
#define UNSURE MATHS_UNSURE_SIXTEENTH
#define LEFT maths_exp_sixteenths_left
#define LEFT_LESS maths_exp_sixteenths_less
#define SIDE 3
#define SUM_SIDE 2
#define MOST_SIDE SIDE
enum { PAIRS(LANES) = 8 };

/* Returns number n of TABLE, where n is in the lowest bits of SHIFTED. */
WIDTH_INLINE vec pick_pairs_avx2(const float *table, vec shifted)
{
    __m256i n = _mm256_castps_si256(shifted);
    vec low = _mm256_permutevar8x32_ps(_mm256_loadu_ps(table), n);
    vec high = _mm256_permutevar8x32_ps(_mm256_loadu_ps(table + 8), n);

    return _mm256_blendv_ps(low, high, _mm256_castsi256_ps(_mm256_slli_epi32(n, 28)));
}

WIDTH_INLINE vec power_pairs_avx2(vec shifted)
{
    vec at = pick_pairs_avx2((const float *)(const void *)maths_exp_sixteenths, shifted);
    __m256i n = _mm256_slli_epi32(_mm256_castps_si256(shifted), 19);

    return _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(at), n));
}

WIDTH_INLINE vec left_pairs_avx2(vec shifted, const float *left)
{
    return pick_pairs_avx2(left, shifted);
}

WIDTH_INLINE vec inverse_pairs_avx2(vec x)
{
    return ALL(1) / x;
}

WIDTH_INLINE vec smaller_pairs_avx2(vec x, vec y)
{
    return _mm256_min_ps(x, y);
}

WIDTH_INLINE uint32_t lanes_below_pairs_avx2(vec x, float least)
{
    return (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(x, ALL(least), _CMP_LT_OQ));
}

WIDTH_INLINE vec where_not_below_pairs_avx2(vec y, vec x, float least)
{
    return _mm256_and_ps(_mm256_cmp_ps(x, ALL(least), _CMP_NLT_UQ), y);
}

WIDTH_INLINE float lane_pairs_avx2(vec x, int k)
{
    return _mm256_cvtss_f32(_mm256_permutevar8x32_ps(x, _mm256_set1_epi32(k)));
}

WIDTH_INLINE vec with_lane_pairs_avx2(vec x, int k, float y)
{
    const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    __m256i is_k = _mm256_cmpeq_epi32(lanes, _mm256_set1_epi32(k));

    return _mm256_blendv_ps(x, ALL(y), _mm256_castsi256_ps(is_k));
}

WIDTH_INLINE vec larger_pairs_avx2(vec x, vec y)
{
    return _mm256_max_ps(x, y);
}

WIDTH_INLINE float largest_lane_pairs_avx2(vec x)
{
    __m128 four = _mm_max_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
    __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));

    return _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)));
}

WIDTH_INLINE vec load_pairs_avx2(const float *from)
{
    return _mm256_loadu_ps(from);
}

WIDTH_INLINE void store_pairs_avx2(float *to, vec x)
{
    _mm256_storeu_ps(to, x);
}

WIDTH_INLINE vec absolute_pairs_avx2(vec x)
{
    return _mm256_andnot_ps(ALL(-0.0F), x);
}

WIDTH_INLINE vec with_sign_pairs_avx2(vec x, vec s)
{
    return _mm256_or_ps(x, _mm256_and_ps(s, ALL(-0.0F)));
}

WIDTH_INLINE __m256i first_pairs_avx2(int64_t n)
{
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(n < 8 ? (int)n : 8),
                              _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

WIDTH_INLINE vec load_some_pairs_avx2(const float *from, int64_t n)
{
    return _mm256_maskload_ps(from, first_pairs_avx2(n));
}

WIDTH_INLINE vec load_or_pairs_avx2(const float *from, int64_t n, float other)
{
    __m256i first = first_pairs_avx2(n);

    return _mm256_blendv_ps(ALL(other), _mm256_maskload_ps(from, first),
                            _mm256_castsi256_ps(first));
}

WIDTH_INLINE vec first_of_pairs_avx2(vec x, int64_t n)
{
    return _mm256_and_ps(x, _mm256_castsi256_ps(first_pairs_avx2(n)));
}

WIDTH_INLINE void store_some_pairs_avx2(float *to, vec x, int64_t n)
{
    _mm256_maskstore_ps(to, first_pairs_avx2(n), x);
}

WIDTH_INLINE vec unsure_lanes_pairs_avx2(vec x, vec low, vec high, float least, float most)
{
    vec below = most < INFINITY ? _mm256_or_ps(ALL(-0.0F), x) : x;
    vec unsure = _mm256_cmp_ps(low, high, _CMP_NEQ_UQ);

    if (least > -INFINITY)
        unsure = _mm256_or_ps(unsure, _mm256_cmp_ps(below, ALL(least), _CMP_NGE_UQ));
    return unsure;
}

WIDTH_INLINE uint32_t unsure_pairs_avx2(vec x, vec low, vec high, float least, float most)
{
    return (uint32_t)_mm256_movemask_ps(unsure_lanes_pairs_avx2(x, low, high, least, most));
}

WIDTH_INLINE bool are_sure_pairs_avx2(const vec *x, const vec *low, const vec *high, float least,
                                      float most, int count)
{
    vec unsure = _mm256_setzero_ps();

    for (int i = 0; i < count; i++)
        unsure = _mm256_or_ps(unsure, unsure_lanes_pairs_avx2(x[i], low[i], high[i], least, most));
    return !_mm256_movemask_ps(unsure);
}

WIDTH_INLINE int add_others_pairs_avx2(vec *sum, vec x, vec e)
{
    vec others = _mm256_cmp_ps(x, ALL(0), _CMP_NEQ_UQ);

    *sum += _mm256_and_ps(others, e);
    return __builtin_popcount((unsigned)_mm256_movemask_ps(others));
}

#include "interp/maths/pairs_loop.h"
#undef PAIRS
#undef vec
#undef FUSED
#undef LESS
#undef MINUS
#undef ALL
#undef PER_LN2
#undef PART
#undef PART_LOW
#undef POLY
#undef UNSURE
#undef SIDE
#undef SUM_SIDE
#undef MOST_SIDE
#undef LEFT
#undef LEFT_LESS
#undef AT
#undef WIDTH_CODE
#undef WIDTH_INLINE
#undef WIDTH_ROW
#undef STEP
#undef MAY_REST

#endif

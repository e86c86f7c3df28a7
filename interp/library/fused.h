/* Steps of sums of products (ir/OPERATIONS.md) for vectors: fused_SET(a, b, c) is A * B + C, rounded
 * once, where SET is the end of the names of a set of loops (tile.c, near.c, unpack.c).
 *
 * x86 without FMA has no such instruction. There a step is computed in doubles: a product of floats
 * is exact in these. Its sum with a third one, rounded to double and then to float, has the bits of
 * one rounding unless the double lies halfway between two floats: any other one is on the same side
 * of such a number as the exact sum. Where it does, or may, as the floats near it are subnormal, the
 * sum is rounded to odd: the nearest double is exchanged for its neighbour on the side of the rest,
 * if there is a rest and its last bit is 0. Doubles have more than two bits more than floats, so that
 * makes one rounding of two. The rest of an infinity or a NaN is NaN, and changes nothing. A step
 * takes some 22 instructions for four floats; doubles, for which this is no help, call `fma`. */
#ifndef INLAY_LIBRARY_FUSED_H
#define INLAY_LIBRARY_FUSED_H

#include <math.h>
#include <stdint.h>
#if defined __x86_64__
#include <immintrin.h>
#elif defined __aarch64__
#include <arm_neon.h>
#endif

/* A vector of X; what less 0 is X, also -0. */
#define FUSED_ALL(vector, x) ((x) - (vector){0})

/* In front of a loop over the vectors of a tile: their sums are registers only if it is unrolled
 * before all else. */
#ifdef __clang__
#define FUSED_UNROLLED _Pragma("clang loop unroll(full)")
#else
#define FUSED_UNROLLED _Pragma("GCC unroll 16")
#endif
/* Adds A * B to SUM by FUSED, one of those below, and keeps SUM in its register: GCC moves sums to
 * others and back otherwise. */
#define FUSED_ADD(fused, sum, a, b)                                                                \
    do {                                                                                           \
        sum = fused(a, b, sum);                                                                    \
        FUSED_STAYS(sum);                                                                          \
    } while (0)
#ifdef __x86_64__
#define FUSED_STAYS(x) __asm__("" : "+v"(x))
#else
#define FUSED_STAYS(x) (void)(x)
#endif

#define FUSED_FN static inline __attribute__((always_inline))
#define FUSED_AVX2 __attribute__((target("avx2,fma,f16c")))
#define FUSED_AVX512 __attribute__((target("avx512f,fma,f16c")))

#define DEFINE_FUSED(name, vector, target, fused)                                                  \
    FUSED_FN target vector fused_##name(vector a, vector b, vector c)                              \
    {                                                                                              \
        return fused;                                                                              \
    }

#if defined __x86_64__
static inline __m128d fused_to_odd(__m128d a, __m128d b, __m128d c)
{
    const __m128d none = _mm_setzero_pd();
    __m128d p = _mm_mul_pd(a, b), sum = _mm_add_pd(p, c), of_c = _mm_sub_pd(sum, p);
    __m128d rest = _mm_add_pd(_mm_sub_pd(p, _mm_sub_pd(sum, of_c)), _mm_sub_pd(c, of_c));
    __m128i has_rest =
        _mm_castpd_si128(_mm_or_pd(_mm_cmplt_pd(rest, none), _mm_cmpgt_pd(rest, none)));
    __m128i bits = _mm_castpd_si128(sum);
    __m128i is_below = _mm_srli_epi64(_mm_xor_si128(bits, _mm_castpd_si128(rest)), 63);
    __m128i odd = _mm_or_si128(_mm_sub_epi64(bits, is_below), _mm_set1_epi64x(1));

    return _mm_castsi128_pd(
        _mm_or_si128(_mm_and_si128(has_rest, odd), _mm_andnot_si128(has_rest, bits)));
}

/* The upper two floats of X as doubles. */
FUSED_FN __m128d fused_upper(__m128 x)
{
    return _mm_cvtps_pd(_mm_movehl_ps(x, x));
}

/* A step some of whose doubles lie halfway. It is rare. */
static __attribute__((noinline, unused)) __m128 fused_halfway(__m128 a, __m128 b, __m128 c)
{
    __m128d lower = fused_to_odd(_mm_cvtps_pd(a), _mm_cvtps_pd(b), _mm_cvtps_pd(c));
    __m128d upper = fused_to_odd(fused_upper(a), fused_upper(b), fused_upper(c));

    return _mm_movelh_ps(_mm_cvtpd_ps(lower), _mm_cvtpd_ps(upper));
}

FUSED_FN __m128 fused_f32_plain(__m128 a, __m128 b, __m128 c)
{
    __m128d x = _mm_add_pd(_mm_mul_pd(_mm_cvtps_pd(a), _mm_cvtps_pd(b)), _mm_cvtps_pd(c));
    __m128d y = _mm_add_pd(_mm_mul_pd(fused_upper(a), fused_upper(b)), fused_upper(c));
    /* The upper and the lower words of these four doubles. */
    __m128i signs_off = _mm_set1_epi32(0x7fffffff), normal = _mm_set1_epi32((1023 - 126) << 20);
    __m128i upper = _mm_and_si128(
        _mm_castps_si128(_mm_shuffle_ps(_mm_castpd_ps(x), _mm_castpd_ps(y), 0xdd)), signs_off);
    __m128i lower = _mm_castps_si128(_mm_shuffle_ps(_mm_castpd_ps(x), _mm_castpd_ps(y), 0x88));
    __m128i halfway = _mm_cmpeq_epi32(_mm_slli_epi32(lower, 3), _mm_set1_epi32(INT32_MIN));
    __m128i small =
        _mm_and_si128(_mm_cmplt_epi32(upper, normal), _mm_cmpgt_epi32(upper, _mm_setzero_si128()));

    if (__builtin_expect(_mm_movemask_epi8(_mm_or_si128(halfway, small)), 0))
        return fused_halfway(a, b, c);
    return _mm_movelh_ps(_mm_cvtpd_ps(x), _mm_cvtpd_ps(y));
}

DEFINE_FUSED(f64_plain, __m128d, , ((__m128d){fma(a[0], b[0], c[0]), fma(a[1], b[1], c[1])}))
DEFINE_FUSED(f32_avx2, __m256, FUSED_AVX2, _mm256_fmadd_ps(a, b, c))
DEFINE_FUSED(f64_avx2, __m256d, FUSED_AVX2, _mm256_fmadd_pd(a, b, c))
DEFINE_FUSED(f32_avx512, __m512, FUSED_AVX512, _mm512_fmadd_ps(a, b, c))
DEFINE_FUSED(f64_avx512, __m512d, FUSED_AVX512, _mm512_fmadd_pd(a, b, c))
DEFINE_FUSED(16_plain, __m128, , fused_f32_plain(a, b, c))
DEFINE_FUSED(16_avx2, __m128, FUSED_AVX2, _mm_fmadd_ps(a, b, c))
DEFINE_FUSED(32_avx2, __m256, FUSED_AVX2, _mm256_fmadd_ps(a, b, c))
DEFINE_FUSED(64_avx512, __m512, FUSED_AVX512, _mm512_fmadd_ps(a, b, c))
DEFINE_FUSED(plain, __m128, , fused_f32_plain(a, b, c))
DEFINE_FUSED(avx2, __m256, FUSED_AVX2, _mm256_fmadd_ps(a, b, c))
DEFINE_FUSED(avx512, __m512, FUSED_AVX512, _mm512_fmadd_ps(a, b, c))
#else
typedef float fused_floats __attribute__((vector_size(16), aligned(4), may_alias));
typedef double fused_doubles __attribute__((vector_size(16), aligned(8), may_alias));

#ifdef __aarch64__
DEFINE_FUSED(f32_plain, fused_floats, ,
             (fused_floats)vfmaq_f32((float32x4_t)c, (float32x4_t)a, (float32x4_t)b))
DEFINE_FUSED(f64_plain, fused_doubles, ,
             (fused_doubles)vfmaq_f64((float64x2_t)c, (float64x2_t)a, (float64x2_t)b))
#else
DEFINE_FUSED(f32_plain, fused_floats, ,
             ((fused_floats){fmaf(a[0], b[0], c[0]), fmaf(a[1], b[1], c[1]), fmaf(a[2], b[2], c[2]),
                             fmaf(a[3], b[3], c[3])}))
DEFINE_FUSED(f64_plain, fused_doubles, ,
             ((fused_doubles){fma(a[0], b[0], c[0]), fma(a[1], b[1], c[1])}))
#endif
DEFINE_FUSED(16_plain, fused_floats, , fused_f32_plain(a, b, c))
DEFINE_FUSED(plain, fused_floats, , fused_f32_plain(a, b, c))
#endif
#undef DEFINE_FUSED

/* between_SET(x, low, high) is X, or the bound beyond which it lies, where LOW is not above HIGH. A
 * NaN stays one: of two operands x86 takes the second where one is NaN, or both are zeros. */
#define DEFINE_BETWEEN(name, vector, target, form)                                                 \
    FUSED_FN target vector between_##name(vector x, vector low, vector high)                       \
    {                                                                                              \
        return form;                                                                               \
    }

#ifdef __x86_64__
#define BETWEEN(set) _mm##set##_min_ps(high, _mm##set##_max_ps(low, x))
DEFINE_BETWEEN(f32_plain, __m128, , BETWEEN())
DEFINE_BETWEEN(f32_avx2, __m256, FUSED_AVX2, BETWEEN(256))
DEFINE_BETWEEN(f32_avx512, __m512, FUSED_AVX512, BETWEEN(512))
DEFINE_BETWEEN(32_avx2, __m256, FUSED_AVX2, BETWEEN(256))
DEFINE_BETWEEN(64_avx512, __m512, FUSED_AVX512, BETWEEN(512))
#undef BETWEEN
#else
typedef int32_t fused_words __attribute__((vector_size(16)));

static inline fused_floats fused_pick(fused_words condition, fused_floats a, fused_floats b)
{
    return (fused_floats)((condition & (fused_words)a) | (~condition & (fused_words)b));
}

DEFINE_BETWEEN(f32_plain, fused_floats, , fused_pick(x < low, low, fused_pick(x > high, high, x)))
DEFINE_BETWEEN(16_plain, fused_floats, , between_f32_plain(x, low, high))
#endif
#undef DEFINE_BETWEEN

/* rounded_SET(x, half) is the number of f16 or bf16 nearest to X, in ties the even one, as a float;
 * a NaN becomes a quiet one. F16 and BF16 say what HALF is. */
enum { FUSED_F16 = 1, FUSED_BF16 };

#define DEFINE_ROUNDED(name, vector, target, of_f16)                                               \
    FUSED_FN target vector rounded_##name(vector x, int half)                                      \
    {                                                                                              \
        typedef uint32_t words __attribute__((vector_size(sizeof(vector))));                       \
        words u = (words)x, nan = (words)(x != x), up;                                             \
                                                                                                   \
        if (half == FUSED_F16)                                                                     \
            return of_f16;                                                                         \
        up = u + 0x7fff + (u >> 16 & 1);                                                           \
        return (vector)((((nan & (u | 0x400000)) | (~nan & up)) & 0xffff0000));                    \
    }

/* Sums with 1/2 have the last bit of subnormal numbers of f16. */
#define DEFINE_ROUNDED_F16(name, vector)                                                           \
    FUSED_FN vector nearest_f16_##name(vector x)                                                   \
    {                                                                                              \
        typedef uint32_t words __attribute__((vector_size(sizeof(vector))));                       \
        words u = (words)x, sign = u & 0x80000000, m = u ^ sign;                                   \
        words small = (words)(((vector)m + 0.5F) - 0.5F);                                          \
        words normal = (m + 0xfff + (m >> 13 & 1)) & 0xffffe000;                                   \
        words is_small = (words)(m < 0x38800000), large = (words)(normal >= 0x47800000);           \
        words nan = (words)(x != x), y = (is_small & small) | (~is_small & normal);                \
                                                                                                   \
        y = (large & 0x7f800000) | (~large & y);                                                   \
        return (vector)(sign | (nan & (m | 0x400000)) | (~nan & y));                               \
    }

#ifdef __x86_64__
enum { FUSED_NEAREST = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC };
#define NEAREST_F16(set) _mm##set##_cvtph_ps(_mm##set##_cvtps_ph(x, FUSED_NEAREST))
DEFINE_ROUNDED_F16(plain, __m128)
DEFINE_ROUNDED(f32_plain, __m128, , nearest_f16_plain(x))
DEFINE_ROUNDED(f32_avx2, __m256, FUSED_AVX2, NEAREST_F16(256))
DEFINE_ROUNDED(f32_avx512, __m512, FUSED_AVX512, NEAREST_F16(512))
DEFINE_ROUNDED(32_avx2, __m256, FUSED_AVX2, NEAREST_F16(256))
DEFINE_ROUNDED(64_avx512, __m512, FUSED_AVX512, NEAREST_F16(512))
#undef NEAREST_F16
#else
DEFINE_ROUNDED_F16(plain, fused_floats)
DEFINE_ROUNDED(f32_plain, fused_floats, , nearest_f16_plain(x))
DEFINE_ROUNDED(16_plain, fused_floats, , nearest_f16_plain(x))
#endif
#undef DEFINE_ROUNDED
#undef DEFINE_ROUNDED_F16

#endif

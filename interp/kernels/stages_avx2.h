/* The loop of stages.c for processors with AVX2. Private to it. */
#include <immintrin.h>

#define STAGES_TARGET __attribute__((target("avx2,fma")))
#define STAGES_INLINE static inline __attribute__((target("avx2,fma"), always_inline))

/* GCC moves what several operations have in common in front of all, unless X is said to change. */
#define STAGE_STAYS(x) __asm__("" : "+x"(x))

#define INTEGERS(v) _mm256_castps_si256(v)
#define FLOATS(v) _mm256_castsi256_ps(v)

/* Maxima and minima of the processor give the second operand if one is NaN, or both are zeros. */
#define UNORDERED(x) _mm256_cmp_ps(x, x, _CMP_UNORD_Q)
#define STAGE_MAXIMUM(x, y) _mm256_blendv_ps(_mm256_max_ps(x, y), x, UNORDERED(x))
#define STAGE_MINIMUM(x, y) _mm256_blendv_ps(_mm256_min_ps(x, y), x, UNORDERED(x))
#define STAGE_RELU(x) _mm256_andnot_ps(_mm256_cmp_ps(x, zero, _CMP_LE_OQ), x)
#define STAGE_CLAMP(x, lo, hi)                                                                     \
    _mm256_blendv_ps(_mm256_min_ps(hi, x), lo, _mm256_cmp_ps(x, lo, _CMP_LT_OQ))
#define STAGE_ROUND(x) _mm256_round_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)

#define LOAD_F32(v, i) (v) = _mm256_loadu_ps((const float *)(const void *)from_at + (i)*LANES)
#define EIGHT_BYTES(i) _mm_loadl_epi64((const __m128i *)(const void *)(from_at + (i)*LANES))
#define EIGHT_PAIRS(i) _mm_loadu_si128((const __m128i *)(const void *)(from_at + (i)*LANES * 2))
#define LOAD_U8(v, i) (v) = _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(EIGHT_BYTES(i)))
#define LOAD_I8(v, i) (v) = _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(EIGHT_BYTES(i)))
#define LOAD_U16(v, i) (v) = _mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(EIGHT_PAIRS(i)))
#define LOAD_I16(v, i) (v) = _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(EIGHT_PAIRS(i)))
#define LOAD_I32(v, i)                                                                             \
    (v) = _mm256_cvtepi32_ps(                                                                      \
        _mm256_loadu_si256((const __m256i *)(const void *)(from_at + (i)*LANES * 4)))
#define LOAD_CASE(type)                                                                            \
    case INLAY_##type:                                                                             \
        ALL_VECTORS(LOAD_##type);                                                                  \
        break
#define READ_ALL(s, from)                                                                          \
    const char *from_at = from;                                                                    \
                                                                                                   \
    switch ((s)->from) {                                                                           \
    default:                                                                                       \
        LOAD_CASE(F32);                                                                            \
        LOAD_CASE(U8);                                                                             \
        LOAD_CASE(I8);                                                                             \
        LOAD_CASE(U16);                                                                            \
        LOAD_CASE(I16);                                                                            \
        LOAD_CASE(I32);                                                                            \
    }

/* Floats become integers in their lanes. What is too large to be one becomes INT32_MIN. */

#define ORDERED(x) _mm256_cmp_ps(x, x, _CMP_ORD_Q)

/* The last byte of an integer of 2^31 or more is 0, as it is of infinity and NaN. */
STAGES_INLINE __m256i last_byte(__m256 x)
{
    const __m256 magnitude = FLOATS(_mm256_set1_epi32(INT32_MAX));
    __m256 fits = _mm256_cmp_ps(_mm256_and_ps(x, magnitude), _mm256_set1_ps(0x1p31F), _CMP_LT_OQ);

    return _mm256_and_si256(_mm256_cvttps_epi32(_mm256_and_ps(x, fits)), _mm256_set1_epi32(0xff));
}

/* What is left of X modulo 2^16 is exact; of infinity it is NaN. */
STAGES_INLINE __m256i last_pair(__m256 x)
{
    __m256 whole = _mm256_mul_ps(x, _mm256_set1_ps(0x1p-16F));

    whole = _mm256_round_ps(whole, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
    x = _mm256_sub_ps(x, _mm256_mul_ps(whole, _mm256_set1_ps(0x1p16F)));
    x = _mm256_and_ps(x, ORDERED(x));
    return _mm256_and_si256(_mm256_cvttps_epi32(x), _mm256_set1_epi32(0xffff));
}

/* Narrower types saturate when they are packed. */
STAGES_INLINE __m256i saturated(__m256 x)
{
    __m256 most = _mm256_set1_ps(0x1p31F);
    __m256i over = INTEGERS(_mm256_cmp_ps(x, most, _CMP_GE_OQ)); /* all bits: less 1 */

    x = _mm256_and_ps(x, ORDERED(x));
    return _mm256_add_epi32(_mm256_cvttps_epi32(x), over);
}

/* Returns X held between the bounds of S; NaN stays. */
STAGES_INLINE __m256 held(__m256 x, const struct quantized *s)
{
    return _mm256_max_ps(_mm256_set1_ps(s->low), _mm256_min_ps(_mm256_set1_ps(s->high), x));
}

STAGES_INLINE __m256 quotient(__m256 x, const struct quantized *s)
{
    const __m256 inverse = _mm256_set1_ps(s->inverse), by = _mm256_set1_ps(s->by);
    __m256 y = _mm256_fmadd_ps(x, inverse, _mm256_mul_ps(x, _mm256_set1_ps(s->rest)));

    return _mm256_fmadd_ps(_mm256_fnmadd_ps(y, by, x), inverse, y);
}

/* Returns Y rounded to an integer, plus the zero of S. NaN gives 0 if that is what NAN says; else
 * some 2^31 less, which becomes the 0 of a type without a sign. */
STAGES_INLINE __m256 rounded(__m256 y, const struct quantized *s, bool nan)
{
    __m256i z = _mm256_add_epi32(_mm256_cvtps_epi32(y), _mm256_set1_epi32(s->zero));

    return nan ? _mm256_and_ps(FLOATS(z), ORDERED(y)) : FLOATS(z);
}

#define RENEW(v, form)                                                                             \
    STAGE_STAYS(v);                                                                                \
    (v) = form
#define PRODUCT(v) _mm256_mul_ps(held(v, q), _mm256_set1_ps(q->by))
#define DIVIDE(v, i) RENEW(v, rounded(quotient(held(v, q), q), q, true))
#define DIVIDE_NUMBER(v, i) RENEW(v, rounded(quotient(held(v, q), q), q, false))
#define MULTIPLY(v, i) RENEW(v, rounded(PRODUCT(v), q, true))
#define MULTIPLY_NUMBER(v, i) RENEW(v, rounded(PRODUCT(v), q, false))
#define UNORDERED_PAIR(v, w) _mm256_cmp_ps(v, w, _CMP_UNORD_Q)
#define HAS_NAN                                                                                    \
    (_mm256_movemask_ps(_mm256_or_ps(_mm256_or_ps(UNORDERED_PAIR(a, b), UNORDERED_PAIR(c, d)),     \
                                     _mm256_or_ps(UNORDERED_PAIR(e, f), UNORDERED_PAIR(g, h)))) != \
     0)
#define QUANTIZE(how)                                                                              \
    if (q->nan && HAS_NAN) {                                                                       \
        ALL_VECTORS(how);                                                                          \
    } else {                                                                                       \
        ALL_VECTORS(how##_NUMBER);                                                                 \
    }
#define WRAP_U8(v, i) RENEW(v, FLOATS(last_byte(v)))
#define WRAP_U16(v, i) RENEW(v, FLOATS(last_pair(v)))
#define SATURATE(v, i) RENEW(v, FLOATS(saturated(v)))

STAGES_INLINE void put(char *to, __m256i v, bool past)
{
    if (past)
        _mm256_stream_si256((__m256i *)(void *)to, v);
    else
        _mm256_storeu_si256((__m256i *)(void *)to, v);
}

/* Packing takes halves of 16 bytes by themselves, so eights are put into their order behind it. */

#define PACK_32(pack, v, w) pack(INTEGERS(v), INTEGERS(w))
#define PACK_PAIRS(pack, v, w) _mm256_permute4x64_epi64(PACK_32(pack, v, w), 0xd8)
#define PACK_BYTES(pack, v, w, x, y)                                                               \
    _mm256_permutevar8x32_epi32(                                                                   \
        pack(PACK_32(_mm256_packs_epi32, v, w), PACK_32(_mm256_packs_epi32, x, y)),                \
        _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7))
#define PUT(to, i, v) put((to) + (i)*32, v, past)
#define PUT_BYTES(to, pack)                                                                        \
    PUT(to, 0, PACK_BYTES(pack, a, b, c, d));                                                      \
    PUT(to, 1, PACK_BYTES(pack, e, f, g, h))
#define PUT_PAIRS(to, pack)                                                                        \
    PUT(to, 0, PACK_PAIRS(pack, a, b));                                                            \
    PUT(to, 1, PACK_PAIRS(pack, c, d));                                                            \
    PUT(to, 2, PACK_PAIRS(pack, e, f));                                                            \
    PUT(to, 3, PACK_PAIRS(pack, g, h))
#define PUT_VECTOR(v, i) PUT(to_at, i, INTEGERS(v))
#define WRITE_CASE(type, convert, put)                                                             \
    case INLAY_##type:                                                                             \
        if (!s->quantizes) {                                                                       \
            ALL_VECTORS(convert);                                                                  \
        }                                                                                          \
        put;                                                                                       \
        break
#define WRITE_ALL(s, to)                                                                           \
    char *to_at = to;                                                                              \
    bool past = (s)->streams && (uintptr_t)to_at % sizeof(floats) == 0;                            \
                                                                                                   \
    const struct quantized *const q = &(s)->quantized;                                             \
                                                                                                   \
    if ((s)->quantizes && q->divides) {                                                            \
        QUANTIZE(DIVIDE)                                                                           \
    } else if ((s)->quantizes) {                                                                   \
        QUANTIZE(MULTIPLY)                                                                         \
    }                                                                                              \
    switch ((s)->to) {                                                                             \
    default:                                                                                       \
        ALL_VECTORS(PUT_VECTOR);                                                                   \
        break;                                                                                     \
        WRITE_CASE(U8, WRAP_U8, PUT_BYTES(to_at, _mm256_packus_epi16));                            \
        WRITE_CASE(I8, SATURATE, PUT_BYTES(to_at, _mm256_packs_epi16));                            \
        WRITE_CASE(U16, WRAP_U16, PUT_PAIRS(to_at, _mm256_packus_epi32));                          \
        WRITE_CASE(I16, SATURATE, PUT_PAIRS(to_at, _mm256_packs_epi32));                           \
        WRITE_CASE(I32, SATURATE, ALL_VECTORS(PUT_VECTOR));                                        \
    }

#define NAME(name) name##_avx2
#include "interp/kernels/stages_loop.h"

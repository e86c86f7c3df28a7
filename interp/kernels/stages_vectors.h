/* The loop of stages.c for x86, once for each length of vectors: stages_avx2.h and stages_avx512.h
 * say what differs, and include it. Private to these. */

#define STAGES_TARGET __attribute__((TARGET))
#define STAGES_INLINE static inline __attribute__((TARGET, always_inline))

/* GCC moves what several operations have in common in front of all, unless X is said to change
 * (STAGE_STAYS). Maxima and minima of the processor give the second operand if one is NaN, or both
 * are zeros. */
#define STAGE_MAXIMUM(x, y) CHOOSE(x, x, _CMP_UNORD_Q, x, V(max_ps)(x, y))
#define STAGE_MINIMUM(x, y) CHOOSE(x, x, _CMP_UNORD_Q, x, V(min_ps)(x, y))
#define STAGE_RELU(x) KEEP(x, zero, _CMP_NLE_UQ, x)
#define STAGE_CLAMP(x, lo, hi) CHOOSE(x, lo, _CMP_LT_OQ, lo, V(min_ps)(hi, x))
#define STAGE_ROUND(x) ROUND(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)

#define AT(i, size) ((const void *)(from_at + (i)*LANES * (size)))
#define LOAD_F32(v, i) (v) = V(loadu_ps)(AT(i, 4))
#define LOAD_AS(v, widened) (v) = V(cvtepi32_ps)(widened)
#define LOAD_U8(v, i) LOAD_AS(v, V(cvtepu8_epi32)(LOAD_BYTES(AT(i, 1))))
#define LOAD_I8(v, i) LOAD_AS(v, V(cvtepi8_epi32)(LOAD_BYTES(AT(i, 1))))
#define LOAD_U16(v, i) LOAD_AS(v, V(cvtepu16_epi32)(LOAD_PAIRS(AT(i, 2))))
#define LOAD_I16(v, i) LOAD_AS(v, V(cvtepi16_epi32)(LOAD_PAIRS(AT(i, 2))))
#define LOAD_I32(v, i) LOAD_AS(v, LOAD_INTEGERS(AT(i, 4)))
#define LOAD_F16(v, i) (v) = V(cvtph_ps)(LOAD_PAIRS(AT(i, 2)))
#define LOAD_BF16(v, i) (v) = FLOATS(V(slli_epi32)(V(cvtepu16_epi32)(LOAD_PAIRS(AT(i, 2))), 16))
STAGES_INLINE const float *NAME(widen_row)(inlay_type half, const char *from_at, float *to)
{
    for (int i = 0; i < STAGES_WIDTH / LANES; i++) {
        floats v;

        if (half == INLAY_F16)
            LOAD_F16(v, i);
        else
            LOAD_BF16(v, i);
        memcpy(to + i * LANES, &v, sizeof v);
    }
    return to;
}
#define WIDEN_ROW(half, from, to) NAME(widen_row)(half, from, to)

#define LOAD_CASE(type)                                                                            \
    case INLAY_##type:                                                                             \
        ALL_VECTORS(LOAD_##type);                                                                  \
        break
#define READ_ALL(s, from, type)                                                                    \
    const char *from_at = from;                                                                    \
                                                                                                   \
    switch (type) {                                                                                \
    default:                                                                                       \
        LOAD_CASE(F32);                                                                            \
        LOAD_CASE(U8);                                                                             \
        LOAD_CASE(I8);                                                                             \
        LOAD_CASE(U16);                                                                            \
        LOAD_CASE(I16);                                                                            \
        LOAD_CASE(I32);                                                                            \
        LOAD_CASE(F16);                                                                            \
        LOAD_CASE(BF16);                                                                           \
    }

/* Floats become integers in their lanes. What is too large to be one becomes INT32_MIN. */

/* The last byte of an integer of 2^31 or more is 0, as it is of infinity and NaN. */
STAGES_INLINE floats NAME(last_byte)(floats x)
{
    floats magnitude = V(and_ps)(x, FLOATS(V(set1_epi32)(INT32_MAX)));

    x = KEEP(magnitude, V(set1_ps)(0x1p31F), _CMP_LT_OQ, x);
    return FLOATS(AND(V(cvttps_epi32)(x), V(set1_epi32)(0xff)));
}

/* What is left of X modulo 2^16 is exact; of infinity it is NaN. */
STAGES_INLINE floats NAME(last_pair)(floats x)
{
    floats whole = V(mul_ps)(x, V(set1_ps)(0x1p-16F));

    whole = ROUND(whole, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
    x = V(sub_ps)(x, V(mul_ps)(whole, V(set1_ps)(0x1p16F)));
    x = KEEP(x, x, _CMP_ORD_Q, x);
    return FLOATS(AND(V(cvttps_epi32)(x), V(set1_epi32)(0xffff)));
}

/* Narrower types saturate when they are packed. */
STAGES_INLINE floats NAME(saturated)(floats x)
{
    floats less = KEEP(x, V(set1_ps)(0x1p31F), _CMP_GE_OQ, FLOATS(V(set1_epi32)(-1)));

    x = KEEP(x, x, _CMP_ORD_Q, x);
    return FLOATS(V(add_epi32)(V(cvttps_epi32)(x), INTEGERS(less)));
}

/* Returns X held between the bounds of S; NaN stays. */
STAGES_INLINE floats NAME(held)(floats x, const struct quantized *s)
{
    return V(max_ps)(V(set1_ps)(s->low), V(min_ps)(V(set1_ps)(s->high), x));
}

STAGES_INLINE floats NAME(quotient)(floats x, const struct quantized *s)
{
    const floats inverse = V(set1_ps)(s->inverse), by = V(set1_ps)(s->by);
    floats y = V(fmadd_ps)(x, inverse, V(mul_ps)(x, V(set1_ps)(s->rest)));

    return V(fmadd_ps)(V(fnmadd_ps)(y, by, x), inverse, y);
}

/* Returns Y rounded to an integer, plus the zero of S. NaN gives 0 if that is what NAN says; else
 * some 2^31 less, which becomes the 0 of a type without a sign. */
STAGES_INLINE floats NAME(rounded)(floats y, const struct quantized *s, bool nan)
{
    floats z = FLOATS(V(add_epi32)(V(cvtps_epi32)(y), V(set1_epi32)(s->zero)));

    if (nan)
        z = KEEP(y, y, _CMP_ORD_Q, z);
    return z;
}

/* Returns codes as floats: the number that Y is rounded to, plus the zero of S; of NaN 0. */
STAGES_INLINE floats NAME(codes)(floats y, const struct quantized *s)
{
    floats z = V(cvtepi32_ps)(INTEGERS(NAME(rounded)(y, s, false)));

    return KEEP(y, y, _CMP_ORD_Q, z);
}

#define STAGE_THROUGH(x) KEEP(x, x, _CMP_ORD_Q, V(cvtepi32_ps)(V(cvttps_epi32)(x)))
#define STAGE_QUOTIENT_CODES(x, c) NAME(codes)(NAME(quotient)(NAME(held)(x, c), c), c)
#define STAGE_PRODUCT_CODES(x, c) NAME(codes)(V(mul_ps)(NAME(held)(x, c), V(set1_ps)((c)->by)), c)

STAGES_INLINE void NAME(put)(char *to, floats v, bool past)
{
    if (past)
        STREAM((void *)to, INTEGERS(v));
    else
        STORE_INTEGERS((void *)to, INTEGERS(v));
}

/* To the nearest, in ties to the even one, as inlay_f16_code and inlay_bf16_code do. */
#define HALF_CODES(v) V(cvtps_ph)(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)
STAGES_INLINE floats NAME(nearest_f16)(floats x)
{
    return V(cvtph_ps)(HALF_CODES(x));
}

/* A NaN becomes a quiet one. */
STAGES_INLINE floats NAME(nearest_bf16)(floats x)
{
    bits u = (bits)x, odd = (bits)V(srli_epi32)(INTEGERS(x), 16) & 1;
    floats up = (floats)((bits)V(add_epi32)(INTEGERS((floats)(u + 0x7fff)), INTEGERS((floats)odd)));

    return (floats)((bits)CHOOSE(x, x, _CMP_UNORD_Q, (floats)(u | 0x400000), up) & ~0xffff);
}

#define RENEW(v, form)                                                                             \
    STAGE_STAYS(v);                                                                                \
    (v) = form
#define QUOTIENT(v) NAME(quotient)(NAME(held)(v, q), q)
#define PRODUCT(v) V(mul_ps)(NAME(held)(v, q), V(set1_ps)(q->by))
#define DIVIDE(v, i) RENEW(v, NAME(rounded)(QUOTIENT(v), q, true))
#define DIVIDE_NUMBER(v, i) RENEW(v, NAME(rounded)(QUOTIENT(v), q, false))
#define MULTIPLY(v, i) RENEW(v, NAME(rounded)(PRODUCT(v), q, true))
#define MULTIPLY_NUMBER(v, i) RENEW(v, NAME(rounded)(PRODUCT(v), q, false))
#define QUANTIZE(how)                                                                              \
    if (q->nan && HAS_NAN) {                                                                       \
        ALL_VECTORS(how);                                                                          \
    } else {                                                                                       \
        ALL_VECTORS(how##_NUMBER);                                                                 \
    }
#define WRAP_U8(v, i) RENEW(v, NAME(last_byte)(v))
#define WRAP_U16(v, i) RENEW(v, NAME(last_pair)(v))
#define SATURATE(v, i) RENEW(v, NAME(saturated)(v))

#define ROUND_F16(v, i) RENEW(v, NAME(nearest_f16)(v))
#define ROUND_BF16(v, i) RENEW(v, NAME(nearest_bf16)(v))
#define ROUND_ALL(type)                                                                            \
    if ((type) == INLAY_F16) {                                                                     \
        ALL_VECTORS(ROUND_F16);                                                                    \
    } else {                                                                                       \
        ALL_VECTORS(ROUND_BF16);                                                                   \
    }
#define PUT_F16(v, i) STORE_PAIRS(to_at + (i)*LANES * 2, HALF_CODES(v))
#define UPPER(v, i) (v) = FLOATS(V(srli_epi32)(INTEGERS(NAME(nearest_bf16)(v)), 16))

#define PACK(pack, v, w) V(pack)(INTEGERS(v), INTEGERS(w))
#define PUT(v, i) NAME(put)(to_at + (i)*LANES * 4, FLOATS(v), past)
#define PUT_VECTOR(v, i) NAME(put)(to_at + (i)*LANES * 4, v, past)
#define WRITE_CASE(type, convert, put)                                                             \
    case INLAY_##type:                                                                             \
        if (!s->quantizes) {                                                                       \
            ALL_VECTORS(convert);                                                                  \
        }                                                                                          \
        put;                                                                                       \
        break
#define WRITE_ALL(s, to, type)                                                                     \
    char *to_at = to;                                                                              \
    bool past = (s)->streams && (uintptr_t)to_at % sizeof(floats) == 0;                            \
                                                                                                   \
    if ((s)->quantizes && q->divides) {                                                            \
        QUANTIZE(DIVIDE)                                                                           \
    } else if ((s)->quantizes) {                                                                   \
        QUANTIZE(MULTIPLY)                                                                         \
    }                                                                                              \
    switch (type) {                                                                                \
    default:                                                                                       \
        ALL_VECTORS(PUT_VECTOR);                                                                   \
        break;                                                                                     \
        WRITE_CASE(U8, WRAP_U8, PUT_BYTES(packus_epi16));                                          \
        WRITE_CASE(I8, SATURATE, PUT_BYTES(packs_epi16));                                          \
        WRITE_CASE(U16, WRAP_U16, PUT_PAIRS(packus_epi32));                                        \
        WRITE_CASE(I16, SATURATE, PUT_PAIRS(packs_epi32));                                         \
        WRITE_CASE(I32, SATURATE, ALL_VECTORS(PUT_VECTOR));                                        \
        WRITE_CASE(BF16, UPPER, PUT_PAIRS(packus_epi32));                                          \
    case INLAY_F16:                                                                                \
        ALL_VECTORS(PUT_F16);                                                                      \
        break;                                                                                     \
    }

#include "interp/kernels/stages_loop.h"

#undef TARGET
#undef V
#undef INTEGERS
#undef FLOATS
#undef CHOOSE
#undef KEEP
#undef ROUND
#undef AND
#undef UNORDERED_PAIR
#undef HAS_NAN
#undef LOAD_BYTES
#undef LOAD_PAIRS
#undef LOAD_INTEGERS
#undef STREAM
#undef STORE_PAIRS
#undef STORE_INTEGERS
#undef PACK_PAIRS
#undef PACK_BYTES
#undef PUT_BYTES
#undef PUT_PAIRS

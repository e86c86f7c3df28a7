/* The pairs of element types that have a conversion function for rows. */
#ifndef INLAY_TENSOR_CASTS_H
#define INLAY_TENSOR_CASTS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* CAST(from, FROM, to, TO): the types as in names of functions, and as in inlay_type. The kernels
 * define these functions (interp/kernels/cast.c); others ask whether a pair has one. Integers that
 * differ by their sign only share a function. */
#define INLAY_CASTS_TO(CAST, from, FROM, to, SIGNED, UNSIGNED)                                     \
    CAST(from, FROM, to, SIGNED)                                                                   \
    CAST(from, FROM, to, UNSIGNED)
#define INLAY_CASTS_BETWEEN(CAST, from, to)                                                        \
    INLAY_CASTS_TO(CAST, i##from, I##from, u##to, I##to, U##to)                                    \
    INLAY_CASTS_TO(CAST, i##from, U##from, u##to, I##to, U##to)
#define INLAY_CASTS_WIDEN(CAST, from, to)                                                          \
    INLAY_CASTS_TO(CAST, i##from, I##from, i##to, I##to, U##to)                                    \
    INLAY_CASTS_TO(CAST, u##from, U##from, i##to, I##to, U##to)
#define INLAY_CASTS_TRUTH(CAST, from, FROM)                                                        \
    CAST(from, FROM, boolean, BOOLEAN)                                                             \
    CAST(boolean, BOOLEAN, from, FROM)
/* Between integers of one width, whose bits stay. */
#define INLAY_CASTS_SIGN(CAST, bits)                                                               \
    CAST(u##bits, I##bits, u##bits, U##bits)                                                       \
    CAST(u##bits, U##bits, u##bits, I##bits)
#define INLAY_CASTS(CAST)                                                                          \
    CAST(f32, F32, f64, F64)                                                                       \
    CAST(f64, F64, f32, F32)                                                                       \
    CAST(f32, F32, i64, I64)                                                                       \
    CAST(f64, F64, i64, I64)                                                                       \
    CAST(f32, F32, i32, I32)                                                                       \
    CAST(f64, F64, i32, I32)                                                                       \
    CAST(f32, F32, i8, I8)                                                                         \
    CAST(f32, F32, u8, U8)                                                                         \
    CAST(f64, F64, u8, U8)                                                                         \
    CAST(f64, F64, i8, I8)                                                                         \
    CAST(f64, F64, i16, I16)                                                                       \
    CAST(f64, F64, u16, U16)                                                                       \
    CAST(f64, F64, u32, U32)                                                                       \
    CAST(f64, F64, u64, U64)                                                                       \
    CAST(f32, F32, u32, U32)                                                                       \
    CAST(f32, F32, u64, U64)                                                                       \
    CAST(u32, U32, f32, F32)                                                                       \
    CAST(u32, U32, f64, F64)                                                                       \
    CAST(i8, I8, f64, F64)                                                                         \
    CAST(i16, I16, f64, F64)                                                                       \
    CAST(u16, U16, f64, F64)                                                                       \
    CAST(f32, F32, i16, I16)                                                                       \
    CAST(f32, F32, u16, U16)                                                                       \
    CAST(i64, I64, f32, F32)                                                                       \
    CAST(i64, I64, f64, F64)                                                                       \
    CAST(i32, I32, f32, F32)                                                                       \
    CAST(i32, I32, f64, F64)                                                                       \
    CAST(i8, I8, f32, F32)                                                                         \
    CAST(u8, U8, f32, F32)                                                                         \
    CAST(u8, U8, f64, F64)                                                                         \
    CAST(i16, I16, f32, F32)                                                                       \
    CAST(u16, U16, f32, F32)                                                                       \
    CAST(f16, F16, f32, F32)                                                                       \
    CAST(f32, F32, f16, F16)                                                                       \
    CAST(f64, F64, f16, F16)                                                                       \
    CAST(bf16, BF16, f32, F32)                                                                     \
    CAST(f32, F32, bf16, BF16)                                                                     \
    INLAY_CASTS_TRUTH(CAST, f32, F32)                                                              \
    INLAY_CASTS_TRUTH(CAST, f64, F64)                                                              \
    INLAY_CASTS_TRUTH(CAST, i64, I64)                                                              \
    INLAY_CASTS_TRUTH(CAST, i32, I32)                                                              \
    INLAY_CASTS_TRUTH(CAST, u8, U8)                                                                \
    INLAY_CASTS_TRUTH(CAST, u8, I8)                                                                \
    INLAY_CASTS_TRUTH(CAST, i64, U64)                                                              \
    INLAY_CASTS_TRUTH(CAST, i32, U32)                                                              \
    INLAY_CASTS_TRUTH(CAST, u16, U16)                                                              \
    INLAY_CASTS_TRUTH(CAST, u16, I16)                                                              \
    INLAY_CASTS_SIGN(CAST, 8)                                                                      \
    INLAY_CASTS_SIGN(CAST, 16)                                                                     \
    INLAY_CASTS_SIGN(CAST, 32)                                                                     \
    INLAY_CASTS_SIGN(CAST, 64)                                                                     \
    INLAY_CASTS_WIDEN(CAST, 8, 16)                                                                 \
    INLAY_CASTS_WIDEN(CAST, 16, 32)                                                                \
    INLAY_CASTS_WIDEN(CAST, 16, 64)                                                                \
    INLAY_CASTS_BETWEEN(CAST, 64, 16)                                                              \
    INLAY_CASTS_BETWEEN(CAST, 32, 16)                                                              \
    INLAY_CASTS_BETWEEN(CAST, 16, 8)                                                               \
    INLAY_CASTS_WIDEN(CAST, 8, 32)                                                                 \
    INLAY_CASTS_WIDEN(CAST, 8, 64)                                                                 \
    INLAY_CASTS_WIDEN(CAST, 32, 64)                                                                \
    INLAY_CASTS_BETWEEN(CAST, 64, 32)                                                              \
    INLAY_CASTS_BETWEEN(CAST, 64, 8)                                                               \
    INLAY_CASTS_BETWEEN(CAST, 32, 8)

/* f16 and bf16 by shifts on the bits of a float. All ranges are computed, and one is chosen, so
 * that rows of it become vectors. */

/* Rounds to nearest, ties to even: half of the last bit that is kept is added, less one where that
 * bit is 0. */
static inline uint32_t inlay_shift_rounded(uint32_t bits, int drop)
{
    return (bits + (1u << (drop - 1)) - 1 + (bits >> drop & 1)) >> drop;
}

/* Returns the code of the f16 that is the nearest to X. */
static inline uint16_t inlay_f16_code(float x)
{
    const float half = 0.5F;
    uint32_t u, sign, half_bits, small, normal, code;
    float sum;

    memcpy(&u, &x, sizeof u);
    memcpy(&half_bits, &half, sizeof half_bits);
    sign = u >> 16 & 0x8000;
    u &= 0x7fffffff;
    /* The last bit of numbers from 0.5 to 1 weighs 2^-24, as that of f16's denormals. */
    memcpy(&sum, &u, sizeof sum);
    sum += half;
    memcpy(&small, &sum, sizeof small);
    normal = inlay_shift_rounded(u - ((127 - 15) << 23), 13);     /* the exponent is rebiased */
    code = (int32_t)u >= 0x38800000 ? normal : small - half_bits; /* 2^-14 */
    code = (int32_t)u >= 0x47800000 ? 0x7c00 : code;              /* 65536 */
    code = (int32_t)u > 0x7f800000 ? 0x7e00 | (u >> 13 & 0x3ff) : code;
    return (uint16_t)(sign | code);
}

/* Returns the number whose code is CODE. */
static inline float inlay_f16_value(uint16_t code)
{
    int32_t magnitude = code & 0x7fff;
    float x = (float)magnitude * 0x1p-24F;
    uint32_t u;

    memcpy(&u, &x, sizeof u);
    u = magnitude >= 0x400 ? (uint32_t)(magnitude + ((127 - 15) << 10)) << 13 : u;
    u = magnitude >= 0x7c00 ? 0x7f800000 | (uint32_t)(magnitude & 0x3ff) << 13 : u;
    u |= (uint32_t)(code & 0x8000) << 16;
    memcpy(&x, &u, sizeof x);
    return x;
}

static inline uint16_t inlay_bf16_code(float x)
{
    uint32_t u, magnitude, code;

    memcpy(&u, &x, sizeof u);
    magnitude = u & 0x7fffffff;
    code = inlay_shift_rounded(magnitude, 16);
    code = (int32_t)magnitude > 0x7f800000 ? 0x7fc0 | magnitude >> 16 : code;
    return (uint16_t)((u >> 16 & 0x8000) | code);
}

static inline float inlay_bf16_value(uint16_t code)
{
    uint32_t u = (uint32_t)code << 16;
    float x;

    memcpy(&x, &u, sizeof x);
    return x;
}

/* Returns the float that X is, or of the two around it the one whose last bit is 1 ("round to
 * odd"). A narrower float that is rounded from it is the one that is rounded from X: rounding to the
 * nearest float first could make a tie of X, or undo one. */
static inline float inlay_odd_float(double x)
{
    float f = (float)x;
    uint32_t bits, above = fabs((double)f) > fabs(x), inexact = (f == f) & ((double)f != x);

    memcpy(&bits, &f, sizeof bits);
    bits = (bits - above) | inexact;
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* The same of an integer, which a double holds below 2^53; above that, all but the sign of what is
 * behind the 53rd bit is lost, as it is by any narrower float. */
static inline float inlay_odd_float_of(int64_t x)
{
    int64_t rest = x & 0x7ff, odd = (x ^ rest) | (rest != 0 ? 0x800 : 0);

    return inlay_odd_float((double)(x < -(INT64_C(1) << 53) || x > INT64_C(1) << 53 ? odd : x));
}

#endif

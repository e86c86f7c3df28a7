/* Conversions between operations on floats, so that they can be computed together with these. Each
 * is one line: its types, its name and its form for an element x. */
#include "interp/kernels/cast.h"

#include "interp/kernels/elementwise.h"
#include "ir/shared.h"

#include <math.h>
#include <string.h>

enum { PART = 512 }; /* of a row */

#define CAST(name, From, To, form)                                                                 \
    static INLAY_CLONES void cast_##name(const row_block *k)                                       \
    {                                                                                              \
        EACH_ROW(To, From x = ROW_X(From), form)                                                   \
    }

/* Truncates X to an integer of type I; LIMIT is MOST + 1, and -LIMIT is LEAST. NaN gives 0. */
#define SATURATED(I, limit, least, most)                                                           \
    (x != x ? 0 : x >= (limit) ? (most) : x <= -(limit) ? (least) : (I)x)

/* The same where all numbers of a part of a row are near zero, by FORM, which becomes vectors. */
#define CAST_NEAR(name, From, Mask, To, near, form, far_form)                                      \
    static INLAY_CLONES void cast_##name(const row_block *k)                                       \
    {                                                                                              \
        for (int64_t r = 0; r < k->rows; r++) {                                                    \
            const From *from = (const From *)(const void *)(k->x + r * k->x_pitch);                \
            To *to = (To *)(void *)(k->to + r * k->to_pitch);                                      \
                                                                                                   \
            for (int64_t left = k->length, n; left > 0; left -= n, from += n, to += n) {           \
                Mask far = 0;                                                                      \
                                                                                                   \
                n = left < PART ? left : PART;                                                     \
                EACH_OF_PART(From, far |= !((x < 0 ? -x : x) < (near)))                            \
                if (far)                                                                           \
                    EACH_OF_PART(From, to[i] = far_form)                                           \
                else                                                                               \
                    EACH_OF_PART(From, to[i] = form)                                               \
            }                                                                                      \
        }                                                                                          \
    }
#define EACH_OF_PART(From, statement)                                                              \
    for (int64_t i = 0; i < n; i++) {                                                              \
        From x = from[i];                                                                          \
                                                                                                   \
        statement;                                                                                 \
    }

/* Truncates X, which is less than 2^51: the last bits of what it is beside 2^52. */
static inline int64_t truncated(double x)
{
    const double beside = 0x1.8p52;
    int64_t bits, zero;

    x = trunc(x) + beside;
    memcpy(&bits, &x, sizeof bits);
    memcpy(&zero, &beside, sizeof zero);
    return bits - zero;
}

/* Returns X toward zero modulo 2^16. What is left of it is exact; of infinity that is NaN. */
static inline uint16_t low_16(float x)
{
    float rest = x - truncf(x * 0x1p-16F) * 0x1p16F;

    return (uint16_t)(int32_t)(rest == rest ? rest : 0);
}

static inline uint8_t low_8(double x)
{
    double rest = x - trunc(x * 0x1p-16) * 0x1p16;

    return (uint8_t)(int32_t)(rest == rest ? rest : 0);
}

uint64_t cast_wrapped(double x)
{
    double rest = isfinite(x) ? fmod(trunc(x), 0x1p64) : 0;

    return rest < 0 ? -(uint64_t)-rest : (uint64_t)rest;
}

CAST(f32_f64, float, double, x)
CAST(f64_f32, double, float, (float)x)
CAST_NEAR(f32_i64, float, int32_t, int64_t, 0x1p51F, truncated(x),
          SATURATED(int64_t, 0x1p63F, INT64_MIN, INT64_MAX))
CAST_NEAR(f64_i64, double, int64_t, int64_t, 0x1p51, truncated(x),
          SATURATED(int64_t, 0x1p63, INT64_MIN, INT64_MAX))
CAST_NEAR(f32_i32, float, int32_t, int32_t, 0x1p31F, (int32_t)x,
          SATURATED(int32_t, 0x1p31F, INT32_MIN, INT32_MAX))
CAST_NEAR(f64_i32, double, int64_t, int32_t, 0x1p31, (int32_t)x,
          SATURATED(int32_t, 0x1p31, INT32_MIN, INT32_MAX))
CAST(f32_i8, float, int8_t, (int8_t)SATURATED(int32_t, 0x1p7F, INT8_MIN, INT8_MAX))
/* It wraps: the last byte of an integer of 2^31 or more is 0, as it is of infinity and NaN. */
CAST(f32_u8, float, uint8_t, (uint8_t)(int32_t)(fabsf(x) < 0x1p31F ? x : 0))
CAST_NEAR(f64_u8, double, int64_t, uint8_t, 0x1p31, (uint8_t)(int32_t)x, low_8(x))
CAST(f64_i8, double, int8_t, (int8_t)SATURATED(int32_t, 0x1p7, INT8_MIN, INT8_MAX))
CAST(f64_i16, double, int16_t, (int16_t)SATURATED(int32_t, 0x1p15, INT16_MIN, INT16_MAX))
CAST_NEAR(f64_u16, double, int64_t, uint16_t, 0x1p31, (uint16_t)(int32_t)x,
          (uint16_t)cast_wrapped(x))
CAST_NEAR(f64_u32, double, int64_t, uint32_t, 0x1p51, (uint32_t)truncated(x),
          (uint32_t)cast_wrapped(x))
CAST_NEAR(f64_u64, double, int64_t, uint64_t, 0x1p51, (uint64_t)truncated(x), cast_wrapped(x))
CAST_NEAR(f32_u32, float, int32_t, uint32_t, 0x1p51F, (uint32_t)truncated(x),
          (uint32_t)cast_wrapped(x))
CAST_NEAR(f32_u64, float, int32_t, uint64_t, 0x1p51F, (uint64_t)truncated(x), cast_wrapped(x))
CAST(f32_i16, float, int16_t, (int16_t)SATURATED(int32_t, 0x1p15F, INT16_MIN, INT16_MAX))
CAST(f32_u16, float, uint16_t, low_16(x))
CAST(i64_f32, int64_t, float, (float)x)
CAST(i64_f64, int64_t, double, (double)x)
CAST(i32_f32, int32_t, float, (float)x)
CAST(i32_f64, int32_t, double, x)
CAST(i8_f32, int8_t, float, x)
CAST(u8_f32, uint8_t, float, x)
CAST(u8_f64, uint8_t, double, x)
CAST(u32_f32, uint32_t, float, (float)x)
CAST(u32_f64, uint32_t, double, x)
CAST(i8_f64, int8_t, double, x)
CAST(i16_f64, int16_t, double, x)
CAST(u16_f64, uint16_t, double, x)
CAST(i16_f32, int16_t, float, x)
CAST(u16_f32, uint16_t, float, x)
CAST(i8_i32, int8_t, int32_t, x)
CAST(u8_i32, uint8_t, int32_t, x)
CAST(i8_i64, int8_t, int64_t, x)
CAST(u8_i64, uint8_t, int64_t, x)
CAST(i32_i64, int32_t, int64_t, x)
CAST(u32_i64, uint32_t, int64_t, x)
CAST(i64_u32, int64_t, uint32_t, (uint32_t)x)
CAST(i64_u8, int64_t, uint8_t, (uint8_t)x)
CAST(i32_u8, int32_t, uint8_t, (uint8_t)x)
CAST(i8_i16, int8_t, int16_t, x)
CAST(u8_i16, uint8_t, int16_t, x)
CAST(i16_i32, int16_t, int32_t, x)
CAST(u16_i32, uint16_t, int32_t, x)
CAST(i16_i64, int16_t, int64_t, x)
CAST(u16_i64, uint16_t, int64_t, x)
CAST(i64_u16, int64_t, uint16_t, (uint16_t)x)
CAST(i32_u16, int32_t, uint16_t, (uint16_t)x)
CAST(i16_u8, int16_t, uint8_t, (uint8_t)x)
CAST(u8_u8, uint8_t, uint8_t, x)
CAST(u16_u16, uint16_t, uint16_t, x)
CAST(u32_u32, uint32_t, uint32_t, x)
CAST(u64_u64, uint64_t, uint64_t, x)
CAST(bf16_f32, uint16_t, float, inlay_bf16_value(x))
CAST(f32_bf16, float, uint16_t, inlay_bf16_code(x))

/* Any byte but 0 of a boolean is true. */
#define CAST_TRUTH(name, T)                                                                        \
    CAST(name##_boolean, T, uint8_t, x != 0)                                                       \
    CAST(boolean_##name, uint8_t, T, x != 0)
CAST_TRUTH(f32, float)
CAST_TRUTH(f64, double)
CAST_TRUTH(i64, int64_t)
CAST_TRUTH(i32, int32_t)
CAST_TRUTH(u16, uint16_t)
CAST_TRUTH(u8, uint8_t)

/* The processor may have a conversion of its own, which the loops of these functions use. */
static void cast_f16_f32(const row_block *k)
{
    for (int64_t r = 0; r < k->rows; r++)
        inlay_load_f32_row(INLAY_F16, k->x + r * k->x_pitch, 0, 1, k->length,
                           (float *)(void *)(k->to + r * k->to_pitch));
}

static void cast_f32_f16(const row_block *k)
{
    for (int64_t r = 0; r < k->rows; r++)
        inlay_store_f32_row(INLAY_F16, k->to + r * k->to_pitch, 0, 1, k->length,
                            (const float *)(const void *)(k->x + r * k->x_pitch));
}

CAST(f64_odd, double, float, inlay_odd_float(x))

static void cast_f64_f16(const row_block *k)
{
    float part[PART];

    for (int64_t r = 0; r < k->rows; r++) {
        for (int64_t i = 0, n; i < k->length; i += n) {
            row_block odd = {.rows = 1, .to = (char *)part};

            n = k->length - i < PART ? k->length - i : PART;
            odd.length = n;
            odd.x = k->x + r * k->x_pitch + i * (int64_t)sizeof(double);
            cast_f64_odd(&odd);
            inlay_store_f32_row(INLAY_F16, k->to + r * k->to_pitch, i, 1, n, part);
        }
    }
}

#undef CAST

static const struct {
    inlay_type from, to;
    row_fn *run;
} casts[] = {
#define CAST(from, FROM, to, TO) {INLAY_##FROM, INLAY_##TO, cast_##from##_##to},
    INLAY_CASTS(CAST)
#undef CAST
};

row_fn *cast_row(inlay_type from, inlay_type to)
{
    row_fn *run = NULL;

    for (size_t i = 0; i < sizeof casts / sizeof *casts; i++)
        run = casts[i].from == from && casts[i].to == to ? casts[i].run : run;
    return run;
}

row_op cast_op(inlay_type from, inlay_type to)
{
    const unsigned narrow = 1u << INLAY_U8 | 1u << INLAY_I8 | 1u << INLAY_U16 | 1u << INLAY_I16 |
                            1u << INLAY_I32 | 1u << INLAY_F16 | 1u << INLAY_BF16;

    return to == INLAY_F32 && (narrow >> from & 1)   ? ROW_READS
           : from == INLAY_F32 && (narrow >> to & 1) ? ROW_WRITES
                                                     : ROW_OTHER;
}

bool cast_holds(inlay_type type, float least, float most)
{
    const inlay_type_info *info = inlay_type_info_of(type);
    float half = ldexpf(1, info->bits - 1);

    return info->cls == INLAY_CLASS_UNSIGNED ? least >= 0 && most < 2 * half
                                             : least >= -half && most < half;
}

/* Conversions between operations on floats, so that they can be computed together with these. Each
 * is one line: its types, its name and its form for an element x. */
#include "interp/kernels/cast.h"

#include "interp/kernels/elementwise.h"
#include "ir/shared.h"

#include <math.h>

#define CAST(name, From, To, form)                                                                 \
    static INLAY_CLONES void cast_##name(const row_block *k)                                       \
    {                                                                                              \
        EACH_ROW(To, From x = ROW_X(From), form)                                                   \
    }

/* Truncates X, which is a number or NaN, to an integer of type I from -LIMIT to LIMIT - 1. */
#define SATURATED(I, limit)                                                                        \
    (x != x ? 0 : x >= (limit) ? (I)((limit)-1) : x <= -(limit) ? (I)(-(limit)) : (I)x)

/* Returns X toward zero modulo 2^16. What is left of it is exact; of infinity that is NaN. */
static inline uint16_t low_16(float x)
{
    float rest = x - truncf(x * 0x1p-16F) * 0x1p16F;

    return (uint16_t)(int32_t)(rest == rest ? rest : 0);
}

CAST(f32_f64, float, double, x)
CAST(f64_f32, double, float, (float)x)
CAST(f32_i32, float, int32_t, SATURATED(int32_t, 0x1p31))
CAST(f64_i32, double, int32_t, SATURATED(int32_t, 0x1p31))
CAST(f32_i8, float, int8_t, (int8_t)SATURATED(int32_t, 0x1p7))
/* It wraps: the last byte of an integer of 2^31 or more is 0, as it is of infinity and NaN. */
CAST(f32_u8, float, uint8_t, (uint8_t)(int32_t)(fabsf(x) < 0x1p31F ? x : 0))
CAST(f32_i16, float, int16_t, (int16_t)SATURATED(int32_t, 0x1p15))
CAST(f32_u16, float, uint16_t, low_16(x))
CAST(i64_f32, int64_t, float, (float)x)
CAST(i64_f64, int64_t, double, (double)x)
CAST(i32_f32, int32_t, float, (float)x)
CAST(i32_f64, int32_t, double, x)
CAST(i8_f32, int8_t, float, x)
CAST(u8_f32, uint8_t, float, x)
CAST(i16_f32, int16_t, float, x)
CAST(u16_f32, uint16_t, float, x)
CAST(boolean_f32, uint8_t, float, x != 0)
CAST(i32_i64, int32_t, int64_t, x)
CAST(bf16_f32, uint16_t, float, inlay_bf16_value(x))
CAST(f32_bf16, float, uint16_t, inlay_bf16_code(x))

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
    const unsigned integers =
        1u << INLAY_U8 | 1u << INLAY_I8 | 1u << INLAY_U16 | 1u << INLAY_I16 | 1u << INLAY_I32;

    return to == INLAY_F32 && (integers >> from & 1)   ? ROW_READS
           : from == INLAY_F32 && (integers >> to & 1) ? ROW_WRITES
                                                       : ROW_OTHER;
}

bool cast_holds(inlay_type type, float least, float most)
{
    const inlay_type_info *info = inlay_type_info_of(type);
    float half = ldexpf(1, info->bits - 1);

    return info->cls == INLAY_CLASS_UNSIGNED ? least >= 0 && most < 2 * half
                                             : least >= -half && most < half;
}

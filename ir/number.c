/* Conversions between element types and C numbers.
 *
 * Every store to a narrow float goes through round_to, which starts from the exact double: never
 * double to float to half, which would round twice. Elements are read and
 * written bytewise: weights in a file stand at any address.
 *
 * Sources: IEEE 754 (f16), OCP 8-bit Floating Point Specification (f8e4m3, f8e5m2), OCP
 * Microscaling Formats (f8e8m0, f4e2m1), QLoRA appendix E (nf4). Where these leave a choice
 * (overflow of types without infinity, NaN of types without NaN) OpenVINO's is taken. */
#include "ir/ir.h"

#include <math.h>
#include <string.h>

/* A narrow binary float: value of a code is mantissa * 2^(exponent), as in IEEE 754. */
typedef struct narrow {
    int mantissa;      /* stored bits of the significand */
    int emin;          /* exponent of the smallest normal number */
    unsigned max;      /* code of the largest finite number, without sign */
    unsigned overflow; /* what is too large becomes this */
    unsigned nan;
    unsigned sign; /* the sign bit */
} narrow;

static const narrow narrow_formats[INLAY_N_TYPES] = {
    [INLAY_F16] = {10, -14, 0x7bff, 0x7c00, 0x7e00, 0x8000},
    [INLAY_BF16] = {7, -126, 0x7f7f, 0x7f80, 0x7fc0, 0x8000},
    [INLAY_F8E4M3] = {3, -6, 0x7e, 0x7f, 0x7f, 0x80},
    [INLAY_F8E5M2] = {2, -14, 0x7b, 0x7c, 0x7e, 0x80},
    [INLAY_F4E2M1] = {1, 0, 0x7, 0x7, 0x7, 0x8},
};

static const float nf4_values[16] = {
    -1.0f,
    -0.6961928009986877f,
    -0.5250730514526367f,
    -0.39491748809814453f,
    -0.28444138169288635f,
    -0.18477343022823334f,
    -0.09105003625154495f,
    0.0f,
    0.07958029955625534f,
    0.16093020141124725f,
    0.24611230194568634f,
    0.33791524171829224f,
    0.44070982933044434f,
    0.5626170039176941f,
    0.7229568362236023f,
    1.0f,
};

/* A bit pattern of the given width, at any alignment. Packed types: u1 has element 0 in the high
 * bit, four-bit types have it in the low nibble. */
static uint64_t load_bits(int bits, const void *base, int64_t index)
{
    const uint8_t *bytes = base;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;

    switch (bits) {
    case 1:
        return bytes[index >> 3] >> (7 - (index & 7)) & 1;
    case 4:
        return bytes[index >> 1] >> (4 * (index & 1)) & 15;
    case 8:
        return bytes[index];
    case 16:
        memcpy(&u16, bytes + 2 * index, 2);
        return u16;
    case 32:
        memcpy(&u32, bytes + 4 * index, 4);
        return u32;
    case 64:
        memcpy(&u64, bytes + 8 * index, 8);
        return u64;
    default:
        return 0;
    }
}

static void store_bits(int bits, void *base, int64_t index, uint64_t x)
{
    uint8_t *bytes = base;
    uint16_t u16 = (uint16_t)x;
    uint32_t u32 = (uint32_t)x;

    switch (bits) {
    case 1: {
        unsigned shift = 7 - (unsigned)(index & 7);
        bytes[index >> 3] = (uint8_t)((bytes[index >> 3] & ~(1u << shift)) | (x & 1) << shift);
        break;
    }
    case 4: {
        unsigned shift = 4 * (unsigned)(index & 1);
        bytes[index >> 1] = (uint8_t)((bytes[index >> 1] & ~(15u << shift)) | (x & 15) << shift);
        break;
    }
    case 8:
        bytes[index] = (uint8_t)x;
        break;
    case 16:
        memcpy(bytes + 2 * index, &u16, 2);
        break;
    case 32:
        memcpy(bytes + 4 * index, &u32, 4);
        break;
    case 64:
        memcpy(bytes + 8 * index, &x, 8);
        break;
    default:
        break;
    }
}

static float f32_of_bits(uint32_t u)
{
    float x;
    memcpy(&x, &u, sizeof(x));
    return x;
}

static double f64_of_bits(uint64_t u)
{
    double x;
    memcpy(&x, &u, sizeof(x));
    return x;
}

static uint64_t bits_of_f64(double x)
{
    uint64_t u;
    memcpy(&u, &x, sizeof(u));
    return u;
}

/* Widening: exact. */
static float decode_narrow(const narrow *f, unsigned code)
{
    unsigned magnitude = code & (f->sign - 1);
    float x;

    if (magnitude > f->max) {
        x = magnitude == f->overflow && f->overflow != f->nan ? INFINITY : NAN;
    } else {
        unsigned field = magnitude >> f->mantissa;
        unsigned fraction = magnitude & ((1u << f->mantissa) - 1);
        if (field != 0)
            fraction += 1u << f->mantissa;
        x = ldexpf((float)fraction, (int)(field != 0 ? field - 1 : 0) + f->emin - f->mantissa);
    }
    return code & f->sign ? -x : x;
}

/* bf16 and f16 are the ones that whole tensors are made of: shifts instead of ldexp. */
static float decode_bf16(unsigned code)
{
    return f32_of_bits((uint32_t)code << 16);
}

static float decode_f16(unsigned code)
{
    uint32_t magnitude = code & 0x7fff;
    uint32_t sign = (uint32_t)(code & 0x8000) << 16;

    if (magnitude >= 0x7c00)
        return f32_of_bits(sign | 0x7f800000 | (magnitude & 0x3ff) << 13);
    if (magnitude >= 0x400) /* rebias the exponent from 15 to 127 */
        return f32_of_bits(sign | (magnitude + ((127 - 15) << 10)) << 13);
    return sign ? -(float)magnitude * 0x1p-24f : (float)magnitude * 0x1p-24f;
}

static float decode_float(inlay_type type, unsigned code)
{
    switch (type) {
    case INLAY_BF16:
        return decode_bf16(code);
    case INLAY_F16:
        return decode_f16(code);
    case INLAY_F8E8M0: /* only exponents: 0xff is NaN, there is no zero */
        return code == 0xff ? NAN : ldexpf(1.0f, (int)code - 127);
    case INLAY_NF4:
        return nf4_values[code & 15];
    default:
        return decode_narrow(&narrow_formats[type], code);
    }
}

/* significand * 2^exponent to the nearest code, ties to even; the significand has 53 bits. */
static unsigned round_to(const narrow *f, uint64_t significand, int exponent)
{
    int top = exponent + 52;                   /* weight of the leading bit */
    int first = top > f->emin ? top : f->emin; /* weight the exponent field stands for */
    int drop = first - f->mantissa - exponent; /* bits that do not fit: at least 42 */

    if (drop > 53) /* less than half of the smallest code */
        return 0;
    uint64_t rest = significand & ((UINT64_C(1) << drop) - 1);
    uint64_t half = UINT64_C(1) << (drop - 1);
    uint64_t kept = significand >> drop;
    if (rest > half || (rest == half && (kept & 1)))
        kept++;
    /* A carry out of the significand runs into the exponent field, as it should. */
    uint64_t code = kept + ((uint64_t)(first - f->emin) << f->mantissa);
    return code > f->max ? f->overflow : (unsigned)code;
}

static unsigned encode_narrow(const narrow *f, double x)
{
    uint64_t u = bits_of_f64(x);
    unsigned sign = u >> 63 ? f->sign : 0;
    int field = (int)(u >> 52 & 0x7ff);
    uint64_t fraction = u & ((UINT64_C(1) << 52) - 1);

    if (field == 0x7ff)
        return sign |
               (fraction != 0 ? f->nan | (unsigned)(fraction >> (52 - f->mantissa)) : f->overflow);
    if (field == 0) /* zero, or a double's denormal: far below half of any format's smallest */
        return sign;
    return sign | round_to(f, fraction | UINT64_C(1) << 52, field - 1075);
}

/* Powers of two only; ties go to the even exponent field. Zero and negative numbers become the
 * smallest, infinity the largest. */
static unsigned encode_f8e8m0(double x)
{
    int exponent;

    if (isnan(x))
        return 0xff;
    if (x <= 0x1p-127)
        return 0;
    if (x >= 0x1p127)
        return 0xfe;
    double m = frexp(x, &exponent) * 2; /* [1, 2) */
    unsigned code = (unsigned)(exponent - 1 + 127);
    return code + (m > 1.5 || (m == 1.5 && (code & 1)));
}

/* The nearest value, the lower one of two equally near; NaN gives the first as in OpenVINO. */
static unsigned encode_nf4(double x)
{
    unsigned code = 0;

    while (code < 15 && x > ((double)nf4_values[code] + (double)nf4_values[code + 1]) / 2)
        code++;
    return code;
}

static unsigned encode_float(inlay_type type, double x)
{
    switch (type) {
    case INLAY_F8E8M0:
        return encode_f8e8m0(x);
    case INLAY_NF4:
        return encode_nf4(x);
    default:
        return encode_narrow(&narrow_formats[type], x);
    }
}

static int64_t sign_extend(uint64_t u, int bits)
{
    int shift = 64 - bits;
    return (int64_t)(u << shift) >> shift;
}

/* Toward zero, saturated; NaN gives 0. */
static int64_t truncate_signed(double x, int bits)
{
    double limit = ldexp(1, bits - 1);
    int64_t max = (int64_t)((UINT64_C(1) << (bits - 1)) - 1);

    if (isnan(x))
        return 0;
    if (x >= limit)
        return max;
    if (x <= -limit)
        return -max - 1;
    return (int64_t)x;
}

static uint64_t truncate_unsigned(double x, int bits)
{
    if (!(x > 0)) /* NaN too */
        return 0;
    if (x >= ldexp(1, bits))
        return bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    return (uint64_t)x;
}

double inlay_load_f64(inlay_type type, const void *base, int64_t index)
{
    const inlay_type_info *info = inlay_type_info_of(type);

    if (info->cls == INLAY_CLASS_COMPLEX) /* the real part */
        return inlay_load_f64(type == INLAY_C64 ? INLAY_F32 : INLAY_F64, base, 2 * index);
    uint64_t u = load_bits(info->bits, base, index);
    switch (info->cls) {
    case INLAY_CLASS_BOOLEAN:
        return u != 0;
    case INLAY_CLASS_SIGNED:
        return (double)sign_extend(u, info->bits);
    case INLAY_CLASS_UNSIGNED:
        return (double)u;
    case INLAY_CLASS_FLOAT:
        if (type == INLAY_F64)
            return f64_of_bits(u);
        return type == INLAY_F32 ? f32_of_bits((uint32_t)u) : decode_float(type, (unsigned)u);
    default:
        return 0;
    }
}

int64_t inlay_load_i64(inlay_type type, const void *base, int64_t index)
{
    const inlay_type_info *info = inlay_type_info_of(type);

    switch (info->cls) {
    case INLAY_CLASS_BOOLEAN:
        return load_bits(info->bits, base, index) != 0;
    case INLAY_CLASS_SIGNED:
        return sign_extend(load_bits(info->bits, base, index), info->bits);
    case INLAY_CLASS_UNSIGNED:
        return (int64_t)load_bits(info->bits, base, index);
    default:
        return truncate_signed(inlay_load_f64(type, base, index), 64);
    }
}

float inlay_load_f32(inlay_type type, const void *base, int64_t index)
{
    const inlay_type_info *info = inlay_type_info_of(type);

    if (type == INLAY_F32)
        return f32_of_bits((uint32_t)load_bits(32, base, index));
    if (info->cls == INLAY_CLASS_SIGNED) /* 64-bit integers: rounded once */
        return (float)sign_extend(load_bits(info->bits, base, index), info->bits);
    if (info->cls == INLAY_CLASS_UNSIGNED)
        return (float)load_bits(info->bits, base, index);
    return (float)inlay_load_f64(type, base, index);
}

void inlay_store_f64(inlay_type type, void *base, int64_t index, double x)
{
    const inlay_type_info *info = inlay_type_info_of(type);

    switch (info->cls) {
    case INLAY_CLASS_BOOLEAN:
        store_bits(info->bits, base, index, x != 0);
        break;
    case INLAY_CLASS_SIGNED:
        store_bits(info->bits, base, index, (uint64_t)truncate_signed(x, info->bits));
        break;
    case INLAY_CLASS_UNSIGNED:
        store_bits(info->bits, base, index, truncate_unsigned(x, info->bits));
        break;
    case INLAY_CLASS_FLOAT:
        if (type == INLAY_F64)
            store_bits(64, base, index, bits_of_f64(x));
        else if (type == INLAY_F32)
            inlay_store_f32(type, base, index, (float)x);
        else
            store_bits(info->bits, base, index, encode_float(type, x));
        break;
    case INLAY_CLASS_COMPLEX: {
        inlay_type part = type == INLAY_C64 ? INLAY_F32 : INLAY_F64;
        inlay_store_f64(part, base, 2 * index, x);
        inlay_store_f64(part, base, 2 * index + 1, 0);
        break;
    }
    default:
        break;
    }
}

/* A double that rounds to every narrower type as X itself does: what 53 bits cannot hold goes into
 * the last bit ("round to odd"), so that ties stay what they are. */
static double sticky_double(int64_t x)
{
    uint64_t magnitude = x < 0 ? -(uint64_t)x : (uint64_t)x;

    if (magnitude >> 53 != 0)
        magnitude = (magnitude >> 11 | ((magnitude & 0x7ff) != 0)) << 11;
    return x < 0 ? -(double)magnitude : (double)magnitude;
}

void inlay_store_i64(inlay_type type, void *base, int64_t index, int64_t x)
{
    const inlay_type_info *info = inlay_type_info_of(type);

    if (info->cls == INLAY_CLASS_SIGNED || info->cls == INLAY_CLASS_UNSIGNED)
        store_bits(info->bits, base, index, (uint64_t)x);
    else if (type == INLAY_F64 || type == INLAY_C128)
        inlay_store_f64(type, base, index, (double)x);
    else
        inlay_store_f64(type, base, index, sticky_double(x));
}

void inlay_store_f32(inlay_type type, void *base, int64_t index, float x)
{
    if (type == INLAY_F32) {
        uint32_t u;
        memcpy(&u, &x, sizeof(u));
        store_bits(32, base, index, u);
    } else {
        inlay_store_f64(type, base, index, x); /* widening is exact */
    }
}

void inlay_copy_element(inlay_type type, void *dst, int64_t dst_index, const void *src,
                        int64_t src_index)
{
    int bits = inlay_type_info_of(type)->bits;

    if (bits % 8 == 0) {
        int64_t size = bits / 8;
        memcpy((char *)dst + dst_index * size, (const char *)src + src_index * size, (size_t)size);
    } else {
        store_bits(bits, dst, dst_index, load_bits(bits, src, src_index));
    }
}

void inlay_copy_elements(inlay_type type, void *dst, int64_t dst_index, const void *src,
                         int64_t src_index, int64_t count)
{
    int bits = inlay_type_info_of(type)->bits;
    int64_t done = 0;

    if (count <= 0 || bits == 0)
        return;
    if (dst_index * bits % 8 == 0 && src_index * bits % 8 == 0) {
        int64_t whole = bits % 8 == 0 ? count * (bits / 8) : count * bits / 8;
        memcpy((char *)dst + dst_index * bits / 8, (const char *)src + src_index * bits / 8,
               (size_t)whole);
        done = whole * 8 / bits;
    }
    for (; done < count; done++)
        inlay_copy_element(type, dst, dst_index + done, src, src_index + done);
}

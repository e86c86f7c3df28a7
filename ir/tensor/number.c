/* Conversions between element types and C numbers.
 *
 * Elements are read and written bytewise, because weights in a file may be at any address. Every
 * store rounds once, whatever type the number comes from; the narrow floats are in narrow.c. */
#include "ir/tensor/number.h"
#include "ir/tensor/narrow.h"

#include <math.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "weights are little endian, and constants are views into the file as it is");

/* Reads a bit pattern of the given width at any alignment. Among the packed types, u1 has element 0
 * in the highest bit; those of two and four bits have it in the lowest ones. */
static uint64_t load_bits(int bits, const void *base, int64_t index)
{
    const uint8_t *bytes = base;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;

    switch (bits) {
    case 1:
        return bytes[index >> 3] >> (7 - (index & 7)) & 1;
    case 2:
        return bytes[index >> 2] >> (2 * (index & 3)) & 3;
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
    case 2: {
        unsigned shift = 2 * (unsigned)(index & 3);
        bytes[index >> 2] = (uint8_t)((bytes[index >> 2] & ~(3u << shift)) | (x & 3) << shift);
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

static double f64_of_bits(uint64_t u)
{
    double x;
    memcpy(&x, &u, sizeof(x));
    return x;
}

static int64_t sign_extend(uint64_t u, int bits)
{
    int shift = 64 - bits;
    return (int64_t)(u << shift) >> shift;
}

/* Rounds toward zero and saturates; NaN gives 0. */
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
    if (!(x > 0)) /* NaN comes here too */
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
        return type == INLAY_F32 ? f32_of_bits((uint32_t)u) : narrow_decode(type, (unsigned)u);
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
            store_bits(info->bits, base, index, narrow_encode(type, x));
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

/* Returns a double that rounds to every narrower type as X itself does. The bits that do not fit
 * into 53 bits are combined into the last bit ("round to odd"), so that a tie stays a tie and no
 * other number becomes one. */
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

/* Packed elements */

static void unpack(int bits, const uint8_t *bytes, int64_t n, uint8_t *codes)
{
#define UNPACK(bits, shift)                                                                        \
    for (int64_t i = 0; i < n; i++) {                                                              \
        for (int k = 0; k < 8 / (bits); k++)                                                       \
            codes[8 / (bits)*i + k] = (uint8_t)(bytes[i] >> (shift) & ((1 << (bits)) - 1));        \
    }
    if (bits == 4) {
        UNPACK(4, 4 * k)
    } else if (bits == 2) {
        UNPACK(2, 2 * k)
    } else {
        UNPACK(1, 7 - k)
    }
#undef UNPACK
}

static void pack(int bits, uint8_t *bytes, int64_t n, const uint8_t *codes)
{
#define PACK(bits, shift)                                                                          \
    for (int64_t i = 0; i < n; i++) {                                                              \
        unsigned byte = 0;                                                                         \
                                                                                                   \
        for (int k = 0; k < 8 / (bits); k++)                                                       \
            byte |= (codes[8 / (bits)*i + k] & ((1u << (bits)) - 1)) << (shift);                   \
        bytes[i] = (uint8_t)byte;                                                                  \
    }
    if (bits == 4) {
        PACK(4, 4 * k)
    } else if (bits == 2) {
        PACK(2, 2 * k)
    } else {
        PACK(1, 7 - k)
    }
#undef PACK
}

/* Returns how many of N elements of BITS bits, from INDEX on, stand before the first whole byte. */
static int64_t before_bytes(int bits, int64_t index, int64_t n)
{
    int64_t per = 8 / bits, first = (per - index % per) % per;

    return first < n ? first : n;
}

void inlay_load_codes(inlay_type type, const void *base, int64_t index, int64_t n, uint8_t *codes)
{
    int bits = inlay_type_info_of(type)->bits;
    int64_t i = 0, per = bits < 8 ? 8 / bits : 1, whole;

    if (bits == 8) {
        memcpy(codes, (const uint8_t *)base + index, (size_t)n);
        return;
    }
    for (int64_t first = before_bytes(bits, index, n); i < first; i++)
        codes[i] = (uint8_t)load_bits(bits, base, index + i);
    whole = (n - i) / per;
    unpack(bits, (const uint8_t *)base + (index + i) / per, whole, codes + i);
    for (i += whole * per; i < n; i++)
        codes[i] = (uint8_t)load_bits(bits, base, index + i);
}

void inlay_store_codes(inlay_type type, void *base, int64_t index, int64_t n, const uint8_t *codes)
{
    int bits = inlay_type_info_of(type)->bits;
    int64_t i = 0, per = bits < 8 ? 8 / bits : 1, whole;

    if (bits == 8) {
        memcpy((uint8_t *)base + index, codes, (size_t)n);
        return;
    }
    for (int64_t first = before_bytes(bits, index, n); i < first; i++)
        store_bits(bits, base, index + i, codes[i]);
    whole = (n - i) / per;
    pack(bits, (uint8_t *)base + (index + i) / per, whole, codes + i);
    for (i += whole * per; i < n; i++)
        store_bits(bits, base, index + i, codes[i]);
}

/* Rows of floats */

enum { CODES = 512 }; /* codes that are converted together */

static bool has_halves(inlay_type type)
{
    return type == INLAY_F16 || type == INLAY_BF16;
}

static bool has_codes(inlay_type type)
{
    return inlay_type_info_of(type)->cls == INLAY_CLASS_FLOAT &&
           inlay_type_info_of(type)->bits <= 8;
}

void inlay_load_f32_row(inlay_type type, const void *base, int64_t index, int64_t step, int64_t n,
                        float *x)
{
    uint8_t codes[CODES];
    int64_t i = 0;

    if (has_halves(type)) {
        narrow_decode_row(type, base, index, step, n, x);
        return;
    }
    for (int64_t some; has_codes(type) && step == 1 && i < n; i += some) {
        some = n - i < CODES ? n - i : CODES;
        inlay_load_codes(type, base, index + i, some, codes);
        narrow_decode_codes(type, codes, some, x + i);
    }
    for (; i < n; i++)
        x[i] = inlay_load_f32(type, base, index + i * step);
}

void inlay_store_f32_row(inlay_type type, void *base, int64_t index, int64_t step, int64_t n,
                         const float *x)
{
    uint8_t codes[CODES];
    int64_t i = 0;

    if (has_halves(type)) {
        narrow_encode_row(type, base, index, step, n, x);
        return;
    }
    for (int64_t some; has_codes(type) && step == 1 && i < n; i += some) {
        some = n - i < CODES ? n - i : CODES;
        narrow_encode_codes(type, codes, some, x + i);
        inlay_store_codes(type, base, index + i, some, codes);
    }
    for (; i < n; i++)
        inlay_store_f32(type, base, index + i * step, x[i]);
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
        memmove((char *)dst + dst_index * bits / 8, (const char *)src + src_index * bits / 8,
                (size_t)whole);
        done = whole * 8 / bits;
    }
    for (; done < count; done++)
        inlay_copy_element(type, dst, dst_index + done, src, src_index + done);
}

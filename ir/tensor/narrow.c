/* Floats of 4 to 16 bits. Every conversion uses round_to, which starts from the exact double: never
 * double to float to half, which would round twice.
 *
 * Sources: IEEE 754 (f16), OCP 8-bit Floating Point Specification (f8e4m3, f8e5m2), OCP
 * Microscaling Formats (f8e8m0, f4e2m1), QLoRA appendix E (nf4), and "8-bit Numerical Formats for
 * Deep Neural Networks" (the FNUZ types, whose only NaN has the code of -0 elsewhere). Where these
 * leave a choice (overflow of types without infinity, NaN of types without NaN) we follow OpenVINO.
 */
#include "ir/tensor/narrow.h"
#include "ir/tensor/casts.h"

#include <math.h>
#include <string.h>
#if defined __x86_64__ && defined __GNUC__
#include <immintrin.h>
#endif

/* A narrow binary float. The value of a code is mantissa * 2^exponent, as in IEEE 754. */
typedef struct narrow {
    int mantissa;      /* the number of stored bits of the significand */
    int emin;          /* the exponent of the smallest normal number */
    unsigned max;      /* the code of the largest finite number, without sign */
    unsigned overflow; /* the code of a number that is too large */
    unsigned nan;
    unsigned sign; /* the sign bit; in a FNUZ type, the code with this bit alone is the only NaN,
                      and there is no -0 */
} narrow;

static const narrow narrow_formats[INLAY_N_TYPES] = {
    [INLAY_F16] = {10, -14, 0x7bff, 0x7c00, 0x7e00, 0x8000},
    [INLAY_BF16] = {7, -126, 0x7f7f, 0x7f80, 0x7fc0, 0x8000},
    [INLAY_F8E4M3] = {3, -6, 0x7e, 0x7f, 0x7f, 0x80},
    [INLAY_F8E5M2] = {2, -14, 0x7b, 0x7c, 0x7e, 0x80},
    [INLAY_F8E4M3FNUZ] = {3, -7, 0x7f, 0x80, 0x80, 0x80},
    [INLAY_F8E5M2FNUZ] = {2, -15, 0x7f, 0x80, 0x80, 0x80},
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

static bool is_fnuz(const narrow *f)
{
    return f->nan == f->sign;
}

/* Widens a code to a float, which is exact. */
static float decode_narrow(const narrow *f, unsigned code)
{
    unsigned magnitude = code & (f->sign - 1);
    float x;

    if (is_fnuz(f) && code == f->nan)
        return NAN;

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

float narrow_decode(inlay_type type, unsigned code)
{
    switch (type) {
    case INLAY_BF16: /* Whole tensors have type bf16 or f16: by shifts instead of ldexp. */
        return inlay_bf16_value((uint16_t)code);
    case INLAY_F16:
        return inlay_f16_value((uint16_t)code);
    case INLAY_F8E8M0: /* only exponents: 0xff is NaN, there is no zero */
        return code == 0xff ? NAN : ldexpf(1.0f, (int)code - 127);
    case INLAY_NF4:
        return nf4_values[code & 15];
    default:
        return decode_narrow(&narrow_formats[type], code);
    }
}

/* Rounds significand * 2^exponent to the nearest code, in ties to the even one. The significand has
 * 53 bits. */
static unsigned round_to(const narrow *f, uint64_t significand, int exponent)
{
    int top = exponent + 52;                   /* the weight of the leading bit */
    int first = top > f->emin ? top : f->emin; /* the weight that the exponent field means */
    int drop = first - f->mantissa - exponent; /* the number of bits that do not fit: at least 42 */

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

/* A number without a code of its own, and -0, get the code of NaN; a sign would make another code
 * of it. */
static unsigned encode_fnuz(const narrow *f, double x)
{
    int field = (int)(bits_of_f64(x) >> 52 & 0x7ff);
    uint64_t fraction = bits_of_f64(x) & ((UINT64_C(1) << 52) - 1);
    unsigned code = field == 0x7ff ? f->nan
                    : field == 0   ? 0
                                   : round_to(f, fraction | UINT64_C(1) << 52, field - 1075);

    return code == 0 || code == f->nan || !signbit(x) ? code : code | f->sign;
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

/* All codes are powers of two. Ties go to the even exponent field; zero and negative numbers become
 * the smallest power, infinity the largest. */
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

/* Returns the code of the nearest value; in ties, that of the lower one. NaN gives the first code,
 * as in OpenVINO. */
static unsigned encode_nf4(double x)
{
    unsigned code = 0;

    while (code < 15 && x > ((double)nf4_values[code] + (double)nf4_values[code + 1]) / 2)
        code++;
    return code;
}

unsigned narrow_encode(inlay_type type, double x)
{
    switch (type) {
    case INLAY_F8E8M0:
        return encode_f8e8m0(x);
    case INLAY_NF4:
        return encode_nf4(x);
    case INLAY_F8E4M3FNUZ:
    case INLAY_F8E5M2FNUZ:
        return encode_fnuz(&narrow_formats[type], x);
    default:
        return encode_narrow(&narrow_formats[type], x);
    }
}

/* Rows of f16 and bf16 are converted by shifts of the float's bits, which give the same codes;
 * those whose elements follow each other in vectors, f16 by the processor's own conversion, where
 * it has one. */

#if defined __x86_64__ && defined __GNUC__
typedef uint32_t bits8 __attribute__((vector_size(32), may_alias));
typedef uint32_t bits16 __attribute__((vector_size(64), may_alias));
enum { NEAREST = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC };

#define NAME(name) name##_eights
#define TARGET __attribute__((target("avx2,f16c")))
#define LANES 8
#define floats __m256
#define bits bits8
#define LOAD_CODES(p) _mm_loadu_si128((const __m128i *)(const void *)(p))
#define STORE_CODES(p, v) _mm_storeu_si128((__m128i *)(void *)(p), v)
#define LOAD_FLOATS(p) _mm256_loadu_ps(p)
#define STORE_FLOATS(p, v) _mm256_storeu_ps(p, v)
#define WIDEN_F16(codes) _mm256_cvtph_ps(codes)
#define WIDEN_BF16(codes) _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(codes), 16))
#define NARROW_F16(v) _mm256_cvtps_ph(v, NEAREST)
#define UPPER(v)                                                                                   \
    _mm_packus_epi32(_mm256_castsi256_si128(_mm256_srli_epi32((__m256i)(v), 16)),                  \
                     _mm256_extracti128_si256(_mm256_srli_epi32((__m256i)(v), 16), 1))
#define mask __m256
#define NO_NAN _mm256_setzero_ps()
#define ALSO_NAN(nan, v) _mm256_or_ps(nan, _mm256_cmp_ps(v, v, _CMP_UNORD_Q))
#define HAS_NAN(nan) (_mm256_movemask_ps(nan) != 0)
#define CHOOSE_NAN(v, nan, other) _mm256_blendv_ps(other, nan, _mm256_cmp_ps(v, v, _CMP_UNORD_Q))
#include "ir/tensor/narrow_loop.h"

#define NAME(name) name##_sixteens
#define TARGET __attribute__((target("avx512f")))
#define LANES 16
#define floats __m512
#define bits bits16
#define LOAD_CODES(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define STORE_CODES(p, v) _mm256_storeu_si256((__m256i *)(void *)(p), v)
#define LOAD_FLOATS(p) _mm512_loadu_ps(p)
#define STORE_FLOATS(p, v) _mm512_storeu_ps(p, v)
#define WIDEN_F16(codes) _mm512_cvtph_ps(codes)
#define WIDEN_BF16(codes) _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(codes), 16))
#define NARROW_F16(v) _mm512_cvtps_ph(v, NEAREST)
#define UPPER(v) _mm512_cvtepi32_epi16(_mm512_srli_epi32((__m512i)(v), 16))
#define mask __mmask16
#define NO_NAN 0
#define ALSO_NAN(nan, v) ((nan) | _mm512_cmp_ps_mask(v, v, _CMP_UNORD_Q))
#define HAS_NAN(nan) ((nan) != 0)
#define CHOOSE_NAN(v, nan, other)                                                                  \
    _mm512_mask_mov_ps(other, _mm512_cmp_ps_mask(v, v, _CMP_UNORD_Q), nan)
#include "ir/tensor/narrow_loop.h"

/* Both functions return how many of N elements they converted: all or none. Not all compilers can
 * ask for f16c, which each processor with AVX2 has. */

static int64_t decode_vectors(inlay_type type, const char *from, int64_t n, float *x)
{
    if (n >= 16 && __builtin_cpu_supports("avx512f"))
        return decode_sixteens(type, from, n, x);
    return __builtin_cpu_supports("avx2") ? decode_eights(type, from, n, x) : 0;
}

static int64_t encode_vectors(inlay_type type, char *to, int64_t n, const float *x)
{
    if (n >= 16 && __builtin_cpu_supports("avx512f"))
        return encode_sixteens(type, to, n, x);
    return __builtin_cpu_supports("avx2") ? encode_eights(type, to, n, x) : 0;
}
#else
static int64_t decode_vectors(inlay_type type, const char *from, int64_t n, float *x)
{
    (void)type, (void)from, (void)n, (void)x;
    return 0;
}

static int64_t encode_vectors(inlay_type type, char *to, int64_t n, const float *x)
{
    (void)type, (void)to, (void)n, (void)x;
    return 0;
}
#endif

/* A step of 1 has a loop of its own, which becomes vectors. */
#define EACH_CODE(body)                                                                            \
    for (int64_t i = first; step == 1 && i < n; i++) {                                             \
        ptrdiff_t at = 2 * i;                                                                      \
        uint16_t code;                                                                             \
                                                                                                   \
        body;                                                                                      \
    }                                                                                              \
    for (int64_t i = 0; step != 1 && i < n; i++) {                                                 \
        ptrdiff_t at = 2 * i * step;                                                               \
        uint16_t code;                                                                             \
                                                                                                   \
        body;                                                                                      \
    }

void narrow_decode_row(inlay_type type, const void *base, int64_t index, int64_t step, int64_t n,
                       float *x)
{
    const char *p = (const char *)base + 2 * index;
    int64_t first = step == 1 ? decode_vectors(type, p, n, x) : 0;

    if (type == INLAY_F16) {
        EACH_CODE(memcpy(&code, p + at, 2); x[i] = inlay_f16_value(code))
    } else {
        EACH_CODE(memcpy(&code, p + at, 2); x[i] = inlay_bf16_value(code))
    }
}

void narrow_encode_row(inlay_type type, void *base, int64_t index, int64_t step, int64_t n,
                       const float *x)
{
    char *p = (char *)base + 2 * index;
    int64_t first = step == 1 ? encode_vectors(type, p, n, x) : 0;

    if (type == INLAY_F16) {
        EACH_CODE(code = inlay_f16_code(x[i]); memcpy(p + at, &code, 2))
    } else {
        EACH_CODE(code = inlay_bf16_code(x[i]); memcpy(p + at, &code, 2))
    }
}

/* Rows of codes of 4 and 8 bits, one in each byte, by shifts on the bits of a float, too. */

static inline float decode_code(const narrow *f, unsigned code)
{
    unsigned magnitude = code & (f->sign - 1);
    uint32_t u = magnitude << (23 - f->mantissa), special = 0x7fc00000;
    float x;

    /* Exponents begin at that of the smallest float; denormals become numbers by the product. */
    memcpy(&x, &u, sizeof x);
    x *= ldexpf(1, 126 + f->emin);
    memcpy(&u, &x, sizeof u);
    special = magnitude == f->overflow && f->overflow != f->nan ? 0x7f800000 : special;
    u = magnitude > f->max ? special : u;
    u |= code & f->sign ? UINT32_C(1) << 31 : 0;
    u = is_fnuz(f) && code == f->nan ? 0x7fc00000 : u;
    memcpy(&x, &u, sizeof x);
    return x;
}

static inline unsigned encode_code(const narrow *f, float x)
{
    const float unit =
        ldexpf(1, f->emin - f->mantissa + 23); /* whose last bit is that of denormals */
    uint32_t u, magnitude, sign, small, unit_bits, code;

    memcpy(&u, &x, sizeof u);
    memcpy(&unit_bits, &unit, sizeof unit_bits);
    magnitude = u & 0x7fffffff;
    sign = u >> 31 ? f->sign : 0;
    memcpy(&x, &magnitude, sizeof x);
    x += unit;
    memcpy(&small, &x, sizeof small);
    small -= unit_bits;
    code = inlay_shift_rounded(magnitude - ((uint32_t)(126 + f->emin) << 23), 23 - f->mantissa);
    code = (int32_t)magnitude < (f->emin + 127) << 23 ? small : code;
    code = code > f->max || (int32_t)magnitude >= 0x7f800000 ? f->overflow : code;
    code = (int32_t)magnitude > 0x7f800000
               ? f->nan | (magnitude >> (23 - f->mantissa) & ((1u << f->mantissa) - 1))
               : code;
    if (is_fnuz(f)) {
        code = (int32_t)magnitude > 0x7f800000 ? f->nan : code;
        sign = code == 0 || code == f->nan ? 0 : sign;
    }
    return code | sign;
}

/* In loops of their own the format is constant, so that they become vectors. */
#define EACH_FORMAT(each) each(F8E4M3) each(F8E5M2) each(F8E4M3FNUZ) each(F8E5M2FNUZ) each(F4E2M1)

static inline float value_f8e8m0(unsigned code)
{
    uint32_t u = code == 0xff ? 0x7fc00000 : code == 0 ? 0x400000 : code << 23;
    float x;

    memcpy(&x, &u, sizeof x);
    return x;
}

static inline unsigned code_f8e8m0(float x)
{
    uint32_t u, exponent, fraction, code;

    memcpy(&u, &x, sizeof u);
    exponent = u >> 23 & 0xff;
    fraction = u & 0x7fffff;
    code = exponent + (fraction > 0x400000 || (fraction == 0x400000 && (exponent & 1)));
    code = exponent == 0 ? fraction > 0x600000 : code;
    code = exponent >= 254 ? 0xfe : code;
    code = u >> 31 ? 0 : code;
    return x != x ? 0xff : code;
}

/* The largest float that is no more than half of the way from a value to the next one. */
static float nf4_bound(int code)
{
    double half = ((double)nf4_values[code] + (double)nf4_values[code + 1]) / 2;
    float bound = (float)half;

    return (double)bound > half ? nextafterf(bound, -INFINITY) : bound;
}

static void encode_nf4_row(uint8_t *codes, int64_t n, const float *x)
{
    memset(codes, 0, (size_t)n);
    for (int code = 0; code < 15; code++) {
        const float bound = nf4_bound(code);

        for (int64_t i = 0; i < n; i++)
            codes[i] = (uint8_t)(codes[i] + (x[i] > bound));
    }
}

void narrow_decode_codes(inlay_type type, const uint8_t *codes, int64_t n, float *x)
{
#define DECODE(format)                                                                             \
    case INLAY_##format:                                                                           \
        for (int64_t i = 0; i < n; i++)                                                            \
            x[i] = decode_code(&narrow_formats[INLAY_##format], codes[i]);                         \
        break;
    switch (type) {
        EACH_FORMAT(DECODE)
    case INLAY_NF4:
        for (int64_t i = 0; i < n; i++)
            x[i] = nf4_values[codes[i] & 15];
        break;
    default:
        for (int64_t i = 0; i < n; i++)
            x[i] = value_f8e8m0(codes[i]);
    }
#undef DECODE
}

void narrow_encode_codes(inlay_type type, uint8_t *codes, int64_t n, const float *x)
{
#define ENCODE(format)                                                                             \
    case INLAY_##format:                                                                           \
        for (int64_t i = 0; i < n; i++)                                                            \
            codes[i] = (uint8_t)encode_code(&narrow_formats[INLAY_##format], x[i]);                \
        break;
    switch (type) {
        EACH_FORMAT(ENCODE)
    case INLAY_NF4:
        encode_nf4_row(codes, n, x);
        break;
    default:
        for (int64_t i = 0; i < n; i++)
            codes[i] = (uint8_t)code_f8e8m0(x[i]);
    }
#undef ENCODE
}

/* Unpacks words for one vector width: unpack.c includes it for each of them. VECTOR_BYTES is the
 * width, TARGET the instruction set. LESS_PRODUCT(X, A, B), where there is such an instruction, is
 * X - A * B, rounded once. */

typedef float NAME(floats) __attribute__((vector_size(VECTOR_BYTES), aligned(4), may_alias));
typedef int32_t NAME(ints) __attribute__((vector_size(VECTOR_BYTES), aligned(4), may_alias));
typedef uint32_t NAME(words) __attribute__((vector_size(VECTOR_BYTES), aligned(4), may_alias));
typedef uint16_t NAME(shorts) __attribute__((vector_size(VECTOR_BYTES / 2), aligned(2), may_alias));

#define INLINE static inline TARGET __attribute__((always_inline))

enum { NAME(width) = VECTOR_BYTES / 4, NAME(cols) = 2 * NAME(width) };

/* Returns the product of D, an integer of 9 bits, and a scale, rounded to f16 or bf16. MUCH is 2^K
 * times the scale and WIDE 2^K + 1 times it, both exact, where K is the bits that a float has more:
 * 13 or 16. This is Veltkamp's splitting: WIDE * D is rounded at the last bit that the narrow type
 * has of the product, and less MUCH * D, which is a multiple of that bit, it is the product so
 * rounded. It is an even multiple, so ties go to even (tests/unit/test_compressed.c tries
 * all). Where the narrow type has fewer bits, below its normal numbers, a product has no more: it is
 * a multiple of the smallest number. A product 0 is +0, which no sum shows. */
INLINE NAME(floats) NAME(round)(NAME(floats) d, NAME(floats) much, NAME(floats) wide)
{
#ifdef LESS_PRODUCT
    return (NAME(floats))LESS_PRODUCT(d * wide, d, much);
#else
    return d * wide - d * much;
#endif
}

/* Loads the numbers of f16 at HALF, one for each word of a vector. */
INLINE NAME(floats) NAME(of_f16)(const uint16_t *half)
{
#ifdef OF_HALVES
    return (NAME(floats))OF_HALVES(half);
#else
    NAME(words) w = __builtin_convertvector(*(const NAME(shorts) *)half, NAME(words));
    NAME(floats) x = (NAME(floats))((w & 0x7fff) << 13) * 0x1p112F;
    NAME(words) none = (NAME(words))(x >= 65536.0F) & 0x7f800000; /* infinity, NaN */

    return (NAME(floats))((NAME(words))x | none | (w & 0x8000) << 16);
#endif
}

/* Returns the numbers of bf16 in the lower halves of words, or in the UPPER ones. */
INLINE NAME(floats) NAME(of_bf16)(NAME(words) w, bool upper)
{
    return upper ? (NAME(floats))(w & 0xffff0000) : (NAME(floats))(w << 16);
}

/* Words of two vectors of columns, and their scales and zero points. */
struct NAME(columns) {
    NAME(words) w[2];
    const uint16_t *halves;  /* the same words, as numbers of f16 */
    NAME(floats) zero[4][2]; /* by position of an integer in its half of a word */
    NAME(floats) scale[2], wide[2];
};

/* Returns integer I of the words of columns J, less the zero point: its bits stay in place in its
 * half of a word, at bit AT, and get the exponent of 2^(23-AT), which makes the float 2^(23-AT) +
 * u. */
INLINE NAME(floats) NAME(of_integer)(const struct NAME(columns) * c, int j, int i, int bits)
{
    const int at = i * bits % 16;
    const uint32_t mask = ((1U << bits) - 1) << at, exponent = (uint32_t)(127 + 23 - at) << 23;
    NAME(words) w = i * bits < 16 ? c->w[j] : c->w[j] >> 16;

    return (NAME(floats))((w & mask) | exponent) - c->zero[at / bits][j];
}

/* Returns number I of the words of columns J. KIND and I are constants where this is inlined. */
INLINE NAME(floats) NAME(number)(const struct NAME(columns) * c, int j, int i, unpack_kind kind)
{
    NAME(floats) x;

    if (kind == UNPACK_F16)
        return NAME(of_f16)(c->halves + i * NAME(cols) + j * NAME(width));
    if (kind == UNPACK_BF16)
        return NAME(of_bf16)(c->w[j], i > 0);
    x = NAME(of_integer)(c, j, i, kind < UNPACK_U8 ? 4 : 8);
    if (kind == UNPACK_U4 || kind == UNPACK_U8)
        return x * c->scale[j];
    return NAME(round)(x, c->scale[j], c->wide[j]);
}

/* Asks for what is read later: the lines of two vectors, or of as many zero points and scales. */
INLINE void NAME(ask)(const void *later)
{
    __builtin_prefetch(later);
    if (VECTOR_BYTES == LINE)
        __builtin_prefetch((const char *)later + LINE);
}

INLINE void NAME(ask_scales)(const float *later)
{
    NAME(ask)(later);
    NAME(ask)(later + NAME(cols));
}

/* Reads what the numbers of the group that stands STEP words behind R need. */
INLINE void NAME(begin)(const unpack_run *r, int64_t step, unpack_kind kind,
                        struct NAME(columns) * c)
{
    const int bits = kind < UNPACK_U8 ? 4 : 8;
    const float much = kind == UNPACK_U4_F16 || kind == UNPACK_U8_F16     ? 0x1p13F
                       : kind == UNPACK_U4_BF16 || kind == UNPACK_U8_BF16 ? 0x1p16F
                                                                          : 1;

    if (kind < UNPACK_F16)
        NAME(ask_scales)(r->zero + step + AHEAD);
    UNROLLED
    for (int j = 0; kind < UNPACK_F16 && j < 2; j++) {
        const NAME(floats) scale = *(const NAME(floats) *)(r->scale + step + j * NAME(width));

        c->scale[j] = scale * much;
        c->wide[j] = scale * (much + 1);
        for (int i = 0; i < 16 / bits; i++)
            c->zero[i][j] = *(const NAME(floats) *)(r->zero + step + j * NAME(width)) +
                            (float)(1 << (23 - i * bits));
    }
}

INLINE void NAME(read)(const uint32_t *words, struct NAME(columns) * c)
{
    UNROLLED
    for (int j = 0; j < 2; j++)
        c->w[j] = *(const NAME(words) *)(words + j * NAME(width));
    c->halves = (const uint16_t *)words;
    NAME(ask)(words + AHEAD);
}

/* Writes the first N numbers, a constant where this is inlined, of all columns. */
INLINE void NAME(write)(const struct NAME(columns) * c, int n, unpack_kind kind, float *to)
{
    for (int i = 0; i < (int)unpack_per_word(kind); i++) {
        UNROLLED
        for (int j = 0; i < n && j < 2; j++)
            *(NAME(floats) *)(to + i * NAME(cols) + j * NAME(width)) = NAME(number)(c, j, i, kind);
    }
}

INLINE void NAME(unpack)(const unpack_run *r, unpack_kind kind, float *to)
{
    const int per = (int)unpack_per_word(kind);
    const uint32_t *words = r->words;
    struct NAME(columns) c = {0};
    int64_t left = r->depth;

    NAME(begin)(r, 0, kind, &c);
    for (; left >= per; left -= per, words += NAME(cols), to += per * NAME(cols)) {
        NAME(read)(words, &c);
        NAME(write)(&c, per, kind, to);
    }
    if (left > 0) {
        NAME(read)(words, &c);
        NAME(write)(&c, (int)left, kind, to);
    }
}

/* Adds the products of A with number I of the words of PANELS panels. Without FUSED_ADD, GCC makes all
 * numbers of a word first, and runs out of registers. */
INLINE void NAME(add_number)(const struct NAME(columns) * c, int panels, int i, unpack_kind kind,
                             float a, NAME(floats) (*sum)[2])
{
    UNROLLED
    for (int p = 0; p < panels; p++) {
        UNROLLED
        for (int j = 0; j < 2; j++) {
            FUSED_ADD(NAME(fused), sum[p][j], FUSED_ALL(NAME(floats), a),
                      NAME(number)(&c[p], j, i, kind));
        }
    }
}

/* Adds the products of the first N numbers of the next words with those of A. Compilers do not
 * unroll so long a loop. */
INLINE void NAME(add_words)(struct NAME(columns) * c, const uint32_t **words, int panels, int n,
                            unpack_kind kind, const float *a, NAME(floats) (*sum)[2])
{
    const int per = (int)unpack_per_word(kind);

    UNROLLED
    for (int p = 0; p < panels; p++) {
        NAME(read)(words[p], &c[p]);
        words[p] += NAME(cols);
    }
#define ADD(i)                                                                                     \
    if ((i) < per && (i) < n)                                                                      \
    NAME(add_number)(c, panels, (i) < per ? (i) : 0, kind, a[i], sum)
    ADD(0);
    ADD(1);
    ADD(2);
    ADD(3);
    ADD(4);
    ADD(5);
    ADD(6);
    ADD(7);
#undef ADD
}

/* Adds the products of the groups STEP words behind R with those numbers of A that they meet. */
INLINE void NAME(add_group)(const unpack_run *r, int panels, int64_t step, unpack_kind kind,
                            const float *a, NAME(floats) (*sum)[2])
{
    const int per = (int)unpack_per_word(kind);
    const uint32_t *words[UNPACK_PANELS];
    struct NAME(columns) c[UNPACK_PANELS] = {0};
    int64_t left = r->depth;

    UNROLLED
    for (int p = 0; p < panels; p++) {
        words[p] = r[p].words + step;
        NAME(begin)(&r[p], step, kind, &c[p]);
    }
    for (; left >= per; left -= per, a += per)
        NAME(add_words)(c, words, panels, per, kind, a, sum);
    if (left > 0)
        NAME(add_words)(c, words, panels, (int)left, kind, a, sum);
}

/* PANELS is a constant where this is inlined, so that sums are kept in registers. */
INLINE void NAME(multiply)(const unpack_run *r, int panels, int64_t groups, int64_t step,
                           unpack_kind kind, const float *a, float *sums)
{
    NAME(floats) sum[UNPACK_PANELS][2] = {0};

    for (int64_t g = 0; g < groups; g++)
        NAME(add_group)(r, panels, g * step, kind, a + g * r->depth, sum);
    UNROLLED
    for (int p = 0; p < panels; p++) {
        UNROLLED
        for (int j = 0; j < 2; j++)
            *(NAME(floats) *)(sums + p * NAME(cols) + j * NAME(width)) = sum[p][j] + 0; /* of -0 */
    }
}

#define KIND(name, kind)                                                                           \
    static TARGET void NAME(unpack_##name)(const unpack_run *r, float *to)                         \
    {                                                                                              \
        NAME(unpack)(r, kind, to);                                                                 \
    }                                                                                              \
    static TARGET void NAME(dot_##name)(const unpack_run *r, int panels, int64_t groups,           \
                                        int64_t step, const float *a, float *sums)                 \
    {                                                                                              \
        if (panels == UNPACK_PANELS)                                                               \
            NAME(multiply)(r, UNPACK_PANELS, groups, step, kind, a, sums);                         \
        else                                                                                       \
            NAME(multiply)(r, 1, groups, step, kind, a, sums);                                     \
    }
KIND(u4, UNPACK_U4)
KIND(u4_f16, UNPACK_U4_F16)
KIND(u4_bf16, UNPACK_U4_BF16)
KIND(u8, UNPACK_U8)
KIND(u8_f16, UNPACK_U8_F16)
KIND(u8_bf16, UNPACK_U8_BF16)
KIND(f16, UNPACK_F16)
KIND(bf16, UNPACK_BF16)
#undef KIND

#include "interp/library/digit_loop.h"

#define KINDS(name)                                                                                \
    {                                                                                              \
        NAME(name##_u4), NAME(name##_u4_f16), NAME(name##_u4_bf16), NAME(name##_u8),               \
            NAME(name##_u8_f16), NAME(name##_u8_bf16), NAME(name##_f16), NAME(name##_bf16)         \
    }
static const unpack_set NAME(set) = {
    NAME(cols),
    KINDS(unpack),
    KINDS(dot),
    {[UNPACK_U4] = NAME(digits_u4), [UNPACK_U8] = NAME(digits_u8)},
#ifdef ADD_QUADS
    {[UNPACK_U4] = NAME(bytes_u4), [UNPACK_U8] = NAME(bytes_u8)},
#else
    {0},
#endif
};
#undef KINDS
#undef INLINE

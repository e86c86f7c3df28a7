/* Products of rows that are split into integers (digits.h) with integer weights, for one vector
 * width: included by unpack_loop.h, whose types and macros it uses. MULTIPLY_PAIRS(A, B), where
 * there is such an instruction, multiplies halves of 16 bits, and adds the two products of each
 * word; ADD_QUADS(SUM, A, B) adds the four products of unsigned bytes of A and signed ones of B to
 * SUM, with the instructions of TARGET_QUADS. */

typedef uint16_t NAME(halves) __attribute__((vector_size(VECTOR_BYTES), aligned(4), may_alias));

/* Adds the products of the halves of W with those of PAIR to each word of SUM. */
INLINE NAME(ints) NAME(add_pair)(NAME(ints) sum, NAME(halves) w, int32_t pair)
{
#ifdef MULTIPLY_PAIRS
    sum += (NAME(ints))MULTIPLY_PAIRS(w, (NAME(ints)){0} + pair);
    /* Otherwise GCC makes all products of a word first, and runs out of registers. */
    __asm__("" : "+v"(sum));
    return sum;
#else
    NAME(words) x = (NAME(words))w;

    return sum + (NAME(ints))(x & 0xffff) * (int16_t)pair + (NAME(ints))(x >> 16) * (pair >> 16);
#endif
}

/* Adds the products of numbers I of the halves of words with two PAIRS of digits. */
INLINE void NAME(add_digits)(const NAME(halves) * w, int i, int bits, const int32_t *pairs,
                             NAME(ints) (*sum)[2])
{
    for (int j = 0; j < 2; j++) {
        NAME(halves) x = w[j] >> i * bits;

        if ((i + 1) * bits < 16)
            x &= (uint16_t)((1U << bits) - 1);
        sum[0][j] = NAME(add_pair)(sum[0][j], x, pairs[i * 2]);
        sum[1][j] = NAME(add_pair)(sum[1][j], x, pairs[i * 2 + 1]);
    }
}

/* Adds the products of the words of two vectors of columns with the PAIRS of a word. */
INLINE void NAME(add_word)(const uint32_t *from, int bits, const int32_t *pairs,
                           NAME(ints) (*sum)[2])
{
    const NAME(halves)
        w[2] = {*(const NAME(halves) *)from, *(const NAME(halves) *)(from + NAME(width))};

    NAME(add_digits)(w, 0, bits, pairs, sum);
    NAME(add_digits)(w, 1, bits, pairs, sum);
    if (bits == 4) {
        NAME(add_digits)(w, 2, bits, pairs, sum);
        NAME(add_digits)(w, 3, bits, pairs, sum);
    }
}

/* Adds the sums of HIGH and LOW digits of all columns to SUMS, scaled; nothing is rounded but the
 * product with the scale, and what is added: so fused steps have the bits of separate ones. */
static APART TARGET void NAME(add_scaled)(const unpack_run *r, const digit_part *p,
                                          const int32_t *high, const int32_t *low, double *sums)
{
    const double unit = p->unit, sum = p->sum;

#pragma omp simd
    for (int j = 0; j < NAME(cols); j++)
        sums[j] = PLUS_DOUBLE(sums[j],
                              PLUS_DOUBLE(PLUS_DOUBLE(low[j], high[j], 65536.0), r->zero[j], -sum) *
                                  r->scale[j],
                              unit);
}

/* Writes the sums of the high and of the low digits of P, for each column, to DIGITS. */
INLINE void NAME(sum_panel)(const uint32_t *from, const digit_part *p, int bits,
                            int32_t (*digits)[NAME(cols)])
{
    NAME(ints) sum[2][2] = {0};
    const int32_t *pairs = p->pairs;

    for (int64_t i = 0; i < p->blocks; i++, pairs += DIGITS_BLOCK) {
        const uint32_t *words = from + p->at[i] * (bits / 4 * NAME(cols));

        NAME(add_word)(words, bits, pairs, sum);
        NAME(ask)(words + DIGITS_AHEAD);
        if (bits == 8) {
            NAME(add_word)(words + NAME(cols), bits, pairs + DIGITS_BLOCK / 2, sum);
            NAME(ask)(words + NAME(cols) + DIGITS_AHEAD);
        }
    }
    for (int i = 0; i < 4; i++)
        *(NAME(ints) *)(digits[i / 2] + i % 2 * NAME(width)) = sum[i / 2][i % 2];
}

INLINE void NAME(sum_pairs)(const uint32_t *from, const uint32_t *other, const digit_part *p,
                            int bits, int32_t (*digits)[2][NAME(cols)])
{
    NAME(sum_panel)(from, p, bits, digits[0]);
    if (other)
        NAME(sum_panel)(other, p, bits, digits[1]);
}

#ifdef ADD_QUADS
#define INLINE_QUADS static inline TARGET_QUADS __attribute__((always_inline))

/* Adds the products of four numbers of each column, bytes of W, with the QUADS of their digits. */
INLINE_QUADS void NAME(add_quads)(const NAME(words) * w, const int32_t *quads, NAME(ints) (*sum)[2])
{
    UNROLLED
    for (int i = 0; i < 4; i++) {
        UNROLLED
        for (int j = 0; j < 2; j++)
            sum[i][j] = (NAME(ints))ADD_QUADS(sum[i][j], w[j], (NAME(ints)){0} + quads[i]);
    }
}

/* Adds the products of a block of eight numbers. */
INLINE_QUADS void NAME(add_block)(const uint32_t *from, int bits, const int32_t *quads,
                                  NAME(ints) (*sum)[2])
{
    const NAME(words) *at = (const NAME(words) *)from;
    const uint32_t low = bits == 8 ? 0xffffffff : 0x0f0f0f0f;
    const NAME(words) first[2] = {at[0] & low, at[1] & low};
    const NAME(words) *behind = bits == 8 ? at + 2 : at;
    const int shift = bits == 8 ? 0 : 4;
    const NAME(words) next[2] = {behind[0] >> shift & low, behind[1] >> shift & low};

    NAME(add_quads)(first, quads, sum);
    NAME(add_quads)(next, quads + 4, sum);
    NAME(ask)(from + DIGITS_AHEAD);
    if (bits == 8)
        NAME(ask)(from + NAME(cols) + DIGITS_AHEAD);
}

INLINE_QUADS void NAME(store_quads)(NAME(ints) (*sum)[2], int32_t (*digits)[NAME(cols)])
{
    UNROLLED
    for (int i = 0; i < 4; i++)
        *(NAME(ints) *)(digits[i / 2] + i % 2 * NAME(width)) =
            sum[3 - i / 2 * 2][i % 2] * 256 + sum[2 - i / 2 * 2][i % 2];
}

/* As sum_pairs. A sum of digits is at most 2^23, so two of them make an integer of 32 bits. */
INLINE_QUADS void NAME(sum_quads)(const uint32_t *from, const uint32_t *other, const digit_part *p,
                                  int bits, int32_t (*digits)[2][NAME(cols)])
{
    NAME(ints) sum[4][2] = {0}, sum_other[4][2] = {0};
    const int32_t *quads = p->pairs;

    if (other) {
        for (int64_t i = 0; i < p->blocks; i++, quads += DIGITS_BLOCK) {
            NAME(add_block)(from + p->at[i] * (bits / 4 * NAME(cols)), bits, quads, sum);
            NAME(add_block)(other + p->at[i] * (bits / 4 * NAME(cols)), bits, quads, sum_other);
        }
        NAME(store_quads)(sum_other, digits[1]);
    } else {
        for (int64_t i = 0; i < p->blocks; i++, quads += DIGITS_BLOCK)
            NAME(add_block)(from + p->at[i] * (bits / 4 * NAME(cols)), bits, quads, sum);
    }
    NAME(store_quads)(sum, digits[0]);
}
#undef INLINE_QUADS
#endif

#define DIGITS(name, target, sum, bits)                                                            \
    static target void NAME(name)(const unpack_run *r, int panels, int64_t step,                   \
                                  const digit_part *parts, int64_t n, double *sums)                \
    {                                                                                              \
        for (int64_t i = 0; i < n; i++) {                                                          \
            _Alignas(64) int32_t digits[2][2][NAME(cols)];                                         \
            const digit_part *part = &parts[i];                                                    \
            const int64_t at = part->group * step;                                                 \
                                                                                                   \
            if (panels == 2)                                                                       \
                NAME(sum)(r[0].words + at, r[1].words + at, part, bits, digits);                   \
            else                                                                                   \
                NAME(sum)(r[0].words + at, NULL, part, bits, digits);                              \
            for (int k = 0; k < panels; k++) {                                                     \
                const unpack_run group = {.zero = r[k].zero + at, .scale = r[k].scale + at};       \
                                                                                                   \
                NAME(ask_scales)(group.zero + DIGITS_AHEAD);                                       \
                NAME(add_scaled)(&group, part, digits[k][0], digits[k][1], sums + k * NAME(cols)); \
            }                                                                                      \
        }                                                                                          \
    }
DIGITS(digits_u4, TARGET, sum_pairs, 4)
DIGITS(digits_u8, TARGET, sum_pairs, 8)
#ifdef ADD_QUADS
DIGITS(bytes_u4, TARGET_QUADS, sum_quads, 4)
DIGITS(bytes_u8, TARGET_QUADS, sum_quads, 8)
#endif
#undef DIGITS

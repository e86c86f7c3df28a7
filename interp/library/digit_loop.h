/* Products of rows that are split into integers (digits.h) with integer weights, for one vector
 * width: included by unpack_loop.h, whose types and macros it uses. MULTIPLY_PAIRS(A, B), where
 * there is such an instruction, multiplies halves of 16 bits, and adds the two products of each
 * word. */

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

/* Adds the sums of HIGH and LOW digits of all columns to SUMS, scaled; nothing is rounded before
 * the scale. */
static APART TARGET void NAME(add_scaled)(const unpack_run *r, const digit_part *p,
                                          const int32_t *high, const int32_t *low, double *sums)
{
    const double unit = p->unit, sum = p->sum;

#pragma omp simd
    for (int j = 0; j < NAME(cols); j++)
        sums[j] += (high[j] * 65536.0 + low[j] - r->zero[j] * sum) * r->scale[j] * unit;
}

INLINE void NAME(multiply_part)(const unpack_run *r, const digit_part *p, int bits, double *sums)
{
    _Alignas(64) int32_t digits[2][NAME(cols)];
    NAME(ints) sum[2][2] = {0};
    const int32_t *pairs = p->pairs;

    for (int64_t i = 0; i < p->blocks; i++, pairs += DIGITS_BLOCK) {
        const uint32_t *words = r->words + p->at[i] * (bits / 4 * NAME(cols));

        NAME(add_word)(words, bits, pairs, sum);
        __builtin_prefetch(words + AHEAD);
        if (bits == 8) {
            NAME(add_word)(words + NAME(cols), bits, pairs + DIGITS_BLOCK / 2, sum);
            __builtin_prefetch(words + NAME(cols) + AHEAD);
        }
    }
    for (int i = 0; i < 4; i++)
        *(NAME(ints) *)(digits[i / 2] + i % 2 * NAME(width)) = sum[i / 2][i % 2];
    NAME(add_scaled)(r, p, digits[0], digits[1], sums);
}

INLINE void NAME(multiply_plane)(const unpack_run *r, int64_t step, const digit_plane *p, int bits,
                                 double *sums)
{
    for (int64_t i = 0; i < p->n; i++) {
        const int64_t at = p->parts[i].group * step;
        const unpack_run group = {
            .words = r->words + at, .zero = r->zero + at, .scale = r->scale + at};

        NAME(multiply_part)(&group, &p->parts[i], bits, sums);
    }
}

static TARGET void NAME(digits_u4)(const unpack_run *r, int64_t step, const digit_plane *p,
                                   double *sums)
{
    NAME(multiply_plane)(r, step, p, 4, sums);
}

static TARGET void NAME(digits_u8)(const unpack_run *r, int64_t step, const digit_plane *p,
                                   double *sums)
{
    NAME(multiply_plane)(r, step, p, 8, sums);
}

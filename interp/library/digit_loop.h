/* Products of rows that are cut in integers (digits.h) with weights that are integers, for one
 * width of vectors: included by unpack_loop.h, whose types and macros these are. MULTIPLY_PAIRS(A,
 * B), where there is such an instruction, multiplies halves of 16 bits, and adds the two of each
 * word. */

typedef uint16_t NAME(halves) __attribute__((vector_size(VECTOR_BYTES), aligned(4), may_alias));
typedef double NAME(doubles) __attribute__((vector_size(VECTOR_BYTES), aligned(4), may_alias));
typedef int32_t NAME(half_ints)
    __attribute__((vector_size(VECTOR_BYTES / 2), aligned(4), may_alias));
typedef float NAME(half_floats)
    __attribute__((vector_size(VECTOR_BYTES / 2), aligned(4), may_alias));

/* Adds to SUM, for each word of W, the products of its halves with those of PAIR. */
INLINE NAME(ints) NAME(add_pair)(NAME(ints) sum, NAME(halves) w, int32_t pair)
{
#ifdef MULTIPLY_PAIRS
    sum += (NAME(ints))MULTIPLY_PAIRS(w, (NAME(ints)){0} + pair);
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

/* Adds sums of HIGH and LOW digits, half a vector of columns, to SUMS, scaled. Nothing is rounded
 * before the scale. */
INLINE void NAME(add_scaled)(const int32_t *high, const int32_t *low, const float *zero,
                             const float *scale, const digit_part *p, double *sums)
{
#define DOUBLES(type, x) __builtin_convertvector(*(const NAME(half_##type) *)(x), NAME(doubles))
    NAME(doubles) x = DOUBLES(ints, high) * 65536 + DOUBLES(ints, low);

    x = (x - DOUBLES(floats, zero) * p->sum) * DOUBLES(floats, scale);
    *(NAME(doubles) *)sums += x * p->unit;
#undef DOUBLES
}

/* Adds SUM, of high and of low digits, to SUMS. */
INLINE void NAME(add_part)(const unpack_run *r, const digit_part *p, NAME(ints) (*sum)[2],
                           double *sums)
{
    _Alignas(64) int32_t digits[2][NAME(cols)];

    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++)
            *(NAME(ints) *)(digits[i] + j * NAME(width)) = sum[i][j];
    }
    for (int j = 0; j < NAME(cols); j += NAME(width) / 2)
        NAME(add_scaled)(digits[0] + j, digits[1] + j, r->zero + j, r->scale + j, p, sums + j);
}

INLINE void NAME(multiply_part)(const unpack_run *r, const digit_part *p, int bits, double *sums)
{
    NAME(ints) sum[2][2] = {0};
    const int32_t *pairs = p->pairs;

    for (int64_t i = 0; i < p->words; i++, pairs += 32 / bits) {
        const uint32_t *words = r->words + (int64_t)p->at[i] * NAME(cols);

        NAME(add_word)(words, bits, pairs, sum);
        __builtin_prefetch(words + AHEAD);
    }
    NAME(add_part)(r, p, sum, sums);
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

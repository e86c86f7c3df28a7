/* Rows of floats as sums of integers. */
#include "interp/library/digits.h"
#include "interp/kernels/clones.h"

#include <math.h>
#include <string.h>

static const double smallest = 0x1p-149; /* all floats are multiples of it */

static int64_t parts_of_group(const digit_form *f)
{
    return (f->size + DIGITS_PART - 1) / DIGITS_PART;
}

int64_t digits_parts(const digit_form *f)
{
    return f->groups * parts_of_group(f);
}

int64_t digits_blocks(const digit_form *f)
{
    return f->groups * ((f->size + DIGITS_BLOCK - 1) / DIGITS_BLOCK);
}

/* Returns how many numbers the part has that begins with number FIRST of a group. */
static int64_t part_size(const digit_form *f, int64_t first)
{
    return f->size - first < DIGITS_PART ? f->size - first : DIGITS_PART;
}

/* Returns the bits of X without its sign: as integers they have the order of the numbers, and
 * compilers vectorise the maximum of integers. */
static uint32_t magnitude(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits & 0x7fffffff;
}

static double larger(double x, double y)
{
    return x > y ? x : y;
}

/* Returns the unit of the first plane of N numbers X. Their integers are less than 2^31 - 2^24 +
 * 2^20, so that the highest digit, which may be rounded up, needs no more than 8 bits, or 16. */
static INLAY_CLONES double first_unit(const float *x, int64_t n)
{
    uint32_t most = 0;
    float largest;
    int exponent;

    for (int64_t i = 0; i < n; i++)
        most = magnitude(x[i]) > most ? magnitude(x[i]) : most;
    memcpy(&largest, &most, sizeof largest);
    frexp(largest * (1 + 0x1p-7), &exponent);
    return larger(ldexp(1, exponent - 31), smallest);
}

void digits_begin(const digit_form *f, const float *x, double *units)
{
    for (int64_t g = 0; g < f->groups; g++, x += f->size) {
        for (int64_t k = 0; k < f->size; k += DIGITS_PART)
            *units++ = first_unit(x + k, part_size(f, k));
    }
}

/* X receives N numbers REST, which are less than 2^31 units, as integers, and REST keeps the
 * remainders. Adding and subtracting 1.5 * 2^52 rounds to an integer; nothing else here is rounded,
 * because a remainder is made of the last bits of a float. Returns the sum of the integers. */
static INLAY_CLONES int64_t cut_numbers(float *rest, int64_t n, double unit, int32_t *x, bool *left)
{
    const double much = 0x1.8p52, inverse = 1 / unit;
    uint32_t any = 0;
    int64_t sum = 0;

    for (int64_t i = 0; i < n; i++) {
        double whole = rest[i] * inverse + much - much;

        x[i] = (int32_t)whole;
        rest[i] = (float)(rest[i] - whole * unit);
        any |= magnitude(rest[i]);
    }
    for (int64_t i = 0; i < n; i++)
        sum += x[i];
    *left = *left || any;
    return sum;
}

/* Returns the pair of A and B, each cut to 16 bits. */
static int32_t pair_of(int32_t a, int32_t b)
{
    return (int32_t)(((uint32_t)a & 0xffff) | (uint32_t)b << 16);
}

/* Returns the high digit of X; the low one is its lowest 16 bits. */
static int32_t high_of(int32_t x)
{
    return (x - (int16_t)x) >> 16;
}

static void write_pairs(const int32_t *x, int64_t per, int32_t *pairs)
{
    for (int64_t i = 0; i < DIGITS_BLOCK / 2; i++) {
        int64_t k = i / (per / 2) * per + i % (per / 2);

        *pairs++ = pair_of(high_of(x[k]), high_of(x[k + per / 2]));
        *pairs++ = pair_of(x[k], x[k + per / 2]);
    }
}

/* Adding 128 to a digit and flipping its highest bit is no change, but a digit above 127 is carried
 * into the next one. */
static void write_quads(const int32_t *x, int64_t per, int32_t *quads)
{
    const uint32_t half = 0x00808080;
    const int64_t step = per == DIGITS_BLOCK ? 2 : 1, next = per == DIGITS_BLOCK ? 1 : per;
    uint32_t digits[DIGITS_BLOCK];

    for (int64_t i = 0; i < DIGITS_BLOCK; i++)
        digits[i] = ((uint32_t)x[i] + half) ^ half;
    for (int64_t i = 0; i < DIGITS_BLOCK; i += 4) {
        const uint32_t *d = digits + i / 4 * next;

        for (int shift = 0; shift < 32; shift += 8)
            *quads++ = (int32_t)((d[0] >> shift & 0xff) | (d[step] >> shift & 0xff) << 8 |
                                 (d[2 * step] >> shift & 0xff) << 16 |
                                 (d[3 * step] >> shift & 0xff) << 24);
    }
}

/* Writes the pairs or quads for a block of integers from X on; false: all of them are 0. */
static bool write_block(const digit_form *f, const int32_t *x, int32_t *pairs)
{
    int32_t any = 0;

    for (int i = 0; i < DIGITS_BLOCK; i++)
        any |= x[i];
    if (any)
        (f->bytes ? write_quads : write_pairs)(x, f->per, pairs);
    return any != 0;
}

/* Moves the next plane of the part of a group from number FIRST on, of which REST remains, to P. */
static void cut_part(const digit_form *f, float *rest, int64_t first, digit_part *p, int64_t *at,
                     int32_t *pairs, bool *left)
{
    int32_t x[DIGITS_PART + DIGITS_BLOCK] = {0};
    const int64_t n = part_size(f, first);

    p->at = at;
    p->pairs = pairs;
    p->blocks = 0;
    p->sum = (double)cut_numbers(rest, n, p->unit, x, left);
    for (int64_t k = 0; k < n; k += DIGITS_BLOCK) {
        if (write_block(f, x + k, pairs + p->blocks * DIGITS_BLOCK))
            at[p->blocks++] = (first + k) / DIGITS_BLOCK;
    }
}

bool digits_cut(const digit_form *f, float *rest, double *units, digit_plane *p)
{
    int64_t blocks = 0;
    bool left = false;

    p->n = 0;
    for (int64_t g = 0; g < f->groups; g++, rest += f->size) {
        for (int64_t k = 0; k < f->size; k += DIGITS_PART, units++) {
            digit_part *part = &p->parts[p->n];

            part->group = g;
            part->unit = *units;
            cut_part(f, rest + k, k, part, p->at + blocks, p->pairs + blocks * DIGITS_BLOCK, &left);
            blocks += part->blocks;
            p->n += part->blocks > 0;
            *units = larger(*units * 0x1p-31, smallest);
        }
    }
    return left;
}

/* The place of the numbers of P in a row of form F, in parts. */
static int64_t place_of(const digit_form *f, const digit_part *p)
{
    return p->group * parts_of_group(f) + p->at[0] / (DIGITS_PART / DIGITS_BLOCK);
}

int64_t digits_join(const digit_form *f, const digit_plane *planes, int n, digit_part *parts)
{
    int64_t next[DIGITS_PLANES] = {0}, count = 0;

    for (int64_t at = 0; at < digits_parts(f); at++) {
        for (int i = 0; i < n; i++) {
            if (next[i] < planes[i].n && place_of(f, &planes[i].parts[next[i]]) == at)
                parts[count++] = planes[i].parts[next[i]++];
        }
    }
    return count;
}

/* Rows of floats as sums of integers. */
#include "interp/library/digits.h"

#include <math.h>
#include <string.h>

static const double smallest = 0x1p-149; /* of which all floats are multiples */

static int64_t parts_of_group(const digit_form *f)
{
    return (f->size + DIGITS_PART - 1) / DIGITS_PART;
}

int64_t digits_parts(const digit_form *f)
{
    return f->groups * parts_of_group(f);
}

int64_t digits_words(const digit_form *f)
{
    return f->groups * ((f->size + f->per - 1) / f->per);
}

/* Returns how many numbers the part has that begins with number FIRST of a group. */
static int64_t part_size(const digit_form *f, int64_t first)
{
    return f->size - first < DIGITS_PART ? f->size - first : DIGITS_PART;
}

/* Returns the bits of X without its sign: they are in the order of numbers, and compilers find the
 * largest of many integers side by side. */
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

/* Returns the unit of the first plane of N numbers X. Their integers are no larger than 2^31 -
 * 2^16, so that the high digit of none of them, which may be rounded up, has 17 bits. */
static double first_unit(const float *x, int64_t n)
{
    uint32_t most = 0;
    float largest;
    int exponent;

    for (int64_t i = 0; i < n; i++)
        most = magnitude(x[i]) > most ? magnitude(x[i]) : most;
    memcpy(&largest, &most, sizeof largest);
    frexp(largest * (1 + 0x1p-15), &exponent);
    return larger(ldexp(1, exponent - 31), smallest);
}

void digits_begin(const digit_form *f, const float *x, double *units)
{
    for (int64_t g = 0; g < f->groups; g++, x += f->size) {
        for (int64_t k = 0; k < f->size; k += DIGITS_PART)
            *units++ = first_unit(x + k, part_size(f, k));
    }
}

/* X receives the integers of N numbers REST, which are less than 2^31 units, and REST what is
 * left. Adding and subtracting 1.5 * 2^52 rounds to an integer; nothing else here is rounded: what
 * is left of a float are the last ones of its bits. Returns the sum of the integers. */
static int64_t cut_numbers(float *rest, int64_t n, double unit, int32_t *x, bool *left)
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

/* Returns the pair of A and B, which are cut to 16 bits. */
static int32_t pair_of(int32_t a, int32_t b)
{
    return (int32_t)(((uint32_t)a & 0xffff) | (uint32_t)b << 16);
}

/* Returns the high digit of X, whose low one is that of its lowest 16 bits. */
static int32_t high_of(int32_t x)
{
    return (x - (int16_t)x) >> 16;
}

/* Writes the pairs of the word that has PER integers from X on; false: all of them are 0. */
static bool write_pairs(const int32_t *x, int64_t per, int32_t *pairs)
{
    int32_t any = 0;

    for (int64_t i = 0; i < per; i++)
        any |= x[i];
    for (int64_t i = 0; any && i < per / 2; i++) {
        int32_t a = x[i], b = x[i + per / 2];

        *pairs++ = pair_of(high_of(a), high_of(b));
        *pairs++ = pair_of(a, b);
    }
    return any != 0;
}

/* Moves the next plane of N numbers REST, those of a group from FIRST on, to P. */
static void cut_part(const digit_form *f, float *rest, int64_t first, int64_t n, digit_part *p,
                     int32_t *at, int32_t *pairs, bool *left)
{
    int32_t x[DIGITS_PART + 8] = {0};

    p->at = at;
    p->pairs = pairs;
    p->words = 0;
    p->sum = (double)cut_numbers(rest, n, p->unit, x, left);
    for (int64_t k = 0; k < n; k += f->per) {
        if (write_pairs(x + k, f->per, pairs + p->words * f->per))
            at[p->words++] = (int32_t)((first + k) / f->per);
    }
}

bool digits_cut(const digit_form *f, float *rest, double *units, digit_plane *p)
{
    int64_t words = 0;
    bool left = false;

    p->n = 0;
    for (int64_t g = 0; g < f->groups; g++, rest += f->size) {
        for (int64_t k = 0; k < f->size; k += DIGITS_PART, units++) {
            digit_part *part = &p->parts[p->n];

            part->group = g;
            part->unit = *units;
            cut_part(f, rest + k, k, part_size(f, k), part, p->at + words,
                     p->pairs + words * f->per, &left);
            words += part->words;
            p->n += part->words > 0;
            *units = larger(*units * 0x1p-31, smallest);
        }
    }
    return left;
}

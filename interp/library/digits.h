/* Represents a row of finite floats as sums of integers. Products of these with integer weights are
 * exact, so they may be added in any order and number at a time: processors multiply and add pairs
 * of 16 bits in one instruction.
 *
 * A row is split into parts, and each part into planes of 31 bits, the first of which begins with
 * the leading bit of the part's largest number. UNIT is the value of the integer 1. For example
 * with decimal digits, in planes of three:
 *
 *     part         first plane, unit 0.01      second plane, unit 0.00001
 *     1.25           125                           0
 *     0.0375           4                        -250
 *     -1.5          -150                           0
 *
 * A float has 24 bits: the second plane has the remainders of numbers that are at least 128 times
 * smaller than the largest one, and few parts have a third. Blocks of eight numbers that are all 0
 * in a plane are omitted. An integer is two signed digits of 16 bits, 65536 * high + low; or, for
 * processors that multiply bytes and add four products in one instruction, four of 8 bits. */
#ifndef INLAY_LIBRARY_DIGITS_H
#define INLAY_LIBRARY_DIGITS_H

#include <stdbool.h>
#include <stdint.h>

/* The most numbers of a part: sums of so many products of a digit with weights of 8 bits fit into
 * integers of 32. */
enum { DIGITS_PART = 256, DIGITS_PLANES = 10 /* that floats may need */ };

enum { DIGITS_BLOCK = 8 }; /* numbers that are multiplied with weights at a time */

/* The layout of a row: GROUPS times SIZE numbers, each group in blocks of its own. A word has PER
 * weights (unpack.h), and belongs to one block. BYTES: digits have 8 bits. */
typedef struct digit_form {
    int64_t groups, size, per;
    bool bytes;
} digit_form;

/* The part of a row in one plane: BLOCKS of a group. Block I is number AT[I] of the group, and has
 * DIGITS_BLOCK pairs from PAIRS[I * DIGITS_BLOCK] on: for each number K of the first half of a word
 * the high digits of numbers K, in the lower bits of the pair, and K + PER / 2, and then the low
 * ones; and so on for the next word. Digits of 8 bits are quads instead of pairs, the lowest digits
 * first: of numbers 0 to 3 and then 4 to 7, or, if all are in one word, of the even and the odd ones.
 */
typedef struct digit_part {
    int64_t group, blocks;
    const int64_t *at;
    const int32_t *pairs;
    double unit, sum; /* the sum of the integers of all its numbers */
} digit_part;

/* A plane of a row: its N parts that are not 0. The caller allocates digits_parts of them,
 * digits_blocks of blocks, and DIGITS_BLOCK times as many pairs. */
typedef struct digit_plane {
    int64_t n;
    digit_part *parts;
    int64_t *at;
    int32_t *pairs;
} digit_plane;

/* Return the most parts and blocks of a row of form F. */
int64_t digits_parts(const digit_form *f);
int64_t digits_blocks(const digit_form *f);
/* Writes the units of the first plane of row X, one for each part. */
void digits_begin(const digit_form *f, const float *x, double *units);
/* Moves the next plane out of REST, what remains of the row, into P, and advances UNITS to the
 * plane behind it. Returns whether anything remains for that plane. */
bool digits_cut(const digit_form *f, float *rest, double *units, digit_plane *p);

/* Writes the parts of N planes of a row of form F to PARTS, those of the same numbers one behind the
 * other, so that the weights that they meet are read from memory once. Returns how many there are. */
int64_t digits_join(const digit_form *f, const digit_plane *planes, int n, digit_part *parts);

#endif

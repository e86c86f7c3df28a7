/* A row of finite floats as sums of integers. Products of these with weights that are integers,
 * too, are exact, so that it is all the same in which order and how many at a time they are added:
 * processors multiply and add pairs of 16 bits in one instruction.
 *
 * A row is cut in parts, and each part in planes of 31 bits, the first of which begins with the
 * first bit of the part's largest number. UNIT is what 1 stands for. Numbers of decimal digits,
 * with planes of three of them:
 *
 *     part         first plane, unit 0.01      second plane, unit 0.00001
 *     1.25           125                           0
 *     0.0375           4                        -250
 *     -1.5          -150                           0
 *
 * A float has 24 bits: the second plane has what is left of numbers that are 128 times smaller than
 * the largest one, or more, and few parts have a third. Blocks of eight numbers that have nothing
 * in a plane are not in it. An integer is two digits of 16 bits with signs, 65536 * high + low. */
#ifndef INLAY_LIBRARY_DIGITS_H
#define INLAY_LIBRARY_DIGITS_H

#include <stdbool.h>
#include <stdint.h>

/* Numbers of a part at most: sums of so many products of a digit with weights of 8 bits are
 * integers of 32. */
enum { DIGITS_PART = 256, DIGITS_PLANES = 10 /* that floats may have */ };

enum { DIGITS_BLOCK = 8 }; /* numbers, with which weights are multiplied at a time */

/* How the numbers of a row stand: GROUPS times SIZE of them, each group in blocks of its own.
 * Weights have PER of them in a word (unpack.h), which no block has a part of. */
typedef struct digit_form {
    int64_t groups, size, per;
} digit_form;

/* What one plane has of a part: BLOCKS of a group. Block I is that with number AT[I] in the group,
 * and has DIGITS_BLOCK pairs from PAIRS[I * DIGITS_BLOCK] on: for each number K of the first half
 * of a word the high digits of numbers K, in the lower bits of the pair, and K + PER / 2, and then
 * the low ones; and so on for the next word. */
typedef struct digit_part {
    int64_t group, blocks;
    const int64_t *at;
    const int32_t *pairs;
    double unit, sum; /* of the integers of all its numbers */
} digit_part;

/* A plane of a row: N parts that have something in it. The caller gives room for digits_parts of
 * them, for digits_blocks of blocks, and for DIGITS_BLOCK times as many pairs. */
typedef struct digit_plane {
    int64_t n;
    digit_part *parts;
    int64_t *at;
    int32_t *pairs;
} digit_plane;

/* Return how many parts and blocks a row of form F has. */
int64_t digits_parts(const digit_form *f);
int64_t digits_blocks(const digit_form *f);
/* Writes the units of the first plane of the row X, one for each part. */
void digits_begin(const digit_form *f, const float *x, double *units);
/* Moves the next plane from REST, the row less the planes before, to P, and UNITS on to the plane
 * behind it. Returns whether anything is left for that. */
bool digits_cut(const digit_form *f, float *rest, double *units, digit_plane *p);

#endif

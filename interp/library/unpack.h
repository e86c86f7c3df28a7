/* Unpacks weights of 4, 8 and 16 bits to floats in registers. They are packed in words of 32 bits,
 * each with consecutive numbers of one column, the first one in the lowest bits; the words of as
 * many columns as a tile has (tile.h) are side by side:
 *
 *     of 8 bits:   w00 w10 w20 w30 | w01 w11 w21 w31 | ..     numbers 0 to 3 of columns 0, 1, ..
 *                  w40 w50 w60 w70 | w41 w51 w61 w71 | ..     numbers 4 to 7
 *
 * Only numbers of f16, for which processors have an instruction, are stored row by row: w00 w01 w02
 * ..
 *
 * There is one set of such loops for each vector width, and all of them give the same bits: an
 * integer u becomes (u - zero) * scale, rounded to the type in which the model computes that. */
#ifndef INLAY_LIBRARY_UNPACK_H
#define INLAY_LIBRARY_UNPACK_H

#include "interp/library/digits.h"

#include <stdbool.h>
#include <stdint.h>

/* The type of the numbers, and the rounding when they are scaled. */
typedef enum unpack_kind {
    UNPACK_U4,
    UNPACK_U4_F16,
    UNPACK_U4_BF16,
    UNPACK_U8,
    UNPACK_U8_F16,
    UNPACK_U8_BF16,
    UNPACK_F16,
    UNPACK_BF16,
    UNPACK_KINDS
} unpack_kind;

/* The columns of a panel, DEPTH numbers each. SCALE and ZERO have one for each column; ZERO, the
 * zero points, are integers; floats have neither. */
typedef struct unpack_run {
    const uint32_t *words;
    int64_t depth;
    const float *zero, *scale;
} unpack_run;

/* Writes R's numbers to TO, row by row. */
typedef void unpack_fn(const unpack_run *r, float *to);
enum { UNPACK_PANELS = 2 }; /* summed at a time, because each addition waits for its last one */

/* Writes the sums of the products of the numbers of GROUPS groups with those of A, in order, to
 * SUMS, one for each column. R are the first groups of PANELS panels, 1 or UNPACK_PANELS, all of one
 * depth; the others follow STEP words after each other. */
typedef void unpack_dot_fn(const unpack_run *r, int panels, int64_t groups, int64_t step,
                           const float *a, float *sums);

/* Adds the products of the integers of PANELS panels with those of the N PARTS of a row to SUMS, one
 * for each column. R and STEP as above. */
typedef void unpack_digits_fn(const unpack_run *r, int panels, int64_t step,
                              const digit_part *parts, int64_t n, double *sums);

typedef struct unpack_set {
    int cols; /* of a panel */
    unpack_fn *fn[UNPACK_KINDS];
    unpack_dot_fn *dot[UNPACK_KINDS];
    unpack_digits_fn *digits[UNPACK_KINDS]; /* NULL: for rounded numbers */
    unpack_digits_fn *bytes[UNPACK_KINDS]; /* the same with digits of 8 bits; NULL: there is none */
} unpack_set;

/* Returns the set for panels of COLS columns, the width of this processor's tiles. */
const unpack_set *unpack_set_of(int cols);
/* Returns whether this processor multiplies digits of 8 bits faster than those of 16. */
bool unpack_has_bytes(const unpack_set *set);
/* Returns the number of numbers in a word. */
static inline int64_t unpack_per_word(unpack_kind kind)
{
    return kind < UNPACK_U8 ? 8 : kind < UNPACK_F16 ? 4 : 2;
}

#endif

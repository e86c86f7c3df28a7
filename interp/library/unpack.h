/* Weights of 4, 8 and 16 bits that become floats in registers. They are packed in words of 32 bits,
 * each of which holds numbers of one column that follow each other in depth, the first one in its
 * lowest bits; beside each other stand the words of as many columns as a tile has (tile.h):
 *
 *     of 8 bits:   w00 w10 w20 w30 | w01 w11 w21 w31 | ..     numbers 0 to 3 of columns 0, 1, ..
 *                  w40 w50 w60 w70 | w41 w51 w61 w71 | ..     numbers 4 to 7
 *
 * Numbers of f16 alone, for which processors have an instruction, stand row by row: w00 w01 w02 ..
 *
 * There is one set of such loops for each width of vectors, and all of them give the same bits: an
 * integer u becomes (u - zero) * scale, rounded to the type in which the model computes that. */
#ifndef INLAY_LIBRARY_UNPACK_H
#define INLAY_LIBRARY_UNPACK_H

#include "interp/library/digits.h"

#include <stdbool.h>
#include <stdint.h>

/* What the numbers are, and how they are rounded when they are scaled. */
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

/* Numbers of the columns of a panel, DEPTH of each. SCALE and ZERO have one for each column, and
 * ZERO, the zero points, are whole numbers; floats have neither. */
typedef struct unpack_run {
    const uint32_t *words;
    int64_t depth;
    const float *zero, *scale;
} unpack_run;

/* Writes R's numbers to TO, row behind row. */
typedef void unpack_fn(const unpack_run *r, float *to);
enum { UNPACK_PANELS = 2 }; /* whose sums are made at a time: each waits for its own last one */

/* Adds the products of R's numbers with those of A, in order, to SUMS, one for each column. R has
 * runs of PANELS panels, 1 or UNPACK_PANELS, all of one depth. */
typedef void unpack_dot_fn(const unpack_run *r, int panels, const float *a, float *sums);

/* Adds the products of the integers of a panel with those of plane P to SUMS, one for each column.
 * R is the first group of the panel, and the others follow STEP words after each other. */
typedef void unpack_digits_fn(const unpack_run *r, int64_t step, const digit_plane *p,
                              double *sums);

typedef struct unpack_set {
    int cols; /* of a panel */
    unpack_fn *fn[UNPACK_KINDS];
    unpack_dot_fn *dot[UNPACK_KINDS];
    unpack_digits_fn *digits[UNPACK_KINDS]; /* NULL: for numbers that are rounded */
} unpack_set;

/* Returns the set for panels of COLS columns, which a tile of this processor has. */
const unpack_set *unpack_set_of(int cols);
/* Returns how many numbers a word has. */
static inline int64_t unpack_per_word(unpack_kind kind)
{
    return kind < UNPACK_U8 ? 8 : kind < UNPACK_F16 ? 4 : 2;
}

#endif

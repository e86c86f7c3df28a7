/* The operands of MatMulCompressed. Private to the kernels. */
#ifndef INLAY_KERNELS_COMPRESSED_H
#define INLAY_KERNELS_COMPRESSED_H

#include "interp/call/kernel.h"

/* Weights, scales or zero points (T NULL: none), seen as weights of columns: strides, in elements,
 * from column to column, from group to group of a column, and within a group. */
typedef struct compressed_operand {
    const inlay_tensor *t;
    int64_t column, group, number;
} compressed_operand;

/* Each column has GROUPS groups of SIZE weights. Weights of [2 columns, 2 groups, 3]:
 *
 *     column 0: w000 w001 w002 | w010 w011 w012      each times scale s00 | s01, of [2, 2, 1],
 *     column 1: w100 w101 w102 | w110 w111 w112                       s10 | s11
 */
typedef struct compressed {
    int64_t columns, groups, size;
    compressed_operand weights, scale, zero;
    inlay_type type;    /* the type in which they are scaled */
    inlay_type product; /* the type of the numbers that they are multiplied with */
} compressed;

/* Sets C to N's operands: WEIGHTS, SCALE and ZERO; the last two may be NULL. */
void compressed_of(const inlay_node *n, const inlay_tensor *weights, const inlay_tensor *scale,
                   const inlay_tensor *zero, inlay_type product, compressed *c);
/* Writes N numbers of O, which has a tensor, to X: those of GROUP of COLUMN from number FIRST on.
 */
void compressed_load(const compressed_operand *o, int64_t column, int64_t group, int64_t first,
                     int64_t n, float *x);

#endif

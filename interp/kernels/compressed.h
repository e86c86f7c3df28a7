/* How MatMulCompressed reads its weights. This header is private to the kernels. */
#ifndef INLAY_KERNELS_COMPRESSED_H
#define INLAY_KERNELS_COMPRESSED_H

#include "interp/call/kernel.h"

/* Weights, a scale or zero points (T: NULL, there are none), seen as the weights of columns: how
 * far, in elements, columns are apart, groups of a column, and the numbers of a group. */
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
    inlay_type type;    /* in which they are scaled */
    inlay_type product; /* of what they are multiplied with */
} compressed;

/* C receives what N's operands are: WEIGHTS, and SCALE and ZERO, which may be NULL. */
void compressed_of(const inlay_node *n, const inlay_tensor *weights, const inlay_tensor *scale,
                   const inlay_tensor *zero, inlay_type product, compressed *c);
/* X receives N numbers of O, which has a tensor: those of GROUP of COLUMN from number FIRST on. */
void compressed_load(const compressed_operand *o, int64_t column, int64_t group, int64_t first,
                     int64_t n, float *x);

#endif

/* Batches of matrix products: the operands of MatMul-1. Private to the kernels. */
#ifndef INLAY_KERNELS_PRODUCT_H
#define INLAY_KERNELS_PRODUCT_H

#include "interp/call/kernel.h"

/* An operand as batches of matrices with strides. */
typedef struct matrices {
    int64_t rows, cols, row_stride, col_stride;
    int64_t batch[INLAY_MAX_RANK]; /* strides over the output's batch dims */
} matrices;

typedef struct product {
    matrices a, b;
    int batch_rank;
    int64_t batch_dims[INLAY_MAX_RANK];
    int64_t rows, cols, depth;
    /* Strides of the result, whose rows are contiguous; a row 0: rows follow each other. */
    int64_t y_row, y_batch[INLAY_MAX_RANK];
} product;

/* Sets P to the product of C's operands, with A_STRIDES and B_STRIDES. */
void product_of_call(const inlay_call *c, const int64_t *a_strides, const int64_t *b_strides,
                     product *p);

#endif

/* The blocks of an image whose elements are columns: Col2Im. Private to interp/kernels/ and
 * interp/library/. */
#ifndef INLAY_KERNELS_BLOCK_H
#define INLAY_KERNELS_BLOCK_H

#include "interp/call/kernel.h"

/* Says where blocks lie in an image of AXES axes: on an axis, position K of block number P is
 * element p * stride - pad + k * dilation. The data is [planes, kernel..., count...]. */
typedef struct blocks {
    int axes;
    int64_t image[INLAY_MAX_RANK], kernel[INLAY_MAX_RANK], count[INLAY_MAX_RANK];
    int64_t stride[INLAY_MAX_RANK], dilation[INLAY_MAX_RANK], pad[INLAY_MAX_RANK];
    int64_t planes; /* batches times channels */
} blocks;

bool blocks_read(inlay_call *c, blocks *b);

#endif

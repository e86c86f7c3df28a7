/* Convolutions with 3 x 3 places and stride 1, as are most depthwise ones. A row of the data is
 * read once for the three rows of the result that need it:
 *
 *     row 0 of the data     result 0 begins
 *     row 1                 result 0 goes on,    result 1 begins
 *     row 2                 result 0 is stored,  result 1 goes on,    result 2 begins
 *
 * Each element is computed as in the reference: a sum of rounded products, in the order of the
 * places, from zero on. */
#ifndef INLAY_LIBRARY_NEAR_H
#define INLAY_LIBRARY_NEAR_H

#include "interp/library/tile.h"

enum { NEAR_PLACES = 3, NEAR_LEAST = 4 /* columns of the result */ };

/* The result has two rows and columns fewer than the data with its padding, which is one row or
 * column on each side, or none. */
typedef struct near_field {
    const float *x;
    int64_t height, width; /* of the data */
    int64_t top, left;     /* padding: 0 or 1 */
    const float *f;        /* the filter, by place; finite, as padding counts as zeros */
    float *y;
    int64_t rows, cols;
} near_field;

/* Computes Y with the vectors of SET; there must be NEAR_LEAST columns or more. */
void near_compute(const tile_set *set, const near_field *n);

#endif

/* Sums and maxima over the small windows of one channel, straight from the data: depthwise
 * convolutions and pools. A row of the data is read once for all rows of the result that need it;
 * with windows of 3 rows and stride 1
 *
 *     row 0 of the data     result 0 begins
 *     row 1                 result 0 goes on,    result 1 begins
 *     row 2                 result 0 is stored,  result 1 goes on,    result 2 begins
 *
 * Each element is computed as in the reference: a chain of steps, in the order of the places. */
#ifndef INLAY_LIBRARY_NEAR_H
#define INLAY_LIBRARY_NEAR_H

#include "interp/kernels/field.h"
#include "interp/library/tile.h"

typedef struct near_field {
    const field *w;
    const float *x, *f; /* the channel; for each place its factor, finite, as padding counts as 0 */
    float *y;
    /* Further channels: each so many elements behind the one before. 0 planes are 1. */
    int64_t planes, x_pitch, f_pitch, y_pitch;
    const tile_end *end; /* done to sums of products; numbers to add are by channel. Or NULL */
    bool most;           /* maxima instead of sums of products */
    bool goes_on;        /* maxima: begins with what Y has */
    /* If sums are divided, for each row and each column the numbers by whose product; or NULL. */
    const float *rows, *cols;
} near_field;

/* Is W a field that this file supports with the vectors of SET? Without fused multiply-adds, none
 * is: functions would be long and slow. MOST: for maxima, which may go on from plane to plane. The
 * data is not empty. */
bool near_takes(const tile_set *set, const field *w, bool most);
/* Computes Y, all planes of it, with the vectors of SET. Returns false if a sum that is divided is
 * not finite, or what a maximum is of has a NaN; then Y is not right. */
bool near_compute(const tile_set *set, const near_field *n);

#endif

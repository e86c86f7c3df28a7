/* Sums and maxima over the windows of one channel whose results have the places of its data, as
 * with stride 1 and padding on all sides: the plane is one run of numbers, whatever the length of
 * its rows, and for each place of the window a shifted run of the same numbers, without those that
 * other rows have there. So small planes fill vectors, and windows may have any form and gaps.
 *
 *     a b c      place to the right:  b c - e f -
 *     d e f      place below:         d e f - - - */
#ifndef INLAY_LIBRARY_FLAT_H
#define INLAY_LIBRARY_FLAT_H

#include "interp/kernels/field.h"
#include "interp/library/tile.h"

typedef struct flat_plan {
    int64_t places, plane, vectors;
    const int64_t *at;         /* for each place how far its run is shifted */
    const unsigned char *sees; /* for each place, for each vector its lanes, in bits or bytes */
    const float *counts;       /* NULL, or by what the sums are divided */
} flat_plan;

/* Is W such a field, and worth it? */
bool flat_takes(const tile_set *set, const field *w);
/* Sets P to a plan, which is in ROOM of so many bytes. */
int64_t flat_bytes(const tile_set *set, const field *w);
void flat_prepare(const tile_set *set, const field *w, void *room, flat_plan *p);
/* Computes Y from the channel X with the vectors of SET: sums of products by the factors F, which
 * are finite, and then E, with one number to add, NULL: nothing; or, if F is NULL, maxima of
 * numbers that are not NaN. Returns false if a sum that is divided is not finite. */
bool flat_compute(const tile_set *set, const flat_plan *p, const float *x, const float *f, float *y,
                  const tile_end *e);

#endif

/* Sums and maxima over windows with steps of 2 to 4 along a row, over any number of axes and with
 * any gaps, straight from the data: for each place of the window, what eight results of a row see
 * is loaded as a few vectors and put together. Results whose window reaches beyond the row are
 * computed one by one. */
#ifndef INLAY_LIBRARY_STRIP_H
#define INLAY_LIBRARY_STRIP_H

#include "interp/kernels/field.h"

/* Is W such a field, and do most of its windows lie within their row? */
bool strip_takes(const field *w);
/* Computes Y from the channel X, whose numbers are not NaN if they are compared (MOST): maxima, or
 * sums divided by the product of COUNTS for each axis. Returns false if a sum is not finite. */
bool strip_compute(const field *w, bool most, const float *const *counts, const float *x, float *y);

#endif

/* Sums and maxima over windows with steps of 2 to 4 along a row, over any number of axes and with
 * any gaps, straight from the data: for each place of the window, what eight results of a row see
 * is loaded as a few vectors and put together. Results whose window reaches beyond the row are
 * computed one by one. */
#ifndef INLAY_LIBRARY_STRIP_H
#define INLAY_LIBRARY_STRIP_H

#include "interp/kernels/field.h"

/* Is W such a field, and do most of its windows lie within their row, or its rows apart, if they
 * are compared (MOST)? */
bool strip_takes(const field *w, bool most);
/* Computes Y from the channel X, whose numbers are not NaN if they are compared (MOST), nor -0 if
 * they are PLAIN: maxima, or sums divided by the product of COUNTS for each axis. Returns false if a
 * sum is not finite, or too few windows lie within their row and numbers are not plain. */
bool strip_compute(const field *w, bool most, bool plain, const float *const *counts,
                   const float *x, float *y);

#endif

/* Rows of numbers as doubles and back, as by load_row_f64 and store_row_f64, for kernels that
 * compute in f64. */
#ifndef INLAY_LIBRARY_DOUBLES_H
#define INLAY_LIBRARY_DOUBLES_H

#include "interp/call/load.h"

/* Sets X to N consecutive elements of T, which is dense, from number AT on. */
void doubles_load(double *x, const inlay_tensor *t, int64_t at, int64_t n);
/* Stores N numbers as such elements: rounded once, integers truncated and saturated. */
void doubles_store(const inlay_tensor *t, int64_t at, int64_t n, const double *x);

#endif

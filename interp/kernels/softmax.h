/* Softmax of lines of elements. Private to interp/kernels/ and interp/library/. */
#ifndef INLAY_KERNELS_SOFTMAX_H
#define INLAY_KERNELS_SOFTMAX_H

#include "interp/call/share.h"

/* Sets each row of K, of f32, to the softmax of that of operand x. */
void softmax_rows_f32(const row_block *k);
/* Sets the N elements of Y, which are STEP apart, to the softmax of those of X. Y may be X. */
void softmax_line_f32(const float *x, float *y, int64_t n, int64_t step);
void softmax_line_f64(const double *x, double *y, int64_t n, int64_t step);
/* The same with the logarithm of the softmax. */
void log_softmax_line_f64(const double *x, double *y, int64_t n, int64_t step);

#endif

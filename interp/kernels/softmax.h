/* Softmax of a line of elements. Private to interp/kernels/. */
#ifndef INLAY_KERNELS_SOFTMAX_H
#define INLAY_KERNELS_SOFTMAX_H

#include <stdint.h>

/* Sets the N elements of Y, which are STEP apart, to the softmax of those of X. Y may be X. */
void softmax_line_f32(const float *x, float *y, int64_t n, int64_t step);
void softmax_line_f64(const double *x, double *y, int64_t n, int64_t step);
/* The same with the logarithm of the softmax. */
void log_softmax_line_f64(const double *x, double *y, int64_t n, int64_t step);

#endif

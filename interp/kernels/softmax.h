/* Lines of exponentials that sum up to one. Private to interp/kernels/. */
#ifndef INLAY_KERNELS_SOFTMAX_H
#define INLAY_KERNELS_SOFTMAX_H

#include <stdint.h>

/* Sets the N elements of Y, which are STEP apart, from those of X. Y may be X. */
void softmax_line_f32(const float *x, float *y, int64_t n, int64_t step);
void softmax_line_f64(const double *x, double *y, int64_t n, int64_t step);
/* The logarithms of these. */
void log_softmax_line_f64(const double *x, double *y, int64_t n, int64_t step);

#endif

/* Sums and maxima over sliding windows of f32, with the bits of the plain kernels: each is the same
 * chain from its first place to the last, and many are computed side by side. */
#ifndef INLAY_LIBRARY_WINDOWS_H
#define INLAY_LIBRARY_WINDOWS_H

#include "interp/kernels/field.h"

/* Is W a field that this file supports? The image of one position must fit its room. */
bool windows_take(const field *w);
/* Computes output 0 of C, by the field W, which must be supported, from operand 0, floats: maxima
 * if MOST, else averages over the elements INSIDE the image, or over all but those behind the
 * padding. */
bool windows_floats(inlay_call *c, const field *w, bool most, bool inside);
/* The same from X to Y, floats for the elements of C's operand and output. */
bool windows_run(inlay_call *c, const field *w, const float *x, float *y, bool most, bool inside);

#endif

/* What kernels of normalizations share. Private to interp/kernels/ and interp/library/. */
#ifndef INLAY_KERNELS_NORMALIZE_H
#define INLAY_KERNELS_NORMALIZE_H

#include "interp/call/kernel.h"

/* Element I of a line is added to lane I % NORMALIZE_LANES, so that no addition waits for the one
 * before it; at the end the lanes are added in order. */
enum { NORMALIZE_LANES = 16 };

/* Returns how many axes of X are marked, if they are the last ones; otherwise 0. One of a single
 * element may be marked or not. */
int normalize_last_axes(const bool *axes, const inlay_tensor *x);

#endif

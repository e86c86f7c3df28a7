/* The part of its data that a SliceScatter writes, by its document. Private to interp/audit. */
#ifndef INLAY_INTERP_AUDIT_WINDOW_H
#define INLAY_INTERP_AUDIT_WINDOW_H

#include "ir/shared.h"

/* The elements of DATA that the window of N selects, a Slice or a scatter of windows, DIMS of them
 * along each axis, as a tensor in *OUT whose strides go to STRIDES (room for INLAY_MAX_RANK). False
 * when start or step is not known before the run, or N has no window. */
bool window_selected(const inlay_node *n, const inlay_tensor *data, const int64_t *dims,
                     int64_t *strides, inlay_tensor *out);
/* Whether element p of A and of B are the same byte, for each p. */
bool window_is(const inlay_tensor *a, const inlay_tensor *b);

#endif

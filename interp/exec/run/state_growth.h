/* The next state of a variable that extends the one before. */
#ifndef INLAY_EXEC_RUN_STATE_GROWTH_H
#define INLAY_EXEC_RUN_STATE_GROWTH_H

#include "interp/exec/run/frame.h"

/* Returns the tensor for the next state that is all of U: after the state that it begins with, in
 * the same buffer, or in a new buffer with spare capacity; the caller releases it. NULL after
 * recording the error. */
inlay_tensor *exec_frame_grow(const exec_frame *f, const exec_allocation *u, inlay_diags *d);
/* Returns a new tensor in periods for all of U; the caller releases it. NULL after recording the
 * error. */
inlay_tensor *exec_frame_periods(const exec_frame *f, const exec_allocation *u, inlay_diags *d);

#endif

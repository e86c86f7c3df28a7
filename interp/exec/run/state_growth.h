/* The next state of a variable, made behind the one before. */
#ifndef INLAY_EXEC_RUN_STATE_GROWTH_H
#define INLAY_EXEC_RUN_STATE_GROWTH_H

#include "interp/exec/run/frame.h"

/* Returns where the next state that is all of U is made: behind the state that it begins with, or
 * with room to grow; the caller releases it. NULL after recording the error. */
inlay_tensor *exec_frame_grow(const exec_frame *f, const exec_allocation *u, inlay_diags *d);
/* Returns a new tensor in periods that is all of U; the caller releases it. NULL after recording
 * the error. */
inlay_tensor *exec_frame_periods(const exec_frame *f, const exec_allocation *u, inlay_diags *d);

#endif

/* Rows that are picked from a state. */
#ifndef INLAY_EXEC_RUN_STATE_REORDER_H
#define INLAY_EXEC_RUN_STATE_REORDER_H

#include "interp/exec/run/frame.h"

/* Returns the state from which the rows U are picked, if these are all its rows in order, or if
 * only a few differ and the state may be overwritten; the caller releases it. NULL: the rows are
 * made elsewhere. */
inlay_tensor *exec_frame_picked(const exec_frame *f, const exec_allocation *u);
/* Returns whether the output of S is such rows and is in the state's place. */
bool exec_frame_stays(const exec_frame *f, const exec_step *s);
/* Writes the rows that differ over those of the state, for such a step; C is its call. */
bool exec_frame_reorder(const exec_frame *f, const exec_step *s, inlay_call *c);

#endif

/* Rows that are picked of a state. */
#ifndef INLAY_EXEC_RUN_STATE_REORDER_H
#define INLAY_EXEC_RUN_STATE_REORDER_H

#include "interp/exec/run/frame.h"

/* Returns the state of which U is rows that are picked, if these are all of it in its order, or if
 * the others are few and it may be written over; the caller releases it. NULL: the rows are made
 * elsewhere. */
inlay_tensor *exec_frame_picked(const exec_frame *f, const exec_allocation *u);
/* Returns whether the output of S is such rows, and stands where the state does. */
bool exec_frame_stays(const exec_frame *f, const exec_step *s);
/* Writes the rows that come from elsewhere over those of the state, in such a step, C being its
 * call. */
bool exec_frame_reorder(const exec_frame *f, const exec_step *s, inlay_call *c);

#endif

/* The places where results of an invocation are made. */
#ifndef INLAY_EXEC_RUN_DESTINATIONS_H
#define INLAY_EXEC_RUN_DESTINATIONS_H

#include "interp/exec/run/frame.h"

/* Returns the tensor in which the result that is all of U is made; the caller releases it. NULL
 * after recording the error. */
inlay_tensor *exec_frame_room(const exec_frame *f, const exec_allocation *u, inlay_diags *d);
/* Returns the tensor in which the caller wants the result that is all of U; or NULL. */
inlay_tensor *exec_frame_wanted(const exec_frame *f, const exec_allocation *u);
/* Returns the operand of the current step that output O overwrites by its note, so that a body may
 * do so. -1: the output has no such note. */
int exec_given(const inlay_call *c, int o);
/* Copies those outputs of S, a dynamic step that was just made, that are in a place meant for
 * another output of S. False after recording an error. */
bool exec_part_outputs(exec_frame *f, const exec_step *s, inlay_diags *d);
/* Returns whether the run may overwrite the buffer of output K of the dynamic step S, which was
 * just made. Some kernels return a tensor that existed before: a constant, an operand, or the state
 * of a variable. Of these the run may overwrite only the state. What bodies return belongs to the
 * run if it was made in memory of the session, or if nobody else holds it. */
bool exec_owns_output(const exec_frame *f, const exec_step *s, int k);

#endif

/* Where what leaves an invocation is made. */
#ifndef INLAY_EXEC_RUN_DESTINATIONS_H
#define INLAY_EXEC_RUN_DESTINATIONS_H

#include "interp/exec/run/frame.h"

/* Returns where the result that is all of U is made; the caller releases it. NULL after recording
 * the error. */
inlay_tensor *exec_frame_room(const exec_frame *f, const exec_allocation *u, inlay_diags *d);
/* Returns where somebody wants the result that is all of U; or NULL. */
inlay_tensor *exec_frame_wanted(const exec_frame *f, const exec_allocation *u);
/* Returns the operand of the step that is made that output O is written over, by its note: a body
 * may write there. -1: the output has no such note. */
int exec_given(const inlay_call *c, int o);
/* Gives those outputs of S, which was walked, tensors of their own that stand where another output
 * of S is wanted. False after recording an error. */
bool exec_part_outputs(exec_frame *f, const exec_step *s, inlay_diags *d);
/* Returns whether the run may write over the buffer of output K of the walked step S, which has
 * just been made. Some kernels hand over a tensor that existed before: a constant, an operand, or
 * the state of a variable. Of these the run may write over the state only. What bodies give is the
 * run's own if it was made where the session had room for it, or if nobody else holds it. */
bool exec_owns_output(const exec_frame *f, const exec_step *s, int k);

#endif

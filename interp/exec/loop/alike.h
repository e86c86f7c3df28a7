/* Iterations that do the same as the one before, at other addresses. */
#ifndef INLAY_EXEC_LOOP_ALIKE_H
#define INLAY_EXEC_LOOP_ALIKE_H

#include "interp/exec/loop/loop.h"

/* Returns whether the remaining iterations are like the newest one: carried values and results stay
 * at their places, and parts and windows move on by the same distance in each iteration. */
bool loop_goes_on_alike(const exec_loop *l);
/* Begins such an iteration. False after recording an error. */
bool loop_enter_alike(exec_loop *l);
/* Ends such an iteration after the body has run. */
void loop_end_alike(exec_loop *l);

#endif

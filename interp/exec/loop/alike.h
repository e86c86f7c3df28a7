/* Iterations that are like the one before. */
#ifndef INLAY_EXEC_LOOP_ALIKE_H
#define INLAY_EXEC_LOOP_ALIKE_H

#include "interp/exec/loop/loop.h"

/* Returns whether the iterations that are left are like the newest one: carried values and results
 * stand where they stand, and parts and windows are as far from those before as these from theirs.
 */
bool loop_goes_on_alike(const exec_loop *l);
/* Begins such an iteration. False after recording an error. */
bool loop_enter_alike(exec_loop *l);
/* Ends it, when the body has run. */
void loop_end_alike(exec_loop *l);

#endif

/* Runs iterations. Functions return false after recording an error; loop_leave must be called in
 * any case. */
#ifndef INLAY_EXEC_LOOP_REPEAT_H
#define INLAY_EXEC_LOOP_REPEAT_H

#include "interp/exec/loop/loop.h"

/* Begins at most MOST iterations for the call C. */
bool loop_begin(exec_loop *l, inlay_call *c, int64_t most);
/* Finds places for the results of the iteration that begins; X is the instance of the body. */
bool loop_find_destinations(exec_loop *l, const struct exec_instance *x);
/* Does the same for results that still have no place, when the type and dims of more of them are
 * known: X is the instance of another segment of the body. */
bool loop_find_more(exec_loop *l, const struct exec_instance *x);
bool loop_iterate(exec_loop *l);
/* Makes the outputs of the loop after the last iteration. */
bool loop_give_outputs(exec_loop *l);
void loop_leave(exec_loop *l);

#endif

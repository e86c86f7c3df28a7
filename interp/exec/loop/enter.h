/* The inputs of an iteration. Functions return false after recording an error. */
#ifndef INLAY_EXEC_LOOP_ENTER_H
#define INLAY_EXEC_LOOP_ENTER_H

#include "interp/exec/loop/loop.h"

/* Prepares the slices of inputs and the iteration's number, and takes the inputs of the first
 * iteration. */
bool loop_begin_inputs(exec_loop *l);
/* Takes the parts of inputs and the number for the next iteration. */
bool loop_enter(exec_loop *l);

#endif

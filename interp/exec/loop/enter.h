/* What enters an iteration. Functions return false after recording an error. */
#ifndef INLAY_EXEC_LOOP_ENTER_H
#define INLAY_EXEC_LOOP_ENTER_H

#include "interp/exec/loop/loop.h"

/* Gets ready to slice inputs and to count, and takes the inputs of the first iteration. */
bool loop_begin_inputs(exec_loop *l);
/* Takes the parts and the number of the iteration that begins. */
bool loop_enter(exec_loop *l);

#endif

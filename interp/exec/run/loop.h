#ifndef INLAY_EXEC_RUN_LOOP_H
#define INLAY_EXEC_RUN_LOOP_H

#include "interp/kernel.h"

/* Runs body 0 of C's node for at most MOST iterations, MOST > 0, and makes the outputs. False after
 * recording an error. */
bool exec_repeat(inlay_call *c, int64_t most);

#endif

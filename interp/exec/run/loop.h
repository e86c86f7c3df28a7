#ifndef INLAY_EXEC_RUN_LOOP_H
#define INLAY_EXEC_RUN_LOOP_H

#include "interp/kernel.h"

/* Makes at most MOST iterations of body 0 of C's node, where MOST is above 0, and then the
 * outputs. False after recording an error. */
bool exec_repeat(inlay_call *c, int64_t most);

#endif

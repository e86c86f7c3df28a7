/* What a session has for a body that runs again and again: everything that an iteration needs is
 * there before it begins. */
#ifndef INLAY_INTERP_EXEC_REPEAT_H
#define INLAY_INTERP_EXEC_REPEAT_H

#include "interp/exec/exec.h"

typedef struct exec_loop exec_loop;

/* Makes the iterations of body 0 of C's node, at most MOST, which is above 0, and then the outputs.
 * False after recording an error. */
bool exec_repeat(inlay_call *c, int64_t most);
void exec_loop_free(exec_loop *l);

#endif

#ifndef INLAY_EXEC_BUILD_REHEARSE_LOOP_H
#define INLAY_EXEC_BUILD_REHEARSE_LOOP_H

#include "interp/kernel.h"

/* Goes through at most MOST iterations. False: it cannot be known what they will do. */
bool rehearse_loop(inlay_call *c, int64_t most);

#endif

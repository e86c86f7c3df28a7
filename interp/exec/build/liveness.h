#ifndef INLAY_EXEC_BUILD_LIVENESS_H
#define INLAY_EXEC_BUILD_LIVENESS_H

#include "interp/exec/build/builder.h"

/* Finds when each allocation is alive, which ones are needed after the run, and where in the arena
 * the others are. False: out of memory. */
bool build_layout(exec_builder *b);

#endif

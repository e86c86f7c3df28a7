#ifndef INLAY_EXEC_BUILD_LIVENESS_H
#define INLAY_EXEC_BUILD_LIVENESS_H

#include "interp/exec/build/builder.h"

/* Finds the live ranges of allocations, which of them leave the run, and where in the arena the
 * others lie. False: out of memory. */
bool build_layout(exec_builder *b);

#endif

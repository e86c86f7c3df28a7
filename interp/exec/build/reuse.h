#ifndef INLAY_EXEC_BUILD_REUSE_H
#define INLAY_EXEC_BUILD_REUSE_H

#include "interp/exec/build/builder.h"

/* Merges the allocation of a result with that of an operand whose last use is the step, if the step
 * is pointwise. Live ranges must be known. */
void build_reuse(const exec_builder *b);

#endif

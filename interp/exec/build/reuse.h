#ifndef INLAY_EXEC_BUILD_REUSE_H
#define INLAY_EXEC_BUILD_REUSE_H

#include "interp/exec/build/builder.h"

/* Makes one allocation of a result and an operand that dies in the step, where that is pointwise.
 * Live ranges must be known. */
void build_reuse(const exec_builder *b);

#endif

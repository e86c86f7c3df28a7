/* Which steps are computed by kernels of the library. */
#ifndef INLAY_EXEC_BUILD_KERNEL_CHOICE_H
#define INLAY_EXEC_BUILD_KERNEL_CHOICE_H

#include "interp/exec/build/builder.h"

/* Chooses a kernel of the library for the step, if there is one for its operands; where their forms
 * are known only in the run, one that may be. False: out of memory. */
bool build_library(exec_builder *b);
/* Packs the constants for those kernels that need packed ones. False: out of memory. */
bool build_packed(const exec_builder *b);

#endif

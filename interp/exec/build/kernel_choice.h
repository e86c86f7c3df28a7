/* Which steps are made by kernels of the library. */
#ifndef INLAY_EXEC_BUILD_KERNEL_CHOICE_H
#define INLAY_EXEC_BUILD_KERNEL_CHOICE_H

#include "interp/exec/build/builder.h"

/* Chooses the library's kernel for the step, if there is one for its operands. False: out of
 * memory. */
bool build_library(exec_builder *b);
/* Packs the constants that these kernels want packed. False: out of memory. */
bool build_packed(const exec_builder *b);

#endif

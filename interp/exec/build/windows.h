#ifndef INLAY_EXEC_BUILD_WINDOWS_H
#define INLAY_EXEC_BUILD_WINDOWS_H

#include "interp/exec/build/builder.h"

/* Finds steps in place that are computed together, tile by tile of the buffer that they write to.
 * False: out of memory. */
bool build_windows(exec_builder *b);

#endif

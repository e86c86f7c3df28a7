#ifndef INLAY_EXEC_BUILD_WINDOWS_H
#define INLAY_EXEC_BUILD_WINDOWS_H

#include "interp/exec/build/builder.h"

/* Finds steps that write in place to one buffer and are computed together, tile by tile of that
 * buffer. False: out of memory. */
bool build_windows(exec_builder *b);

#endif

#ifndef INLAY_EXEC_BUILD_FUSE_H
#define INLAY_EXEC_BUILD_FUSE_H

#include "interp/exec/build/builder.h"

/* Finds the steps that are computed together, tile by tile, and the values between them that need
 * no memory. False: out of memory. */
bool build_fused(exec_builder *b);

#endif

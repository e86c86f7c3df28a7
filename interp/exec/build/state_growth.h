#ifndef INLAY_EXEC_BUILD_STATE_GROWTH_H
#define INLAY_EXEC_BUILD_STATE_GROWTH_H

#include "interp/exec/build/builder.h"

/* Finds states that can be extended in their buffers. False: out of memory. */
bool build_growth(const exec_builder *b);

#endif

#ifndef INLAY_EXEC_GROW_H
#define INLAY_EXEC_GROW_H

#include "interp/exec/build.h"

/* Finds states that can be made behind those that they begin with. False: out of memory. */
bool build_growth(const exec_builder *b);

#endif

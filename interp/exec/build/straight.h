#ifndef INLAY_EXEC_BUILD_STRAIGHT_H
#define INLAY_EXEC_BUILD_STRAIGHT_H

#include "interp/exec/build/builder.h"

/* Divides the operations of F, whose tiles are known, into runs that are computed in one pass. */
bool build_runs(exec_builder *b, exec_fused *f);

#endif

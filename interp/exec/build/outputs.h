/* Where outputs lie. */
#ifndef INLAY_EXEC_BUILD_OUTPUTS_H
#define INLAY_EXEC_BUILD_OUTPUTS_H

#include "interp/exec/build/builder.h"

/* Gives every output of the step B->now a place, and says how it is made. What cannot be told
 * before the run becomes EXEC_WALK with dynamic outputs. False: out of memory. */
bool build_outputs(exec_builder *b);
/* Gives output K of the step, which bodies make, the place that its note names, if that is known
 * and its elements follow each other, as those of what a body makes do. */
bool build_wanted(exec_builder *b, int k, bool *done);

#endif

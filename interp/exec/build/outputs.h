/* The places of outputs. */
#ifndef INLAY_EXEC_BUILD_OUTPUTS_H
#define INLAY_EXEC_BUILD_OUTPUTS_H

#include "interp/exec/build/builder.h"

/* Gives every output of the step B->now a place, and decides how the step is made. If a place is
 * only known in the run, the step becomes an EXEC_WALK with dynamic outputs. False: out of memory.
 */
bool build_outputs(exec_builder *b);
/* Gives output K of the step, which its bodies make, the place that its note names, if that is
 * known and dense, as what a body makes is. */
bool build_wanted(exec_builder *b, int k, bool *done);

#endif

/* Finds out before the run what bodies will do. */
#ifndef INLAY_EXEC_BUILD_REHEARSE_H
#define INLAY_EXEC_BUILD_REHEARSE_H

#include "interp/exec/build/builder.h"

/* Finds out what the bodies of steps will do, and reserves memory for their frames. False: out of
 * memory. */
bool build_inner(exec_builder *b);
/* Returns the instances of bodies that X holds to their caches. */
void build_leave_inner(exec_instance *x);

#endif

/* What bodies will do, followed before the run. */
#ifndef INLAY_EXEC_BUILD_REHEARSE_H
#define INLAY_EXEC_BUILD_REHEARSE_H

#include "interp/exec/build/builder.h"

/* Finds out what the bodies of steps will do, and makes room for their frames. False: out of
 * memory. */
bool build_inner(exec_builder *b);
/* Gives back the instances of bodies that X holds. */
void build_leave_inner(exec_instance *x);

#endif

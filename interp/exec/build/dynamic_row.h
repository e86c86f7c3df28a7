#ifndef INLAY_EXEC_BUILD_DYNAMIC_ROW_H
#define INLAY_EXEC_BUILD_DYNAMIC_ROW_H

#include "interp/exec/build/builder.h"

/* Plans the step B->now, whose output is by its note a view whose position only the run knows, as
 * an EXEC_POINT; or, if the form of the view is not known, as an EXEC_WALK. False: out of memory.
 */
bool build_point(exec_builder *b);

#endif

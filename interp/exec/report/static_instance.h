/* Instances for the shapes that are known when a graph is compiled. */
#ifndef INLAY_EXEC_REPORT_STATIC_INSTANCE_H
#define INLAY_EXEC_REPORT_STATIC_INSTANCE_H

#include "interp/exec/build/instance.h"

/* Makes the instance for the shapes that are known when the graph is compiled. SEGMENTS: if all
 * inputs are known, it may end before the last step. */
exec_instance *exec_static_instance(const exec_plan *p, bool segments, inlay_diags *d);
/* Sets *OUT to the segment after BEFORE, for values of the largest possible sizes; NULL: some size
 * has no limit. False and an error: out of memory. */
bool exec_largest_instance(const exec_plan *p, const exec_instance *before, exec_instance **out,
                           inlay_diags *d);

#endif

/* Instances for what is known of the shapes when the graph is compiled. */
#ifndef INLAY_EXEC_REPORT_STATIC_INSTANCE_H
#define INLAY_EXEC_REPORT_STATIC_INSTANCE_H

#include "interp/exec/build/instance.h"

/* Makes the instance for what is known of the shapes when the graph is compiled. SEGMENTS: if all
 * inputs are known, it may end before the steps do. */
exec_instance *exec_static_instance(const exec_plan *p, bool segments, inlay_diags *d);
/* Makes the segment behind BEFORE for values of the largest sizes that they may have. NULL without
 * an error: there is no largest size. */
exec_instance *exec_largest_instance(const exec_plan *p, const exec_instance *before,
                                     inlay_diags *d);

#endif

/* One row that an index picks, found in the run. */
#ifndef INLAY_EXEC_RUN_DYNAMIC_ROW_H
#define INLAY_EXEC_RUN_DYNAMIC_ROW_H

#include "interp/exec/run/frame.h"

/* Makes the step S, an EXEC_POINT, unless its index names no row. */
bool exec_frame_show(exec_frame *f, const exec_step *s);
/* Makes S for the call C, whose kernel has let an index pass that names no row. False after
 * recording an error. */
bool exec_frame_show_none(exec_frame *f, const exec_step *s, inlay_call *c);

#endif

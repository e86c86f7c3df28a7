/* A row that is picked by an index known only in the run. */
#ifndef INLAY_EXEC_RUN_DYNAMIC_ROW_H
#define INLAY_EXEC_RUN_DYNAMIC_ROW_H

#include "interp/exec/run/frame.h"

/* Makes the step S, an EXEC_POINT, unless its index is out of range. */
bool exec_frame_show(exec_frame *f, const exec_step *s);
/* Makes S for the call C, whose kernel has accepted an index that is out of range. False after
 * recording an error. */
bool exec_frame_show_none(exec_frame *f, const exec_step *s, inlay_call *c);

#endif

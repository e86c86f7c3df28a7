#ifndef INLAY_EXEC_RUN_DYNAMIC_STEP_H
#define INLAY_EXEC_RUN_DYNAMIC_STEP_H

#include "interp/exec/run/frame.h"

/* Makes S, a step whose outputs are only known in the run. */
bool exec_make_found(exec_frame *f, const exec_step *s, inlay_diags *d);

#endif

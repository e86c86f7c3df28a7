#ifndef INLAY_EXEC_RUN_DYNAMIC_STEP_H
#define INLAY_EXEC_RUN_DYNAMIC_STEP_H

#include "interp/exec/run/frame.h"

/* Makes S, whose outputs it finds out. */
bool exec_make_found(exec_frame *f, const exec_step *s, inlay_diags *d);

#endif

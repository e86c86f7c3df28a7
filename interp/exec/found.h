#ifndef INLAY_EXEC_FOUND_H
#define INLAY_EXEC_FOUND_H

#include "interp/exec/frame.h"

/* Makes S, whose outputs it finds out. */
bool exec_make_found(exec_frame *f, const exec_step *s, inlay_diags *d);

#endif

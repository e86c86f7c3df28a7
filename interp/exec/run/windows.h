#ifndef INLAY_EXEC_RUN_WINDOWS_H
#define INLAY_EXEC_RUN_WINDOWS_H

#include "interp/exec/run/frame.h"

/* Computes the steps of G, whose tiles are parts of a buffer. */
void exec_fused_windows(const exec_frame *f, const exec_fused *g);

#endif

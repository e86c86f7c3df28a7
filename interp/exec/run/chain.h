#ifndef INLAY_EXEC_RUN_CHAIN_H
#define INLAY_EXEC_RUN_CHAIN_H

#include "interp/exec/run/frame.h"

/* Computes the steps of G with their module. False after recording an error. */
bool exec_chain_run(exec_frame *f, const exec_fused *g, inlay_diags *d);

#endif

/* Computes the steps of a group. */
#ifndef INLAY_EXEC_RUN_FUSED_H
#define INLAY_EXEC_RUN_FUSED_H

#include "interp/exec/run/frame.h"

/* Announces, counts and computes the steps of G, which its scatter, if it has one, has computed
 * when that runs. False: the run was cancelled. */
bool exec_fused_run(exec_frame *f, const exec_fused *g, inlay_diags *d);
/* Computes the steps of G, whose scatter runs, with the rows of listed lanes at elements TO of its
 * data. */
void exec_fused_put(const exec_frame *f, const exec_fused *g, const int64_t *to);

#endif

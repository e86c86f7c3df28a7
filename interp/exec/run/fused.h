/* Computes the steps of a group. */
#ifndef INLAY_EXEC_RUN_FUSED_H
#define INLAY_EXEC_RUN_FUSED_H

#include "interp/exec/run/frame.h"

/* Announces, counts and computes the steps of G; if G has a scatter, it computes the other steps
 * while it runs. False: the run was cancelled. */
bool exec_fused_run(exec_frame *f, const exec_fused *g, inlay_diags *d);
/* Does what call_computes asks for: computes the steps of the group whose scatter runs. */
bool exec_computes(inlay_call *c, int64_t n, int64_t length, const int64_t *to);
/* Does what call_reader_of asks for: the group that follows the step of C, if its parts are read.
 */
const call_reader *exec_reader(inlay_call *c, bool whole);

#endif

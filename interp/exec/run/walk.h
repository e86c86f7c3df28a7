/* Invocations, which make the steps of an instance. */
#ifndef INLAY_EXEC_RUN_WALK_H
#define INLAY_EXEC_RUN_WALK_H

#include "interp/exec/run/frame.h"

/* Runs the outermost graph once. IN has a tensor for each Parameter; OURS, as found by
 * exec_prepare, says which of them may be overwritten. OUT receives a tensor for each Result, or
 * all NULL if the run fails. Variables, and the contents of their buffers, change only if the run
 * succeeds. */
bool exec_run_plan(const exec_plan *p, exec_session *s, run_env *env, const inlay_tensor *const *in,
                   const bool *ours, inlay_tensor **out, inlay_diags *d);
/* Begins an invocation and makes all steps. OUT has an entry for each Result, all NULL, and
 * receives the results. *F is the frame of the first segment, and becomes that of the last one that
 * was begun; exec_frame_end must be called for *F in any case. */
bool exec_frame_run(exec_frame **f, run_env *env, const exec_outside *o, inlay_tensor **out,
                    inlay_diags *d);
/* Makes the steps of F once more; F was begun and has a single segment. Inputs and the places of
 * results may have moved since. False after recording an error. */
bool exec_frame_again(exec_frame *f, inlay_diags *d);

#endif

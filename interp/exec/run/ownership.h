/* Buffers from outside a run. */
#ifndef INLAY_EXEC_RUN_OWNERSHIP_H
#define INLAY_EXEC_RUN_OWNERSHIP_H

#include "interp/exec/run/run.h"
#include "interp/exec/run/session.h"

/* Called before a run of S. OURS receives which of the inputs may be overwritten. A state in
 * STATES, by variable, that the run overwrites and that others can see is replaced by a copy. */
bool exec_prepare(exec_session *s, run_env *env, const inlay_tensor *const *in, const bool *donated,
                  const inlay_tensor **states, bool *ours, inlay_diags *d);
/* OUT receives which of the N tensors IN, one per Parameter, may be overwritten: those that are
 * donated and dense, and whose bytes nobody else holds. STATES are those of variables; entries may
 * be NULL. False: out of memory. */
bool exec_donations(inlay_budget *budget, const inlay_tensor *const *in, const bool *donated, int n,
                    const inlay_tensor *const *states, int n_states, bool *out);
/* Replaces *T, the value of SLOT, by a copy if something will overwrite it and its buffer does not
 * belong to the run (OURS). Such a value comes from outside: it is a Parameter, a constant, or the
 * initial value of a variable. */
bool exec_protect(exec_run *run, size_t slot, inlay_tensor **t, bool ours, const inlay_node *node,
                  inlay_diags *d);
/* Copies T, the value of SLOT, if the caller wants to keep it and something will overwrite it. */
bool exec_keep(exec_run *run, size_t slot, const inlay_tensor *t, const inlay_node *node,
               inlay_diags *d);

#endif

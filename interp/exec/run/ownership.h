/* Buffers from outside of the run. */
#ifndef INLAY_EXEC_RUN_OWNERSHIP_H
#define INLAY_EXEC_RUN_OWNERSHIP_H

#include "interp/exec/run/run.h"
#include "interp/exec/run/session.h"

/* Is called before a run of S. OURS receives which of the inputs may really be written. A state in
 * STATES, one for each variable, that the run writes over although others could see this is
 * replaced by a copy. */
bool exec_prepare(exec_session *s, run_env *env, const inlay_tensor *const *in, const bool *donated,
                  const inlay_tensor **states, bool *ours, inlay_diags *d);
/* OUT receives which of the N tensors IN, one for each Parameter, may really be written: those that
 * are donated, are dense, and whose bytes nobody else holds. STATES are those of variables; entries
 * may be NULL. False: out of memory. */
bool exec_donations(const inlay_tensor *const *in, const bool *donated, int n,
                    const inlay_tensor *const *states, int n_states, bool *out);
/* Replaces *T, the value of SLOT, by a copy when something will write over it and its buffer is not
 * OURS, the run's own. Such a value comes from outside: it is a Parameter, a constant, or the first
 * value of a variable. */
bool exec_protect(exec_run *run, size_t slot, inlay_tensor **t, bool ours, const inlay_node *node,
                  inlay_diags *d);
/* Copies T, the value of SLOT, if the caller wants it kept and something will write over it. */
bool exec_keep(exec_run *run, size_t slot, const inlay_tensor *t, const inlay_node *node,
               inlay_diags *d);

#endif

/* The reference executor: one node at a time in canonical order, a buffer of its own for every
 * output. It is the oracle, which says what a graph means, and is never made clever. */
#ifndef INLAY_INTERP_REFERENCE_H
#define INLAY_INTERP_REFERENCE_H

#include "interp/call/run.h"

/* What kernels ask of it: nothing but to run bodies. */
extern const call_executor reference_executor;

/* One invocation: IN one tensor per Parameter, OUT one per Result (all NULL on failure). Variables
 * change only when it succeeds. */
bool reference_run(const graph_steps *s, run_env *env, const inlay_tensor *const *in,
                   inlay_tensor **out, inlay_diags *d);
/* One node on operands given from outside; OUT as above. RUN has everything but the bodies, which
 * are BODIES. */
bool reference_run_node(const inlay_node *n, graph_steps *const *bodies, struct inlay_run *run,
                        const inlay_tensor *const *in, inlay_tensor **out, inlay_diags *d);

#endif

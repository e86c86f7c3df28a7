/* The reference executor: it runs one node at a time in canonical order and gives every output a
 * buffer of its own. It is the oracle of the planned executor: what it computes is what a graph
 * means. So it is never made clever, and it knows nothing of interp/exec. It stands on interp/call
 * only: the steps of a graph, the call of a node, the meter. */
#ifndef INLAY_INTERP_REFERENCE_H
#define INLAY_INTERP_REFERENCE_H

#include "interp/call/bound.h"

/* It does nothing for kernels but run bodies. */
extern const call_executor reference_executor;

/* One invocation: IN has a tensor for each Parameter, OUT receives one for each Result, or all NULL
 * when it fails. Variables change only when it succeeds. */
bool reference_run(const graph_steps *s, run_env *env, const inlay_tensor *const *in,
                   inlay_tensor **out, inlay_diags *d);
/* Runs one node on operands that are given; OUT has an entry for each output. BODIES are the steps
 * of the node's bodies, which need not stand in RUN yet. */
bool reference_run_node(const inlay_node *n, graph_steps *const *bodies, struct inlay_run *run,
                        const inlay_tensor *const *in, inlay_tensor **out, inlay_diags *d);

#endif

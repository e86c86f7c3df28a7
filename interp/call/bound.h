/* Outputs are delivered in tensors of the caller's. Both executors end a run with this. */
#ifndef INLAY_INTERP_BOUND_H
#define INLAY_INTERP_BOUND_H

#include "interp/call/run.h"

/* Returns whether A and B have a byte in common, or may have: between their first and last elements
 * all bytes count. */
bool bound_overlap(const inlay_tensor *a, const inlay_tensor *b);
/* Delivers the outputs OUT of graph G; these, and the states and kept values of R, are computed.
 * Outputs for which R's environment has tensors are copied into these, unless they stand there; all
 * others that share bytes with such a tensor become copies first. False after recording an
 * error. */
bool bound_deliver(struct inlay_run *r, const inlay_graph *g, inlay_tensor **out, int n_keep,
                   inlay_diags *d);

#endif

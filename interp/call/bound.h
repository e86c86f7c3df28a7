/* Delivers outputs in tensors of the caller's, at the end of a run of either executor. */
#ifndef INLAY_INTERP_BOUND_H
#define INLAY_INTERP_BOUND_H

#include "interp/call/run.h"

/* May A and B have a byte in common? All bytes between their first and last elements count. */
bool bound_overlap(const inlay_tensor *a, const inlay_tensor *b);
/* Delivers the outputs OUT of graph G, when these and the states and kept values of R are computed.
 * Outputs for which R's environment has tensors are copied there, unless they were computed there;
 * all others that share bytes with such a tensor are copied elsewhere first. False after recording
 * an error. */
bool bound_deliver(struct inlay_run *r, const inlay_graph *g, inlay_tensor **out, int n_keep,
                   inlay_diags *d);

#endif

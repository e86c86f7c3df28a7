/* Applies the port map of a loop to the tensors of a call, for the kernels of loops and for
 * executors that run the iterations themselves. */
#ifndef INLAY_INTERP_PORTS_H
#define INLAY_INTERP_PORTS_H

#include "interp/call/kernel.h"

/* Finds the axis of P in a tensor of RANK. False after recording an error when there is none. */
bool ports_axis(inlay_call *c, const inlay_port *p, int rank, int *axis);
/* Sets how input port P slices its tensor: slice i begins at element *FIRST + i * P->stride of
 * *AXIS, and there are *N slices. False after recording an error. */
bool ports_parts(inlay_call *c, const inlay_port *p, int *axis, int64_t *first, int64_t *n);
/* Records that input port P has N slices, and none for ITERATION; always false. */
bool ports_fail_part(inlay_call *c, const inlay_port *p, int64_t n, int64_t iteration);
/* Sets *MORE to whether BODY asks for another iteration, by its results LAST. Without a condition
 * *MORE is left as it is. */
bool ports_condition(inlay_call *c, const inlay_body *body, inlay_tensor *const *last, bool *more);
/* Records that output P cannot concatenate the shapes of iterations 0 and I; always false. */
bool ports_fail_join(inlay_call *c, const inlay_port *p, const inlay_tensor *first,
                     const inlay_tensor *t, int64_t i);
/* Records that output P would have too many elements along AXIS; always false. */
bool ports_fail_size(inlay_call *c, const inlay_port *p, int axis);

#endif

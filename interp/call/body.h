/* For kernels that run bodies or have to do with the states of variables. */
#ifndef INLAY_INTERP_BODY_H
#define INLAY_INTERP_BODY_H

#include "interp/call/kernel.h"

/* One invocation of body BODY of the node: IN one tensor per Parameter, OUT one per Result. */
bool call_body(inlay_call *c, int body, const inlay_tensor *const *in, inlay_tensor **out);
/* Counts SIZE bytes that the kernel has allocated by itself against the limit, until call_give. */
bool call_take(inlay_call *c, uint64_t size);
void call_give(inlay_call *c, uint64_t size);
/* Counts an iteration of a loop. False and an error: the run may make no more. */
bool call_iterates(inlay_call *c);
/* The variable that the node reads or assigns; NULL after recording the error: the node is called
 * by itself, so that there are no states. */
const inlay_variable *call_variable(inlay_call *c);
/* The state of V as the invocation began; NULL: it was reset. */
const inlay_tensor *call_state(const inlay_call *c, const inlay_variable *v);
/* V has the state T (retained) when the invocation has ended well. */
void call_assign(inlay_call *c, const inlay_variable *v, const inlay_tensor *t);

#endif

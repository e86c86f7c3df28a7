/* For kernels that run bodies, or that read and assign variables. */
#ifndef INLAY_INTERP_BODY_H
#define INLAY_INTERP_BODY_H

#include "interp/call/kernel.h"

/* Runs body number BODY of the node once on the tensors IN, one for each Parameter, and sets OUT,
 * one for each Result. */
bool call_body(inlay_call *c, int body, const inlay_tensor *const *in, inlay_tensor **out);
/* Makes and runs the nodes that replace C's deferred node. */
bool call_deferred(inlay_call *c);
/* Does the executor run the iterations of a loop by itself (call_repeat)? */
bool call_can_repeat(const inlay_call *c);
/* Runs body 0 of the node at most MOST > 0 times, while the body asks for another iteration, and
 * then makes the outputs of the node. */
bool call_repeat(inlay_call *c, int64_t most);
/* Counts SIZE bytes that the kernel has allocated by itself against the limit, until call_give. */
bool call_take(inlay_call *c, uint64_t size);
void call_give(inlay_call *c, uint64_t size);
/* Counts an iteration of a loop. False after recording an error when the limit is reached. */
bool call_iterates(inlay_call *c);
/* Returns the variable that the node reads or assigns. NULL after recording an error when the node
 * is called on its own, without the states of a session. */
const inlay_variable *call_variable(inlay_call *c);
/* Returns the state of V at the beginning of the invocation; NULL: V was reset. */
const inlay_tensor *call_state(const inlay_call *c, const inlay_variable *v);
/* Makes T (retained) the next state of V, if the invocation succeeds. */
void call_assign(inlay_call *c, const inlay_variable *v, const inlay_tensor *t);

#endif

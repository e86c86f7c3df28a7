/* What kernels need that run bodies, or that read and assign variables. */
#ifndef INLAY_INTERP_BODY_H
#define INLAY_INTERP_BODY_H

#include "interp/call/kernel.h"

/* Runs body number BODY of the node once: IN has a tensor for each Parameter, and OUT receives one
 * for each Result. */
bool call_body(inlay_call *c, int body, const inlay_tensor *const *in, inlay_tensor **out);
/* Makes the nodes that C's node, a deferred one, stands for, and runs them. */
bool call_deferred(inlay_call *c);
/* Returns whether the executor makes the iterations of a loop by itself: call_repeat. */
bool call_can_repeat(const inlay_call *c);
/* Makes at most MOST iterations of body 0 of the node, where MOST is above 0, as long as the body
 * wants another one, and then the outputs of the node. */
bool call_repeat(inlay_call *c, int64_t most);
/* Counts SIZE bytes that the kernel has allocated by itself against the limit, until call_give. */
bool call_take(inlay_call *c, uint64_t size);
void call_give(inlay_call *c, uint64_t size);
/* Counts an iteration of a loop. False after recording an error when the run may make no more. */
bool call_iterates(inlay_call *c);
/* Returns the variable that the node reads or assigns. NULL after recording an error when the node
 * is called by itself, where no variable has a state. */
const inlay_variable *call_variable(inlay_call *c);
/* Returns the state that V had when the invocation began; NULL when V was reset. */
const inlay_tensor *call_state(const inlay_call *c, const inlay_variable *v);
/* Makes T (retained) the state of V if the invocation ends well. */
void call_assign(inlay_call *c, const inlay_variable *v, const inlay_tensor *t);

#endif

/* Stand-ins for values while an instance is made: allocations, and tensors without elements. */
#ifndef INLAY_EXEC_BUILD_SHADOW_H
#define INLAY_EXEC_BUILD_SHADOW_H

#include "interp/exec/build/builder.h"

/* Returns whether values of TYPE can be in an arena and be views with strides. */
bool build_plannable(inlay_type type);
/* Makes an allocation of BYTES, all of which is the value of SLOT. SIZE_MAX: out of memory, or no
 * fake address is left. */
size_t build_allocation(exec_builder *b, exec_root root, size_t slot, uint64_t bytes);
/* Makes T, a meta tensor whose reference is taken over, the value of SLOT in ALLOCATION. False: T
 * is NULL. */
bool build_value(exec_builder *b, size_t slot, size_t allocation, inlay_tensor *t);
/* Returns a dense tensor in A with the type and dims of F at ADDRESS; NULL: out of memory. */
inlay_tensor *build_dense(inlay_arena *a, const inlay_fact *f, char *address);
/* Returns a view in A of T, whose reference is taken over, with the sizes of F: the same elements
 * in row-major order. It is T itself if T has these sizes. NULL: strides cannot express it; T is
 * NULL; or T has another number of elements, as a clipped window has. */
inlay_tensor *build_reshaped(inlay_arena *a, inlay_tensor *t, const inlay_fact *f);
/* Makes T, which comes from outside the instance, the value of SLOT, in an allocation of its own.
 */
bool build_outside(exec_builder *b, size_t slot, const inlay_tensor *t, exec_root root, int number);
/* Returns the type and dims of T as a fact; NULL: out of memory. */
const inlay_fact *build_fact(exec_builder *b, const inlay_tensor *t);
/* Returns whether operand I is data: the step moves its elements, and they do not determine where
 * elements go. */
bool build_is_data(const exec_builder *b, int i);
/* Returns the elements of the value of SLOT if they are known before the run; or NULL. */
const inlay_tensor *build_readable(exec_builder *b, size_t slot);

#endif

/* What stands for values while an instance is made: allocations, and tensors without elements. */
#ifndef INLAY_EXEC_BUILD_SHADOW_H
#define INLAY_EXEC_BUILD_SHADOW_H

#include "interp/exec/build/builder.h"

/* Returns whether values of TYPE can stand in an arena, and be seen through strides. */
bool build_plannable(inlay_type type);
/* Makes an allocation of BYTES; SLOT is all of it. SIZE_MAX: out of memory, or there is no address
 * left. */
size_t build_allocation(exec_builder *b, exec_root root, size_t slot, uint64_t bytes);
/* Makes T, a meta whose reference is taken over, the value of SLOT in UNIT. False: T is NULL. */
bool build_value(exec_builder *b, size_t slot, size_t allocation, inlay_tensor *t);
/* Returns a dense tensor of the form of F at ADDRESS; NULL: out of memory. */
inlay_tensor *build_dense(const inlay_fact *f, char *address);
/* Returns the elements of T, whose reference is taken over, in their row-major order with the sizes
 * of F: T itself if it has these. NULL: no strides show that, T is NULL, or it has another number
 * of elements, as a window that is cut off. */
inlay_tensor *build_reshaped(inlay_tensor *t, const inlay_fact *f);
/* Makes T, which comes from outside of the instance, the value of SLOT in an allocation of its own.
 */
bool build_outside(exec_builder *b, size_t slot, const inlay_tensor *t, exec_root root, int number);
/* Returns the form of T as a fact; NULL: out of memory. */
const inlay_fact *build_fact(exec_builder *b, const inlay_tensor *t);
/* Returns whether operand I is data: the step moves its elements, but they do not say where
 * elements go. */
bool build_is_data(const exec_builder *b, int i);
/* Returns the elements of the value of SLOT if they are known before the run, or NULL. */
const inlay_tensor *build_readable(exec_builder *b, size_t slot);

#endif

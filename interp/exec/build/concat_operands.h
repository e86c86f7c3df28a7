/* Values that are made in their parts of larger values. */
#ifndef INLAY_EXEC_BUILD_CONCAT_OPERANDS_H
#define INLAY_EXEC_BUILD_CONCAT_OPERANDS_H

#include "interp/exec/build/builder.h"

/* Returns the part of its target in which the value of SLOT is made, and its allocation; the target
 * gets its place now if it had none. *OVER: the value overwrites earlier contents. NULL: the part
 * is only known in the run. */
inlay_tensor *build_part(exec_builder *b, size_t slot, size_t *allocation, bool *over);
/* Returns whether the value of SLOT, which by its note is made in a part or a window of another,
 * gets into a buffer that had other contents. */
bool build_is_over(const exec_builder *b, size_t slot);
/* Returns how many bytes of the operands of the step, whose output holds them by their notes, are
 * already in their parts of its output. */
uint64_t build_standing(const exec_builder *b);

#endif

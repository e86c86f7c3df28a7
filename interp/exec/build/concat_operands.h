/* Values that are made in their parts of what holds them. */
#ifndef INLAY_EXEC_BUILD_CONCAT_OPERANDS_H
#define INLAY_EXEC_BUILD_CONCAT_OPERANDS_H

#include "interp/exec/build/builder.h"

/* Returns the part of its target in which the value of SLOT is made, in *UNIT; the target gets its
 * place now if it had none. *OVER: the value writes over what stood there. NULL: the part cannot be
 * told before the run. */
inlay_tensor *build_part(exec_builder *b, size_t slot, size_t *allocation, bool *over);
/* Returns whether the value of SLOT, which is noted as made in a part or a window of another,
 * stands in a buffer that had other contents. */
bool build_is_over(const exec_builder *b, size_t slot);
/* Returns how many bytes of the operands of the step, whose node holds these operands, stand in
 * their parts of its output already. */
uint64_t build_standing(const exec_builder *b);

#endif

/* What kernels would do. */
#ifndef INLAY_EXEC_BUILD_RECORD_H
#define INLAY_EXEC_BUILD_RECORD_H

#include "interp/exec/build/builder.h"

/* Calls the kernel of a step that shows outputs as views of operand 0 or copies parts of operands.
 * OUT has a tensor for each output: its meta tensor, or, where the output is noted as a view, one
 * without address. For such outputs SEEN receives what the kernel shows, or NULL; the caller
 * releases it. Copies to the other outputs are recorded. False: the kernel wanted to touch elements
 * itself. */
bool build_record_moves(exec_builder *b, inlay_tensor *const *out, inlay_tensor **seen);
/* Calls the kernel of a step, and records the blocks that it hands over. False: the kernel wanted
 * to touch elements itself, so it must be called in each run. */
bool build_record_blocks(exec_builder *b);
/* Does the same only for the form that the kernel tells: what it computes element by element. */
void build_record_form(exec_builder *b);
/* Adds a block without lanes. NULL: out of memory. It may move the others. */
exec_block *build_block(exec_builder *b);
/* The number of BLOCK lies in UNIT, where k.one points: it is read now, or in each run. */
void build_number(const exec_builder *b, exec_block *block, size_t allocation);
/* Calls the kernel of a step whose row says prepares: what the kernel hands over becomes part of
 * the step. False: the kernel is called in each run. */
bool build_record_rest(exec_builder *b);
/* Returns the window of DATA that SCATTER will write, if that is known before the run; or NULL. */
inlay_tensor *build_window(exec_builder *b, const inlay_node *scatter, const inlay_tensor *data);

#endif

/* Records what kernels would do in a run. */
#ifndef INLAY_EXEC_BUILD_RECORD_H
#define INLAY_EXEC_BUILD_RECORD_H

#include "interp/exec/build/builder.h"

/* Calls the kernel of a step that makes outputs as views of operand 0, or copies parts of operands.
 * OUT has a tensor per output: its meta tensor, or, if the output is by its note a view, one
 * without address. For such outputs SEEN receives the view that the kernel gives, or NULL; the
 * caller releases it. Copies to the other outputs are recorded. False: the kernel asked for the
 * elements themselves. */
bool build_record_moves(exec_builder *b, inlay_tensor *const *out, inlay_tensor **seen);
/* Calls the kernel of a step and records the blocks that it gives. False: the kernel asked for the
 * elements themselves, so it must be called in each run. */
bool build_record_blocks(exec_builder *b);
/* Does the same, but records only the form: what the kernel computes element by element. */
void build_record_form(exec_builder *b);
/* Adds a block without lanes. NULL: out of memory. The other blocks may move. */
exec_block *build_block(exec_builder *b);
/* The number of BLOCK is in ALLOCATION, where k.one points: it is read now if it is known, else in
 * each run. */
void build_number(const exec_builder *b, exec_block *block, size_t allocation);
/* Calls the kernel of a step whose row has the flag `prepares`: what the kernel prepares becomes
 * part of the step. False: the whole kernel is called in each run. */
bool build_record_rest(exec_builder *b);
/* Returns the window of DATA that SCATTER will write, if that is known before the run; or NULL. */
inlay_tensor *build_window(exec_builder *b, const inlay_node *scatter, const inlay_tensor *data);

#endif

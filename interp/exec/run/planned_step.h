/* Makes steps whose outputs have places before the run. */
#ifndef INLAY_EXEC_RUN_PLANNED_STEP_H
#define INLAY_EXEC_RUN_PLANNED_STEP_H

#include "interp/exec/run/frame.h"

/* Makes S, whose outputs have places. False, here and below: after recording an error. */
bool exec_make_placed(exec_frame *f, const exec_step *s, inlay_diags *d);
/* Calls the kernel that was chosen for S: the library's, if it takes the operands, or the
 * operation's own. */
bool exec_call_kernel(const exec_step *s, inlay_call *c);
/* Computes the blocks of S. */
void exec_run_blocks(const exec_frame *f, const exec_step *s);
/* Saves the elements that S will overwrite, if they are a state's. */
bool exec_save_state(exec_frame *f, const exec_step *s, inlay_diags *d);
/* Runs the scatter of G. The updates are not in memory: the kernel asks for them. */
bool exec_put_rows(exec_frame *f, const exec_fused *g, inlay_diags *d);
/* Picks the rows that G reads; they are valid until scratch memory is emptied. False after
 * recording an error. */
bool exec_find_rows(exec_frame *f, const exec_fused *g, inlay_diags *d);
/* Does what call_picked asks for. */
void exec_note_rows(inlay_call *c, int64_t n, const int64_t *to);

#endif

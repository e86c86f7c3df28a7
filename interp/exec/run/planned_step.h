/* Makes steps whose outputs have their places before the run. */
#ifndef INLAY_EXEC_RUN_PLANNED_STEP_H
#define INLAY_EXEC_RUN_PLANNED_STEP_H

#include "interp/exec/run/frame.h"

/* Makes S, whose outputs have their places. False, here and below: after recording an error. */
bool exec_make_placed(exec_frame *f, const exec_step *s, inlay_diags *d);
/* Computes the blocks of S. */
void exec_run_blocks(const exec_frame *f, const exec_step *s);
/* Saves what stands where S writes, if that is a state's. */
bool exec_save_state(exec_frame *f, const exec_step *s, inlay_diags *d);
/* Runs the scatter of G. The updates stand nowhere before: the kernel asks for them. */
bool exec_put_rows(exec_frame *f, const exec_fused *g, inlay_diags *d);
/* Has the rows picked that G reads; until scratch memory is emptied they stand there. False after
 * recording an error. */
bool exec_find_rows(exec_frame *f, const exec_fused *g, inlay_diags *d);
/* Does what call_picked asks for. */
void exec_note_rows(inlay_call *c, int64_t n, const int64_t *to);

#endif

/* Fills in the addresses of a frame. */
#ifndef INLAY_EXEC_RUN_BIND_H
#define INLAY_EXEC_RUN_BIND_H

#include "interp/exec/run/frame.h"

/* Binds all allocations that exist before the first step. exec_frame_end must be called even if
 * this function fails. */
bool exec_frame_begin(exec_frame *f, run_env *env, const exec_outside *o, inlay_diags *d);
void exec_frame_end(exec_frame *f);
/* Binds what has moved since F was begun: parts of inputs, and places of results. False after
 * recording an error. */
bool exec_frame_rebind(exec_frame *f, inlay_diags *d);
/* Begins F, the segment after WAS, which has made its steps and then ends. O is the outside that
 * the first segment began with. */
bool exec_frame_continue(exec_frame *f, exec_frame *was, const exec_outside *o, inlay_diags *d);
/* Releases the buffers of their own that allocations in the arena have. */
void exec_frame_leave_parts(exec_frame *f);
/* Binds T, whose reference is taken over, to ALLOCATION. */
void exec_frame_bind(exec_frame *f, size_t allocation, inlay_tensor *t);
/* Makes ALLOCATION (exec_allocation.points) begin at ADDRESS, in BUFFER. OWN, whose reference is
 * taken over, owns these bytes; NULL: another allocation does. */
void exec_frame_point(exec_frame *f, size_t allocation, char *address, inlay_buffer *buffer,
                      inlay_tensor *own);
/* Returns a tensor with the value of SLOT that may outlive the run; the caller releases it. NULL:
 * out of memory. */
inlay_tensor *exec_frame_escape(exec_frame *f, size_t slot, inlay_diags *d);

#endif

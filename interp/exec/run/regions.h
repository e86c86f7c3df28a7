/* The regions of the arena in which the values of a frame lie: the session has one for each
 * segment, and the first one of a body may be in the frame of the step around it. */
#ifndef INLAY_EXEC_RUN_REGIONS_H
#define INLAY_EXEC_RUN_REGIONS_H

#include "interp/exec/run/frame.h"

/* Gives F, which a body of the step that RUN makes will run in, its place in the frame of that
 * step. */
void exec_frame_house(exec_frame *f, const exec_run *run);
/* Overwrites what died behind the step with number I, so that a later read of these bytes shows
 * (tests). */
void exec_frame_poison(exec_frame *f, size_t i);
/* Returns where the first region of F is in the frame of the step around it; NULL: it is the
 * session's. */
char *regions_home(const exec_frame *f);
/* Makes the region of F's segment large enough. Nothing lies in the region yet. False after
 * recording an error. */
bool regions_reserve(exec_frame *f, inlay_diags *d);
/* Returns where an allocation of the arena lies. One without bytes may be anywhere, but it has a
 * buffer, as each value has. */
char *regions_address(const exec_frame *f, const exec_allocation *u, inlay_buffer **buffer);
/* Returns when the youngest of F's regions of the session came; 0: it has none. */
uint64_t regions_age(const exec_frame *f);

#endif

/* The regions of the arena with the values of a frame. The session has a region for each segment;
 * the first region of a body may instead be in the frame of the outer step. */
#ifndef INLAY_EXEC_RUN_REGIONS_H
#define INLAY_EXEC_RUN_REGIONS_H

#include "interp/exec/run/frame.h"

/* Gives F, in which a body of the step that RUN makes will run, its place in the frame of that
 * step. */
void exec_frame_house(exec_frame *f, const exec_run *run);
/* Overwrites what is dead after the step with number I, so that tests detect a later read. */
void exec_frame_poison(exec_frame *f, size_t i);
/* Returns where the first region of F is in the frame of the outer step; NULL: it is the session's.
 */
char *regions_home(const exec_frame *f);
/* Makes the region of F's segment large enough. Nothing is in the region yet. False after recording
 * an error. */
bool regions_reserve(exec_frame *f, inlay_diags *d);
/* Returns the address of an allocation in the arena. One without bytes may be anywhere, but it has
 * a buffer, as each value does. */
char *regions_address(const exec_frame *f, const exec_allocation *u, inlay_buffer **buffer);
/* Returns when the youngest of the session's regions for F was made; 0: there is none. */
uint64_t regions_age(const exec_frame *f);

#endif

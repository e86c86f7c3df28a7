/* What steps copy, as interp/README.md counts it. */
#ifndef INLAY_EXEC_BUILD_COPIED_H
#define INLAY_EXEC_BUILD_COPIED_H

#include "interp/exec/build/instance.h"

uint64_t exec_step_copies(const exec_instance *x, const exec_step *s);
/* Returns the bytes of inputs that are copied before the first step, because they are written. */
uint64_t exec_entry_copies(const exec_instance *x);
/* Returns how many bytes X copies in all. *ABOUT is set if a part of this is only known in the run.
 */
uint64_t exec_instance_copies(const exec_instance *x, bool *about);

/* Returns how many bytes of states the steps of X, but for those in bodies, write over: a run that
 * finds a state copies them first. */
uint64_t exec_instance_saves(const exec_instance *x);

#endif

/* Allocations of values that stand in bytes of their own. */
#ifndef INLAY_EXEC_BUILD_ALLOCATION_H
#define INLAY_EXEC_BUILD_ALLOCATION_H

#include "interp/exec/build/builder.h"

/* Gives the value of SLOT, of the form of F, an allocation of its own, with room if it is a state
 * that grows. Without a meta tensor behind it the value cannot have one. False: out of memory. */
bool build_own_allocation(exec_builder *b, size_t slot, const inlay_fact *f);
/* Gives the value of SLOT, rows that are picked of a state, an allocation that may be the state's
 * own bytes. *DONE: it is such rows, and got one. False: out of memory. */
bool build_picked(exec_builder *b, size_t slot, bool *done);

#endif

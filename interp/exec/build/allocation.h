/* Allocations for values that do not share the bytes of others. */
#ifndef INLAY_EXEC_BUILD_ALLOCATION_H
#define INLAY_EXEC_BUILD_ALLOCATION_H

#include "interp/exec/build/builder.h"

/* Gives the value of SLOT, whose type and dims are those of F, an allocation of its own, with spare
 * capacity if it is a state that grows. If it cannot be described by a meta tensor, it gets none.
 * False: out of memory. */
bool build_own_allocation(exec_builder *b, size_t slot, const inlay_fact *f);
/* Gives the value of SLOT, rows that are picked from a state, an allocation that may have the
 * state's own bytes. *DONE: it is such a value, and got one. False: out of memory. */
bool build_picked(exec_builder *b, size_t slot, bool *done);

#endif

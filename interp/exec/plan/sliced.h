#ifndef INLAY_EXEC_PLAN_SLICED_H
#define INLAY_EXEC_PLAN_SLICED_H

#include "interp/exec/plan/plan.h"

/* Returns the slot of the value that owns the bytes of SLOT's value. OWNER has, for each slot, one
 * that is nearer to the owner; path compression brings it nearer still. */
size_t exec_find_owner(size_t *owner, size_t slot);
/* Marks inputs of P's graph that are overwritten through one slice of them only. False: out of
 * memory. */
bool exec_plan_slices(exec_plan *p);

#endif

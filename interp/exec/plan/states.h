/* States that have room behind each of their heads. */
#ifndef INLAY_EXEC_PLAN_STATES_H
#define INLAY_EXEC_PLAN_STATES_H

#include "interp/exec/plan/plan.h"

/* Finds the values that are states with room. False: out of memory. */
bool exec_plan_states(exec_plan *p);
/* Gives room to those of them only that have BYTES with it, all together. */
void exec_plan_bound_room(exec_plan *p, uint64_t bytes);

#endif

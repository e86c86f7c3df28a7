/* States that have room behind each of their heads. */
#ifndef INLAY_EXEC_PLAN_STATES_H
#define INLAY_EXEC_PLAN_STATES_H

#include "interp/exec/plan/plan.h"

/* Finds the values that are states with room. False: out of memory. */
bool exec_plan_states(exec_plan *p);

#endif

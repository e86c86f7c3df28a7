/* States with spare capacity along an inner axis. */
#ifndef INLAY_EXEC_PLAN_STATES_H
#define INLAY_EXEC_PLAN_STATES_H

#include "interp/exec/plan/plan.h"

/* Finds the values that are such states. False: out of memory. */
bool exec_plan_states(exec_plan *p);

#endif

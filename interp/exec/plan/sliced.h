#ifndef INLAY_EXEC_PLAN_SLICED_H
#define INLAY_EXEC_PLAN_SLICED_H

#include "interp/exec/plan/plan.h"

/* Marks inputs of P's graph that are overwritten through one slice of them only. False: out of
 * memory. */
bool exec_plan_slices(exec_plan *p);

#endif

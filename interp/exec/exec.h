/* The planned executor, as programs and sessions use it. */
#ifndef INLAY_INTERP_EXEC_H
#define INLAY_INTERP_EXEC_H

#include "interp/exec/plan/aligned.h"
#include "interp/exec/plan/packed.h"
#include "interp/exec/plan/plan.h"
#include "interp/exec/plan/states.h"
#include "interp/exec/run/deferred.h"
#include "interp/exec/run/ownership.h"
#include "interp/exec/run/session.h"
#include "interp/exec/run/spare.h"
#include "interp/exec/run/walk.h"

#endif

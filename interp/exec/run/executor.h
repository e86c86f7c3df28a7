#ifndef INLAY_EXEC_RUN_EXECUTOR_H
#define INLAY_EXEC_RUN_EXECUTOR_H

#include "interp/call/run.h"

/* What kernels can ask of the planned executor. */
extern const call_executor exec_executor;

#endif

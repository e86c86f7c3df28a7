#ifndef INLAY_EXEC_RUN_EXECUTOR_H
#define INLAY_EXEC_RUN_EXECUTOR_H

#include "interp/call/run.h"

/* The planned executor's services for kernels. */
extern const call_executor exec_executor;

#endif

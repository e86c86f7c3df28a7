#ifndef INLAY_EXEC_RUN_DEFERRED_H
#define INLAY_EXEC_RUN_DEFERRED_H

#include "interp/kernel.h"

/* Does what call_deferred asks for. */
bool exec_run_deferred(inlay_call *c);

#endif

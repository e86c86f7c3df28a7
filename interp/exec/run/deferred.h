#ifndef INLAY_EXEC_RUN_DEFERRED_H
#define INLAY_EXEC_RUN_DEFERRED_H

#include "interp/exec/run/session.h"
#include "interp/kernel.h"

/* Does what call_deferred asks for. */
bool exec_run_deferred(inlay_call *c);
/* Returns how many bytes the programs that S keeps for deferred nodes have packed. */
uint64_t exec_made_packed_bytes(const exec_session *s);

#endif

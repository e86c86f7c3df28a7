/* Outputs whose places are only known in the run. */
#ifndef INLAY_EXEC_RUN_OUTPUTS_H
#define INLAY_EXEC_RUN_OUTPUTS_H

#include "interp/kernel.h"

/* Makes those outputs of C that do not get a buffer of their own. PROMISE: what is known of these
 * outputs. The tensor of a view has no bytes until the kernel gives them to it (exec_show). */
bool exec_outputs(inlay_call *c, const inlay_fact *promise);
/* Does what call_show asks for. */
bool exec_show(inlay_call *c, int o, const inlay_tensor *t, bool *done);

#endif

/* A body that a kernel runs once. */
#ifndef INLAY_EXEC_RUN_BODY_H
#define INLAY_EXEC_RUN_BODY_H

#include "interp/kernel.h"

/* Returns the place that output O of the current step should get, if it has the type and dims of
 * FORM; NULL: there is no such place. */
inlay_tensor *exec_destination(inlay_call *c, int o, const inlay_tensor *form);
/* Does what call_body asks for. */
bool exec_run_body(inlay_call *c, int body, const inlay_tensor *const *in, inlay_tensor **out);

#endif

/* The checker of programs: see README.md. */
#ifndef INLAY_INTERP_AUDIT_H
#define INLAY_INTERP_AUDIT_H

#include "interp/exec/build/instance.h"

/* Does each step of X find the values that it reads, and are all results there at the end of the
 * run? False after recording an error that names the step and the value. An instance with roots of
 * more than AUDIT_MOST bytes in all is accepted without a check. */
bool audit_instance(const exec_instance *x, inlay_diags *d);

enum { AUDIT_MOST = 64 << 20 };

#endif

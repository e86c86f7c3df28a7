/* What If and the loops share. Private to interp/kernels/. */
#ifndef INLAY_KERNELS_CONTROL_H
#define INLAY_KERNELS_CONTROL_H

#include "interp/call/body.h"

/* The only element of operand I, a condition or a count. */
bool one_element(inlay_call *c, int i, int64_t *out);

#endif

/* Deferred: makes the nodes that replace it, for the operands of this call, and runs them. */
#include "interp/call/body.h"

bool eval_deferred(inlay_call *c)
{
    return call_deferred(c);
}

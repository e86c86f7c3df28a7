/* Deferred: the nodes that it stands for are made for the operands of this call, and run. */
#include "interp/call/body.h"

bool eval_deferred(inlay_call *c)
{
    return call_deferred(c);
}

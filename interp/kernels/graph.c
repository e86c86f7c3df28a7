/* Parameter, Const, Result. */
#include "interp/call/kernel.h"

/* The executor supplies the caller's tensor; a Parameter that is evaluated on its own has no value.
 */
bool eval_parameter(inlay_call *c)
{
    return inlay_call_fail(c, "a Parameter has no value of its own");
}

bool eval_const(inlay_call *c)
{
    const inlay_attr *value = inlay_node_attr(c->node, "value");

    if (!value)
        return inlay_call_fail(c, "attribute \"value\" is missing");
    return call_adopt(c, 0, value->as.tensor);
}

bool eval_result(inlay_call *c)
{
    (void)c;
    return true;
}

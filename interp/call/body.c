/* The helpers of body.h. */
#include "interp/call/body.h"

#include "interp/call/run.h"

#include <inttypes.h>

bool call_take(inlay_call *c, uint64_t size)
{
    return meter_take(c->run->env->meter, size, c->node, c->diags);
}

void call_give(inlay_call *c, uint64_t size)
{
    meter_give(c->run->env->meter, size);
}

bool call_body(inlay_call *c, int body, const inlay_tensor *const *in, inlay_tensor **out)
{
    return c->run->executor->run_body(c, body, in, out);
}

bool call_deferred(inlay_call *c)
{
    return c->run->executor->run_deferred(c);
}

bool call_can_repeat(const inlay_call *c)
{
    return c->run->executor->repeat != NULL;
}

bool call_repeat(inlay_call *c, int64_t most)
{
    return c->run->executor->repeat(c, most);
}

/* A model may have a loop whose condition never turns false; a caller may limit how long the loop
 * runs. */
bool call_iterates(inlay_call *c)
{
    const run_env *env = c->run->env;

    if (env->max_iterations > 0 && env->stats->iterations >= env->max_iterations)
        return inlay_fail_resource_node(
            c->diags, c->node,
            "the loops of this run have made %" PRIu64 " iteration%s, more are not allowed",
            env->stats->iterations, inlay_plural(env->stats->iterations, "", "s"));
    env->stats->iterations++;
    return true;
}

const inlay_variable *call_variable(inlay_call *c)
{
    const inlay_attr *a = inlay_node_attr(c->node, "variable_id");

    if (!a || !c->run->state) {
        inlay_call_fail(c, a ? "a variable has no state outside a run"
                             : "attribute \"variable_id\" is missing");
        return NULL;
    }
    return a->as.variable;
}

const inlay_tensor *call_state(const inlay_call *c, const inlay_variable *v)
{
    return c->run->state[v->index];
}

void call_assign(inlay_call *c, const inlay_variable *v, const inlay_tensor *t)
{
    inlay_tensor_release(c->run->pending[v->index]);
    c->run->pending[v->index] = inlay_tensor_retain(t);
}

/* Invocations of graphs, the states of variables, and reports to a caller who follows a run. */
#include "interp/call/run.h"
#include "ir/shared.h"

#include <stdlib.h>

bool run_begin(struct inlay_run *r, const call_executor *executor, run_env *env, inlay_diags *d)
{
    size_t n = (size_t)env->n_variables;

    *r = (struct inlay_run){.executor = executor, .env = env};
    r->scratch = inlay_arena_of(meter_budget(env->meter));
    r->state = inlay_take(meter_budget(env->meter), n + 1, sizeof *r->state);
    r->pending = inlay_take(meter_budget(env->meter), n + 1, sizeof *r->pending);
    if (!r->scratch || !r->state || !r->pending)
        return inlay_fail_memory(d);
    for (size_t i = 0; i < n; i++) {
        if (env->variables[i])
            r->state[i] = inlay_tensor_retain(env->variables[i]);
    }
    return true;
}

void run_end(struct inlay_run *r)
{
    for (int i = 0; r->state && r->pending && i < r->env->n_variables; i++) {
        inlay_tensor_release(r->state[i]);
        inlay_tensor_release(r->pending[i]);
    }
    inlay_arena_free(r->scratch);
    inlay_give(r->state);
    inlay_give(r->pending);
}

void run_commit(struct inlay_run *r)
{
    for (int i = 0; i < r->env->n_variables; i++) {
        if (!r->pending[i])
            continue;
        inlay_tensor_release(r->env->variables[i]);
        r->env->variables[i] = r->pending[i];
        r->pending[i] = NULL;
    }
}

void run_empty_scratch(struct inlay_run *r)
{
    r->scratch_refused = false;
    if (r->scratch_taken == 0 && inlay_arena_is_empty(r->scratch))
        return;
    if (meter_may_keep(r->env->meter, r->scratch_taken))
        inlay_arena_reuse(r->scratch);
    else
        inlay_arena_clear(r->scratch);
    meter_give(r->env->meter, r->scratch_taken);
    r->scratch_taken = 0;
}

bool run_tell(const run_env *env, const inlay_node *n, inlay_diags *d)
{
    if (run_is_cancelled(env))
        return inlay_fail_resource_node(d, n, "the run was cancelled before this step");
    if (env->progress)
        env->progress(env->progress_ctx, n, env->stats->steps);
    return true;
}

run_env run_env_of_body(const run_env *env)
{
    run_env body = *env;

    body.kept = NULL;
    body.bound = NULL;
    return body;
}

/* Evaluates a graph by the planned executor with all inputs donated. */
#include "cli/fuzz.h"

#include <stdlib.h>

static inlay_evaluator planned(void *ctx)
{
    return inlay_planned_evaluator(ctx);
}

static bool eval_node(void *ctx, const inlay_node *n, const inlay_tensor *const *in,
                      inlay_tensor **out, inlay_diags *d)
{
    return planned(ctx).eval_node(ctx, n, in, out, d);
}

static bool run(inlay_session *s, const inlay_graph *g, const inlay_tensor *const *in,
                inlay_tensor **out, inlay_tensor **variables, inlay_diags *d)
{
    bool *donated = calloc((size_t)g->n_params + 1, sizeof *donated);
    bool ok = donated != NULL;

    for (int i = 0; ok && i < g->n_params; i++)
        donated[i] = true;
    for (int i = 0; ok && variables && i < g->n_variables; i++)
        ok = inlay_session_set_variable(s, i, variables[i], d);
    ok = ok && inlay_session_run(s, in, donated, out, d);
    for (int i = 0; ok && variables && i < g->n_variables; i++) {
        const inlay_tensor *now = inlay_session_variable(s, i);

        inlay_tensor_release(variables[i]);
        variables[i] = now ? inlay_tensor_retain(now) : NULL;
    }
    free(donated);
    return ok;
}

/* The run may overwrite the copies, since nobody else holds them. */
static bool eval_graph(void *ctx, const inlay_graph *g, const inlay_tensor *const *in,
                       inlay_tensor **out, inlay_tensor **variables, inlay_diags *d)
{
    inlay_program *p = inlay_compile(g, ctx, d);
    inlay_session *s = p ? inlay_session_new(p, d) : NULL;
    inlay_tensor **copies = calloc((size_t)g->n_params + 1, sizeof *copies);
    bool ok = s && copies;

    for (int i = 0; ok && i < g->n_params; i++)
        ok = (copies[i] = inlay_tensor_copy(in[i])) != NULL;
    ok = ok && run(s, g, (const inlay_tensor *const *)copies, out, variables, d);
    for (int i = 0; copies && i < g->n_params; i++)
        inlay_tensor_release(copies[i]);
    free(copies);
    inlay_session_free(s);
    inlay_program_free(p);
    return ok;
}

inlay_evaluator fuzz_donating_evaluator(const inlay_exec_options *limits)
{
    return (inlay_evaluator){eval_node, eval_graph, (void *)limits};
}

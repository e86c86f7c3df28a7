/* The executors as evaluators, for passes that fold constants and compare graphs. */
#include "interp/reference/reference.h"
#include "ir/shared.h"

#include <string.h>

static inlay_meter *meter_of(inlay_budget *budget, const inlay_exec_options *o, inlay_diags *d)
{
    inlay_meter *m =
        meter_new(budget, o ? o->max_memory : 0, o ? o->held_memory : 0, o && o->poison);

    if (!m)
        inlay_fail_memory(d);
    return m;
}

/* Kernels rely on it that operands are what the graph says of them. */
static bool check_operands(const inlay_node *n, const inlay_tensor *const *in, inlay_diags *d)
{
    char why[1200];

    for (int i = 0; i < n->n_in; i++) {
        const inlay_value *v = n->in[i].value;

        if (!v != !in[i])
            return inlay_fail_node(d, n, "the tensor given for input %d is %s", i,
                                   v ? "missing" : "one too many");
        if (v && !fact_accepts(&v->fact, in[i], why, sizeof why))
            return inlay_fail_node(d, n, "the tensor given for input %d has %s", i, why);
    }
    return true;
}

static bool run_alone(const inlay_node *n, struct inlay_run *run, const inlay_tensor *const *in,
                      inlay_tensor **out, inlay_diags *d)
{
    graph_steps **bodies = NULL;
    bool ok = (run->scratch || inlay_fail_memory(d)) && steps_check_node(n, d) &&
              check_operands(n, in, d) && steps_of_bodies(n, &bodies, d) &&
              reference_run_node(n, bodies, run, in, out, d);

    steps_free_bodies(n, bodies);
    return ok;
}

static bool eval_node(void *ctx, const inlay_node *n, const inlay_tensor *const *in,
                      inlay_tensor **out, inlay_diags *d)
{
    inlay_exec_stats stats = {0};
    run_env env = {.stats = &stats};
    struct inlay_run run = {.executor = &reference_executor, .env = &env};
    bool ok;

    if (inlay_is_missing(n, "node", d) ||
        !inlay_list_is_sound((const void *)in, n->n_in, "operands", d) ||
        !inlay_list_is_sound((const void *)out, n->n_out, "outputs", d))
        return false;
    memset(out, 0, (size_t)n->n_out * sizeof *out);
    env.meter = meter_of(inlay_node_budget(n), ctx, d);
    run.scratch = inlay_arena_of(inlay_node_budget(n));
    ok = env.meter && run_alone(n, &run, in, out, d);
    inlay_arena_free(run.scratch);
    meter_release(env.meter);
    return ok;
}

static bool run_graph(const inlay_exec_options *ctx, inlay_exec_mode mode, const inlay_graph *g,
                      const inlay_tensor *const *in, inlay_tensor **out, inlay_tensor **variables,
                      inlay_diags *d)
{
    inlay_exec_options options = ctx ? *ctx : (inlay_exec_options){0};
    inlay_program *p;
    inlay_session *s;
    bool ok;

    options.mode = mode;
    p = inlay_compile(g, &options, d);
    s = p ? inlay_session_new(p, d) : NULL;
    ok = s != NULL;
    for (int i = 0; ok && variables && i < g->n_variables; i++)
        ok = inlay_session_set_variable(s, i, variables[i], d);
    ok = ok && inlay_session_run(s, in, NULL, out, d);
    for (int i = 0; ok && variables && i < g->n_variables; i++) {
        const inlay_tensor *now = inlay_session_variable(s, i);

        inlay_tensor_release(variables[i]);
        variables[i] = now ? inlay_tensor_retain(now) : NULL;
    }
    inlay_session_free(s);
    inlay_program_free(p);
    return ok;
}

static bool eval_graph(void *ctx, const inlay_graph *g, const inlay_tensor *const *in,
                       inlay_tensor **out, inlay_tensor **variables, inlay_diags *d)
{
    return run_graph(ctx, INLAY_EXEC_REFERENCE, g, in, out, variables, d);
}

static bool eval_graph_planned(void *ctx, const inlay_graph *g, const inlay_tensor *const *in,
                               inlay_tensor **out, inlay_tensor **variables, inlay_diags *d)
{
    return run_graph(ctx, INLAY_EXEC_PLANNED, g, in, out, variables, d);
}

inlay_evaluator inlay_reference_evaluator(const inlay_exec_options *ctx)
{
    return (inlay_evaluator){eval_node, eval_graph, (void *)ctx};
}

inlay_evaluator inlay_planned_evaluator(const inlay_exec_options *ctx)
{
    return (inlay_evaluator){eval_node, eval_graph_planned, (void *)ctx};
}

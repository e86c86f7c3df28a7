/* The reference executor: runs the steps in order, each when its operands are computed. */
#include "interp/reference/reference.h"
#include "interp/call/made.h"
#include "ir/shared.h"

#include <stdlib.h>
#include <string.h>

/* A kernel that only moves elements has copied all that it wrote. */
static void count_step(inlay_exec_stats *stats, const inlay_call *c)
{
    bool moves = c->node->op->flags & (INLAY_MOVES | INLAY_VIEW);

    if (!inlay_node_is(c->node, INLAY_OP_CONST))
        stats->steps++;
    for (int i = 0; moves && i < c->n_out; i++)
        stats->copied_bytes += inlay_tensor_bytes(c->out[i]);
}

bool reference_run_node(const inlay_node *n, graph_steps *const *bodies, struct inlay_run *run,
                        const inlay_tensor *const *in, inlay_tensor **out, inlay_diags *d)
{
    call_step s;
    bool ok;

    call_begin(&s, n, bodies, run, in, out, d);
    ok = call_operands(&s);
    for (int i = 0; ok && i < n->n_out; i++)
        ok = call_fresh_output(&s, i);
    ok = ok && call_kernel(&s, call_kernel_of(n->op));
    if (ok)
        count_step(run->env->stats, &s.call);
    call_end(&s, ok);
    return ok;
}

/* The values of one invocation. */
struct walk {
    struct inlay_run run;
    const graph_steps *steps;
    inlay_tensor **values;   /* by slot; NULL: not computed yet, or not needed any more */
    uint32_t *left;          /* by slot: remaining uses */
    const inlay_tensor **in; /* operands of the node being run */
    inlay_tensor **out;      /* its outputs */
};

static bool begin(struct walk *w, const graph_steps *s, run_env *env, inlay_diags *d)
{
    bool ok;

    *w = (struct walk){.steps = s};
    ok = run_begin(&w->run, &reference_executor, env, d);
    w->values = inlay_take(inlay_graph_budget(s->graph), s->n_slots + 1, sizeof *w->values);
    w->left = inlay_take_raw(inlay_graph_budget(s->graph), (s->n_slots + 1) * sizeof *w->left);
    w->in = inlay_take_raw(inlay_graph_budget(s->graph), ((size_t)s->most_in + 1) * sizeof *w->in);
    w->out =
        inlay_take_raw(inlay_graph_budget(s->graph), ((size_t)s->most_out + 1) * sizeof *w->out);
    if (!w->values || !w->left || !w->in || !w->out)
        return ok && inlay_fail_memory(d);
    memcpy(w->left, s->uses, s->n_slots * sizeof *w->left);
    return ok;
}

static void end(struct walk *w)
{
    if (w->values)
        call_release(w->values, w->steps->n_slots);
    run_end(&w->run);
    inlay_give(w->values);
    inlay_give(w->left);
    inlay_give(w->in);
    inlay_give(w->out);
}

static inlay_tensor **value_of(const struct walk *w, const inlay_value *v)
{
    return &w->values[steps_slot(w->steps, v)];
}

/* Makes T the value of V until its last use; takes over the reference to T. */
static void set_value(struct walk *w, const inlay_value *v, inlay_tensor *t)
{
    if (w->left[steps_slot(w->steps, v)] > 0)
        *value_of(w, v) = t;
    else
        inlay_tensor_release(t);
}

static void drop_use(struct walk *w, const inlay_value *v)
{
    if (--w->left[steps_slot(w->steps, v)] == 0)
        call_release(value_of(w, v), 1);
}

/* The tensors of Parameters are the caller's, and are read in place. */
static bool take_inputs(struct walk *w, const inlay_tensor *const *in, inlay_diags *d)
{
    const inlay_graph *g = w->steps->graph;

    for (int i = 0; i < g->n_params; i++) {
        const inlay_value *v = &g->params[i]->out[0];

        if (!in[i] && g->owner && w->left[steps_slot(w->steps, v)] == 0)
            continue; /* a parameter of a body that has no input and no reader */
        if (!param_accepts(v->node, in[i], d))
            return false;
        set_value(w, v, inlay_tensor_retain(in[i]));
    }
    return true;
}

static void drop_operands(struct walk *w, const inlay_node *n)
{
    for (int i = 0; i < n->n_in; i++) {
        if (n->in[i].value)
            drop_use(w, n->in[i].value);
    }
}

static bool run_step(struct walk *w, const graph_step *step, inlay_diags *d)
{
    const inlay_node *n = step->node;

    if (n->n_out > 0 && steps_leaves_out(w->steps, steps_slot(w->steps, &n->out[0]), w->run.state,
                                         w->run.env->n_variables)) {
        drop_operands(w, n);
        return true;
    }
    if (!run_announce(w->run.env, n, d))
        return false;
    for (int i = 0; i < n->n_in; i++)
        w->in[i] = n->in[i].value ? *value_of(w, n->in[i].value) : NULL;
    if (!reference_run_node(n, step->bodies, &w->run, w->in, w->out, d))
        return false;
    for (int i = 0; i < n->n_out; i++)
        set_value(w, &n->out[i], w->out[i]);
    drop_operands(w, n);
    return true;
}

/* Results are taken at the end, so their operands are still alive. */
static bool take_results(struct walk *w, inlay_tensor **out, inlay_diags *d)
{
    const inlay_graph *g = w->steps->graph;
    const inlay_tensor **kept = w->run.env->kept;

    for (int i = 0; i < g->n_results; i++)
        out[i] = inlay_tensor_retain(*value_of(w, g->results[i]->in[0].value));
    for (int i = 0; kept && i < w->steps->n_keep; i++)
        kept[i] = inlay_tensor_retain(w->values[w->steps->keep[i]]);
    if (!bound_deliver(&w->run, g, out, w->steps->n_keep, d)) {
        call_release(out, (size_t)g->n_results);
        return false;
    }
    run_commit(&w->run);
    return true;
}

bool reference_run(const graph_steps *s, run_env *env, const inlay_tensor *const *in,
                   inlay_tensor **out, inlay_diags *d)
{
    struct walk w;
    bool ok;

    for (int i = 0; i < s->graph->n_results; i++)
        out[i] = NULL;
    ok = begin(&w, s, env, d) && take_inputs(&w, in, d);
    for (size_t i = 0; ok && i < s->n; i++)
        ok = !steps_runs(s->list[i].node) || run_step(&w, &s->list[i], d);
    ok = ok && take_results(&w, out, d);
    end(&w);
    return ok;
}

static bool run_body(inlay_call *c, int body, const inlay_tensor *const *in, inlay_tensor **out)
{
    run_env env = run_env_of_body(c->run->env);

    return reference_run(c->run->bodies[body], &env, in, out, c->diags);
}

/* The nodes are made anew for each call, and their operands are all constants, so the progress
 * callback does not see them. */
static bool run_deferred(inlay_call *c)
{
    run_env env = run_env_of_body(c->run->env);
    bool *constant = inlay_call_memory(c, c->n_in, sizeof *constant);
    call_made made = {0};
    bool ok = constant != NULL;

    for (int i = 0; ok && i < c->n_in; i++)
        constant[i] = true;
    ok = ok && call_made_begin(c, constant, &made);
    env.progress = NULL;
    ok =
        ok && reference_run(made.steps, &env, NULL, made.out, c->diags) && call_made_give(c, &made);
    call_made_free(&made);
    return ok;
}

const call_executor reference_executor = {.run_body = run_body, .run_deferred = run_deferred};

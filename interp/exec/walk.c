/* The walk of the planned executor: it makes the steps in their order, and puts each output where
 * its note says. */
#include "interp/exec/exec.h"
#include "ir/shared.h"

#include <stdlib.h>
#include <string.h>

/* A kernel that only moves elements has copied all that it wrote. For a view it wrote nothing. */
static void count_step(inlay_exec_stats *stats, const inlay_call *c, bool in_place)
{
    bool moves = c->node->op->flags & (INLAY_MOVES | INLAY_VIEW);

    if (!inlay_node_is(c->node, INLAY_OP_CONST))
        stats->steps++;
    stats->in_place_writes += in_place && !c->writes_nothing;
    for (int i = 0; moves && i < c->n_out; i++) {
        if (c->out[i]->buffer != c->in[0]->buffer)
            stats->copied_bytes += inlay_tensor_bytes(c->out[i]);
    }
}

static bool run_node(exec_run *run, const graph_step *step, const inlay_tensor *const *in,
                     inlay_tensor **out, inlay_diags *d)
{
    call_step s;
    bool ok;

    call_begin(&s, step->node, step->bodies, &run->run, in, out, d);
    run->in_place = run->settled = false;
    tiles_before(&s.call);
    ok = call_operands(&s) && exec_outputs(&s.call, s.promise);
    for (int i = 0; ok && i < s.call.n_out; i++)
        ok = out[i] || call_fresh_output(&s, i);
    ok = ok && call_kernel(&s);
    if (ok)
        count_step(run->run.env->stats, &s.call, run->in_place);
    call_end(&s, ok);
    return ok;
}

/* The values of one invocation. */
struct frame {
    exec_run run;
    uint32_t *left;          /* by slot: uses still to come */
    const inlay_tensor **in; /* operands of the node being run */
    inlay_tensor **out;      /* its outputs */
    exec_tiles tiles;
};

/* PLAN is NULL in a body. */
static INLAY_OWN_FRAME bool frame_begin(struct frame *f, const graph_steps *s,
                                        const exec_plan *plan, run_env *env, inlay_diags *d)
{
    size_t slots = s->n_slots + 1;
    bool ok;

    *f = (struct frame){.run = {.steps = s, .plan = plan}};
    ok = run_begin(&f->run.run, &exec_executor, env, d);
    if (plan && plan->places) {
        tiles_begin(&f->tiles, plan->tile);
        f->run.tiles = &f->tiles;
    }
    f->run.values = calloc(slots, sizeof *f->run.values);
    f->left = malloc(slots * sizeof *f->left);
    f->in = malloc(((size_t)s->most_in + 1) * sizeof *f->in);
    f->out = malloc(((size_t)s->most_out + 1) * sizeof *f->out);
    if (!f->run.values || !f->left || !f->in || !f->out)
        return ok && inlay_fail_memory(d);
    memcpy(f->left, s->uses, s->n_slots * sizeof *f->left);
    return ok;
}

static void frame_end(struct frame *f)
{
    tiles_end(&f->tiles);
    if (f->run.values)
        call_release(f->run.values, f->run.steps->n_slots);
    run_end(&f->run.run);
    free(f->run.values);
    free(f->left);
    free(f->in);
    free(f->out);
}

static void drop_use(struct frame *f, size_t slot)
{
    if (--f->left[slot] == 0) {
        inlay_tensor_release(f->run.values[slot]);
        f->run.values[slot] = NULL;
    }
}

/* Puts T, the value of V, into its slot; T's reference is taken over. OURS: the run may write over
 * T's buffer. */
static bool take_value(struct frame *f, const inlay_value *v, inlay_tensor *t, bool ours,
                       inlay_diags *d)
{
    size_t slot = steps_slot(f->run.steps, v);
    bool ok = f->left[slot] == 0 || (exec_protect(&f->run, slot, &t, ours, v->node, d) &&
                                     exec_keep(&f->run, slot, t, v->node, d));

    if (ok && f->left[slot] > 0)
        f->run.values[slot] = t;
    else
        inlay_tensor_release(t);
    return ok;
}

/* Whether the run may write over the buffers of the outputs. Some kernels hand over a tensor that
 * existed before: a constant, an operand, or the state of a variable. Of these the run may write
 * over the state only. */
static bool owns_outputs(const inlay_node *n, const inlay_tensor *const *in,
                         inlay_tensor *const *out)
{
    if (inlay_node_is(n, INLAY_OP_READ_VALUE))
        return n->n_in == 0 || !in[0] || in[0]->buffer != out[0]->buffer;
    return !call_adopts(n->op);
}

static bool run_step(struct frame *f, const graph_step *step, inlay_diags *d)
{
    const graph_steps *s = f->run.steps;
    const inlay_node *n = step->node;
    bool ours, ok = true;

    run_announce(f->run.run.env, n);
    for (int i = 0; i < n->n_in; i++)
        f->in[i] = n->in[i].value ? f->run.values[steps_slot(s, n->in[i].value)] : NULL;
    if (!run_node(&f->run, step, f->in, f->out, d))
        return false;
    ours = owns_outputs(n, f->in, f->out);
    for (int i = 0; i < n->n_out; i++)
        ok = take_value(f, &n->out[i], f->out[i], ours, d) && ok;
    if (!ok)
        return false;
    for (int i = 0; i < n->n_in; i++) {
        if (n->in[i].value)
            drop_use(f, steps_slot(s, n->in[i].value));
    }
    return true;
}

/* The tensors of Parameters are the caller's. They are read where they lie, and not written unless
 * they were donated. */
static bool take_inputs(struct frame *f, const inlay_tensor *const *in, inlay_diags *d)
{
    const inlay_graph *g = f->run.steps->graph;
    const bool *donated = f->run.donated;

    for (int i = 0; i < g->n_params; i++) {
        const inlay_value *v = &g->params[i]->out[0];

        if (!in[i] && g->owner && f->left[steps_slot(f->run.steps, v)] == 0)
            continue; /* a parameter of a body that nothing enters and nothing reads */
        if (!param_accepts(v->node, in[i], d) ||
            !take_value(f, v, inlay_tensor_retain(in[i]), donated && donated[i], d))
            return false;
    }
    return true;
}

static bool run_steps(struct frame *f, inlay_diags *d)
{
    const graph_steps *s = f->run.steps;

    for (size_t i = 0; i < s->n; i++) {
        if (steps_runs(s->list[i].node) && !run_step(f, &s->list[i], d))
            return false;
    }
    tiles_settle(&f->tiles);
    return true;
}

/* Results are read at the end, so their operands stay alive. */
static INLAY_OWN_FRAME void take_results(struct frame *f, inlay_tensor **out)
{
    const graph_steps *s = f->run.steps;
    const inlay_tensor **kept = f->run.run.env->kept;

    for (int i = 0; i < s->graph->n_results; i++)
        out[i] =
            inlay_tensor_retain(f->run.values[steps_slot(s, s->graph->results[i]->in[0].value)]);
    for (int i = 0; kept && i < s->n_keep; i++)
        kept[i] = kept[i] ? kept[i] : inlay_tensor_retain(f->run.values[s->keep[i]]);
    run_commit(&f->run.run);
}

static bool run_frame(struct frame *f, const inlay_tensor *const *in, inlay_tensor **out,
                      inlay_diags *d)
{
    bool ok = take_inputs(f, in, d) && run_steps(f, d);

    if (ok)
        take_results(f, out);
    return ok;
}

bool exec_run_plan(const exec_plan *p, run_env *env, const inlay_tensor *const *in,
                   const bool *ours, inlay_tensor **out, inlay_diags *d)
{
    exec_journal journal = {NULL};
    struct frame f;
    bool ok;

    memset(out, 0, (size_t)p->steps->graph->n_results * sizeof *out);
    ok = frame_begin(&f, p->steps, p, env, d);
    f.run.donated = ours;
    f.run.journal = &journal;
    ok = ok && run_frame(&f, in, out, d);
    frame_end(&f);
    if (!ok)
        journal_undo(&journal);
    journal_free(&journal);
    return ok;
}

/* Bodies have no notes: every output has a buffer of its own, and operands are only read. */
static bool run_body(inlay_call *c, int body, const inlay_tensor *const *in, inlay_tensor **out)
{
    run_env env = run_env_of_body(c->run->env);
    const graph_steps *s = c->run->bodies[body];
    struct frame f;
    bool ok;

    memset(out, 0, (size_t)s->graph->n_results * sizeof *out);
    ok = frame_begin(&f, s, NULL, &env, c->diags) && run_frame(&f, in, out, c->diags);
    frame_end(&f);
    return ok;
}

const call_executor exec_executor = {.run_body = run_body,
                                     .show = exec_show,
                                     .block = tiles_block,
                                     .settle = tiles_touch,
                                     .overwrites = journal_save};

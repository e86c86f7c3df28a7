/* Runs the steps of an instance, one after the other. */
#include "interp/exec/run/walk.h"
#include "interp/call/bound.h"
#include "interp/exec/run/bind.h"
#include "interp/exec/run/dynamic_step.h"
#include "interp/exec/run/fused.h"
#include "interp/exec/run/ownership.h"
#include "interp/exec/run/planned_step.h"
#include "interp/exec/run/regions.h"
#include "interp/exec/run/split.h"

static bool make_step(exec_frame *f, const exec_step *s, inlay_diags *d)
{
    return s->kind == EXEC_WALK ? exec_make_found(f, s, d) : exec_make_placed(f, s, d);
}

static bool keep_outputs(exec_frame *f, const exec_step *s, inlay_diags *d)
{
    for (int i = 0; i < s->step->node->n_out; i++) {
        if (!exec_keep(&f->run, s->out[i], f->run.values[s->out[i]], s->step->node, d))
            return false;
    }
    return true;
}

static void drop_values(exec_frame *f, const exec_step *s)
{
    for (size_t i = s->drop; i < s->drop + s->n_drops; i++) {
        inlay_tensor **t = &f->run.values[f->x->drops[i]];

        spares_strip(&f->run.session->spares, *t);
        *t = NULL;
    }
}

static void finish_step(exec_frame *f, const exec_step *s)
{
    inlay_exec_stats *stats = f->run.run.env->stats;

    stats->steps += s->group > 1 ? s->counted - s[1].counted : s->counted;
    stats->copied_bytes += s->moved;
    stats->in_place_writes += s->in_place && s->kind != EXEC_NOTHING;
    drop_values(f, s);
}

/* Runs the group of steps that begins with S. */
static bool run_group(const exec_frame *f, const exec_step *s, inlay_diags *d)
{
    for (const exec_step *now = s; now < s + s->group; now++) {
        if (now->n_blocks == 0)
            continue;
        exec_run_blocks(f, now);
        if (run_is_cancelled(f->run.run.env))
            return run_announce(f->run.run.env, now->step->node, d);
    }
    f->run.run.env->stats->steps += s->counted;
    return true;
}

static bool run_step(exec_frame *f, const exec_step *s, inlay_diags *d)
{
    if (!run_announce(f->run.run.env, s->step->node, d))
        return false;
    if (!make_step(f, s, d) || (s->keeps && !keep_outputs(f, s, d)))
        return false;
    finish_step(f, s);
    return true;
}

/* Computes the steps of G, with the rows at hand that an index picks or a scatter names. */
static bool compute_fused(exec_frame *f, const exec_fused *g, inlay_diags *d)
{
    bool ok;

    if (g->kind != FUSED_ROWS)
        return exec_fused_run(f, g, d);
    ok = exec_find_rows(f, g, d) && exec_fused_run(f, g, d) &&
         (g->scatter == 0 || exec_put_rows(f, g, d));
    if (g->n_lists > 0)
        run_empty_scratch(&f->run.run);
    return ok;
}

/* Runs the steps of G, which are computed together. */
static bool run_fused(exec_frame *f, const exec_fused *g, inlay_diags *d)
{
    const exec_step *s = &f->x->list[g->first];
    inlay_exec_stats *stats = f->run.run.env->stats;
    bool ok = true, poisons = f->run.session->poison, quiet = s->quiet && !poisons;

    for (size_t i = 0; ok && !quiet && i < g->n; i++)
        ok = exec_save_state(f, &s[i], d);
    ok = ok && compute_fused(f, g, d);
    for (size_t i = 0; ok && !quiet && i < g->n; i++) {
        ok = !s[i].keeps || keep_outputs(f, &s[i], d);
        stats->copied_bytes += s[i].moved;
        stats->in_place_writes += s[i].in_place && s[i].kind != EXEC_NOTHING;
        drop_values(f, &s[i]);
        if (poisons)
            exec_frame_poison(f, g->first + i);
    }
    return ok;
}

static bool run_steps(exec_frame *f, inlay_diags *d)
{
    const exec_instance *x = f->x;
    const exec_step *s = x->list, *end = s + x->n;
    bool poisons = f->run.session->poison, single = poisons || f->run.run.env->progress, ok = true;

    while (ok && s < end) {
        if (s->fused) {
            ok = run_fused(f, s->fused, d);
            s += s->fused->n;
        } else if (!single && s->group > 0) {
            ok = run_group(f, s, d);
            s += s->group;
        } else {
            ok = run_step(f, s, d);
            if (ok && poisons)
                exec_frame_poison(f, (size_t)(s - x->list));
            s++;
        }
    }
    return ok;
}

/* First copies the Parameters that will be overwritten, and gives dynamic ones their tensors. */
static bool take_inputs(exec_frame *f, const exec_outside *o, inlay_diags *d)
{
    const graph_steps *s = f->run.steps;
    const exec_instance *x = f->x;

    for (size_t i = 0; i < x->n_entries; i++) {
        size_t k = x->entries[i].param, slot = s->params[k];

        if (!x->entries[i].later && !exec_assign(&f->run, f->run.values[slot], o->in[k]))
            return inlay_fail_memory(d);
        f->run.run.env->stats->copied_bytes += inlay_tensor_bytes(f->run.values[slot]);
    }
    for (int i = 0; i < s->graph->n_params; i++) {
        size_t slot = s->params[i];

        if (o->in[i] && x->allocation[slot] == SIZE_MAX) {
            f->run.values[slot] = inlay_tensor_retain(o->in[i]);
            if (!exec_protect(&f->run, slot, &f->run.values[slot], o->ours && o->ours[i],
                              s->graph->params[i], d))
                return false;
        }
        if (f->run.run.env->kept && s->n_keep > 0 &&
            !exec_keep(&f->run, slot, f->run.values[slot], s->graph->params[i], d))
            return false;
    }
    return true;
}

/* Returns the value of Result I. If it goes to the caller's tensor, it need not outlive the run. */
static inlay_tensor *result_of(exec_frame *f, int i, inlay_diags *d)
{
    inlay_tensor *const *bound = f->run.run.env->bound;
    size_t slot = f->run.steps->results[i];

    return bound && bound[i] ? inlay_tensor_retain(f->run.values[slot])
                             : exec_frame_escape(f, slot, d);
}

/* Results are taken at the end, so their operands are still alive. */
static bool take_results(exec_frame *f, inlay_tensor **out, inlay_diags *d)
{
    const graph_steps *s = f->run.steps;
    const inlay_tensor **kept = f->run.run.env->kept;
    bool ok = true;

    for (int i = 0; ok && i < s->graph->n_results; i++) {
        out[i] = result_of(f, i, d);
        ok = out[i] != NULL;
    }
    for (int i = 0; ok && kept && i < s->n_keep; i++) {
        kept[i] = kept[i] ? kept[i] : exec_frame_escape(f, s->keep[i], d);
        ok = kept[i] != NULL;
    }
    ok = ok && bound_deliver(&f->run.run, s->graph, out, s->n_keep, d);
    if (ok)
        run_commit(&f->run.run);
    else
        call_release(out, (size_t)s->graph->n_results);
    return ok;
}

/* Replaces *F, whose steps are done, by the frame of the next segment. */
static bool next_segment(exec_frame **f, const exec_outside *first, inlay_diags *d)
{
    exec_frame *was = *f, *next;
    exec_outside o = *first;
    bool ok;

    o.before = was->x;
    o.values = was->run.values;
    o.state = was->run.run.state; /* as when the invocation began; bodies may have changed it since
                                     */
    next = exec_frame_take(was->run.session, was->run.plan, was->run.run.env, &o, d);
    if (!next ||
        (was->results.destinations && !was->results.find_destinations(was->results.host, next->x)))
        return false;
    next->results = was->results;
    next->home = was->home;
    was->results.destinations = NULL;
    ok = exec_frame_continue(next, was, first, d);
    exec_frame_end(was);
    *f = next;
    return ok;
}

bool exec_frame_run(exec_frame **f, run_env *env, const exec_outside *o, inlay_tensor **out,
                    inlay_diags *d)
{
    bool ok;

    ok = exec_frame_begin(*f, env, o, d) && take_inputs(*f, o, d) && run_steps(*f, d);
    while (ok && exec_goes_on((*f)->x))
        ok = next_segment(f, o, d) && run_steps(*f, d);
    ok = ok && take_results(*f, out, d);
    return ok;
}

bool exec_frame_again(exec_frame *f, inlay_diags *d)
{
    return exec_frame_rebind(f, d) && run_steps(f, d);
}

bool exec_run_plan(const exec_plan *p, exec_session *s, run_env *env, const inlay_tensor *const *in,
                   const bool *ours, inlay_tensor **out, inlay_diags *d)
{
    const exec_outside o = {.in = in,
                            .ours = ours,
                            .state = env->variables,
                            .n_states = env->n_variables,
                            .segments = true};
    exec_frame *f;
    bool ok;

    for (int i = 0; i < p->steps->graph->n_results; i++)
        out[i] = NULL;
    s->runs++;
    f = exec_frame_take(s, p, env, &o, d);
    if (!f)
        return false;
    journal_begin(&s->journal, env->variables);
    f->run.journal = &s->journal;
    ok = exec_frame_run(&f, env, &o, out, d);
    if (!ok)
        journal_undo(&s->journal);
    journal_forget(&s->journal);
    exec_frame_end(f);
    return ok;
}

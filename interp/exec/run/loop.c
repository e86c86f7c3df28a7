/* Runs the iterations of a loop. */
#include "interp/exec/run/loop.h"
#include "interp/call/ports.h"
#include "interp/exec/build/query.h"
#include "interp/exec/loop/alike.h"
#include "interp/exec/loop/repeat.h"
#include "interp/exec/run/bind.h"
#include "interp/exec/run/body.h"
#include "interp/exec/run/destinations.h"
#include "interp/exec/run/regions.h"
#include "interp/exec/run/walk.h"

static inlay_tensor *like(inlay_call *c, const inlay_tensor *form)
{
    return meter_tensor_like(c->run->env->meter, form, c->node, c->diags);
}

static bool assign(inlay_call *c, inlay_tensor *to, const inlay_tensor *from)
{
    return journal_save(c, to, -1, 0, NULL) &&
           (inlay_tensor_assign(to, from) || inlay_fail_memory(c->diags));
}

static bool spoils(inlay_call *c, const inlay_tensor *t)
{
    return journal_save(c, t, -1, 0, NULL);
}

static const exec_loop_backend hands = {like,       assign,          spoils, exec_destination,
                                        exec_given, exec_result_form};

static bool find_more(void *host, const exec_instance *x)
{
    return loop_find_more(host, x);
}

static bool run_body(exec_loop *l)
{
    run_env env = run_env_of_body(l->c->run->env);
    const exec_outside o = {.in = l->in,
                            .ours = l->ours,
                            .state = env.variables,
                            .n_states = env.n_variables,
                            .segments = true};
    exec_session *s = exec_run_of(l->c)->session;
    exec_frame *f;
    bool ok;

    f = exec_frame_take(s, l->plan, &env, &o, l->c->diags);
    if (!f || !loop_find_destinations(l, f->x))
        return false;
    f->run.journal = journal_for(exec_run_of(l->c)->journal, l->c->in, l->c->n_in);
    f->results = (exec_frame_results){l->destinations, find_more, l};
    exec_frame_house(f, exec_run_of(l->c));
    ok = exec_frame_run(&f, &env, &o, l->out, l->c->diags);
    exec_frame_end(f);
    f->results.destinations = NULL;
    return ok;
}

/* Returns whether F can simply be walked again: with the same tensors it has the same addresses and
 * gives the same results, because no value is dynamic or returned by a step. */
static bool is_steady(const exec_frame *f)
{
    const exec_instance *x = f->x;
    bool steady = x->n_dynamic == 0 && x->n_entries == 0 && !exec_goes_on(x);

    for (size_t i = 0; steady && i < x->n_outer; i++) {
        const exec_allocation *u = &x->allocations[x->outer[i]];

        steady = u->root == EXEC_INPUT || (u->root == EXEC_MADE && u->result < 0) ||
                 (u->root == EXEC_HEAP && u->result >= 0 && f->results.destinations[u->result]);
    }
    return steady;
}

/* Runs the iteration that has begun and all after it in F, which stays set up. */
static bool run_steadily(exec_loop *l, exec_frame *f, run_env *env, const exec_outside *o)
{
    bool ok = exec_frame_begin(f, env, o, l->c->diags), more = true;

    while (ok && more) {
        ok = exec_frame_again(f, l->c->diags);
        loop_end_alike(l);
        more = l->done < l->known;
        ok = ok && (!more || loop_enter_alike(l));
    }
    exec_frame_end(f);
    return ok;
}

/* Runs the remaining iterations if all addresses repeat and the body has a frame that can simply be
 * walked again: *ALIKE says whether it did. False after recording an error. */
static bool run_alike(exec_loop *l, bool *alike)
{
    run_env env = run_env_of_body(l->c->run->env);
    const exec_outside o = {.in = l->in, .ours = l->ours, .segments = true};
    exec_frame *f = exec_frame_take(exec_run_of(l->c)->session, l->plan, &env, &o, l->c->diags);
    bool ok;

    if (!f)
        return false;
    f->run.journal = journal_for(exec_run_of(l->c)->journal, l->c->in, l->c->n_in);
    f->results.destinations = l->destinations;
    exec_frame_house(f, exec_run_of(l->c));
    *alike = is_steady(f);
    ok = !*alike || (loop_enter_alike(l) && run_steadily(l, f, &env, &o));
    f->results.destinations = NULL;
    return ok;
}

static bool run_all(exec_loop *l, inlay_call *c, int64_t most)
{
    bool more = true, alike = c->run->env->n_variables == 0;

    if (!loop_begin(l, c, most))
        return false;
    while (more && l->done < l->most) {
        if (!loop_iterate(l) || (l->known == 0 && !ports_condition(c, l->body, l->out, &more)))
            return false;
        if (alike && loop_goes_on_alike(l) && !run_alike(l, &alike))
            return false;
    }
    return loop_give_outputs(l);
}

bool exec_repeat(inlay_call *c, int64_t most)
{
    const exec_run *run = exec_run_of(c);
    const exec_plan *p = exec_plan_of_body(run->plan, c->run->bodies[0]);
    exec_loop **at = &run->session->loops[p->number];
    exec_loop *l = *at ? *at : (*at = exec_loop_new(c->node->bodies, p, &hands, run_body));
    const exec_inner *in;
    const inlay_tensor *frame;
    bool ok;

    if (!l)
        return inlay_fail_memory(c->diags);
    in = run->walked ? run->walked->inner : NULL;
    frame = in && in->value != SIZE_MAX ? run->values[in->value] : NULL;
    ok = loop_sit(l, in ? in->frame_slots : NULL, in ? in->n_frame_slots : 0, frame, c->diags) &&
         run_all(l, c, most);
    loop_leave(l);
    return ok;
}

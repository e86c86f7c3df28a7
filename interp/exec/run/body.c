/* Runs a body for the kernel of its node, so that results are computed where the outputs that they
 * become are wanted. repeat.c runs the bodies of loops. */
#include "interp/exec/run/body.h"
#include "interp/exec/build/query.h"
#include "interp/exec/loop/backend.h"
#include "interp/exec/run/bind.h"
#include "interp/exec/run/destinations.h"
#include "interp/exec/run/regions.h"
#include "interp/exec/run/walk.h"

#include <string.h>

/* Makes the tensor for a result of the run before the step begins, so that the last iteration of a
 * loop, whose slots lie in the arena, can be computed straight into it. */
static inlay_tensor *early_room(exec_frame *f, size_t allocation, inlay_diags *d)
{
    inlay_tensor *t =
        f->bindings[allocation].root ? NULL : exec_frame_room(f, &f->x->allocations[allocation], d);

    if (t)
        exec_frame_bind(f, allocation, t);
    return f->bindings[allocation].root;
}

inlay_tensor *exec_destination(inlay_call *c, int o, const inlay_tensor *form)
{
    exec_frame *f = (exec_frame *)c->run; /* a frame's first member is its run */
    const exec_step *s = f->run.walked;
    size_t allocation = s->out[o] == SIZE_MAX ? SIZE_MAX : f->x->allocation[s->out[o]];
    const exec_allocation *u = allocation == SIZE_MAX ? NULL : &f->x->allocations[allocation];
    inlay_tensor *wanted;

    if (exec_is_made_in(f->run.plan, f->x, s->out[o]))
        return tensor_same_form(f->x->meta[s->out[o]], form) ? f->run.values[s->out[o]] : NULL;
    if (!u || u->root != EXEC_MADE || !u->room || !tensor_same_form(f->x->meta[u->slot], form))
        return NULL;
    if (f->bindings[allocation].room)
        return f->bindings[allocation].room;
    wanted = exec_frame_wanted(f, u);
    return wanted || !s->inner || s->inner->known == 0 ? wanted
                                                       : early_room(f, allocation, c->diags);
}

/* The step that invokes a body, and where the body's results are to be computed. */
typedef struct lodger {
    inlay_call *c;
    const inlay_body *body;
    inlay_tensor **destinations; /* by result */
} lodger;

/* Lists where the results of a body are to be computed: where the outputs that they become are
 * wanted. X is the instance of the body for this invocation. */
static bool list_destinations(void *host, const exec_instance *x)
{
    const lodger *l = host;

    for (int i = 0; i < l->body->n_out; i++) {
        const inlay_port *p = &l->body->out[i];
        const inlay_tensor *form = exec_result_form(x, p->inner);

        if (p->outer >= 0 && form && !l->destinations[p->inner])
            l->destinations[p->inner] = exec_destination(l->c, p->outer, form);
    }
    return true;
}

bool exec_run_body(inlay_call *c, int body, const inlay_tensor *const *in, inlay_tensor **out)
{
    const exec_run *run = exec_run_of(c);
    const inlay_body *b = &c->node->bodies[body];
    size_t n = (size_t)b->graph->n_results;
    lodger l = {c, b, inlay_call_memory(c, b->graph->n_results, sizeof(inlay_tensor *))};
    run_env env = run_env_of_body(run->run.env);
    exec_outside o = {
        .in = in, .state = env.variables, .n_states = env.n_variables, .segments = true};
    const exec_plan *p = exec_plan_of_body(run->plan, run->run.bodies[body]);
    exec_frame *f;
    bool *ours = inlay_call_memory(c, b->graph->n_params, sizeof *ours), ok;

    memset(out, 0, n * sizeof *out);
    if (!l.destinations || !ours)
        return false;
    if (exec_find_ours(c, b, exec_given, ours))
        o.ours = ours;
    f = exec_frame_take(run->session, p, &env, &o, c->diags);
    if (!f)
        return false;
    f->run.journal = journal_for(run->journal, c->in, c->n_in);
    f->results = (exec_frame_results){l.destinations, list_destinations, &l};
    exec_frame_house(f, run);
    list_destinations(&l, f->x);
    ok = exec_frame_run(&f, &env, &o, out, c->diags);
    exec_frame_end(f);
    f->results.destinations = NULL;
    return ok;
}

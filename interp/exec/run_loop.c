/* A run makes the iterations of a loop. */
#include "interp/call/body.h"
#include "interp/call/ports.h"
#include "interp/exec/frame.h"
#include "interp/exec/repeat.h"

static inlay_tensor *like(inlay_call *c, const inlay_tensor *form)
{
    return meter_tensor_like(c->run->env->meter, form, c->node, c->diags);
}

static bool assign(inlay_call *c, inlay_tensor *to, const inlay_tensor *from)
{
    return inlay_tensor_assign(to, from) || inlay_fail_memory(c->diags);
}

static const exec_hands hands = {like, assign, exec_room, exec_given};

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
    if (!f || !loop_find_rooms(l, f->x))
        return false;
    f->rooms = l->rooms;
    exec_frame_house(f, exec_run_of(l->c));
    ok = exec_frame_run(&f, &env, &o, l->out, l->c->diags);
    exec_frame_end(f);
    f->rooms = NULL;
    return ok;
}

static bool run_all(exec_loop *l, inlay_call *c, int64_t most)
{
    bool more = true;

    if (!loop_begin(l, c, most))
        return false;
    while (more && l->done < l->most) {
        if (!loop_iterate(l) || (l->known == 0 && !ports_condition(c, l->body, l->out, &more)))
            return false;
    }
    return loop_give_outputs(l);
}

bool exec_repeat(inlay_call *c, int64_t most)
{
    const exec_run *run = exec_run_of(c);
    const exec_plan *p = exec_plan_of_body(run->plan, c->run->bodies[0]);
    exec_loop **at = exec_session_loop(run->session, p);
    exec_loop *l = *at ? *at : (*at = exec_loop_new(c->node->bodies, p, &hands, run_body));
    const exec_inner *in;
    const inlay_tensor *frame;
    bool ok;

    if (!l)
        return inlay_fail_memory(c->diags);
    in = run->walked ? run->walked->inner : NULL;
    frame = in && in->value != SIZE_MAX ? run->values[in->value] : NULL;
    ok = loop_sit(l, in, frame, c->diags) && run_all(l, c, most);
    loop_leave(l);
    return ok;
}

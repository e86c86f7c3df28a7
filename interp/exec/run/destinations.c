/* Where the results of an invocation are computed: in the caller's tensor; in a slot of the loop to
 * which the body belongs; where the step that invoked the body wants an output; or in a new tensor.
 */
#include "interp/exec/run/destinations.h"
#include "interp/call/bound.h"
#include "interp/exec/run/state_growth.h"
#include "interp/exec/run/state_reorder.h"

#include <string.h>

static inlay_tensor *heap_tensor(const exec_frame *f, const exec_allocation *u, inlay_diags *d)
{
    exec_session *s = f->run.session;
    const inlay_tensor *form = f->x->meta[u->slot];
    inlay_tensor *t =
        u->state.variable < 0 ? NULL : spares_take(&s->spares, u->state.variable, form);

    t = t ? t : meter_tensor_like(s->meter, form, u->node, d);
    if (t && f->run.session->poison)
        memset(t->data, EXEC_POISON, inlay_tensor_bytes(t));
    return t;
}

static bool is_apart(const inlay_tensor *t, const exec_outside *o, int n_in)
{
    bool apart = true;

    for (int i = 0; apart && i < n_in; i++)
        apart = !o->in[i] || !bound_overlap(t, o->in[i]);
    for (int i = 0; apart && i < o->n_states; i++)
        apart = !o->state[i] || !bound_overlap(t, o->state[i]);
    return apart;
}

/* Returns the caller's tensor in which the result that is all of U can be computed, or NULL. If it
 * shares bytes with something that the run reads, the result is copied to it at the end instead
 * (bound_deliver). */
static inlay_tensor *result_room(const exec_frame *f, const exec_allocation *u)
{
    inlay_tensor *const *bound = f->run.run.env->bound;
    inlay_tensor *t = bound && u->result >= 0 ? bound[u->result] : NULL;
    bool fits = t && tensor_same_form(t, f->x->meta[u->slot]) && inlay_tensor_is_dense(t) &&
                (uintptr_t)t->data % sizeof(int64_t) == 0;

    return fits && is_apart(t, f->outside, f->run.steps->graph->n_params) ? t : NULL;
}

/* Returns the tensor in which the result of a body that is all of U is to be computed, or NULL. */
static inlay_tensor *body_room(const exec_frame *f, const exec_allocation *u)
{
    inlay_tensor *t =
        f->results.destinations && u->result >= 0 ? f->results.destinations[u->result] : NULL;
    size_t size = t ? (size_t)inlay_type_info_of(t->type)->bits / 8 : 1;

    size = size > sizeof(int64_t) ? sizeof(int64_t) : size;
    if (!t || (uintptr_t)t->data % size != 0)
        return NULL;
    if (f->run.session->poison)
        memset(t->data, EXEC_POISON, inlay_tensor_bytes(t));
    return t;
}

inlay_tensor *exec_frame_wanted(const exec_frame *f, const exec_allocation *u)
{
    inlay_tensor *t = body_room(f, u);

    return t ? t : result_room(f, u);
}

inlay_tensor *exec_frame_room(const exec_frame *f, const exec_allocation *u, inlay_diags *d)
{
    inlay_tensor *t = exec_frame_wanted(f, u);

    if (t)
        return inlay_tensor_retain(t);
    t = u->state.pick ? exec_frame_picked(f, u) : NULL;
    if (t)
        return t;
    if (u->state.grows > 0)
        return exec_frame_grow(f, u, d);
    return u->state.period > 0 ? exec_frame_periods(f, u, d) : heap_tensor(f, u, d);
}

int exec_given(const inlay_call *c, int o)
{
    const exec_run *run = exec_run_of(c);
    const exec_place *places = run->plan->places, *place;

    if (!places || !run->walked)
        return -1;
    place = &places[run->walked->out[o]];
    for (int i = 0; place->kind == INLAY_OVERWRITES && i < c->n_in; i++) {
        if (run->walked->in[i] == place->target && c->in[i] == run->values[place->target])
            return i;
    }
    return -1;
}

/* Returns whether T is the very tensor that the session provided for ALLOCATION, whose value a step
 * returns. */
static bool is_room(const exec_frame *f, size_t allocation, const inlay_tensor *t)
{
    const exec_allocation *u = &f->x->allocations[allocation];
    inlay_tensor *const *bound = f->run.run.env->bound;

    return t == f->bindings[allocation].room ||
           (u->result >= 0 &&
            ((f->results.destinations && t == f->results.destinations[u->result]) ||
             (bound && t == bound[u->result])));
}

/* Returns whether no other output of the step shares bytes with output K. */
static bool is_alone(const exec_frame *f, const inlay_node *n, int k)
{
    bool alone = true;

    for (int i = 0; alone && i < n->n_out; i++)
        alone = i == k || f->call.out[i] != f->call.out[k];
    return alone;
}

/* Returns whether T begins in the bytes that the session provided for ALLOCATION. */
static bool begins_in_room(const exec_frame *f, size_t allocation, const inlay_tensor *t)
{
    int r = allocation == SIZE_MAX ? -1 : f->x->allocations[allocation].result;
    inlay_tensor *const *bound = f->run.run.env->bound;
    const inlay_tensor *destinations[] = {
        allocation == SIZE_MAX ? NULL : f->bindings[allocation].room,
        r >= 0 && f->results.destinations ? f->results.destinations[r] : NULL,
        r >= 0 && bound ? bound[r] : NULL};
    bool found = false;

    for (size_t i = 0; i < sizeof destinations / sizeof *destinations; i++)
        found =
            found || (destinations[i] && exec_first_byte(destinations[i]) == exec_first_byte(t));
    return found;
}

/* Returns whether output I of S lies in the memory provided for another output, because bodies
 * returned one tensor twice: that memory may be freed before I is. */
static bool is_aliased(const exec_frame *f, const exec_step *s, int i)
{
    bool aliased = false;

    for (int k = 0; k < s->step->node->n_out && !aliased; k++)
        aliased = k != i && begins_in_room(f, f->x->allocation[s->out[k]], f->call.out[i]);
    return aliased && !begins_in_room(f, f->x->allocation[s->out[i]], f->call.out[i]);
}

bool exec_part_outputs(exec_frame *f, const exec_step *s, inlay_diags *d)
{
    const inlay_node *n = s->step->node;

    for (int i = 0; n->n_bodies > 0 && n->n_out > 1 && i < n->n_out; i++) {
        inlay_tensor *copy;

        if (inlay_type_refers(f->call.out[i]->type) || !is_aliased(f, s, i))
            continue;
        copy = meter_copy(f->run.run.env->meter, f->call.out[i], n, d);
        if (!copy)
            return false;
        f->run.run.env->stats->copied_bytes += inlay_tensor_bytes(copy);
        inlay_tensor_release(f->call.out[i]);
        f->call.out[i] = copy;
    }
    return true;
}

bool exec_owns_output(const exec_frame *f, const exec_step *s, int k)
{
    const inlay_node *n = s->step->node;
    const inlay_tensor *t = f->call.out[k];
    size_t allocation = f->x->allocation[s->out[k]];

    if (inlay_node_is(n, INLAY_OP_READ_VALUE))
        return n->n_in == 0 || !f->call.in[0] || f->call.in[0]->buffer != t->buffer;
    if (!call_adopts(n->op))
        return true;
    if ((allocation != SIZE_MAX && is_room(f, allocation, t)))
        return is_alone(f, n, k);
    return inlay_tensor_is_sole(t) && inlay_buffer_access(t->buffer) == INLAY_ACCESS_OWN;
}

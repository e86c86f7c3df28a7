/* Fills in the addresses of a frame: of the arena, of tensors from outside, and of what the segment
 * before handed over. */
#include "interp/exec/run/bind.h"
#include "interp/exec/run/destinations.h"
#include "interp/exec/run/regions.h"

#include <string.h>

void exec_frame_leave_parts(exec_frame *f)
{
    for (size_t i = 0; f->bindings && i < f->x->n_allocations; i++) {
        inlay_buffer_release(f->bindings[i].part);
        f->bindings[i].part = NULL;
    }
}

static void fill_in(exec_frame *f, size_t allocation, char *address, inlay_buffer *buffer)
{
    const exec_instance *x = f->x;
    const exec_allocation *u = &x->allocations[allocation];

    for (size_t i = u->refs; i < u->refs + u->n_refs; i++) {
        const exec_ref *r = &x->refs[i];
        const exec_block *b = r->lane < 0 ? NULL : &x->blocks[r->index];

        if (!b) {
            const exec_allocation *own = &x->allocations[x->allocation[r->index]];

            f->own[r->index]->data = address + ((char *)x->meta[r->index]->data - own->fake);
            f->own[r->index]->buffer = buffer;
        } else {
            const exec_allocation *own = &x->allocations[b->allocation[r->lane]];
            row_block *k = &f->blocks[r->index];

            if (r->lane == 0)
                k->to = address + (b->k.to - own->fake);
            else if (r->lane == 1)
                k->x = address + (b->k.x - own->fake);
            else if (r->lane == 2)
                k->y = address + (b->k.y - own->fake);
            else if (r->lane == 3)
                k->z = address + (b->k.z - own->fake);
            else
                k->one = address + ((const char *)b->k.one - own->fake);
        }
    }
}

/* Returns whether the buffer of U is borrowed: the caller of the run keeps inputs and states alive
 * until it is over. */
static bool is_borrowed(const exec_allocation *u)
{
    return u->root == EXEC_INPUT || u->root == EXEC_STATE;
}

static void let_go(exec_frame *f, size_t allocation)
{
    if (!is_borrowed(&f->x->allocations[allocation]))
        inlay_tensor_release(f->bindings[allocation].root);
    f->bindings[allocation].root = NULL;
}

/* Makes the allocation begin at an address in BUFFER. */
static void bind_address(exec_frame *f, size_t allocation, char *address, inlay_buffer *buffer)
{
    exec_binding *here = &f->bindings[allocation];

    if (here->address == address && here->buffer == buffer)
        return;
    fill_in(f, allocation, address, buffer);
    here->address = address;
    here->buffer = buffer;
}

/* Makes T the root of the allocation. */
static void bind_root(exec_frame *f, size_t allocation, inlay_tensor *t)
{
    f->bindings[allocation].root = t;
    f->run.values[f->x->allocations[allocation].slot] = t;
    bind_address(f, allocation, (char *)exec_first_byte(t), t->buffer);
}

void exec_frame_bind(exec_frame *f, size_t allocation, inlay_tensor *t)
{
    let_go(f, allocation);
    bind_root(f, allocation, t);
}

/* Returns whether something may overwrite the allocation: then it has a buffer object of its own,
 * to tell it from the other allocations in the arena. */
static bool has_own_part(const exec_frame *f, size_t allocation)
{
    const exec_place *places = f->run.plan->places;

    return places && places[f->x->allocations[allocation].slot].spoiled;
}

static bool bind_arena(exec_frame *f)
{
    const exec_instance *x = f->x;
    exec_frame_filled now = {regions_age(f), regions_home(f),
                             f->home.frame ? f->home.frame->buffer : NULL};

    if (f->filled.age == now.age && f->filled.home == now.home && f->filled.buffer == now.buffer)
        return true;
    exec_frame_leave_parts(f);
    for (size_t i = 0; i < x->n_allocations; i++) {
        const exec_allocation *u = &x->allocations[i];
        exec_binding *here = &f->bindings[i];
        inlay_buffer *buffer;
        char *at;

        if (!exec_in_arena(u) || u->same != i)
            continue;
        at = regions_address(f, u, &buffer);
        if (u->slot < f->run.steps->n_slots && has_own_part(f, i) &&
            !(here->part = inlay_buffer_wrap(at, u->bytes, NULL, NULL)))
            return false;
        buffer = here->part ? here->part : buffer;
        if (here->room) {
            here->room->data = at;
            here->room->buffer = buffer;
        }
        if (u->root != EXEC_MADE)
            fill_in(f, i, at, buffer);
    }
    f->filled = now;
    return true;
}

/* A growing state is bound after the state that it grows from. */
static bool bind_allocation(exec_frame *f, size_t i, const exec_outside *o, inlay_diags *d)
{
    const exec_allocation *u = &f->x->allocations[i];
    inlay_tensor *t;

    if (is_borrowed(u)) {
        bind_root(f, i, (inlay_tensor *)(u->root == EXEC_INPUT ? o->in : o->state)[u->number]);
        return true;
    }
    if (u->root != EXEC_HEAP || (u->state.pick && f->bindings[i].root))
        return true;
    if (u->state.grows > 0 && !f->bindings[u->state.behind].root &&
        !bind_allocation(f, u->state.behind, o, d))
        return false;
    t = exec_frame_room(f, u, d);
    if (t)
        bind_root(f, i, t);
    return t != NULL;
}

bool exec_frame_begin(exec_frame *f, run_env *env, const exec_outside *o, inlay_diags *d)
{
    bool ok;

    f->run.run.env = env;
    f->outside = o;
    f->run.worth = exec_workers_worth(f->run.session->workers);
    for (int i = 0; i < env->n_variables; i++)
        f->run.run.state[i] = env->variables[i] ? inlay_tensor_retain(env->variables[i]) : NULL;
    ok = regions_reserve(f, d) && (bind_arena(f) || inlay_fail_memory(d));
    for (size_t i = 0; ok && i < f->x->n_outer; i++)
        ok = bind_allocation(f, f->x->outer[i], o, d);
    return ok;
}

bool exec_frame_rebind(exec_frame *f, inlay_diags *d)
{
    const exec_instance *x = f->x;
    bool poisons = f->run.session->poison;

    if (poisons && !regions_reserve(f, d))
        return false;
    for (size_t i = 0; i < x->n_outer; i++) {
        const exec_allocation *u = &x->allocations[x->outer[i]];
        inlay_tensor *t = f->bindings[x->outer[i]].root;

        if (u->root != EXEC_INPUT && u->root != EXEC_HEAP)
            continue;
        if (t->offset != 0 || f->bindings[x->outer[i]].address != t->data)
            bind_root(f, x->outer[i], t);
        if (poisons && u->root == EXEC_HEAP)
            memset(t->data, EXEC_POISON, inlay_tensor_bytes(t));
    }
    return true;
}

void exec_frame_point(exec_frame *f, size_t allocation, char *address, inlay_buffer *buffer,
                      inlay_tensor *own)
{
    let_go(f, allocation);
    f->bindings[allocation].root = own;
    bind_address(f, allocation, address, buffer);
}

static bool bind_next(exec_frame *f, exec_frame *was, size_t i, const exec_outside *o,
                      inlay_diags *d)
{
    const exec_allocation *u = &f->x->allocations[i];
    inlay_tensor *t;

    if (is_borrowed(u) || (u->was == SIZE_MAX && (u->root != EXEC_MADE || u->first > 0)))
        return bind_allocation(f, i, o, d);
    if (u->was != SIZE_MAX && u->points) {
        t = was->bindings[u->was].root;
        exec_frame_point(f, i, was->bindings[u->was].address, was->bindings[u->was].buffer,
                         t ? inlay_tensor_retain(t) : NULL);
        return true;
    }
    if (u->was != SIZE_MAX) {
        t = inlay_tensor_retain(was->bindings[u->was].root);
    } else { /* a dynamic value, which has been made by now */
        t = was->run.values[u->slot];
        was->run.values[u->slot] = NULL;
    }
    if (t)
        exec_frame_bind(f, i, t);
    return true;
}

bool exec_frame_continue(exec_frame *f, exec_frame *was, const exec_outside *o, inlay_diags *d)
{
    struct inlay_run *to = &f->run.run, *from = &was->run.run;
    exec_outside now = *o;
    bool ok;

    now.state = to->state;
    to->env = from->env;
    f->run.journal = was->run.journal;
    f->outside = was->outside;
    f->run.worth = was->run.worth;
    for (int i = 0; i < to->env->n_variables; i++) {
        to->state[i] = from->state[i];
        to->pending[i] = from->pending[i];
        from->state[i] = from->pending[i] = NULL;
    }
    ok = regions_reserve(f, d) && (bind_arena(f) || inlay_fail_memory(d));
    for (size_t i = 0; ok && i < f->x->n_outer; i++)
        ok = bind_next(f, was, f->x->outer[i], &now, d);
    for (size_t i = 0; ok && i < was->x->segment.n_over; i++) {
        size_t slot = was->x->segment.over[i];

        if (f->x->allocation[slot] != SIZE_MAX)
            continue;
        f->run.values[slot] = was->run.values[slot];
        was->run.values[slot] = NULL;
    }
    return ok;
}

void exec_frame_end(exec_frame *f)
{
    const exec_instance *x = f->x;
    struct inlay_run *r = &f->run.run;

    for (size_t i = 0; i < x->n_dynamic; i++) {
        spares_strip(&f->run.session->spares, f->run.values[x->dynamic[i]]);
        f->run.values[x->dynamic[i]] = NULL;
    }
    for (size_t i = 0; i < x->n_outer; i++)
        let_go(f, x->outer[i]);
    for (int i = 0; i < r->env->n_variables; i++) {
        inlay_tensor_release(r->state[i]);
        inlay_tensor_release(r->pending[i]);
        r->state[i] = r->pending[i] = NULL;
    }
}

/* When the run is over */

static bool is_all_of(const inlay_tensor *t, const inlay_tensor *root)
{
    bool all = t->type == root->type && t->rank == root->rank && root->offset == 0 &&
               t->data == root->data;

    for (int i = 0; all && i < t->rank; i++)
        all = t->dims[i] == root->dims[i] && t->strides[i] == root->strides[i];
    return all;
}

inlay_tensor *exec_frame_escape(exec_frame *f, size_t slot, inlay_diags *d)
{
    const exec_instance *x = f->x;
    const inlay_tensor *t = f->run.values[slot];
    size_t allocation =
        x->allocation[slot] == SIZE_MAX ? SIZE_MAX : x->allocations[x->allocation[slot]].same;
    inlay_tensor *out;

    if (allocation == SIZE_MAX || !f->own[slot])
        return inlay_tensor_retain(t);
    if (x->allocations[allocation].root == EXEC_ARENA)
        return meter_copy(f->run.session->meter, t, NULL, d);
    if (f->bindings[allocation].root && is_all_of(t, f->bindings[allocation].root))
        return inlay_tensor_retain(f->bindings[allocation].root);
    out = inlay_tensor_window(t, t->rank, t->dims, t->strides, 0);
    if (!out)
        inlay_fail_memory(d);
    return out;
}

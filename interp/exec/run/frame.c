/* Frames of a session: found, or made. */
#include "interp/exec/build/cache.h"
#include "interp/exec/build/key.h"
#include "interp/exec/run/bind.h"
#include "interp/exec/run/executor.h"
#include "ir/shared.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_FRAMES = 4, /* for each segment of a plan */
    POISON = EXEC_POISON
};

/* Gives back what F holds, but for its memory. */
static void leave(exec_frame *f)
{
    exec_frame_leave_parts(f);
    exec_cache_give(f->run.plan, f->x);
}

void exec_frame_free(exec_frame *f)
{
    if (!f)
        return;
    if (f->x)
        leave(f);
    inlay_arena_free(f->memory);
    inlay_give(f);
}

/* Making a frame */

/* Provides memory in the arena for tensors that steps return. */
static bool make_destinations(exec_frame *f)
{
    const exec_instance *x = f->x;
    bool ok = true;

    for (size_t i = 0; ok && i < x->n_allocations; i++) {
        const exec_allocation *u = &x->allocations[i];
        const inlay_tensor *t = x->meta[u->slot];

        if (u->root != EXEC_MADE || u->same != i || !exec_in_arena(u) || u->was != SIZE_MAX)
            continue;
        f->bindings[i].room = inlay_tensor_window_in(f->memory, t, t->rank, t->dims, t->strides, 0);
        ok = f->bindings[i].room != NULL;
    }
    return ok;
}

/* Makes tensors for the values in allocations whose address is filled in. */
static bool make_tensors(exec_frame *f)
{
    const exec_instance *x = f->x;

    for (size_t i = 0; i < x->n_values; i++) {
        const exec_allocation *u =
            x->allocation[i] == SIZE_MAX ? NULL : &x->allocations[x->allocation[i]];

        if (u && u->root == EXEC_CONST)
            f->run.values[i] = x->meta[i];
    }
    for (size_t i = 0; i < x->n_refs; i++) {
        const exec_ref *r = &x->refs[i];
        const inlay_tensor *t = r->lane < 0 ? x->meta[r->index] : NULL;

        if (!t)
            continue;
        f->own[r->index] = inlay_tensor_window_in(f->memory, t, t->rank, t->dims, t->strides, 0);
        if (!f->own[r->index])
            return false;
        f->run.values[r->index] = f->own[r->index];
    }
    for (size_t i = 0; i < x->n_blocks; i++)
        f->blocks[i] = x->blocks[i].k;
    return make_destinations(f);
}

static bool frame_room(exec_frame *f, const graph_steps *s, size_t n_variables)
{
    const exec_instance *x = f->x;
    inlay_arena *m = f->memory;

    if (!m)
        return false;
    f->run.run.state = inlay_arena_array(m, n_variables + 1, sizeof *f->run.run.state);
    f->run.run.pending = inlay_arena_array(m, n_variables + 1, sizeof *f->run.run.pending);
    f->run.values = inlay_arena_array(m, x->n_values + 1, sizeof *f->run.values);
    f->own = inlay_arena_array(m, x->n_values + 1, sizeof *f->own);
    f->blocks = inlay_arena_array(m, x->n_blocks + 1, sizeof *f->blocks);
    f->bindings = inlay_arena_array(m, x->n_allocations + 1, sizeof *f->bindings);
    f->call.in = inlay_arena_array(m, (size_t)s->most_in + 1, sizeof *f->call.in);
    f->call.out = inlay_arena_array(m, (size_t)s->most_out + 1, sizeof *f->call.out);
    return f->run.run.state && f->run.run.pending && f->run.values && f->own && f->blocks &&
           f->bindings && f->call.in && f->call.out;
}

/* Returns a frame without contents: the one that was dropped last, or a new one. */
static exec_frame *empty_frame(exec_frame **dropped, inlay_budget *budget)
{
    exec_frame *f = *dropped ? *dropped : inlay_take(budget, 1, sizeof *f);

    *dropped = NULL;
    return f;
}

/* Makes a frame of X; takes over the reference to X. */
static exec_frame *new_frame(exec_session *s, const exec_plan *p, const exec_instance *x,
                             size_t n_variables, inlay_diags *d)
{
    inlay_arena **scratch = &s->scratch[p->depth];
    exec_frame *f = empty_frame(&s->dropped[p->number], inlay_graph_budget(p->steps->graph));

    if (!f) {
        exec_cache_give(p, x);
        inlay_fail_memory(d);
        return NULL;
    }
    f->x = x;
    f->memory = f->memory ? f->memory : inlay_arena_of(inlay_budget_of(f));
    if (!*scratch)
        *scratch = inlay_arena_of(inlay_budget_of(f));
    f->run = (exec_run){.run = {.executor = &exec_executor, .scratch = *scratch},
                        .steps = p->steps,
                        .plan = p,
                        .session = s,
                        .workers = s->workers,
                        .x = x};
    if (*scratch && frame_room(f, p->steps, n_variables) && make_tensors(f))
        return f;
    exec_frame_free(f);
    inlay_fail_memory(d);
    return NULL;
}

static exec_frame *find_frame(const exec_session *s, const exec_plan *p, const exec_outside *o)
{
    exec_frame *f = s->frames[p->number];

    while (f && !exec_key_is(p->steps, o, f->x->key, f->x->n_key))
        f = f->next;
    return f;
}

static void drop_oldest(exec_session *s, const exec_plan *p, int segment)
{
    exec_frame **oldest = NULL, *f;
    int n = 0;

    for (exec_frame **at = &s->frames[p->number]; *at; at = &(*at)->next) {
        if ((*at)->x->segment.number != segment)
            continue;
        n++;
        if (!oldest || (*at)->used < (*oldest)->used)
            oldest = at;
    }
    if (n < MOST_FRAMES)
        return;
    f = *oldest;
    *oldest = f->next;
    leave(f);
    inlay_arena_reuse(f->memory);
    *f = (exec_frame){.memory = f->memory};
    exec_frame_free(s->dropped[p->number]);
    s->dropped[p->number] = f;
}

static bool make_key(exec_session *s, const exec_plan *p, const exec_outside *o, size_t *n)
{
    size_t room = exec_key_capacity(p->steps, o);
    int64_t *key = room < s->cap_key ? s->key
                                     : inlay_retake(inlay_graph_budget(p->steps->graph), s->key,
                                                    2 * (room + 1) * sizeof *key);

    if (!key)
        return false;
    if (room >= s->cap_key)
        s->cap_key = 2 * (room + 1);
    s->key = key;
    *n = exec_key(p->steps, o, key);
    return true;
}

/* Returns whether it does not pay to make instances of P, because sizes in a body differ from
 * iteration to iteration. Then one instance that finds out all sizes in the run serves all
 * iterations. */
static bool is_unlucky(const exec_plan *p, const struct exec_luck *l)
{
    return p->depth > 0 && l->misses > MOST_FRAMES * (2 + l->hits);
}

/* Makes a frame for inputs and states like those of O, for which there was none. */
static exec_frame *add_frame(exec_session *s, const exec_plan *p, const run_env *env,
                             const exec_outside *o, inlay_diags *d)
{
    const exec_instance *x;
    exec_frame *f;
    size_t n;

    if (!make_key(s, p, o, &n)) {
        inlay_fail_memory(d);
        return NULL;
    }
    drop_oldest(s, p, o->before ? o->before->segment.number + 1 : 0);
    x = exec_cache_take(p, o, s->key, n, d);
    f = x ? new_frame(s, p, x, (size_t)env->n_variables, d) : NULL;
    if (!f)
        return NULL;
    f->next = s->frames[p->number];
    s->frames[p->number] = f;
    return f;
}

/* Returns whether IN can be the inputs of the graph of S; false after recording an error. */
static bool accept_inputs(const graph_steps *s, const inlay_tensor *const *in, inlay_diags *d)
{
    for (int i = 0; i < s->graph->n_params; i++) {
        const inlay_node *n = s->graph->params[i];

        if (!in[i] && s->graph->owner && s->uses[steps_slot(s, &n->out[0])] == 0)
            continue; /* a parameter of a body that has no input and no reader */
        if (!param_accepts(n, in[i], d))
            return false;
    }
    return true;
}

exec_frame *exec_frame_take(exec_session *s, const exec_plan *p, const run_env *env,
                            const exec_outside *outside, inlay_diags *d)
{
    struct exec_luck *luck = &s->luck[2 * p->number + (outside->before != NULL)];
    exec_outside any = *outside;
    const exec_outside *o = is_unlucky(p, luck) ? &any : outside;
    exec_frame *f;

    any.any = true;
    f = find_frame(s, p, o);
    *(f ? &luck->hits : &luck->misses) += o == outside;
    if ((!f || o == &any) && !o->before && !accept_inputs(p->steps, outside->in, d))
        return NULL;
    f = f ? f : add_frame(s, p, env, o, d);
    if (f)
        f->used = ++s->clock;
    return f;
}

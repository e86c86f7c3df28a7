/* Tensors without elements, and instances of bodies: what a rehearsal uses where a run has memory
 * and frames. */
#include "interp/exec/build/rehearsal.h"
#include "interp/exec/build/cache.h"
#include "interp/exec/build/copied.h"
#include "interp/exec/build/key.h"
#include "interp/exec/build/layout.h"
#include "interp/exec/build/meta.h"
#include "interp/exec/build/query.h"

enum { KINDS = (int)(sizeof((exec_body_plans *)0)->list / sizeof(exec_instance *)) };

/* Returns a tensor of the form of T at a made-up address, in a buffer of its own. */
static inlay_tensor *meta_like(exec_builder *b, const inlay_tensor *t)
{
    uint64_t bytes = inlay_tensor_bytes(t);
    char *at = (char *)b->next; /* NOLINT: never read */
    bool fits = build_plannable(t->type) && bytes < UINTPTR_MAX / 4 - b->next;
    inlay_buffer *buffer = fits ? inlay_buffer_wrap(at, bytes, NULL, NULL) : NULL;
    inlay_tensor *meta = buffer ? inlay_tensor_over(buffer, at, t->type, t->rank, t->dims) : NULL;

    b->lacks = b->lacks || (fits && !meta);
    inlay_buffer_release(buffer);
    if (meta)
        b->next += (uintptr_t)(bytes + 2 * LAYOUT_LINE) & ~(uintptr_t)(LAYOUT_LINE - 1);
    return meta;
}

static inlay_tensor *like(inlay_call *c, const inlay_tensor *form)
{
    return meta_like(rehearsal_of(c)->b, form);
}

static bool assign(inlay_call *c, inlay_tensor *to, const inlay_tensor *from)
{
    (void)c, (void)to, (void)from;
    return true;
}

/* A result has memory before the step only if the number of iterations is known then
 * (exec_destination). */
inlay_tensor *rehearsal_room(inlay_call *c, int o, const inlay_tensor *form)
{
    rehearsal *r = rehearsal_of(c);
    const exec_instance *x = r->b->x;
    size_t slot = r->s->out[o];
    const exec_allocation *u =
        x->allocation[slot] == SIZE_MAX ? NULL : &x->allocations[x->allocation[slot]];
    bool in = exec_is_made_in(r->b->plan, x, slot);

    if (!u || !tensor_same_form(x->meta[in ? slot : u->slot], form) ||
        (!in && (u->root != EXEC_MADE || (u->escapes && (!r->loop || r->loop->known == 0)))))
        return NULL;
    if (!r->destinations[o])
        r->destinations[o] = meta_like(r->b, form);
    return r->destinations[o];
}

void rehearsal_place(inlay_call *c, int o, const inlay_tensor *t)
{
    rehearsal *r = rehearsal_of(c);

    if (t && exec_is_made_in(r->b->plan, r->b->x, r->s->out[o]) &&
        (!r->destinations[o] || r->destinations[o]->data != t->data))
        r->stats.copied_bytes += inlay_tensor_bytes(t);
}

int rehearsal_given(const inlay_call *c, int o)
{
    const rehearsal *r = rehearsal_of(c);
    const exec_place *place = build_place(r->b, r->s->out[o]);

    for (int i = 0; place && place->kind == INLAY_OVERWRITES && i < c->n_in; i++) {
        if (r->s->in[i] == place->target)
            return i;
    }
    return -1;
}

static bool spoils(inlay_call *c, const inlay_tensor *t)
{
    return c && t;
}

const exec_loop_backend rehearsal_backend = {like,           assign,          spoils,
                                             rehearsal_room, rehearsal_given, exec_result_form};

/* Instances of bodies */

/* Returns whether a body can be entered with O; a run checks this first, too. */
static bool is_entered(const inlay_graph *body, const exec_outside *o)
{
    bool ok = true;

    for (int i = 0; ok && i < body->n_params; i++)
        ok = !o->in[i] || param_accepts(body->params[i], o->in[i], NULL);
    return ok;
}

const exec_instance *rehearsal_take(rehearsal *r, int body, const exec_outside *o)
{
    exec_body_plans *k = &r->to->bodies[body];
    const graph_steps *s = k->plan->steps;
    int64_t *key = inlay_arena_array(r->b->scratch, exec_key_capacity(s, o) + 1, sizeof *key);
    const exec_instance *x = key && is_entered(s->graph, o)
                                 ? exec_cache_take(k->plan, o, key, exec_key(s, o, key), r->b->said)
                                 : NULL;

    r->kind = 0;
    while (r->kind < k->n && k->list[r->kind] != x)
        r->kind++;
    if (x && (r->kind < k->n || r->kind == KINDS || exec_goes_on(x)))
        exec_cache_give(k->plan, x);
    else if (x)
        k->list[k->n++] = x;
    return x && r->kind < k->n ? x : NULL;
}

/* Returns the tensor that is all of the allocation of result I of X. DESTINATIONS: where results
 * are to be computed, or NULL; OUT has the results before this one. */
static inlay_tensor *base_of(rehearsal *r, const exec_instance *x, const exec_outside *o,
                             inlay_tensor *const *destinations, inlay_tensor *const *out, int i,
                             const exec_allocation *u)
{
    switch (u->root) {
    case EXEC_INPUT:
        return inlay_tensor_retain(o->in[u->number]);
    case EXEC_STATE:
        return inlay_tensor_retain(o->state[u->number]);
    case EXEC_CONST:
        return inlay_tensor_retain(x->meta[u->slot]);
    default:
        break;
    }
    if (u->result >= 0 && u->result < i)
        return inlay_tensor_retain(out[u->result]);
    if (u->result == i && destinations[i])
        return inlay_tensor_retain(destinations[i]);
    return meta_like(r->b, x->meta[u->slot]);
}

/* Returns T, a value in allocation U of X, as a view of BASE, which is all of U. */
static inlay_tensor *value_in(const rehearsal *r, const exec_instance *x, size_t slot,
                              inlay_tensor *base)
{
    const inlay_tensor *t = x->meta[slot];
    ptrdiff_t at = (char *)t->data - x->allocations[x->allocation[slot]].fake;
    inlay_tensor moved = *t;

    if (x->allocations[x->allocation[slot]].root == EXEC_CONST ||
        (at == 0 && tensor_same_form(t, base) &&
         inlay_tensor_is_dense(t) == inlay_tensor_is_dense(base)))
        return inlay_tensor_retain(base);
    moved.data = (char *)base->data + at;
    moved.buffer = base->buffer;
    return rehearsal_kept(r, inlay_tensor_window(&moved, t->rank, t->dims, t->strides, 0));
}

/* Lists the results of running X once in OUT; false: they are not known. */
static bool list_results(rehearsal *r, const exec_instance *x, const exec_outside *o,
                         inlay_tensor *const *destinations, inlay_tensor **out)
{
    const graph_steps *s = x->steps;
    bool ok = true;

    for (int i = 0; ok && i < s->graph->n_results; i++) {
        size_t slot = s->results[i];
        const exec_allocation *u = x->allocation[slot] == SIZE_MAX
                                       ? NULL
                                       : &x->allocations[x->allocations[x->allocation[slot]].same];
        inlay_tensor *base = u ? base_of(r, x, o, destinations, out, i, u) : NULL;

        out[i] = base ? value_in(r, x, slot, base) : NULL;
        ok = out[i] != NULL;
        inlay_tensor_release(base);
    }
    return ok;
}

exec_outside rehearsal_outside(const rehearsal *r, const inlay_tensor *const *in, const bool *ours)
{
    return (exec_outside){.in = in,
                          .ours = ours,
                          .state = r->b->outside->state,
                          .n_states = r->b->outside->n_states,
                          .segments = true,
                          .told = r->b->outside->told};
}

bool rehearsal_end(rehearsal *r, const exec_instance *x, const exec_outside *o,
                   inlay_tensor *const *destinations, inlay_tensor **out)
{
    if (!list_results(r, x, o, destinations, out))
        return false;
    r->stats.copied_bytes += exec_instance_copies(x, &r->to->about);
    return true;
}

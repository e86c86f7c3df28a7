/* Tensors behind which no elements are, and instances of bodies: what a rehearsal has where a run
 * has memory and frames. */
#include "interp/exec/build/rehearsal.h"
#include "interp/exec/build/cache.h"
#include "interp/exec/build/copied.h"
#include "interp/exec/build/key.h"
#include "interp/exec/build/layout.h"
#include "interp/exec/build/query.h"
#include "interp/exec/build/shadow.h"

enum { KINDS = (int)(sizeof((exec_kinds *)0)->list / sizeof(exec_instance *)) };

/* Returns a tensor of the form of T at an address where nothing lies, on a buffer of its own. */
static inlay_tensor *shadow_like(exec_builder *b, const inlay_tensor *t)
{
    uint64_t bytes = inlay_tensor_bytes(t);
    char *at = (char *)b->next; /* NOLINT: nothing is there */
    inlay_buffer *buffer = build_plannable(t->type) && bytes < UINTPTR_MAX / 4 - b->next
                               ? inlay_buffer_wrap(at, bytes, NULL, NULL)
                               : NULL;
    inlay_tensor *shadow = buffer ? inlay_tensor_over(buffer, at, t->type, t->rank, t->dims) : NULL;

    inlay_buffer_release(buffer);
    if (shadow)
        b->next += (uintptr_t)(bytes + 2 * LAYOUT_LINE) & ~(uintptr_t)(LAYOUT_LINE - 1);
    return shadow;
}

static inlay_tensor *like(inlay_call *c, const inlay_tensor *form)
{
    return shadow_like(rehearsal_of(c)->b, form);
}

static bool assign(inlay_call *c, inlay_tensor *to, const inlay_tensor *from)
{
    (void)c, (void)to, (void)from;
    return true;
}

/* What leaves the run has a place before the step only if it is known how many iterations there
 * will be (exec_room). */
inlay_tensor *rehearsal_room(inlay_call *c, int o, const inlay_tensor *form)
{
    rehearsal *r = rehearsal_of(c);
    const exec_instance *x = r->b->x;
    size_t slot = r->s->out[o];
    const exec_unit *u = x->unit[slot] == SIZE_MAX ? NULL : &x->units[x->unit[slot]];
    bool in = exec_is_made_in(r->b->plan, x, slot);

    if (!u || !tensor_same_form(x->shadow[in ? slot : u->slot], form) ||
        (!in && (u->root != EXEC_MADE || (u->escapes && (!r->loop || r->loop->known == 0)))))
        return NULL;
    if (!r->rooms[o])
        r->rooms[o] = shadow_like(r->b, form);
    return r->rooms[o];
}

void rehearsal_place(inlay_call *c, int o, const inlay_tensor *t)
{
    rehearsal *r = rehearsal_of(c);

    if (t && exec_is_made_in(r->b->plan, r->b->x, r->s->out[o]) &&
        (!r->rooms[o] || r->rooms[o]->data != t->data))
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

const exec_hands rehearsal_hands = {like, assign, rehearsal_room, rehearsal_given,
                                    exec_result_form};

/* Instances of bodies */

/* Returns whether the body will be entered with what O has, which a run asks first, too. */
static bool is_entered(const inlay_graph *body, const exec_outside *o)
{
    bool ok = true;

    for (int i = 0; ok && i < body->n_params; i++)
        ok = !o->in[i] || param_accepts(body->params[i], o->in[i], NULL);
    return ok;
}

const exec_instance *rehearsal_take(rehearsal *r, int body, const exec_outside *o)
{
    exec_kinds *k = &r->to->bodies[body];
    const graph_steps *s = k->plan->steps;
    int64_t *key = inlay_arena_array(r->b->scratch, exec_key_room(s, o) + 1, sizeof *key);
    const exec_instance *x = key && is_entered(s->graph, o)
                                 ? exec_cache_take(k->plan, o, key, exec_key(s, o, key), NULL)
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

/* Returns the tensor that is all of the unit in which result I of X stands. ROOMS: where results
 * are made, or NULL; OUT has the results before this one. */
static inlay_tensor *base_of(rehearsal *r, const exec_instance *x, const exec_outside *o,
                             inlay_tensor *const *rooms, inlay_tensor *const *out, int i,
                             const exec_unit *u)
{
    switch (u->root) {
    case EXEC_INPUT:
        return inlay_tensor_retain(o->in[u->number]);
    case EXEC_STATE:
        return inlay_tensor_retain(o->state[u->number]);
    case EXEC_CONST:
        return inlay_tensor_retain(x->shadow[u->slot]);
    default:
        break;
    }
    if (u->result >= 0 && u->result < i)
        return inlay_tensor_retain(out[u->result]);
    if (u->result == i && rooms[i])
        return inlay_tensor_retain(rooms[i]);
    return shadow_like(r->b, x->shadow[u->slot]);
}

/* Returns T, a value of unit U of X, as it stands in BASE, which is all of U. */
static inlay_tensor *value_in(const exec_instance *x, size_t slot, inlay_tensor *base)
{
    const inlay_tensor *t = x->shadow[slot];
    ptrdiff_t at = (char *)t->data - x->units[x->unit[slot]].fake;
    inlay_tensor moved = *t;

    if (x->units[x->unit[slot]].root == EXEC_CONST ||
        (at == 0 && tensor_same_form(t, base) &&
         inlay_tensor_is_dense(t) == inlay_tensor_is_dense(base)))
        return inlay_tensor_retain(base);
    moved.data = (char *)base->data + at;
    moved.buffer = base->buffer;
    return inlay_tensor_window(&moved, t->rank, t->dims, t->strides, 0);
}

/* Lists the results of an invocation of X in OUT; false: they are not known. */
static bool list_results(rehearsal *r, const exec_instance *x, const exec_outside *o,
                         inlay_tensor *const *rooms, inlay_tensor **out)
{
    const graph_steps *s = x->steps;
    bool ok = true;

    for (int i = 0; ok && i < s->graph->n_results; i++) {
        size_t slot = s->results[i];
        const exec_unit *u =
            x->unit[slot] == SIZE_MAX ? NULL : &x->units[x->units[x->unit[slot]].same];
        inlay_tensor *base = u ? base_of(r, x, o, rooms, out, i, u) : NULL;

        out[i] = base ? value_in(x, slot, base) : NULL;
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
                          .segments = true};
}

bool rehearsal_end(rehearsal *r, const exec_instance *x, const exec_outside *o,
                   inlay_tensor *const *rooms, inlay_tensor **out)
{
    if (!list_results(r, x, o, rooms, out))
        return false;
    r->stats.copied_bytes += exec_instance_copies(x, &r->to->about);
    return true;
}

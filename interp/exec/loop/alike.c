/* Iterations in which all addresses are those of the iteration before, or move by a constant step:
 * carried values are overwritten in place, and joined outputs are computed in their window. Such
 * iterations search for nothing: parts and windows advance by one, and the frame of the body stays
 * set up (run/loop.c).
 *
 *     iteration 7     number 7     part rows[7]     carried c, in place     window sums[7]
 *     iteration 8     number 8     part rows[8]     the same                window sums[8]
 *
 * Values that alternate between two slots (slots.h) are at another address in each iteration, so
 * such a loop has to look them up. */
#include "interp/exec/loop/alike.h"
#include "interp/call/body.h"
#include "interp/exec/loop/enter.h"

static bool is_sliced(const inlay_port *p)
{
    return p->purpose == INLAY_PORT_PLAIN && p->has_axis && p->outer >= 0;
}

static bool is_joined(const inlay_port *p)
{
    return p->has_axis && p->outer >= 0;
}

/* Returns whether all parts of the sliced input P begin at the same offset within a word: instances
 * depend on that (key.c). */
static bool steps_evenly(const exec_loop *l, const inlay_port *p)
{
    const inlay_tensor *t = l->c->in[p->outer];
    uint64_t bits = (uint64_t)inlay_type_info_of(t->type)->bits;
    uint64_t step = (uint64_t)p->stride * (uint64_t)t->strides[l->params[p->inner].cut.axis];

    return !inlay_type_refers(t->type) && bits % 8 == 0 && step * (bits / 8) % sizeof(int64_t) == 0;
}

/* Returns whether result R is the very tensor of a parameter whose address does not change. */
static bool is_handed_on(const exec_loop *l, int r)
{
    int p = 0;

    while (p < l->n_params && l->in[p] != l->out[r])
        p++;
    return p < l->n_params && l->out[r] != l->params[p].moving && l->out[r] != l->params[p].number;
}

/* Returns whether result R was computed in its window of the output that port I joins. */
static bool is_in_window(const exec_loop *l, int r, int i)
{
    const exec_slot *slot = loop_slot(l, l->results[r].made);

    return l->results[r].port == i && slot && slot->window && l->out[r] == slot->t &&
           l->out[r] == l->destinations[r];
}

/* Returns whether the output has room for all parts that are left, if they are as long as that of
 * result R. */
static bool has_room(const exec_loop *l, const exec_join *j, int r)
{
    int64_t length = l->out[r]->dims[j->axis];

    return length > 0 && (j->whole->dims[j->axis] - j->at) / length >= l->known - l->done;
}

bool loop_goes_on_alike(const exec_loop *l)
{
    const inlay_body *b = l->body;
    bool alike = l->known > l->done && l->settled;

    for (int i = 0; alike && i < b->n_in; i++)
        alike = !is_sliced(&b->in[i]) || steps_evenly(l, &b->in[i]);
    for (int i = 0; alike && i < b->n_out; i++)
        alike = !is_joined(&b->out[i]) ||
                (is_in_window(l, b->out[i].inner, i) && has_room(l, &l->joins[i], b->out[i].inner));
    for (int r = 0; alike && r < l->n_results; r++)
        alike = is_handed_on(l, r) ||
                (l->results[r].port >= 0 && is_in_window(l, r, l->results[r].port));
    return alike;
}

bool loop_enter_alike(exec_loop *l)
{
    if (!call_iterates(l->c) || !loop_enter(l))
        return false;
    for (int i = 0; i < l->body->n_out; i++) {
        const inlay_port *p = &l->body->out[i];
        const exec_join *j = &l->joins[i];
        inlay_tensor *t = l->out[p->inner];

        if (is_joined(p))
            slots_point(t, j->whole, join_next(j, t) * j->whole->strides[j->axis]);
    }
    return true;
}

void loop_end_alike(exec_loop *l)
{
    for (int i = 0; i < l->body->n_out; i++) {
        exec_join *j = &l->joins[i];

        if (!is_joined(&l->body->out[i]))
            continue;
        j->at += l->out[l->body->out[i].inner]->dims[j->axis];
        j->parts++;
    }
    l->done++;
}

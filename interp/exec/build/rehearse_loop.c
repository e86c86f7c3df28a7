/* Follows the iterations of a loop before the run: if there are many, only the first and the last
 * ones, because the addresses of values repeat. */
#include "interp/exec/build/rehearse_loop.h"
#include "interp/exec/build/layout.h"
#include "interp/exec/build/rehearsal.h"
#include "interp/exec/loop/repeat.h"

#include <string.h>

enum {
    HALF = 8,         /* iterations that are followed at the beginning, and at the end */
    TURNS = 2 * HALF, /* if there are more, those in between are left out */
    MOST = 3 * HALF   /* that are followed, with the rest of a period */
};

static bool run_body(exec_loop *l)
{
    rehearsal *r = rehearsal_of(l->c);
    const exec_outside o = rehearsal_outside(r, l->in, l->ours);
    const exec_instance *x = rehearsal_take(r, 0, &o);

    return x && loop_find_destinations(l, x) && rehearsal_end(r, x, &o, l->destinations, l->out);
}

/* Returns the number of the place of P: of a frame slot, or behind these, of one of the other
 * places. */
static int place_of(const exec_inner *to, const exec_loop *l, exec_stand p)
{
    const exec_slot *slot = p.result == SLOT_NONE ? NULL : &l->results[p.result].slots.list[p.at];
    size_t number = 0;

    if (!slot)
        return EXEC_ELSEWHERE;
    if (slot->window)
        return EXEC_WINDOW;
    if (slot->lent)
        return EXEC_WANTED - p.result;
    for (int i = 0; i <= p.result; i++) {
        for (size_t k = 0; k < (i < p.result ? l->results[i].slots.n : p.at); k++)
            number += !l->results[i].slots.list[k].window && !l->results[i].slots.list[k].lent;
    }
    return number < to->n_frame_slots ? (int)number : EXEC_ELSEWHERE;
}

/* Where values are stored while the loop is followed: by result and slot. */
struct stands {
    exec_stand *reads, *makes;
};

static bool begin_iteration(rehearsal *r, const exec_loop *l, struct stands *s, exec_iteration *t)
{
    size_t p = (size_t)l->n_params + 1, n = (size_t)l->n_results + 1;
    int64_t *part = inlay_arena_array(r->b->x->memory, (size_t)l->body->n_out + 1, sizeof *part);

    s->reads = inlay_arena_array(r->b->scratch, p, sizeof *s->reads);
    s->makes = inlay_arena_array(r->b->scratch, n, sizeof *s->makes);
    if (!part || !s->reads || !s->makes)
        return false;
    for (int i = 0; i < l->n_params; i++)
        s->reads[i] = l->params[i].stand;
    for (int i = 0; i < l->body->n_out; i++)
        part[i] = l->body->out[i].has_axis && l->body->out[i].outer >= 0 ? l->joins[i].at : -1;
    *t = (exec_iteration){.number = l->done, .part = part, .copied = r->stats.copied_bytes};
    return true;
}

static void end_iteration(const rehearsal *r, const exec_loop *l, const struct stands *s,
                          exec_iteration *t)
{
    for (int i = 0; i < l->n_results; i++)
        s->makes[i] = l->results[i].made;
    t->kind = r->kind;
    t->copied = r->stats.copied_bytes - t->copied;
}

/* Returns whether all carried values enter the next iteration with the forms that they had in the
 * last one. DIMS has room for a shape for each parameter. */
static bool is_steady(const exec_loop *l, int64_t (*dims)[INLAY_MAX_RANK])
{
    bool steady = true;

    for (int i = 0; i < l->body->n_back; i++) {
        int p = l->body->back[i].to;
        const inlay_tensor *t = l->in[p];

        for (int k = 0; k < t->rank; k++) {
            steady = steady && (l->done <= 1 || dims[p][k] == t->dims[k]);
            dims[p][k] = t->dims[k];
        }
    }
    return steady;
}

/* Returns after how many iterations values stand where they stood, in HALF iterations: after an
 * even number, because a carried value may alternate between two slots, or several may change
 * places. */
static int64_t period_of(const exec_loop *l, const struct stands *stands)
{
    int64_t period = 0;

    for (int64_t n = 2; n < HALF && period == 0; n += 2) {
        const exec_stand *now = stands[HALF - 1].reads, *was = stands[HALF - 1 - n].reads;
        bool same = true;

        for (int i = 0; same && i < l->n_params; i++)
            same = now[i].result == was[i].result && now[i].at == was[i].at;
        period = same ? n : 0;
    }
    return period > 0 ? period : 2;
}

/* Skips to the last iterations of many. Each skipped period copies as much as the one before it. */
static void leave_out(rehearsal *r, exec_loop *l, int64_t period)
{
    int64_t n = (l->known - l->done - HALF) / period * period;
    const exec_iteration *last = &r->to->iterations[r->to->n_iterations - 1];

    l->done += n;
    for (int64_t i = 0; i < period; i++)
        r->stats.copied_bytes += (uint64_t)(n / period) * last[-i].copied;
    for (int i = 0; i < l->body->n_out; i++) {
        const inlay_port *p = &l->body->out[i];

        if (!p->has_axis || p->outer < 0)
            continue;
        l->joins[i].at += n * l->out[p->inner]->dims[l->joins[i].axis];
        l->joins[i].parts += n;
    }
}

/* Follows the iterations; STANDS has room for an entry for each of them. */
static bool follow_iterations(rehearsal *r, exec_loop *l, struct stands *stands)
{
    exec_inner *to = r->to;
    int64_t(*dims)[INLAY_MAX_RANK] =
        inlay_arena_array(r->b->scratch, (size_t)l->n_params + 1, sizeof *dims);
    int64_t end = l->known > 0 || l->most < HALF ? l->most : HALF;

    if (!dims)
        return false;
    while (l->done < end) {
        size_t i = to->n_iterations++;

        if (!begin_iteration(r, l, &stands[i], &to->iterations[i]) || !loop_iterate(l) ||
            !is_steady(l, dims))
            return false;
        end_iteration(r, l, &stands[i], &to->iterations[i]);
        if (l->done == HALF && end > TURNS)
            leave_out(r, l, period_of(l, stands));
    }
    return l->known == 0 || loop_give_outputs(l);
}

/* Adds a frame slot for T. */
static bool add_frame_slot(rehearsal *r, const inlay_tensor *t, int result, int param)
{
    exec_inner *to = r->to;
    size_t rank = (size_t)t->rank;
    int64_t *form = inlay_arena_array(r->b->x->memory, 2 * rank + 1, sizeof *form);
    uint64_t bytes = inlay_tensor_bytes(t);
    exec_frame_slot *s = &to->frame_slots[to->n_frame_slots];

    if (!form)
        return false;
    memcpy(form, t->dims, rank * sizeof *form);
    memcpy(form + rank, t->strides, rank * sizeof *form);
    *s = (exec_frame_slot){.result = result, .param = param, .at = to->base};
    s->form =
        (inlay_tensor){.type = t->type, .rank = t->rank, .dims = form, .strides = form + rank};
    to->n_frame_slots++;
    to->base += (bytes + LAYOUT_LINE - 1) / LAYOUT_LINE * LAYOUT_LINE;
    return true;
}

/* Makes frame slots for the slots that the loop needed, and for iteration numbers. A slot is none
 * if its buffer is given to the caller, as the last value of a loop whose number of iterations is
 * not known. */
static bool list_frame_slots(rehearsal *r, const exec_loop *l)
{
    exec_inner *to = r->to;
    size_t n = (size_t)l->n_params;
    bool ok = true;

    for (int i = 0; i < l->n_results; i++)
        n += l->results[i].slots.n;
    to->frame_slots = inlay_arena_array(r->b->x->memory, n + 1, sizeof *to->frame_slots);
    for (int i = 0; ok && to->frame_slots && i < l->n_results; i++) {
        for (size_t k = 0; ok && k < l->results[i].slots.n; k++) {
            const exec_slot *slot = &l->results[i].slots.list[k];

            ok = slot->window || slot->lent || (slot->t && add_frame_slot(r, slot->t, i, -1));
        }
    }
    for (int i = 0; ok && to->frame_slots && i < l->n_params; i++)
        ok = !l->params[i].number || add_frame_slot(r, l->params[i].number, -1, i);
    return ok && to->frame_slots;
}

static bool list_iterations(rehearsal *r, const exec_loop *l, const struct stands *stands)
{
    exec_inner *to = r->to;

    for (size_t i = 0; i < to->n_iterations; i++) {
        int *reads = inlay_arena_array(r->b->x->memory, (size_t)(l->n_params + l->n_results) + 1,
                                       sizeof *reads);

        if (!reads)
            return false;
        for (int k = 0; k < l->n_params; k++)
            reads[k] = place_of(to, l, stands[i].reads[k]);
        for (int k = 0; k < l->n_results; k++)
            reads[l->n_params + k] = place_of(to, l, stands[i].makes[k]);
        to->iterations[i].reads = reads;
        to->iterations[i].makes = reads + l->n_params;
    }
    return true;
}

/* Returns whether some last value leaves the run by giving away the buffer of its slot: then what
 * the run holds is not in the arena. */
static bool gives_away(const exec_loop *l)
{
    bool gives = false;

    for (int i = 0; i < l->n_results; i++)
        gives = gives ||
                (l->results[i].last >= 0 && !l->results[i].wanted && l->results[i].slots.n > 0);
    return gives;
}

bool rehearse_loop(inlay_call *c, int64_t most)
{
    rehearsal *r = rehearsal_of(c);
    exec_inner *to = r->to;
    exec_loop *l = rehearsal_kept(
        r, exec_loop_new(c->node->bodies, to->bodies[0].plan, &rehearsal_backend, run_body));
    struct stands *stands = inlay_arena_array(r->b->scratch, MOST, sizeof *stands);

    to->repeats = true;
    to->iterations = inlay_arena_array(r->b->x->memory, MOST, sizeof *to->iterations);
    r->loop = l;
    r->done =
        l && stands && to->iterations && loop_begin(l, c, most) && follow_iterations(r, l, stands);
    for (int i = 0; r->done && l->known > 0 && i < c->n_out; i++)
        rehearsal_place(c, i, c->out[i]);
    if (r->done) {
        to->known = l->known;
        to->about = to->about || l->known == 0;
        r->done = gives_away(l) || list_frame_slots(r, l);
        r->done = r->done && list_iterations(r, l, stands);
    }
    if (l && l->c)
        loop_leave(l);
    exec_loop_free(l);
    r->loop = NULL;
    return r->done;
}

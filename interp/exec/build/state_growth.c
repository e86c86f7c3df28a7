/* States that grow, such as a cache. A step copies the state of a variable to the beginning of the
 * variable's next state, and appends something. If there are spare bytes behind the state in its
 * buffer, the next state can use them, and nothing is copied:
 *
 *     %past = ReadValue("cache")          |p p p p p|. . . . . . .|   the dots are spare
 *     %new = Concat(%past, %token)        |p p p p p t|. . . . . .|   new, a longer tensor
 *     Assign("cache", %new)
 *
 * With spare capacity on an inner axis (states.c) there are such bytes behind each head, and each
 * of these periods grows in the same way. If the oldest rows are dropped, as by a cache of fixed
 * size, the next state simply begins further on in the buffer, or in each period.
 *
 * The old state is not touched, so it can still be read, and is intact when the run fails. Spare
 * bytes are given to one tensor only (inlay_buffer_extend), so a tensor of an earlier run, or the
 * state from before a failed run, never changes. If the spare bytes are used up, or another tensor
 * got them, the state is copied to a buffer of twice the size. */
#include "interp/exec/build/state_growth.h"

/* Returns how many bytes T, part of U, has in each period of U, or in all if U has no periods. FORM
 * is all of U. 0: T leaves out some elements at an axis other than the one that grows, or has other
 * strides. */
static uint64_t bytes_in_period(const exec_allocation *u, const inlay_tensor *form,
                                const inlay_tensor *t)
{
    bool all = t->rank == form->rank && t->type == form->type;

    if (u->state.period == 0)
        return inlay_tensor_is_dense(t) ? inlay_tensor_bytes(t) : 0;
    for (int i = 0; all && i < t->rank; i++)
        all = (i == u->state.axis || t->dims[i] == form->dims[i]) &&
              (t->dims[i] == 1 || t->strides[i] == form->strides[i]);
    return all ? inlay_tensor_bytes(t) / (u->bytes / u->state.period) : 0;
}

/* Returns how many bytes VALUE begins after the beginning of its allocation. */
static uint64_t distance(const exec_instance *x, size_t value)
{
    return exec_first_byte(x->meta[value]) - (uintptr_t)x->allocations[x->allocation[value]].fake;
}

/* Returns whether C copies the end of the state of variable V, or all of it, to the beginning of
 * ALLOCATION. */
static bool copies_state(const exec_instance *x, const exec_copy *c, size_t allocation, int v)
{
    const exec_allocation *from = &x->allocations[x->allocation[c->from]],
                          *u = &x->allocations[allocation];
    const inlay_tensor *form = x->meta[u->slot];
    const inlay_tensor *part = x->meta[c->from], *all = x->meta[from->slot];
    uint64_t bytes = bytes_in_period(u, form, x->meta[c->to]);

    bool past = from->state.pick ? from->state.pick->variable == v
                                 : from->root == EXEC_STATE && from->number == v;

    return past && x->allocation[c->to] == allocation && bytes > 0 && distance(x, c->to) == 0 &&
           distance(x, from->slot) == 0 && bytes_in_period(u, form, part) == bytes &&
           distance(x, c->from) + bytes == bytes_in_period(u, form, all);
}

/* Returns whether T, which lies in U, has a byte among the first BYTES of a period. */
static bool reaches(const inlay_tensor *t, const exec_allocation *u, uint64_t bytes)
{
    int64_t size = inlay_type_info_of(t->type)->bits / 8;
    int64_t period = (int64_t)(u->state.period ? u->state.period : u->bytes), within = size;
    int64_t lowest = (int64_t)(exec_first_byte(t) - (uintptr_t)u->fake);

    for (int i = 0; i < t->rank && bytes > 0; i++) {
        int64_t way = (t->dims[i] - 1) * t->strides[i] * size;

        lowest += way < 0 ? way : 0;
        if (t->strides[i] * size % period != 0)
            within += way < 0 ? -way : way;
    }
    return bytes > 0 && inlay_tensor_count(t) > 0 &&
           (lowest % period < (int64_t)bytes || lowest % period + within > period);
}

/* Returns the copy of the state of variable V with which step S, which computes all of ALLOCATION,
 * fills its beginning; NULL: there is none, or S copies something else there, too, as a scatter
 * copies its data. */
static const exec_copy *copy_of_state(const exec_instance *x, const exec_step *s, size_t allocation,
                                      int v)
{
    const exec_allocation *u = &x->allocations[allocation];
    const exec_copy *first = NULL;
    uint64_t bytes;

    for (size_t i = s->copy; i < s->copy + s->n_copies && !first; i++) {
        if (copies_state(x, &x->copies[i], allocation, v))
            first = &x->copies[i];
    }
    bytes = first ? bytes_in_period(u, x->meta[u->slot], x->meta[first->to]) : 0;
    for (size_t i = s->copy; i < s->copy + s->n_copies; i++) {
        if (&x->copies[i] != first && reaches(x->meta[x->copies[i].to], u, bytes))
            return NULL;
    }
    return first;
}

/* Makes the next state of a variable grow in place if step S computes it and it begins with the
 * state. */
static void begin_growth(const exec_builder *b, const exec_step *s, const bool *shared)
{
    exec_instance *x = b->x;
    size_t allocation = x->allocation[s->out[0]];
    exec_allocation *u = allocation == SIZE_MAX ? NULL : &x->allocations[allocation];
    const exec_copy *copy = NULL;

    if (u && u->root == EXEC_HEAP && u->state.variable >= 0 &&
        !b->plan->writes[u->state.variable] && u->was == SIZE_MAX && !shared[allocation] &&
        u->slot == s->out[0])
        copy = copy_of_state(x, s, allocation, u->state.variable);
    if (!copy)
        return;
    u->state.grows = bytes_in_period(u, x->meta[u->slot], x->meta[copy->to]);
    u->state.skips = distance(x, copy->from);
    u->state.behind = x->allocation[copy->from];
}

/* Ends growth in place for states of which S, which does not compute all of the next state,
 * overwrites a byte. */
static void end_growth(const exec_instance *x, const exec_step *s)
{
    if (s->kind == EXEC_NOTHING || s->kind == EXEC_ASSIGN || s->views)
        return;
    for (int i = 0; i < s->step->node->n_out; i++) {
        size_t value = s->out[i];
        exec_allocation *u =
            x->allocation[value] == SIZE_MAX ? NULL : &x->allocations[x->allocation[value]];

        if (u && u->slot != s->out[0] && reaches(x->meta[value], u, u->state.grows))
            u->state.grows = u->state.skips = 0;
    }
}

/* Returns by allocation whether it is merged with another; NULL: out of memory. */
static const bool *list_shared(const exec_builder *b)
{
    const exec_instance *x = b->x;
    bool *shared = inlay_arena_array(b->scratch, x->n_allocations + 1, sizeof *shared);

    for (size_t i = 0; shared && i < x->n_allocations; i++) {
        size_t same = x->allocations[i].same;

        shared[i] = shared[i] || same != i;
        shared[same] = shared[same] || same != i;
    }
    return shared;
}

bool build_growth(const exec_builder *b)
{
    const exec_instance *x = b->x;
    const bool *shared = b->plan->depth == 0 ? list_shared(b) : NULL;

    for (size_t i = 0; shared && i < x->n; i++) {
        const exec_step *s = &x->list[i];

        if (s->kind == EXEC_MOVES && !s->in_place && s->step->node->n_out == 1)
            begin_growth(b, s, shared);
    }
    for (size_t i = 0; shared && i < x->n; i++)
        end_growth(x, &x->list[i]);
    return shared || b->plan->depth > 0;
}

/* States that grow. A step copies the state of a variable to the beginning of what the variable is
 * assigned, and adds something behind it. If there is room behind the state, in its
 * buffer, the new state can be made there, and nothing of the old one is copied:
 *
 *     %past = ReadValue("cache")          |p p p p p|. . . . . . .|   the dots are spare
 *     %new = Concat(%past, %token)        |p p p p p t|. . . . . .|   new, a longer tensor
 *     Assign("cache", %new)
 *
 * What a state loses at its beginning, as a cache of fixed size does, is left out: the next state
 * begins behind it in the buffer.
 *
 * The old state is not touched, so that it can be read on, and is there when the run fails. Spare
 * bytes are given away once (inlay_buffer_extend): who holds a tensor of an earlier run, or the
 * state as it was before a failure, never finds it changed. When the room is used up, or somebody
 * else got it, the state is copied to a buffer with room for twice as much.
 */
#include "interp/exec/build.h"
#include "interp/exec/session.h"
#include "ir/shared.h"

#include <string.h>

/* Growing */

enum { LEAST_ROOM = 4 << 10 }; /* bytes */

static inlay_tensor *new_with_room(const exec_frame *f, const exec_unit *u, inlay_diags *d)
{
    size_t room = u->bytes > LEAST_ROOM ? (size_t)u->bytes : LEAST_ROOM - (size_t)u->bytes;

    return meter_tensor_with_room(f->run.session->meter, f->x->shadow[u->slot], room, u->node, d);
}

inlay_tensor *exec_frame_grow(const exec_frame *f, const exec_unit *u, inlay_diags *d)
{
    const inlay_tensor *state = f->run.run.state[u->state], *form = f->x->shadow[u->slot];
    char *first = (char *)exec_first_byte(state) + u->skips;
    size_t at = (size_t)(first - (char *)inlay_buffer_data(state->buffer));
    inlay_tensor *t;

    if (inlay_buffer_access(state->buffer) != INLAY_ACCESS_OWN ||
        (uintptr_t)first % sizeof(int64_t) != 0 ||
        !inlay_buffer_extend(state->buffer, at + u->grows, at + u->bytes))
        return new_with_room(f, u, d);
    t = inlay_tensor_window(state, form->rank, form->dims, form->strides,
                            (int64_t)u->skips / (inlay_type_info_of(form->type)->bits / 8));
    if (!t)
        inlay_fail_memory(d);
    else if (exec_frame_poisons(f))
        memset(first + u->grows, EXEC_POISON, u->bytes - u->grows);
    return t;
}

/* Which states can grow */

/* Returns how many bytes behind the beginning of its unit VALUE begins. */
static uint64_t distance(const exec_instance *x, size_t value)
{
    return exec_first_byte(x->shadow[value]) - (uintptr_t)x->units[x->unit[value]].fake;
}

/* Returns whether C copies a state of variable V, from somewhere to its end, to the beginning of
 * UNIT. */
static bool copies_state(const exec_instance *x, const exec_copy *c, size_t unit, int v)
{
    const exec_unit *from = &x->units[x->unit[c->from]];
    const inlay_tensor *part = x->shadow[c->from], *all = x->shadow[from->slot];

    return x->unit[c->to] == unit && from->root == EXEC_STATE && from->number == v &&
           distance(x, c->to) == 0 && inlay_tensor_is_dense(x->shadow[c->to]) &&
           inlay_tensor_is_dense(part) && inlay_tensor_is_dense(all) &&
           distance(x, from->slot) == 0 &&
           distance(x, c->from) + inlay_tensor_bytes(part) == inlay_tensor_bytes(all);
}

/* Returns whether T, which lies in a unit at FAKE, has a byte among its first BYTES. */
static bool reaches(const inlay_tensor *t, const char *fake, uint64_t bytes)
{
    int64_t lowest = (int64_t)(exec_first_byte(t) - (uintptr_t)fake);
    int64_t size = inlay_type_info_of(t->type)->bits / 8;

    for (int i = 0; i < t->rank; i++)
        lowest += t->strides[i] < 0 ? (t->dims[i] - 1) * t->strides[i] * size : 0;
    return inlay_tensor_count(t) > 0 && lowest < (int64_t)bytes;
}

/* Returns the copy of the state of variable V by which step S, which makes all of UNIT, begins it;
 * NULL: there is none, or something else is copied there, too, as by a scatter that copies its data
 * first. */
static const exec_copy *copy_of_state(const exec_instance *x, const exec_step *s, size_t unit,
                                      int v)
{
    const exec_copy *first = NULL;
    uint64_t bytes = 0;

    for (size_t i = s->copy; i < s->copy + s->n_copies && !first; i++) {
        if (copies_state(x, &x->copies[i], unit, v))
            first = &x->copies[i];
    }
    bytes = first ? inlay_tensor_bytes(x->shadow[first->from]) : 0;
    for (size_t i = s->copy; i < s->copy + s->n_copies; i++) {
        if (&x->copies[i] != first &&
            reaches(x->shadow[x->copies[i].to], x->units[unit].fake, bytes))
            return NULL;
    }
    return first;
}

/* Makes the next state of a variable grow if step S makes it and begins it with the state. */
static void begin_growth(const exec_builder *b, const exec_step *s, const bool *shared)
{
    exec_instance *x = b->x;
    size_t unit = x->unit[s->out[0]];
    exec_unit *u = unit == SIZE_MAX ? NULL : &x->units[unit];
    const exec_copy *copy = NULL;

    if (u && u->root == EXEC_HEAP && u->state >= 0 && !b->plan->writes[u->state] &&
        u->was == SIZE_MAX && !shared[unit] && u->slot == s->out[0])
        copy = copy_of_state(x, s, unit, u->state);
    if (!copy)
        return;
    u->grows = inlay_tensor_bytes(x->shadow[copy->from]);
    u->skips = distance(x, copy->from);
}

/* Lets no state grow of which S, which does not make all of the next one, writes over a byte. */
static void end_growth(const exec_instance *x, const exec_step *s)
{
    if (s->kind == EXEC_NOTHING || s->kind == EXEC_ASSIGN || s->views)
        return;
    for (int i = 0; i < s->step->node->n_out; i++) {
        size_t value = s->out[i];
        exec_unit *u = x->unit[value] == SIZE_MAX ? NULL : &x->units[x->unit[value]];

        if (u && u->slot != s->out[0] && reaches(x->shadow[value], u->fake, u->grows))
            u->grows = u->skips = 0;
    }
}

/* Returns by unit whether it is one with another; NULL: out of memory. */
static const bool *list_shared(const exec_builder *b)
{
    const exec_instance *x = b->x;
    bool *shared = inlay_arena_array(b->scratch, x->n_units + 1, sizeof *shared);

    for (size_t i = 0; shared && i < x->n_units; i++) {
        size_t same = x->units[i].same;

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

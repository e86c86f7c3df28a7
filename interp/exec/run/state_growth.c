/* Places the next state of a variable directly behind the old one, if the buffer has room for it
 * (build/state_growth.c). */
#include "interp/exec/run/state_growth.h"

#include <string.h>

enum { LEAST_ROOM = 4 << 10 }; /* bytes behind a new state */

/* Returns how many bytes of each period of U, or in all, are filled; FORM is all of U. */
static uint64_t filled(const exec_allocation *u, const inlay_tensor *form)
{
    return inlay_tensor_bytes(form) / (u->state.period ? u->bytes / u->state.period : 1);
}

static inlay_tensor *new_with_room(const exec_frame *f, const exec_allocation *u, inlay_diags *d)
{
    size_t room = u->bytes > LEAST_ROOM ? (size_t)u->bytes : LEAST_ROOM;
    const inlay_tensor *form = f->x->meta[u->slot];

    return meter_tensor_with_room(f->run.session->meter, form, room, u->node, d);
}

inlay_tensor *exec_frame_periods(const exec_frame *f, const exec_allocation *u, inlay_diags *d)
{
    const inlay_tensor *form = f->x->meta[u->slot];
    inlay_tensor *t = meter_tensor_in_periods(f->run.session->meter, form, u->bytes,
                                              u->state.period, filled(u, form), u->node, d);

    if (t && f->run.session->poison)
        memset(t->data, EXEC_POISON, u->bytes);
    return t;
}

/* Returns the next state, which is all of U, at FIRST in the buffer of STATE; behind it are ROOM
 * spare bytes. */
static inlay_tensor *grown(const exec_frame *f, const exec_allocation *u, const inlay_tensor *state,
                           uint64_t room, char *first, inlay_diags *d)
{
    const inlay_tensor *form = f->x->meta[u->slot];
    uint64_t period = u->state.period ? u->state.period : u->bytes;
    inlay_tensor *t =
        spares_window(&f->run.session->spares, state, form->rank, form->dims, form->strides,
                      (int64_t)u->state.skips / (inlay_type_info_of(form->type)->bits / 8));

    if (!t)
        inlay_fail_memory(d);
    for (uint64_t at = u->state.grows; t && f->run.session->poison && at < u->bytes; at += period)
        memset(first + at, EXEC_POISON, room);
    return t;
}

inlay_tensor *exec_frame_grow(const exec_frame *f, const exec_allocation *u, inlay_diags *d)
{
    const inlay_tensor *state = f->bindings[u->state.behind].root, *form = f->x->meta[u->slot];
    char *first = (char *)exec_first_byte(state) + u->state.skips;
    size_t at = (size_t)(first - (char *)inlay_buffer_data(state->buffer));
    size_t period = u->state.period ? u->state.period : inlay_buffer_size(state->buffer);
    uint64_t bytes = filled(u, form);

    if (inlay_buffer_access(state->buffer) == INLAY_ACCESS_OWN &&
        inlay_buffer_extend(state->buffer, period, at + u->state.grows, at + bytes))
        return grown(f, u, state, bytes - u->state.grows, first, d);
    return u->state.period ? exec_frame_periods(f, u, d) : new_with_room(f, u, d);
}

/* Finds the row that an index selects (build/dynamic_row.c), and makes the output a view of it. */
#include "interp/exec/run/dynamic_row.h"
#include "interp/call/window.h"
#include "interp/exec/run/bind.h"

#include <string.h>

/* Makes the output zeros, as version 8 requires for an index out of range; earlier versions refuse
 * it. Nothing is copied then. A row is only read, so the session has the same zeros for all. */
bool exec_frame_show_none(exec_frame *f, const exec_step *s, inlay_call *c)
{
    size_t allocation = f->x->allocation[s->out[0]];
    int64_t bytes = (int64_t)f->x->allocations[allocation].bytes;
    inlay_tensor **zeros = &f->run.session->zeros;

    if (!*zeros || (*zeros)->dims[0] < bytes) {
        inlay_tensor_release(*zeros);
        *zeros = meter_tensor(f->run.session->meter, INLAY_U8, 1, &bytes, c->node, c->diags);
    }
    if (*zeros)
        exec_frame_point(f, allocation, (*zeros)->data, (*zeros)->buffer,
                         inlay_tensor_retain(*zeros));
    return *zeros != NULL;
}

static int64_t index_of(const inlay_tensor *t)
{
    bool plain = t->type == INLAY_I64 && t->offset == 0;
    int64_t x;

    if (!plain)
        return inlay_tensor_get_i64(t, 0);
    memcpy(&x, t->data, sizeof x);
    return x;
}

/* Prefetches a row of the form of R at address AT, which need not be a valid address. */
static void ask_for(const exec_row *r, uintptr_t at)
{
    enum { LINE = 64 };

    for (ptrdiff_t i = 0; i < r->parts; i++, at += (uintptr_t)r->pitch) {
        for (ptrdiff_t k = 0; k < r->bytes; k += LINE)
            __builtin_prefetch((const void *)(at + (uintptr_t)k));
    }
}

/* A loop often selects rows at equal distances, so the row that would be next is prefetched while
 * the steps behind work on this one. */
bool exec_frame_show(exec_frame *f, const exec_step *s)
{
    const exec_row *r = s->row;
    const inlay_tensor *data = f->run.values[s->in[0]], *index = f->run.values[s->in[r->index]];
    size_t allocation = f->x->allocation[s->out[0]];
    char *was = f->bindings[allocation].address, *now;
    int64_t at;

    if (!call_find_row(s->step->node, index->type, index_of(index), data->dims[r->axis], &at))
        return false;
    now = (char *)exec_first_byte(data) + at * r->step;
    exec_frame_point(f, allocation, now, data->buffer, NULL);
    if (was && was != now)
        ask_for(r, 2 * (uintptr_t)now - (uintptr_t)was);
    return true;
}

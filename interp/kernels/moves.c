/* The helpers of moves.h. */
#include "interp/kernels/moves.h"
#include "interp/call/window.h"
#include "ir/shared.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct view view_all(const inlay_tensor *t)
{
    struct view v = {.rank = t->rank};

    for (int i = 0; i < t->rank; i++) {
        v.dims[i] = t->dims[i];
        v.strides[i] = t->strides[i];
    }
    return v;
}

struct view view_windows(const inlay_tensor *t, const inlay_window *w)
{
    struct view v = view_all(t);

    for (int i = 0; i < t->rank; i++) {
        v.offset += w[i].count > 0 ? w[i].begin * t->strides[i] : 0;
        v.dims[i] = w[i].count;
        if (w[i].count > 1) /* the step of a single element may be any number */
            v.strides[i] *= w[i].step;
    }
    return v;
}

struct view view_dense(int rank, const int64_t *dims)
{
    struct view v = {.rank = rank};

    for (int i = 0; i < rank; i++)
        v.dims[i] = dims[i];
    strides_dense(rank, dims, v.strides);
    return v;
}

/* Returns the view V of T, in the memory of ROOM; without V, T itself. */
static const inlay_tensor *seen_through(const inlay_tensor *t, const struct view *v,
                                        call_shown *room)
{
    if (!v)
        return t;
    memcpy(room->dims, v->dims, (size_t)v->rank * sizeof *v->dims);
    memcpy(room->strides, v->strides, (size_t)v->rank * sizeof *v->strides);
    call_show_part(t, v->rank, v->offset, room);
    return &room->t;
}

/* Copies the elements of SRC, a part of FROM, to the elements of TO that TV shows; TV has the dims
 * of SRC. */
static bool copy_view(inlay_call *c, const inlay_tensor *to, const struct view *tv,
                      const inlay_tensor *from, const inlay_tensor *src)
{
    call_shown part;
    inlay_tensor *dst = (inlay_tensor *)(uintptr_t)seen_through(to, tv, &part);

    return call_copy_part(c, to, dst, from, src);
}

bool move_output(inlay_call *c, int o, const struct view *tv, const inlay_tensor *from,
                 const struct view *fv)
{
    call_shown part;
    const inlay_tensor *src = seen_through(from, fv, &part);
    bool done = false;

    return call_show(c, o, src, &done) && (done || copy_view(c, c->out[o], tv, from, src));
}

bool move_part(inlay_call *c, const inlay_tensor *to, const struct view *tv,
               const inlay_tensor *from)
{
    return copy_view(c, to, tv, from, from);
}

bool move_piece(inlay_call *c, const struct view *tv, const inlay_tensor *from,
                const struct view *fv)
{
    call_shown part;

    return copy_view(c, c->out[0], tv, from, seen_through(from, fv, &part));
}

bool stands_in(const inlay_call *c, const struct view *v, const inlay_tensor *t)
{
    const inlay_tensor *out = c->out[0];
    bool same = t->type == out->type && t->data == out->data && t->rank == v->rank &&
                t->offset == out->offset + v->offset;

    for (int i = 0; same && i < t->rank; i++)
        same = t->dims[i] == v->dims[i] && (t->dims[i] <= 1 || t->strides[i] == v->strides[i]);
    return same;
}

void split_moves(inlay_call *c, int64_t n, double cost, call_part_fn *fn, void *ctx)
{
    inlay_type type = c->out[0]->type;

    if (inlay_type_refers(type) || inlay_type_info_of(type)->bits % 8 != 0)
        fn(ctx, 0, n);
    else
        call_split(c, n, cost, fn, ctx);
}

bool odd_index(inlay_call *c, int i, int64_t position, int64_t x, int axis, int64_t size,
               bool negative, int64_t *out)
{
    bool huge = c->in[i]->type == INLAY_U64 && x < 0;
    char value[32];

    if (!huge && x < 0 && negative && x >= -size) {
        *out = x + size;
        return true;
    }
    if (huge)
        snprintf(value, sizeof value, "%" PRIu64, (uint64_t)x);
    else
        snprintf(value, sizeof value, "%" PRId64, x);
    return inlay_call_fail(
        c, "%s is %s, axis %d has %" PRId64 " element%s%s", call_element_name(c, i, position),
        value, axis, size, inlay_plural(size, "", "s"),
        x < 0 && !huge && !negative ? " and negative indices are not allowed" : "");
}

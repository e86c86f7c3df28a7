/* Frames of regions: buffers, and views that turn what they show. See region.h. */
#include "ir/base/arena.h"
#include "ir/graph/node.h"
#include "ir/notes/region.h"

#include <string.h>

/* A frame for V, which shows OF, or is a buffer. */
static note_region *new_frame(inlay_arena *a, const inlay_value *v, const note_region *of)
{
    note_region *f = inlay_arena_alloc(a, sizeof *f);
    int64_t dims[INLAY_MAX_RANK];
    inlay_window *w;

    if (f)
        *f = (note_region){
            .extent = NOTE_ALL, .of = of, .deep = of ? note_region_frame(of)->deep + 1 : 0};
    if (f && f->deep > NOTE_MOST_DEEP) {
        f->of = note_region_some(a, note_region_hull(of));
        f->deep = 1;
        f = f->of ? f : NULL;
    }
    if (!f || !inlay_fact_dims(&v->fact, dims))
        return f;
    w = inlay_arena_array(a, (size_t)v->fact.rank + 1, sizeof *w);
    for (int i = 0; w && i < v->fact.rank; i++)
        w[i] = (inlay_window){0, dims[i], 1};
    f->rank = v->fact.rank;
    f->windows = w;
    return w ? f : NULL;
}

/* The sizes and strides of what lies at R. False: they are not known. */
static bool read_axes(const note_region *r, int64_t *dims, int64_t *strides)
{
    const note_region *frame = note_region_frame(r);

    if (!r->windows || !frame->strides)
        return false;
    for (int i = 0; i < r->rank; i++) {
        dims[i] = r->windows[i].count;
        strides[i] = frame->strides[i] * (dims[i] > 1 ? r->windows[i].step : 1);
    }
    return true;
}

static bool is_dense(const note_region *r)
{
    int64_t dims[INLAY_MAX_RANK], strides[INLAY_MAX_RANK];
    int axis;

    if (r->extent == NOTE_SLICE && inlay_node_picks_row(r->slice) &&
        inlay_node_axis(r->slice, r->slice->in[0].value->fact.rank, &axis) && axis == 0)
        r = r->of;
    if (r->extent == NOTE_ALL)
        return r->dense;
    return read_axes(r, dims, strides) && inlay_strides_are_dense(r->rank, dims, strides);
}

static bool set_strides(inlay_arena *a, note_region *f, const int64_t *dims, const int64_t *strides)
{
    int64_t *copy = inlay_arena_array(a, (size_t)f->rank + 1, sizeof *copy);

    if (copy)
        memcpy(copy, strides, (size_t)f->rank * sizeof *copy);
    f->strides = copy;
    f->dense = f->dense || inlay_strides_are_dense(f->rank, dims, strides);
    return copy != NULL;
}

/* F is a frame for V, of which it is known that it has no gaps. False: out of memory. */
static bool leave_no_gaps(inlay_arena *a, note_region *f, const inlay_value *v)
{
    int64_t dims[INLAY_MAX_RANK], strides[INLAY_MAX_RANK];

    f->dense = true;
    if (!inlay_fact_sizes(&v->fact, dims))
        return true;
    inlay_strides_dense(f->rank, dims, strides);
    return set_strides(a, f, dims, strides);
}

const note_region *note_region_whole(inlay_arena *a, const inlay_value *root)
{
    note_region *f = new_frame(a, root, NULL);

    return f && leave_no_gaps(a, f, root) ? f : NULL;
}

/* F is a frame for V, a reshape of what lies at OUTER. False: out of memory. */
static bool reshape(inlay_arena *a, note_region *f, const inlay_value *v, const note_region *outer,
                    bool *shown)
{
    int64_t dims[INLAY_MAX_RANK], strides[INLAY_MAX_RANK];
    int64_t new_dims[INLAY_MAX_RANK], new_strides[INLAY_MAX_RANK];

    *shown = is_dense(outer);
    if (*shown)
        return leave_no_gaps(a, f, v);
    *shown =
        read_axes(outer, dims, strides) && inlay_fact_sizes(&v->fact, new_dims) &&
        inlay_strides_reshaped(outer->rank, dims, strides, v->fact.rank, new_dims, new_strides);
    return !*shown || set_strides(a, f, new_dims, new_strides);
}

/* F is a frame for V, which has axes of OUTER, in another order, backwards or cut. False: out of
 * memory. */
static bool turn(inlay_arena *a, note_region *f, const inlay_value *v, const note_region *outer)
{
    int64_t dims[INLAY_MAX_RANK], strides[INLAY_MAX_RANK];
    int64_t new_dims[INLAY_MAX_RANK], new_strides[INLAY_MAX_RANK];

    return !read_axes(outer, dims, strides) || !inlay_fact_sizes(&v->fact, new_dims) ||
           !inlay_value_strides(v, outer->rank, strides, new_strides) ||
           set_strides(a, f, new_dims, new_strides);
}

const note_region *note_region_turned(inlay_arena *a, const note_region *outer,
                                      const inlay_value *v, bool *shown)
{
    bool reshapes = v->node->op->flags & INLAY_RESHAPES;
    bool ordered = inlay_op_operand(v->node->op, INLAY_ROLE_ORDER) >= 0;
    /* else the turn does not fill what it shows */
    const note_region *of = reshapes || ordered ? outer : note_region_some(a, outer);
    note_region *f = of ? new_frame(a, v, of) : NULL;

    *shown = true;
    if (!f || (reshapes && !reshape(a, f, v, outer, shown)) || (!reshapes && !turn(a, f, v, outer)))
        return NULL;
    /* only axes of size 1 are added or left out, or V has the axes of the part that OUTER is */
    *shown =
        *shown || inlay_op_operand(v->node->op, INLAY_ROLE_AXES) >= 0 || inlay_value_is_shown(v);
    return f;
}

const note_region *note_region_reshaped(inlay_arena *a, const note_region *outer,
                                        const inlay_value *v)
{
    note_region *f = new_frame(a, v, outer);
    bool shown;

    return f && reshape(a, f, v, outer, &shown) ? f : NULL;
}

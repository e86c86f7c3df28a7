/* Regions of buffers. See region.h. */
#include "ir/notes/region.h"
#include "ir/base/arena.h"
#include "ir/graph/node.h"
#include "ir/graph/work.h"
#include "ir/tensor/window.h"

#include <string.h>

/* A region with room for RANK windows, unless WINDOWS is NULL. NULL: out of memory. */
static note_region *new_region(inlay_arena *a, int rank, inlay_window **windows)
{
    note_region *r = inlay_arena_alloc(a, sizeof *r);

    if (!r || !windows)
        return r;
    *windows = inlay_arena_array(a, rank > 0 ? (size_t)rank : 1, sizeof **windows);
    r->rank = rank;
    r->windows = *windows;
    return *windows ? r : NULL;
}

const note_region *note_region_whole(inlay_arena *a, const inlay_value *root)
{
    int64_t dims[INLAY_MAX_RANK];
    inlay_window *w = NULL;
    note_region *r;

    if (!inlay_fact_dims(&root->fact, dims)) {
        r = new_region(a, 0, NULL);
        if (r)
            *r = (note_region){.tight = true, .exact = true, .whole = true};
        return r;
    }
    r = new_region(a, root->fact.rank, &w);
    if (!r)
        return NULL;
    for (int i = 0; i < r->rank; i++)
        w[i] = (inlay_window){0, dims[i], 1};
    r->known = r->tight = r->exact = r->whole = true;
    return r;
}

/* What the windows INNER select of what OUTER addresses. */
static const note_region *compose(inlay_arena *a, const note_region *outer,
                                  const inlay_window *inner)
{
    inlay_window *w = NULL;
    note_region *r = new_region(a, outer->rank, &w);

    if (!r)
        return NULL;
    r->known = r->tight = r->exact = true;
    r->whole = outer->whole;
    r->turn = outer->turn;
    r->hull = outer->hull;
    for (int i = 0; i < r->rank; i++) {
        w[i] = inlay_window_compose(outer->windows[i], inner[i]);
        r->whole = r->whole && inlay_window_equal(w[i], outer->windows[i]);
    }
    return r;
}

/* What is around each region that leaves out positions of R. */
static const note_region *around(const note_region *r)
{
    return r->tight ? r : r->within;
}

const note_region *note_region_hull(const note_region *r)
{
    return r->turn ? r->hull : r;
}

const note_region *note_region_turned(inlay_arena *a, const note_region *outer,
                                      const inlay_value *v, bool all)
{
    const note_region *whole = note_region_whole(a, v), *hull = note_region_hull(outer);
    note_region *r = whole ? new_region(a, 0, NULL) : NULL, *loose;

    if (!r)
        return NULL;
    *r = *whole;
    r->turn = v;
    r->hull = hull;
    if (all && (!outer->turn || outer->whole) && hull->tight)
        return r;
    loose = new_region(a, 0, NULL); /* the turn does not fill its hull */
    if (!loose)
        return NULL;
    *loose = *hull;
    loose->within = around(hull);
    loose->tight = loose->exact = loose->whole = false;
    loose->slice = NULL;
    r->hull = loose;
    return r;
}

const note_region *note_region_some(inlay_arena *a, const note_region *outer)
{
    note_region *r = new_region(a, 0, NULL);

    if (!r)
        return NULL;
    *r = *outer;
    r->within = around(outer);
    r->exact = r->tight = r->whole = false;
    r->slice = NULL;
    return r;
}

/* Is R all of a buffer, or of a turn, of which the sizes are not known? */
static bool is_all_of_unknown(const note_region *r)
{
    return !r->known && r->tight && r->exact && r->whole && !r->slice;
}

/* The windows W, as many as RANK, of such a region, where OUTER lies. */
static const note_region *windows_of_all(inlay_arena *a, const note_region *outer, int rank,
                                         const inlay_window *w)
{
    inlay_window *copy = NULL;
    note_region *r = new_region(a, rank, &copy);

    if (!r)
        return NULL;
    r->known = r->tight = r->exact = true;
    r->turn = outer->turn;
    r->hull = outer->hull;
    memcpy(copy, w, (size_t)rank * sizeof *w);
    return r;
}

const note_region *note_region_slice(inlay_arena *a, const note_region *outer, const inlay_node *n)
{
    inlay_window w[INLAY_MAX_RANK];
    note_region *r;

    if (outer->known && outer->exact && outer->tight && inlay_node_windows(n, NULL, w))
        return compose(a, outer, w);
    if (outer->slice || !outer->tight || !outer->exact)
        return note_region_some(a, outer);
    r = new_region(a, 0, NULL);
    if (r)
        *r = (note_region){.tight = true,
                           .exact = true,
                           .slice = n,
                           .base = outer,
                           .turn = outer->turn,
                           .hull = outer->hull};
    return r;
}

/* Adds up the sizes of the parts before V along AXIS; false when one is not known. */
static bool add_parts(note_parts *parts, const inlay_value *v, int axis)
{
    int rank = v->fact.rank;

    if (parts->node != v->node || parts->index > v->index)
        *parts = (note_parts){.node = v->node};
    for (; parts->index < v->index; parts->index++) {
        const inlay_fact *before = &v->node->out[parts->index].fact;
        int64_t dims[INLAY_MAX_RANK];

        inlay_count_steps(v->node->graph, 1);
        if (before->rank != rank || !inlay_fact_dims(before, dims))
            return false;
        parts->begin += dims[axis];
    }
    return true;
}

const note_region *note_region_split(inlay_arena *a, const note_region *outer, const inlay_value *v,
                                     note_parts *parts)
{
    const inlay_node *n = v->node;
    int64_t dims[INLAY_MAX_RANK];
    inlay_window w[INLAY_MAX_RANK];
    int axis, rank = outer->rank;

    if (!outer->known || !outer->exact || !outer->tight || v->fact.rank != rank ||
        !inlay_fact_dims(&v->fact, dims) || !inlay_node_axis(n, rank, &axis) ||
        !add_parts(parts, v, axis))
        return note_region_some(a, outer);
    for (int i = 0; i < rank; i++)
        w[i] = (inlay_window){i == axis ? parts->begin : 0, dims[i], 1};
    return compose(a, outer, w);
}

const note_region *note_region_held(inlay_arena *a, const note_region *outer, const inlay_value *v,
                                    const inlay_value *r)
{
    inlay_window w[INLAY_MAX_RANK];
    const note_region *part;

    if (outer->slice && is_all_of_unknown(outer->base) &&
        inlay_node_windows_written(outer->slice, w))
        outer = windows_of_all(a, outer, r->fact.rank, w);
    if (!outer)
        return NULL;
    if (!outer->known || !outer->exact || !outer->tight || outer->rank != r->fact.rank ||
        !inlay_node_part(r->node, v, w))
        return note_region_some(a, outer);
    part = compose(a, outer, w);
    if (!part || (v->fact.rank == outer->rank && inlay_node_shown(r->node, v) == v))
        return part;
    return note_region_some(a, part); /* it has other axes than the buffer */
}

/* Is V a window's number for one axis? */
static bool counts_one(const inlay_value *v)
{
    return v && v->fact.rank >= 0 && v->fact.rank <= 1 &&
           (v->fact.rank == 0 || (inlay_dim_is_static(v->fact.dims[0]) && v->fact.dims[0].lo == 1));
}

/* Does the window of A, of one axis, surely end where that of B begins? A number is clamped to the
 * axis in the same way at both ends of a window with the step 1. */
static bool precedes(const inlay_node *a, const inlay_node *b)
{
    bool steps = true;

    for (int i = 0; i < 2; i++) {
        const inlay_value *step = inlay_node_window(i ? a : b, 2);

        steps = steps && (!step || (step->fact.known && step->fact.n_known == 1 &&
                                    inlay_dim_is_static(step->fact.known[0]) &&
                                    step->fact.known[0].lo == 1));
    }
    return steps && inlay_node_window(a, 1) == inlay_node_window(b, 0) &&
           counts_one(inlay_node_window(a, 0)) && counts_one(inlay_node_window(a, 1)) &&
           counts_one(inlay_node_window(b, 1)) &&
           inlay_value_same(inlay_node_window(a, 3), inlay_node_window(b, 3)) &&
           inlay_fact_same_shape(&a->in[0].value->fact, &b->in[0].value->fact);
}

/* Do A and B lie in two slices of one base, the one of which ends where the other begins, or which
 * are two rows? */
static bool lie_in_neighbours(const note_region *a, const note_region *b)
{
    a = around(a);
    b = around(b);
    return a && b && a->slice && b->slice && note_region_same(a->base, b->base) &&
           (precedes(a->slice, b->slice) || precedes(b->slice, a->slice) ||
            inlay_node_rows_apart(a->slice, b->slice));
}

/* What R surely lies in: R itself, or what it is an unknown part of. */
static const note_region *bounds_of(const note_region *r)
{
    while (!r->known && (r->slice || r->within))
        r = r->slice ? r->base : r->within;
    return r;
}

/* Windows around all positions of R, of a slice of an unknown whole in ROOM; NULL: not known. */
static const inlay_window *windows_around(const note_region *r, inlay_window *room, int *rank)
{
    if (r->slice && is_all_of_unknown(r->base) &&
        (inlay_node_windows_written(r->slice, room) || inlay_node_windows_within(r->slice, room))) {
        *rank = r->slice->in[0].value->fact.rank;
        return room;
    }
    r = bounds_of(r);
    *rank = r->rank;
    return r->known ? r->windows : NULL;
}

bool note_region_meets(const note_region *a, const note_region *b)
{
    inlay_window room_a[INLAY_MAX_RANK], room_b[INLAY_MAX_RANK];
    const inlay_window *wa, *wb;
    int rank_a, rank_b;

    if (lie_in_neighbours(a, b))
        return false;
    if (a->turn != b->turn) {
        a = note_region_hull(a);
        b = note_region_hull(b);
    }
    wa = windows_around(a, room_a, &rank_a);
    wb = windows_around(b, room_b, &rank_b);
    return !wa || !wb || rank_a != rank_b || inlay_windows_meet(wa, wb, rank_a);
}

/* Do A and B select the same of one base, because the operands of their slices are the same values?
 */
static bool same_slice(const note_region *a, const note_region *b)
{
    for (int i = 0; i < 4; i++) {
        if (!inlay_value_same(inlay_node_window(a->slice, i), inlay_node_window(b->slice, i)))
            return false;
    }
    return inlay_node_rows_same(a->slice, b->slice) && note_region_same(a->base, b->base);
}

/* The windows of R, all of whose positions are R's, those of a slice in ROOM; NULL: not known. */
static const inlay_window *windows_filled(const note_region *r, inlay_window *room, int *rank)
{
    *rank = r->rank;
    if (r->known)
        return r->tight ? r->windows : NULL;
    if (!r->slice || !is_all_of_unknown(r->base) || !inlay_node_windows_written(r->slice, room))
        return NULL;
    *rank = r->slice->in[0].value->fact.rank;
    return room;
}

static bool windows_inside(const note_region *inner, const note_region *outer)
{
    inlay_window room[INLAY_MAX_RANK];
    int rank;
    const inlay_window *w = windows_filled(outer, room, &rank);

    if (!w || inner->rank != rank)
        return false;
    for (int i = 0; i < rank; i++) {
        if (inner->windows[i].count == 0)
            return true;
    }
    for (int i = 0; i < rank; i++) {
        if (!inlay_window_inside(inner->windows[i], w[i]))
            return false;
    }
    return true;
}

bool note_region_inside(const note_region *inner, const note_region *outer)
{
    if (inner->turn != outer->turn) {
        if (outer->turn && !outer->whole)
            return false;
        inner = note_region_hull(inner);
        outer = note_region_hull(outer);
    }
    if (inner == outer && outer->tight)
        return true;
    if (outer->whole && outer->tight)
        return true;
    if (inner->slice && outer->slice)
        return same_slice(inner, outer);
    if (inner->slice && note_region_inside(inner->base, outer))
        return true;
    if (inner->within && note_region_inside(inner->within, outer))
        return true;
    return inner->known && windows_inside(inner, outer);
}

bool note_region_same(const note_region *a, const note_region *b)
{
    if (a == b)
        return true;
    if (!a->exact || !b->exact || a->turn != b->turn)
        return false;
    if (a->slice || b->slice)
        return a->slice && b->slice && same_slice(a, b);
    if (a->whole && b->whole)
        return true;
    return a->known && b->known && a->rank == b->rank &&
           inlay_windows_equal(a->windows, b->windows, a->rank);
}

bool note_region_shifted(const note_region *a, const note_region *b)
{
    if (!a->known || !b->known || !a->exact || !b->exact || a->turn || b->turn ||
        a->rank != b->rank)
        return false;
    for (int i = 0; i < a->rank; i++) {
        const inlay_window *x = &a->windows[i], *y = &b->windows[i];

        if (x->count != y->count || (x->count > 1 && (x->step != y->step || x->step < 1)))
            return false;
    }
    return true;
}

bool note_region_on_bytes(const note_region *r, const inlay_value *root)
{
    int bits = inlay_type_info_of(root->fact.type)->bits;
    int64_t stride = 1;

    if (bits >= 8 || (r->whole && !r->turn))
        return true;
    if (r->turn)
        return false;
    if (!r->known || !r->exact || root->fact.rank != r->rank || r->rank == 0)
        return false;
    for (int i = r->rank; i-- > 0;) {
        const inlay_window *w = &r->windows[i];
        bool innermost = i == r->rank - 1;

        if (stride * bits % 8 != 0 && !innermost && (w->begin != 0 || w->count > 1))
            return false;
        if (innermost && ((w->step != 1 && w->count > 1) || w->begin * bits % 8 != 0 ||
                          w->count * bits % 8 != 0))
            return false;
        stride = stride % 8 * (root->fact.dims[i].lo % 8);
    }
    return true;
}

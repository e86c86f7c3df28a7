/* Regions of buffers. See region.h. */
#include "ir/notes/region.h"
#include "ir/base/arena.h"
#include "ir/graph/node.h"
#include "ir/tensor/window.h"

#include <string.h>

static const note_region *new_region(inlay_arena *a, note_region r)
{
    note_region *copy = inlay_arena_alloc(a, sizeof *copy);

    if (copy)
        *copy = r;
    return copy;
}

/* What the windows INNER select of what OUTER addresses, which is W, one for each of RANK axes. */
static const note_region *compose(inlay_arena *a, const note_region *outer, int rank,
                                  const inlay_window *w, const inlay_window *inner)
{
    inlay_window *both = inlay_arena_array(a, (size_t)rank + 1, sizeof *both);

    for (int i = 0; both && i < rank; i++)
        both[i] = inlay_window_compose(w[i], inner[i]);
    if (!both || inlay_windows_equal(both, w, rank))
        return both ? outer : NULL;
    return new_region(a, (note_region){.extent = NOTE_WINDOWS,
                                       .of = note_region_frame(outer),
                                       .rank = rank,
                                       .windows = both});
}

/* R, or what R leaves out positions of. */
static const note_region *around(const note_region *r)
{
    return r->extent == NOTE_SOME ? r->of : r;
}

const note_region *note_region_frame(const note_region *r)
{
    while (r->extent != NOTE_ALL)
        r = r->of;
    return r;
}

const note_region *note_region_hull(const note_region *r)
{
    for (const note_region *f = note_region_frame(r); f->of; f = note_region_frame(r))
        r = f->of;
    return r;
}

/* Leaves the frames that A and B do not share: each becomes what its turn shows, which is all that
 * B is only if B fills its frame. False: *B does not, and must be FILLED. */
static bool leave_frames(const note_region **a, const note_region **b, bool filled)
{
    const note_region *from = note_region_frame(*a), *to = note_region_frame(*b);

    for (; from != to; from = note_region_frame(*a), to = note_region_frame(*b)) {
        if (from->deep >= to->deep)
            *a = from->of;
        else if (filled && (*b)->extent != NOTE_ALL)
            return false;
        else
            *b = to->of;
    }
    return true;
}

const note_region *note_region_some(inlay_arena *a, const note_region *outer)
{
    return new_region(a, (note_region){.extent = NOTE_SOME, .of = around(outer)});
}

const note_region *note_region_slice(inlay_arena *a, const note_region *outer, const inlay_node *n)
{
    inlay_window w[INLAY_MAX_RANK];

    if (outer->windows && inlay_node_windows(n, NULL, w))
        return compose(a, outer, outer->rank, outer->windows, w);
    if (inlay_node_writes_all(n))
        return outer;
    if (outer->extent != NOTE_ALL && outer->extent != NOTE_WINDOWS)
        return note_region_some(a, outer);
    return new_region(a, (note_region){.extent = NOTE_SLICE, .of = outer, .slice = n});
}

const note_region *note_region_split(inlay_arena *a, const note_region *outer, const inlay_value *v,
                                     int64_t begin)
{
    inlay_window w[INLAY_MAX_RANK];

    if (!outer->windows || v->fact.rank != outer->rank || !inlay_value_cut(v, begin, w))
        return note_region_some(a, outer);
    return compose(a, outer, outer->rank, outer->windows, w);
}

/* Does R select of a frame of which the sizes are not known? */
static bool is_of_unknown(const note_region *r)
{
    return r->extent == NOTE_SLICE && r->of->extent == NOTE_ALL && !r->of->windows;
}

/* The windows of R, all of whose positions are R's, those of a slice in ROOM; NULL: not known. */
static const inlay_window *windows_filled(const note_region *r, inlay_window *room, int *rank)
{
    *rank = r->rank;
    if (!is_of_unknown(r) || !inlay_node_windows_written(r->slice, room))
        return r->windows;
    *rank = r->slice->in[0].value->fact.rank;
    return room;
}

/* The smallest part that R is, or lies in; NULL: it lies in none. */
static const note_region *part_around(const note_region *r)
{
    while (r && !r->held)
        r = r->of;
    return r;
}

/* The part in which V stands of what lies at OUTER, of sizes that are not known. */
static const note_region *part_of_unknown(inlay_arena *a, const note_region *outer,
                                          const inlay_value *v, const inlay_node *holder)
{
    const note_region *in = part_around(outer);
    note_region r = {.extent = NOTE_HELD,
                     .of = outer,
                     .holder = holder,
                     .held = inlay_node_shown(holder, v),
                     .deep = in ? in->deep + 1 : 1};

    return r.deep > NOTE_MOST_DEEP ? note_region_some(a, outer) : new_region(a, r);
}

const note_region *note_region_held(inlay_arena *a, const note_region *outer, const inlay_value *v,
                                    const inlay_value *r)
{
    inlay_window room[INLAY_MAX_RANK], part[INLAY_MAX_RANK];
    int rank;
    const inlay_window *w = windows_filled(outer, room, &rank);

    if (!w || rank != r->fact.rank || !inlay_node_part(r->node, v, part))
        return part_of_unknown(a, outer, v, r->node);
    return compose(a, outer, rank, w, part);
}

/* Are A and B slices of one base, the one of which ends where the other begins, or which are two
 * rows? */
static bool are_neighbours(const note_region *a, const note_region *b)
{
    return a->slice && b->slice && note_region_same(a->of, b->of) &&
           inlay_node_windows_apart(a->slice, b->slice);
}

/* Do A and B lie in parts of two operands of one node, perhaps deep in them? */
static bool lie_in_other_parts(const note_region *a, const note_region *b)
{
    for (const note_region *x = part_around(a); x; x = part_around(x->of)) {
        for (const note_region *y = part_around(b); y; y = part_around(y->of)) {
            if (x->of == y->of && x->holder == y->holder && x->held != y->held)
                return true;
        }
    }
    return false;
}

const inlay_window *note_region_bounds(const note_region *r, inlay_window *room, int *rank)
{
    for (r = around(r); r->held;)
        r = around(r->of);
    if (is_of_unknown(r)) {
        *rank = r->slice->in[0].value->fact.rank;
        return inlay_node_windows_written(r->slice, room) ||
                       inlay_node_windows_within(r->slice, room)
                   ? room
                   : NULL;
    }
    r = r->extent == NOTE_SLICE ? r->of : r;
    *rank = r->rank;
    return r->windows;
}

bool note_region_meets(const note_region *a, const note_region *b)
{
    inlay_window room_a[INLAY_MAX_RANK], room_b[INLAY_MAX_RANK];
    const inlay_window *wa, *wb;
    int rank_a, rank_b;

    leave_frames(&a, &b, false);
    if (are_neighbours(around(a), around(b)) || lie_in_other_parts(a, b))
        return false;
    wa = note_region_bounds(a, room_a, &rank_a);
    wb = note_region_bounds(b, room_b, &rank_b);
    return !wa || !wb || rank_a != rank_b || inlay_windows_meet(wa, wb, rank_a);
}

/* Do A and B select the same of one base? */
static bool same_slice(const note_region *a, const note_region *b)
{
    return inlay_node_windows_same(a->slice, b->slice) && note_region_same(a->of, b->of);
}

bool note_region_inside(const note_region *inner, const note_region *outer)
{
    inlay_window room[INLAY_MAX_RANK];
    const inlay_window *w;
    int rank;

    if (!leave_frames(&inner, &outer, true) || outer->extent == NOTE_SOME)
        return false;
    if (outer->extent == NOTE_ALL || inner == outer ||
        (inner->slice && outer->slice && same_slice(inner, outer)))
        return true;
    if (!inner->windows)
        return inner->extent != NOTE_ALL && note_region_inside(inner->of, outer);
    w = windows_filled(outer, room, &rank);
    return w && inner->rank == rank && inlay_windows_inside(inner->windows, w, rank);
}

bool note_region_same(const note_region *a, const note_region *b)
{
    if (a == b)
        return true;
    if (note_region_frame(a) != note_region_frame(b)) /* two may show one region, and alike */
        return a->extent == NOTE_ALL && b->extent == NOTE_ALL && a->of && b->of && a->strides &&
               b->strides && a->rank == b->rank &&
               inlay_windows_equal(a->windows, b->windows, a->rank) &&
               !memcmp(a->strides, b->strides, (size_t)a->rank * sizeof *a->strides) &&
               note_region_same(a->of, b->of);
    if (a->slice && b->slice)
        return same_slice(a, b);
    if (a->held || b->held)
        return a->held == b->held && a->of == b->of;
    return a->windows && b->windows && a->rank == b->rank &&
           inlay_windows_equal(a->windows, b->windows, a->rank);
}

/* Does R follow the order of the buffer? */
static bool goes_forward(const note_region *r)
{
    bool forward = r->extent == NOTE_ALL || r->windows;

    for (int i = 0; r->windows && forward && i < r->rank; i++)
        forward = r->windows[i].count <= 1 || r->windows[i].step > 0;
    return forward;
}

bool note_region_shifted(const note_region *a, const note_region *b)
{
    if (note_region_hull(a) != a || note_region_hull(b) != b)
        return false;
    if (a->slice || b->slice)
        return a->slice && b->slice && note_region_same(a->of, b->of) && goes_forward(a->of) &&
               inlay_node_windows_stepped_alike(a->slice, b->slice);
    return a->windows && b->windows && a->rank == b->rank &&
           inlay_windows_shifted(a->windows, b->windows, a->rank);
}

bool note_region_on_bytes(const note_region *r, const inlay_value *root)
{
    int bits = inlay_type_info_of(root->fact.type)->bits;
    int64_t dims[INLAY_MAX_RANK];

    if (bits >= 8 || (r->extent == NOTE_ALL && !r->of))
        return true;
    return r->windows && note_region_hull(r) == r && root->fact.rank == r->rank &&
           inlay_fact_dims(&root->fact, dims) &&
           inlay_windows_on_bytes(r->windows, r->rank, dims, bits);
}

/* Regions of buffers: makes and compares them. See region.h. */
#include "ir/graph/region.h"
#include "ir/graph/node.h"

#include <string.h>

/* Do its windows say all of R: element p lies at their p-th position? */
static bool is_plain(const inlay_region *r)
{
    return !r->slice && !r->part && !r->some;
}

bool inlay_region_is_all(const inlay_region *r)
{
    return is_plain(r) && r->windows == r->frame->all.windows;
}

bool inlay_region_is_whole(const inlay_region *r)
{
    return !r->frame->shows && inlay_region_is_all(r);
}

bool inlay_region_fills(const inlay_region *r)
{
    while (inlay_region_is_all(r) && r->frame->shows && r->frame->dense)
        r = r->frame->shows;
    return inlay_region_is_whole(r);
}

/* R in the buffer's own positions: R itself, or all that its frame shows there. */
static const inlay_region *hull(const inlay_region *r)
{
    while (r->frame->shows)
        r = r->frame->shows;
    return r;
}

/* The smallest part of unknown sizes that R is, or lies in; NULL: it lies in none. */
static const inlay_region *part_around(const inlay_region *r)
{
    while (r && !r->part)
        r = r->frame->shows;
    return r;
}

/* Frames */

/* How the elements of a view lie. */
typedef struct layout {
    bool dense, strided;
    int64_t strides[INLAY_MAX_RANK]; /* if it is strided */
    bool ordered;
    int64_t order[INLAY_MAX_RANK]; /* if it is ordered */
} layout;

/* The windows of all of V; *OUT is NULL where its sizes are not known. False: out of memory. */
static bool full_windows(inlay_arena *a, const inlay_value *v, const inlay_window **out)
{
    int64_t dims[INLAY_MAX_RANK];
    inlay_window *w;

    *out = NULL;
    if (!inlay_fact_dims(&v->fact, dims))
        return true;
    *out = w = inlay_arena_array(a, (size_t)v->fact.rank + 1, sizeof *w);
    for (int i = 0; w && i < v->fact.rank; i++)
        w[i] = (inlay_window){0, dims[i], 1};
    return w != NULL;
}

static const int64_t *kept_numbers(inlay_arena *a, const int64_t *numbers, size_t size)
{
    int64_t *copy = inlay_arena_alloc(a, size + 1);

    if (copy)
        memcpy(copy, numbers, size);
    return copy;
}

/* All of a new frame for V, which shows SHOWS, or is a buffer. */
static const inlay_region *new_frame(inlay_arena *a, const inlay_value *v,
                                     const inlay_region *shows, const layout *at)
{
    inlay_index_space *f = inlay_arena_alloc(a, sizeof *f);
    inlay_region_room room;
    size_t size = (size_t)(v->fact.rank < 0 ? 0 : v->fact.rank) * sizeof(int64_t);

    if (!f || !full_windows(a, v, &f->all.windows))
        return NULL;
    f->all.frame = f;
    f->all.rank = v->fact.rank;
    f->dense = at->dense;
    f->shows = shows;
    f->depth = shows ? shows->frame->depth + 1 : 0;
    if (f->depth > INLAY_REGION_MOST_DEEP) {
        f->shows = inlay_region_some(hull(shows), &room);
        f->shows = inlay_region_keep(a, f->shows, &room);
        f->depth = 1;
    }
    if (at->strided)
        f->strides = kept_numbers(a, at->strides, size);
    if (at->ordered && f->shows == shows)
        f->order = kept_numbers(a, at->order, size);
    return (f->shows || !shows) && (f->strides || !at->strided) &&
                   (f->order || !at->ordered || f->shows != shows)
               ? &f->all
               : NULL;
}

bool inlay_region_axes(const inlay_region *r, int64_t *dims, int64_t *strides)
{
    if (!is_plain(r) || !r->windows || !r->frame->strides)
        return false;
    for (int i = 0; i < r->rank; i++) {
        dims[i] = r->windows[i].count;
        strides[i] = r->frame->strides[i] * (dims[i] > 1 ? r->windows[i].step : 1);
    }
    return true;
}

/* A row of the first axis is dense, wherever it is, if all rows are. */
bool inlay_region_is_dense(const inlay_region *r)
{
    int64_t dims[INLAY_MAX_RANK], strides[INLAY_MAX_RANK];
    inlay_region of = *r;

    if (r->slice && inlay_node_takes_outer_row(r->slice))
        of.slice = NULL;
    if (inlay_region_is_all(&of))
        return r->frame->dense;
    return inlay_region_axes(&of, dims, strides) && inlay_strides_are_dense(r->rank, dims, strides);
}

static void set_dense(layout *at, const inlay_value *v)
{
    int64_t dims[INLAY_MAX_RANK];

    at->dense = true;
    at->strided = inlay_fact_sizes(&v->fact, dims);
    if (at->strided)
        inlay_strides_dense(v->fact.rank, dims, at->strides);
}

const inlay_region *inlay_region_whole(inlay_arena *a, const inlay_value *root)
{
    layout at = {0};

    set_dense(&at, root);
    return new_frame(a, root, NULL, &at);
}

/* V, whose elements are those at OUTER in their order, but along other axes. *SHOWN: it is known
 * that strides show it, whichever. */
static const inlay_region *reshaped(inlay_arena *a, const inlay_region *outer, const inlay_value *v,
                                    bool *shown)
{
    int64_t dims[INLAY_MAX_RANK], strides[INLAY_MAX_RANK], new_dims[INLAY_MAX_RANK];
    layout at = {0};

    if (inlay_region_is_dense(outer)) {
        set_dense(&at, v);
    } else if (inlay_region_axes(outer, dims, strides) && inlay_fact_sizes(&v->fact, new_dims)) {
        at.strided =
            inlay_strides_reshaped(outer->rank, dims, strides, v->fact.rank, new_dims, at.strides);
        at.dense = at.strided && inlay_strides_are_dense(v->fact.rank, new_dims, at.strides);
    }
    *shown = at.dense || at.strided;
    return new_frame(a, v, outer, &at);
}

/* Sets AT's order to that in which V has the axes of OUTER, or, if OUTER only has the axes of
 * another region in another order, those of that region. Returns the one or the other. */
static const inlay_region *find_order(const inlay_region *outer, const inlay_value *v, layout *at)
{
    int64_t as_they_are[INLAY_MAX_RANK];
    bool turned = inlay_region_is_all(outer) && outer->frame->order;

    for (int i = 0; i < INLAY_MAX_RANK; i++)
        as_they_are[i] = i;
    at->ordered =
        outer->rank >= 0 &&
        inlay_value_strides(v, outer->rank, turned ? outer->frame->order : as_they_are, at->order);
    return at->ordered && turned ? outer->frame->shows : outer;
}

static bool is_in_order(const layout *at, int rank)
{
    bool in_order = at->ordered;

    for (int i = 0; i < rank; i++)
        in_order = in_order && at->order[i] == i;
    return in_order;
}

/* V, which has axes of OUTER in another order, backwards, or cut. Turned back, it is what OUTER
 * shows. */
static const inlay_region *turned(inlay_arena *a, const inlay_region *outer, const inlay_value *v)
{
    int64_t dims[INLAY_MAX_RANK], strides[INLAY_MAX_RANK];
    inlay_region_room room;
    layout at = {0};

    at.strided = inlay_region_axes(outer, dims, strides) && inlay_fact_sizes(&v->fact, dims) &&
                 inlay_value_strides(v, outer->rank, strides, at.strides);
    at.dense = at.strided && inlay_strides_are_dense(v->fact.rank, dims, at.strides);
    if (inlay_op_operand(v->node->op, INLAY_ROLE_ORDER) < 0) /* it may leave out positions */
        outer = inlay_region_keep(a, inlay_region_some(outer, &room), &room);
    else
        outer = find_order(outer, v, &at);
    if (outer && is_in_order(&at, v->fact.rank))
        return outer;
    return outer ? new_frame(a, v, outer, &at) : NULL;
}

/* Making regions */

const inlay_region *inlay_region_keep(inlay_arena *a, const inlay_region *r,
                                      const inlay_region_room *room)
{
    size_t size = (size_t)r->rank * sizeof *r->windows;
    inlay_region *copy;
    inlay_window *w = NULL;

    if (r != &room->region)
        return r;
    copy = inlay_arena_alloc(a, sizeof *copy);
    if (copy)
        *copy = *r;
    if (!copy || r->windows != room->windows)
        return copy;
    copy->windows = w = inlay_arena_alloc(a, size + 1);
    if (w)
        memcpy(w, room->windows, size);
    return w ? copy : NULL;
}

/* What the windows in ROOM select of OUTER, all of whose positions are those of W, one window for
 * each of RANK axes. */
static const inlay_region *compose(const inlay_region *outer, int rank, const inlay_window *w,
                                   inlay_region_room *room)
{
    for (int i = 0; i < rank; i++)
        room->windows[i] = inlay_window_compose(w[i], room->windows[i]);
    if (inlay_windows_equal(room->windows, w, rank))
        return outer;
    room->region = (inlay_region){.frame = outer->frame, .rank = rank, .windows = room->windows};
    return &room->region;
}

const inlay_region *inlay_region_some(const inlay_region *outer, inlay_region_room *room)
{
    room->region = *outer;
    room->region.some = true;
    return &room->region;
}

const inlay_region *inlay_region_slice(const inlay_region *outer, const inlay_node *n,
                                       inlay_region_room *room)
{
    bool plain = is_plain(outer);

    if (plain && outer->windows && inlay_node_windows(n, NULL, room->windows))
        return compose(outer, outer->rank, outer->windows, room);
    if (inlay_node_writes_all(n))
        return outer;
    if (!plain)
        return inlay_region_some(outer, room);
    room->region = *outer;
    room->region.slice = n;
    if (!outer->windows)
        room->region.rank = n->in[0].value->fact.rank;
    return &room->region;
}

static const inlay_region *split(const inlay_region *outer, const inlay_value *v, int64_t begin,
                                 inlay_region_room *room)
{
    if (!is_plain(outer) || !outer->windows || v->fact.rank != outer->rank ||
        !inlay_value_cut(v, begin, room->windows))
        return inlay_region_some(outer, room);
    return compose(outer, outer->rank, outer->windows, room);
}

const inlay_region *inlay_region_view(inlay_arena *a, const inlay_region *outer,
                                      const inlay_value *v, int64_t begin, bool *shown)
{
    unsigned flags = v->node->op->flags;
    const inlay_region *r;
    inlay_region_room room;

    *shown = true;
    if (flags & INLAY_CONVERTS)
        return outer;
    if (flags & INLAY_RESHAPES) {
        r = reshaped(a, outer, v, shown);
        /* only axes of size 1 are added or left out, or V has the axes of the part that OUTER is */
        *shown = *shown || inlay_op_operand(v->node->op, INLAY_ROLE_AXES) >= 0 ||
                 inlay_value_is_shown(v);
        return r;
    }
    if (!(flags & (INLAY_CUTS | INLAY_ROWS)))
        return turned(a, outer, v);
    r = inlay_node_reads_window(v->node) ? inlay_region_slice(outer, v->node, &room)
                                         : split(outer, v, begin, &room);
    return inlay_region_keep(a, r, &room);
}

const inlay_region *inlay_region_window(inlay_arena *a, const inlay_region *outer,
                                        const inlay_value *v, const inlay_node *scatter)
{
    inlay_region_room room;
    const inlay_region *r = inlay_region_keep(a, inlay_region_slice(outer, scatter, &room), &room);
    bool shown;

    return !r || inlay_node_has_axes(scatter, v) ? r : reshaped(a, r, v, &shown);
}

/* The windows of R if all of their positions are R's; they may stand in ROOM. NULL: they are not
 * known. */
static const inlay_window *filled(const inlay_region *r, inlay_window *room)
{
    if (is_plain(r))
        return r->windows;
    return r->slice && !r->some && !r->windows && inlay_node_windows_written(r->slice, room) ? room
                                                                                             : NULL;
}

/* The part in which V stands of what lies at OUTER, of sizes that are not known. */
static const inlay_region *part_of_unknown(const inlay_region *outer, const inlay_value *v,
                                           const inlay_node *holder, inlay_region_room *room)
{
    int depth = 0;

    for (const inlay_region *p = part_around(outer); p; p = part_around(p->outer))
        depth++;
    if (depth >= INLAY_REGION_MOST_DEEP)
        return inlay_region_some(outer, room);
    room->region = (inlay_region){.frame = outer->frame,
                                  .rank = outer->rank,
                                  .part = inlay_node_shown(holder, v),
                                  .holder = holder,
                                  .outer = outer};
    return &room->region;
}

const inlay_region *inlay_region_part(inlay_arena *a, const inlay_region *outer,
                                      const inlay_value *v, const inlay_value *r)
{
    inlay_window written[INLAY_MAX_RANK];
    const inlay_window *w = filled(outer, written);
    inlay_region_room room;
    const inlay_region *part;
    bool shown;

    if (w && outer->rank == r->fact.rank && inlay_node_part(r->node, v, room.windows))
        part = compose(outer, outer->rank, w, &room);
    else
        part = part_of_unknown(outer, v, r->node, &room);
    part = inlay_region_keep(a, part, &room);
    return !part || (v->fact.rank == r->fact.rank && inlay_node_shown(r->node, v) == v)
               ? part
               : reshaped(a, part, v, &shown); /* it has other axes */
}

/* Asking */

/* Are F and G one frame? All regions that are compared are of one buffer. */
static bool same_frame(const inlay_index_space *f, const inlay_index_space *g)
{
    return f == g || (!f->shows && !g->shows);
}

/* Leaves the frames that A and B do not share: each becomes what its frame shows, which is all that
 * B is only if B fills its frame. False: *B does not, and must be FILLED. */
static bool leave_frames(const inlay_region **a, const inlay_region **b, bool filled)
{
    while (!same_frame((*a)->frame, (*b)->frame)) {
        if ((*a)->frame->depth >= (*b)->frame->depth)
            *a = (*a)->frame->shows;
        else if (filled && !inlay_region_is_all(*b))
            return false;
        else
            *b = (*b)->frame->shows;
    }
    return true;
}

/* Windows around all positions of R, in ROOM if they are no region's; NULL: not known. */
static const inlay_window *bounds(const inlay_region *r, inlay_window *room)
{
    while (r->part)
        r = r->outer;
    if (r->windows || !r->slice)
        return r->windows;
    return inlay_node_windows_written(r->slice, room) || inlay_node_windows_within(r->slice, room)
               ? room
               : NULL;
}

static inlay_box box_of(const inlay_region *r)
{
    inlay_window room[INLAY_MAX_RANK];

    return inlay_box_of(r && r->rank == r->frame->all.rank ? bounds(r, room) : NULL,
                        r ? r->rank : 0);
}

inlay_framed_box inlay_region_box(const inlay_region *r)
{
    return (inlay_framed_box){box_of(r ? hull(r) : NULL), r && r->frame->shows ? r->frame : NULL,
                              box_of(r)};
}

static bool same_windows(const inlay_region *a, const inlay_region *b)
{
    return a->rank == b->rank && !a->windows == !b->windows &&
           (!a->windows || inlay_windows_equal(a->windows, b->windows, a->rank));
}

/* Do A and B lie in slices of one base, one of which ends where the other begins, or which are two
 * rows? */
static bool are_neighbours(const inlay_region *a, const inlay_region *b)
{
    return a->slice && b->slice && same_windows(a, b) &&
           inlay_node_windows_apart(a->slice, b->slice);
}

/* Do A and B lie in parts of two operands of one node, perhaps deep in them? */
static bool lie_in_other_parts(const inlay_region *a, const inlay_region *b)
{
    for (const inlay_region *x = part_around(a); x; x = part_around(x->outer)) {
        for (const inlay_region *y = part_around(b); y; y = part_around(y->outer)) {
            if (x->outer == y->outer && x->holder == y->holder && x->part != y->part)
                return true;
        }
    }
    return false;
}

bool inlay_region_meets(const inlay_region *a, const inlay_region *b)
{
    inlay_window room_a[INLAY_MAX_RANK], room_b[INLAY_MAX_RANK];
    const inlay_window *wa, *wb;

    leave_frames(&a, &b, false);
    if (are_neighbours(a, b) || lie_in_other_parts(a, b))
        return false;
    wa = bounds(a, room_a);
    wb = bounds(b, room_b);
    return !wa || !wb || a->rank != b->rank || inlay_windows_meet(wa, wb, a->rank);
}

/* Do the slices, or parts, in which A and B lie select the same of one base? */
static bool same_selection(const inlay_region *a, const inlay_region *b)
{
    if (a->part || b->part)
        return a->part == b->part && a->holder == b->holder && a->outer == b->outer;
    return a->slice && b->slice && same_windows(a, b) &&
           inlay_node_windows_same(a->slice, b->slice);
}

bool inlay_region_inside(const inlay_region *inner, const inlay_region *outer)
{
    inlay_window room_in[INLAY_MAX_RANK], room_out[INLAY_MAX_RANK];
    const inlay_window *in, *out;

    if (!leave_frames(&inner, &outer, true) || outer->some)
        return false;
    if (inlay_region_is_all(outer) || inner == outer || same_selection(inner, outer))
        return true;
    if (inner->part && inlay_region_inside(inner->outer, outer))
        return true;
    in = bounds(inner, room_in);
    out = filled(outer, room_out);
    return in && out && inner->rank == outer->rank && inlay_windows_inside(in, out, inner->rank);
}

/* Do F and G, which show the same region, have each element of it at the same position? */
static bool show_alike(const inlay_index_space *f, const inlay_index_space *g)
{
    return f->strides && g->strides && same_windows(&f->all, &g->all) &&
           !memcmp(f->strides, g->strides, (size_t)f->all.rank * sizeof *f->strides);
}

bool inlay_region_same(const inlay_region *a, const inlay_region *b)
{
    const inlay_index_space *f = a->frame, *g = b->frame;

    if (a == b || a->some || b->some)
        return a == b;
    if (!same_frame(f, g))
        return inlay_region_is_all(a) && inlay_region_is_all(b) && f->shows && g->shows &&
               show_alike(f, g) && inlay_region_same(f->shows, g->shows);
    return is_plain(a) && is_plain(b) ? same_windows(a, b) : same_selection(a, b);
}

/* Do the windows of R follow the order of the buffer? */
static bool goes_forward(const inlay_region *r)
{
    bool forward = true;

    for (int i = 0; r->windows && forward && i < r->rank; i++)
        forward = r->windows[i].count <= 1 || r->windows[i].step > 0;
    return forward;
}

bool inlay_region_shifted(const inlay_region *a, const inlay_region *b)
{
    if (a->frame->shows || b->frame->shows || a->some || b->some)
        return false;
    if (a->slice && b->slice)
        return same_windows(a, b) && goes_forward(a) &&
               inlay_node_windows_stepped_alike(a->slice, b->slice) &&
               inlay_fact_same_shape(&a->slice->in[0].value->fact, &b->slice->in[0].value->fact);
    return is_plain(a) && is_plain(b) && a->windows && b->windows && a->rank == b->rank &&
           inlay_windows_shifted(a->windows, b->windows, a->rank);
}

bool inlay_region_on_bytes(const inlay_region *r, const inlay_value *root)
{
    int bits = inlay_type_info_of(root->fact.type)->bits;
    int64_t dims[INLAY_MAX_RANK];

    if (bits >= 8 || inlay_region_is_whole(r))
        return true;
    return is_plain(r) && r->windows && !r->frame->shows && root->fact.rank == r->rank &&
           inlay_fact_dims(&root->fact, dims) &&
           inlay_windows_on_bytes(r->windows, r->rank, dims, bits);
}

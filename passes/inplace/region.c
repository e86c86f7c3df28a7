/* Regions of slices, parts and other views. See region.h. */
#include "passes/inplace/region.h"

/* So many parts of unknown sizes are known one in another, and so many frames. */
enum { MOST_DEEP = 16 };

static bool equal_windows(const inplace_region *a, const inplace_region *b)
{
    return a->rank == b->rank && !a->windows == !b->windows &&
           (!a->windows || inlay_windows_equal(a->windows, b->windows, a->rank));
}

const inplace_region *inplace_region_hull(const inplace_region *r)
{
    while (r->frame)
        r = r->hull;
    return r;
}

static int frames_around(const inplace_region *r)
{
    int n = 0;

    for (; r->frame; r = r->hull)
        n++;
    return n;
}

/* Leaves the frames that A and B do not share: each becomes where all of its frame lies. */
static void leave_frames(const inplace_region **a, const inplace_region **b)
{
    while ((*a)->frame != (*b)->frame) {
        if (frames_around(*a) >= frames_around(*b))
            *a = (*a)->hull;
        else
            *b = (*b)->hull;
    }
}

/* Is R all of its frame, in which the elements of what is around it follow in their order: a
 * reshape, or what is computed in the place of one? */
static bool fills_reshape(const inplace_region *r)
{
    const inlay_value *v = r->frame;

    if (!v || !r->known || !r->hull->known || !r->exact || r->symbol || r->part ||
        !(v->note == INLAY_INTO || (v->node->op->flags & INLAY_RESHAPES)))
        return false;
    for (int i = 0; i < r->rank; i++) {
        if (r->windows[i].begin != 0 || r->windows[i].count != v->fact.dims[i].lo)
            return false;
    }
    return true;
}

bool inplace_region_equal(const inplace_region *a, const inplace_region *b)
{
    if (a->frame != b->frame && fills_reshape(a) && fills_reshape(b) &&
        inlay_fact_same_shape(&a->frame->fact, &b->frame->fact))
        return inplace_region_equal(a->hull, b->hull);
    if (a->frame != b->frame || !a->exact || !b->exact || !equal_windows(a, b))
        return false;
    if (a->symbol || b->symbol) /* their windows say what the symbols select from */
        return a->symbol && b->symbol && inlay_node_windows_same(a->symbol, b->symbol);
    if (a->part || b->part)
        return a->part == b->part && a->outer == b->outer;
    return a->known ? b->known : !b->known && !a->windows; /* both are all of a frame */
}

/* Are all steps of N known, and forwards? */
static bool goes_forward(const inlay_node *n)
{
    const inlay_value *steps = inlay_node_window(n, 2);
    bool forward = steps && steps->fact.known;

    for (int i = 0; forward && i < steps->fact.n_known; i++)
        forward = steps->fact.known[i].lo > 0;
    return forward;
}

/* Are the windows of R, if they are known, those of forward slices? */
static bool lies_forward(const inplace_region *r)
{
    bool forward = true;

    for (int i = 0; r->windows && forward && i < r->rank; i++)
        forward = r->windows[i].count <= 1 || r->windows[i].step > 0;
    return forward;
}

/* Do A and B select with the same steps along the same axes, whatever they begin with? */
static bool step_alike(const inlay_node *a, const inlay_node *b)
{
    if (b->op->flags & INLAY_ROWS)
        return inlay_node_windows_stepped_alike(a, b);
    return goes_forward(a) && inlay_value_same(inlay_node_window(a, 2), inlay_node_window(b, 2)) &&
           inlay_value_same(inlay_node_window(a, 3), inlay_node_window(b, 3));
}

/* Have A and B, of which only the run knows where they are, the same steps along the same axes?
 * What is moved from one to the other has as many elements as both, or the run fails. */
static bool have_same_steps(const inplace_region *a, const inplace_region *b)
{
    return a->symbol && b->symbol && a->exact && b->exact && !a->frame && !b->frame &&
           equal_windows(a, b) && lies_forward(a) && step_alike(a->symbol, b->symbol) &&
           inlay_fact_same_shape(&a->symbol->in[0].value->fact, &b->symbol->in[0].value->fact);
}

bool inplace_region_moved(const inplace_region *a, const inplace_region *b)
{
    bool moved = a->known && b->known && a->exact && b->exact && !a->symbol && !b->symbol &&
                 !a->frame && !b->frame && a->rank == b->rank;

    for (int i = 0; moved && i < a->rank; i++)
        moved = a->windows[i].count == b->windows[i].count &&
                (a->windows[i].count <= 1 ||
                 (a->windows[i].step == b->windows[i].step && a->windows[i].step > 0));
    return moved || have_same_steps(a, b);
}

/* Do A and B, of one frame, lie side by side, as the windows i:k and k:n do, or rows i and i + 1?
 */
static bool lie_side_by_side(const inplace_region *a, const inplace_region *b)
{
    return a->symbol && b->symbol && (a->exact || a->among) && (b->exact || b->among) &&
           equal_windows(a, b) && inlay_node_windows_apart(a->symbol, b->symbol);
}

/* Does R lie in what its symbol selects of all of a frame, of which the sizes are not known? EXACT:
 * it is that. */
static bool selects_of_all(const inplace_region *r, bool exact)
{
    return r->symbol && (r->exact || (r->among && !exact)) && !r->windows;
}

/* The smallest part of unknown sizes that R is, or lies in; NULL: it lies in none. */
static const inplace_region *part_around(const inplace_region *r)
{
    while (r && !r->part)
        r = r->hull;
    return r;
}

static int depth_of(const inplace_region *part)
{
    int depth = 0;

    for (; part; part = part_around(part->outer))
        depth++;
    return depth;
}

/* Do A and B lie in parts of two operands of one node, perhaps deep in them? */
static bool lie_in_other_parts(const inplace_region *a, const inplace_region *b)
{
    for (const inplace_region *x = part_around(a); x; x = part_around(x->outer)) {
        for (const inplace_region *y = part_around(b); y; y = part_around(y->outer)) {
            if (x->outer == y->outer && x->part != y->part)
                return true;
        }
    }
    return false;
}

const inlay_window *inplace_region_bounds(const inplace_region *r, inlay_window *room)
{
    while (r->part)
        r = r->outer;
    if (r->known || (r->symbol && r->windows)) /* what a symbol selects lies in its windows */
        return r->windows;
    if (!selects_of_all(r, false) || (!inlay_node_windows_written(r->symbol, room) &&
                                      !inlay_node_windows_within(r->symbol, room)))
        return NULL;
    return room;
}

bool inplace_region_meets(const inplace_region *a, const inplace_region *b)
{
    inlay_window room_a[INLAY_MAX_RANK], room_b[INLAY_MAX_RANK];
    const inlay_window *wa, *wb;

    leave_frames(&a, &b);
    if (lie_side_by_side(a, b) || lie_in_other_parts(a, b))
        return false;
    wa = inplace_region_bounds(a, room_a);
    wb = inplace_region_bounds(b, room_b);
    return !wa || !wb || a->rank != b->rank || inlay_windows_meet(wa, wb, a->rank);
}

inplace_region inplace_region_of_frame(const inplace_region *outer, const inlay_value *v,
                                       inlay_window *room)
{
    bool deep = frames_around(outer) == MOST_DEEP;
    inplace_region r = {.exact = true,
                        .rank = v->fact.rank,
                        .frame = v,
                        .hull = deep ? inplace_region_hull(outer) : outer};
    int64_t dims[INLAY_MAX_RANK];

    if (!inlay_fact_dims(&v->fact, dims))
        return r;
    for (int i = 0; i < r.rank; i++)
        room[i] = (inlay_window){0, dims[i], 1};
    r.known = true;
    r.windows = room;
    return r;
}

/* Some positions of the frame of OUTER. */
static inplace_region some_region(const inplace_region *outer)
{
    return (inplace_region){.rank = outer->rank,
                            .frame = outer->frame,
                            .hull = outer->hull,
                            .part = outer->part,
                            .outer = outer->outer};
}

/* What the windows ROOM select of what OUTER, known and exact, addresses. */
static inplace_region inner_region(const inplace_region *outer, inlay_window *room)
{
    inplace_region r = *outer;

    for (int i = 0; i < outer->rank; i++)
        room[i] = inlay_window_compose(outer->windows[i], room[i]);
    r.windows = room;
    return r;
}

inplace_region inplace_region_of_slice(const inplace_region *outer, const inlay_node *n,
                                       inlay_window *room)
{
    inplace_region r = *outer;

    if (outer->known && outer->exact && inlay_node_windows(n, NULL, room))
        return inner_region(outer, room);
    if (inlay_node_writes_all(n))
        return r;
    if (outer->symbol && (outer->exact || outer->among)) {
        r.exact = false;
        r.among = true;
        return r;
    }
    if (!r.windows) /* else they are those of OUTER, which may have other axes */
        r.rank = n->in[0].value->fact.rank;
    r.known = false;
    r.exact = outer->exact && !outer->symbol && !outer->part;
    r.symbol = n;
    return r;
}

void inplace_split_begins(const inlay_node *n, int64_t *begins)
{
    int rank = n->n_out > 0 ? n->out[0].fact.rank : -1;
    int axis = 0;
    int64_t begin = inlay_node_axis(n, rank, &axis) ? 0 : -1;

    for (int i = 0; i < n->n_out; i++) {
        const inlay_fact *f = &n->out[i].fact;

        begins[i] = begin;
        if (begin < 0 || f->rank != rank || !inlay_dim_is_static(f->dims[axis]))
            begin = -1;
        else
            begin += f->dims[axis].lo;
    }
}

static inplace_region region_of_part(const inplace_region *outer, const inlay_value *v,
                                     int64_t begin, inlay_window *room)
{
    if (!outer->known || !outer->exact || v->fact.rank != outer->rank ||
        !inlay_value_cut(v, begin, room))
        return some_region(outer);
    return inner_region(outer, room);
}

inplace_region inplace_region_of_view(const inplace_region *outer, const inlay_value *v,
                                      int64_t begin, inlay_window *room)
{
    if (!(v->node->op->flags & (INLAY_CUTS | INLAY_ROWS)))
        return inplace_region_of_frame(outer, v, room);
    return inlay_node_reads_window(v->node) ? inplace_region_of_slice(outer, v->node, room)
                                            : region_of_part(outer, v, begin, room);
}

/* The part of R, of sizes that are not known. */
static inplace_region part_of_unknown(const inplace_region *outer, const inlay_value *v,
                                      const inlay_value *r)
{
    inplace_region part = some_region(outer);

    if (depth_of(part_around(outer)) == MOST_DEEP)
        return part;
    part.part = inlay_node_shown(r->node, v);
    part.outer = outer;
    part.exact = part.part == v && v->fact.rank == outer->rank;
    return part;
}

inplace_region inplace_region_of_held(const inplace_region *outer, const inlay_value *v,
                                      const inlay_value *r, inlay_window *room)
{
    inplace_region part, whole = *outer;
    inlay_window written[INLAY_MAX_RANK];

    if (selects_of_all(outer, true) && inlay_node_windows_written(outer->symbol, written)) {
        whole.known = true;
        whole.symbol = NULL;
        whole.windows = written;
    }
    if (!whole.known || !whole.exact || whole.rank != r->fact.rank ||
        !inlay_node_part(r->node, v, room))
        return part_of_unknown(outer, v, r);
    part = inner_region(&whole, room);
    /* else it has other axes than the buffer */
    part.exact = v->fact.rank == outer->rank && inlay_node_shown(r->node, v) == v;
    return part;
}

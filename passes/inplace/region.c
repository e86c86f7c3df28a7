/* Regions of slices, parts and other views. See region.h. */
#include "passes/inplace/region.h"

static bool equal_windows(const inplace_region *a, const inplace_region *b)
{
    return a->rank == b->rank && !a->windows == !b->windows &&
           (!a->windows || inlay_windows_equal(a->windows, b->windows, a->rank));
}

const inplace_region *inplace_region_hull(const inplace_region *r)
{
    return r->frame ? r->hull : r;
}

bool inplace_region_equal(const inplace_region *a, const inplace_region *b)
{
    if (a->frame != b->frame || !a->exact || !b->exact || !equal_windows(a, b))
        return false;
    if (a->symbol || b->symbol) /* their windows say what the symbols select from */
        return a->symbol && b->symbol && inlay_node_windows_same(a->symbol, b->symbol);
    return a->known ? b->known : !b->known && !a->windows; /* both are all of a frame */
}

bool inplace_region_moved(const inplace_region *a, const inplace_region *b)
{
    bool moved = a->known && b->known && a->exact && b->exact && !a->symbol && !b->symbol &&
                 !a->frame && !b->frame && a->rank == b->rank;

    for (int i = 0; moved && i < a->rank; i++)
        moved = a->windows[i].count == b->windows[i].count &&
                (a->windows[i].count <= 1 ||
                 (a->windows[i].step == b->windows[i].step && a->windows[i].step > 0));
    return moved;
}

/* Has V one element? */
static bool is_single(const inlay_value *v)
{
    int64_t dims[INLAY_MAX_RANK];

    return v && inlay_fact_dims(&v->fact, dims) &&
           (v->fact.rank == 0 || (v->fact.rank == 1 && dims[0] == 1));
}

static bool is_one(const inlay_value *v)
{
    return !v || (v->fact.known && v->fact.n_known == 1 && v->fact.known[0].lo == 1 &&
                  v->fact.known[0].hi == 1);
}

/* Do the windows of A and B cut one axis of tensors of one shape, with steps of 1, so that B begins
 * where A ends? Both numbers are clamped alike, so that they have no position in common, whatever
 * the numbers are. */
static bool ends_at_begin(const inlay_node *a, const inlay_node *b)
{
    const inlay_value *end = inlay_node_window(a, 1), *begin = inlay_node_window(b, 0);
    const inlay_value *da = inlay_node_input(a, 0), *db = inlay_node_input(b, 0);

    return end == begin && is_single(end) && is_single(inlay_node_window(a, 0)) &&
           is_single(inlay_node_window(b, 1)) && is_one(inlay_node_window(a, 2)) &&
           is_one(inlay_node_window(b, 2)) &&
           inlay_value_same(inlay_node_window(a, 3), inlay_node_window(b, 3)) &&
           inlay_fact_same_shape(&da->fact, &db->fact);
}

/* Do A and B, of one frame, lie side by side, as the windows i:k and k:n do, or rows i and i + 1?
 */
static bool lie_side_by_side(const inplace_region *a, const inplace_region *b)
{
    return a->symbol && b->symbol && a->exact && b->exact && equal_windows(a, b) &&
           (ends_at_begin(a->symbol, b->symbol) || ends_at_begin(b->symbol, a->symbol) ||
            inlay_node_rows_apart(a->symbol, b->symbol));
}

/* Does R's symbol select of all of a frame, of which the sizes are not known? */
static bool selects_of_all(const inplace_region *r)
{
    return r->symbol && r->exact && !r->windows;
}

const inlay_window *inplace_region_bounds(const inplace_region *r, inlay_window *room)
{
    if (r->known || (r->symbol && r->windows)) /* what a symbol selects lies in its windows */
        return r->windows;
    if (!selects_of_all(r) || (!inlay_node_windows_written(r->symbol, room) &&
                               !inlay_node_windows_within(r->symbol, room)))
        return NULL;
    return room;
}

bool inplace_region_meets(const inplace_region *a, const inplace_region *b)
{
    inlay_window room_a[INLAY_MAX_RANK], room_b[INLAY_MAX_RANK];
    const inlay_window *wa, *wb;

    if (a->frame == b->frame && lie_side_by_side(a, b))
        return false;
    if (a->frame != b->frame) {
        a = inplace_region_hull(a);
        b = inplace_region_hull(b);
    }
    wa = inplace_region_bounds(a, room_a);
    wb = inplace_region_bounds(b, room_b);
    return !wa || !wb || a->rank != b->rank || inlay_windows_meet(wa, wb, a->rank);
}

/* The frame that V is, a view of what lies at OUTER. */
static inplace_region region_of_frame(const inplace_region *outer, const inlay_value *v,
                                      inlay_window *room)
{
    inplace_region r = {
        .exact = true, .rank = v->fact.rank, .frame = v, .hull = inplace_region_hull(outer)};
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
    return (inplace_region){.rank = outer->rank, .frame = outer->frame, .hull = outer->hull};
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
    r.rank = n->in[0].value->fact.rank;
    r.known = false;
    r.exact = outer->exact && !outer->symbol;
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
    int axis;

    if (!outer->known || !outer->exact || v->fact.rank != outer->rank || begin < 0 ||
        !inlay_node_axis(v->node, v->fact.rank, &axis))
        return some_region(outer);
    for (int i = 0; i < outer->rank; i++) {
        if (!inlay_dim_is_static(v->fact.dims[i]))
            return some_region(outer);
        room[i] = (inlay_window){i == axis ? begin : 0, v->fact.dims[i].lo, 1};
    }
    return inner_region(outer, room);
}

inplace_region inplace_region_of_view(const inplace_region *outer, const inlay_value *v,
                                      int64_t begin, inlay_window *room)
{
    if (!(v->node->op->flags & (INLAY_CUTS | INLAY_ROWS)))
        return region_of_frame(outer, v, room);
    return inlay_node_reads_window(v->node) ? inplace_region_of_slice(outer, v->node, room)
                                            : region_of_part(outer, v, begin, room);
}

inplace_region inplace_region_of_held(const inplace_region *outer, const inlay_value *v,
                                      const inlay_value *r, inlay_window *room)
{
    inplace_region part, whole = *outer;
    inlay_window written[INLAY_MAX_RANK];

    if (selects_of_all(outer) && inlay_node_windows_written(outer->symbol, written)) {
        whole.known = true;
        whole.symbol = NULL;
        whole.windows = written;
    }
    if (!whole.known || !whole.exact || whole.rank != r->fact.rank ||
        !inlay_node_part(r->node, v, room))
        return some_region(outer);
    part = inner_region(&whole, room);
    /* else it has other axes than the buffer */
    part.exact = v->fact.rank == outer->rank && inlay_node_shown(r->node, v) == v;
    return part;
}

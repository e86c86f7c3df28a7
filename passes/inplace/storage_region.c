/* Regions: which positions of a buffer a value addresses. */
#include "passes/inplace/storage.h"

#include <string.h>

/* The elements of a constant integer operand; false when one is not known. */
static bool known_ints(const inlay_value *v, int64_t *out, int *n)
{
    if (!v || !v->fact.known || v->fact.n_known > INLAY_MAX_RANK)
        return false;
    for (int i = 0; i < v->fact.n_known; i++) {
        if (!inlay_dim_is_static(v->fact.known[i]))
            return false;
        out[i] = v->fact.known[i].lo;
    }
    *n = v->fact.n_known;
    return true;
}

bool window_of_slice_in(const inlay_node *n, const int64_t *dims, inlay_window *out)
{
    int64_t lists[4][INLAY_MAX_RANK];
    const inlay_value *data = inlay_node_input(n, 0);
    const inlay_value *axes = inlay_node_operand(n, INLAY_ROLE_AXES);
    int counts[4] = {0};
    inlay_slice s = {0, lists[0], lists[1], lists[2], axes ? lists[3] : NULL, "step", "axes"};
    char why[8];

    for (int i = 0; i < (axes ? 4 : 3); i++) {
        if (!known_ints(inlay_node_window(n, i), lists[i], &counts[i]) || counts[i] != counts[0])
            return false;
    }
    s.n = counts[0];
    return inlay_slice_windows(&s, data->fact.rank, dims, out, why, sizeof why);
}

bool window_of_slice(const inlay_node *n, inlay_window *out)
{
    const inlay_value *data = inlay_node_input(n, 0);
    int64_t dims[INLAY_MAX_RANK];

    return data && inlay_fact_dims(&data->fact, dims) && window_of_slice_in(n, dims, out);
}

bool same_windows(const inlay_node *a, const inlay_node *b)
{
    const inlay_value *da = inlay_node_input(a, 0), *db = inlay_node_input(b, 0);
    inlay_window wa[INLAY_MAX_RANK], wb[INLAY_MAX_RANK];

    if (!da || !db || !inlay_fact_same_shape(&da->fact, &db->fact))
        return false;
    if (window_of_slice(a, wa) && window_of_slice(b, wb))
        return inlay_windows_equal(wa, wb, da->fact.rank);
    for (int i = 0; i < 4; i++) {
        if (!inlay_value_same(inlay_node_window(a, i), inlay_node_window(b, i)))
            return false;
    }
    return true;
}

static bool equal_windows(const region *a, const region *b)
{
    return a->rank == b->rank && !a->windows == !b->windows &&
           (!a->windows || inlay_windows_equal(a->windows, b->windows, a->rank));
}

bool region_equal(const region *a, const region *b)
{
    if (!a->exact || !b->exact || !equal_windows(a, b))
        return false;
    if (a->symbol || b->symbol) /* their windows say what the symbols select from */
        return a->symbol && b->symbol && same_windows(a->symbol, b->symbol);
    return a->known && b->known;
}

bool region_meets(const region *a, const region *b)
{
    return !a->known || !b->known || a->rank != b->rank ||
           inlay_windows_meet(a->windows, b->windows, a->rank);
}

static region unknown_region(const region *outer)
{
    region r = *outer;

    r.exact = false;
    return r;
}

/* The windows ROOM of what OUTER, known and exact, addresses. */
static region inner_region(const region *outer, inlay_window *room)
{
    region r = *outer;

    for (int i = 0; i < outer->rank; i++)
        room[i] = inlay_window_compose(outer->windows[i], room[i]);
    r.windows = room;
    return r;
}

region region_of_slice(const region *outer, const inlay_node *n, inlay_window *room)
{
    region r = *outer;

    if (outer->known && outer->exact && window_of_slice(n, room))
        return inner_region(outer, room);
    r.known = false;
    r.exact = outer->exact && !outer->symbol;
    r.symbol = n;
    return r;
}

/* The axis that N, a Split, cuts; -1: not known. */
static int64_t split_axis(const inlay_node *n, int rank)
{
    const inlay_fact *f = &inlay_node_operand(n, INLAY_ROLE_AXIS)->fact;
    int64_t axis;

    if (!f->known || f->n_known < 1 || !inlay_dim_is_static(f->known[0]))
        return -1;
    axis = f->known[0].lo < 0 ? f->known[0].lo + rank : f->known[0].lo;
    return axis < rank ? axis : -1;
}

void split_begins(const inlay_node *n, int64_t *begins)
{
    int rank = n->n_out > 0 ? n->out[0].fact.rank : -1;
    int64_t axis = split_axis(n, rank), begin = axis < 0 ? -1 : 0;

    for (int i = 0; i < n->n_out; i++) {
        const inlay_fact *f = &n->out[i].fact;

        begins[i] = begin;
        if (begin < 0 || f->rank != rank || !inlay_dim_is_static(f->dims[axis]))
            begin = -1;
        else
            begin += f->dims[axis].lo;
    }
}

static region region_of_part(const region *outer, const inlay_value *v, int64_t begin,
                             inlay_window *room)
{
    int64_t axis = split_axis(v->node, v->fact.rank);

    if (!outer->known || !outer->exact || v->fact.rank != outer->rank || begin < 0 || axis < 0)
        return (region){.rank = outer->rank};
    for (int i = 0; i < outer->rank; i++) {
        if (!inlay_dim_is_static(v->fact.dims[i]))
            return (region){.rank = outer->rank};
        room[i] = (inlay_window){i == axis ? begin : 0, v->fact.dims[i].lo, 1};
    }
    return inner_region(outer, room);
}

region region_of_view(const region *outer, const inlay_value *v, int64_t begin, inlay_window *room)
{
    if (inlay_node_is(v->node, INLAY_OP_SLICE))
        return region_of_slice(outer, v->node, room);
    if (v->node->op->flags & INLAY_CUTS)
        return region_of_part(outer, v, begin, room);
    return unknown_region(outer);
}

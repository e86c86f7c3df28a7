/* The layers of a buffer, and what comparing regions costs. See layers.h. */
#include "ir/notes/layers.h"
#include "ir/base/arena.h"
#include "ir/graph/work.h"

/* So many comparisons of regions one graph may cost: a file cannot ask for more. */
enum { MAX_COMPARISONS = 1 << 27 };

bool note_is_spent(note_costs *c, size_t n)
{
    size_t left = (size_t)(MAX_COMPARISONS - c->comparisons);

    n = n < left ? n : left;
    c->comparisons += (int)n;
    inlay_count_steps(c->graph, n);
    return c->comparisons == MAX_COMPARISONS;
}

bool note_meets(note_costs *c, const note_region *a, const note_region *b)
{
    return note_is_spent(c, 1) || note_region_meets(a, b);
}

bool note_inside(note_costs *c, const note_region *inner, const note_region *outer)
{
    return !note_is_spent(c, 1) && note_region_inside(inner, outer);
}

static inlay_framed_box box_of(const note_layers *l, const note_region *r)
{
    const note_region *frame = note_region_frame(r);
    inlay_window room[INLAY_MAX_RANK], own[INLAY_MAX_RANK];
    int rank, own_rank;
    const inlay_window *windows = note_region_bounds(note_region_hull(r), room, &rank);
    const inlay_window *inside = note_region_bounds(r, own, &own_rank);

    return (inlay_framed_box){inlay_box_of(rank == l->rank ? windows : NULL, rank),
                              frame->of ? frame : NULL, inlay_box_of(inside, own_rank)};
}

bool note_layers_push(note_layers *l, inlay_arena *a, const note_layer *layer)
{
    inlay_framed_box box = box_of(l, layer->where);

    if (!inlay_arena_grow(a, &l->list, l->n, &l->cap, sizeof *l->list) ||
        !inlay_box_tree_push(&l->boxes, a, &box))
        return false;
    l->list[l->n++] = *layer;
    return true;
}

void note_layers_drop(note_layers *l, const note_layer *x)
{
    inlay_box_tree_drop(&l->boxes, (size_t)(x - l->list));
}

const note_layer *note_layers_first(const note_layers *l, size_t from, const note_region *where,
                                    note_costs *c)
{
    inlay_framed_box box = box_of(l, where);

    for (size_t passed = 0; from < l->n; from++, passed = 0) {
        size_t next = inlay_box_tree_next(&l->boxes, from, &box, &passed);

        if (note_is_spent(c, passed))
            return &l->list[from];
        if (next < l->n && note_meets(c, l->list[next].where, where))
            return &l->list[next];
        from = next;
    }
    return NULL;
}

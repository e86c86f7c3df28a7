/* The layers of a buffer, and what comparing regions costs. See layers.h. */
#include "ir/notes/layers.h"
#include "ir/base/arena.h"
#include "ir/graph/work.h"

#include <string.h>

/* So many comparisons of regions one graph may cost: a file cannot ask for more. */
enum { MAX_COMPARISONS = 1 << 27 };

/* N more comparisons are paid. Is nothing left for others? */
static bool is_spent(note_costs *c, size_t n)
{
    size_t left = (size_t)(MAX_COMPARISONS - c->comparisons);

    n = n < left ? n : left;
    c->comparisons += (int)n;
    inlay_count_steps(c->graph, n);
    return c->comparisons == MAX_COMPARISONS;
}

bool note_meets(note_costs *c, const note_region *a, const note_region *b)
{
    return is_spent(c, 1) || note_region_meets(a, b);
}

bool note_inside(note_costs *c, const note_region *inner, const note_region *outer)
{
    return !is_spent(c, 1) && note_region_inside(inner, outer);
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

/* The list has room for one more layer. */
static bool grow(note_layers *l, inlay_arena *a)
{
    size_t cap = l->cap ? l->cap * 2 : 8;
    note_layer *list = inlay_arena_array(a, cap, sizeof *list);

    if (list && l->n > 0)
        memcpy(list, l->list, l->n * sizeof *list);
    l->list = list;
    l->cap = cap;
    return list != NULL;
}

bool note_layers_push(note_layers *l, inlay_arena *a, const inlay_value *v,
                      const note_region *where)
{
    inlay_framed_box box = box_of(l, where);

    if ((l->n == l->cap && !grow(l, a)) || !inlay_box_tree_push(&l->boxes, a, &box))
        return false;
    l->list[l->n++] = (note_layer){v, where};
    return true;
}

const note_layer *note_layers_first(const note_layers *l, size_t from, const note_region *where,
                                    note_costs *c)
{
    inlay_framed_box box = box_of(l, where);

    for (size_t passed = 0; from < l->n; from++, passed = 0) {
        size_t next = inlay_box_tree_next(&l->boxes, from, &box, &passed);

        if (is_spent(c, passed))
            return &l->list[from];
        if (next < l->n && note_meets(c, l->list[next].where, where))
            return &l->list[next];
        from = next;
    }
    return NULL;
}

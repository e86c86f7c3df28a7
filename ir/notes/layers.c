/* The layers of a buffer, and the limit on comparisons. See layers.h. */
#include "ir/notes/layers.h"
#include "ir/base/arena.h"
#include "ir/graph/work.h"

/* The number of comparisons for one graph; a file cannot make the checker do more. */
enum { MAX_COMPARISONS = 1 << 27 };

bool note_is_spent(note_costs *c, size_t n)
{
    size_t left = (size_t)(MAX_COMPARISONS - c->comparisons);

    n = n < left ? n : left;
    c->comparisons += (int)n;
    inlay_count_steps(c->graph, n);
    return c->comparisons == MAX_COMPARISONS;
}

bool note_meets(note_costs *c, const inlay_region *a, const inlay_region *b)
{
    return note_is_spent(c, 1) || inlay_region_meets(a, b);
}

bool note_inside(note_costs *c, const inlay_region *inner, const inlay_region *outer)
{
    return !note_is_spent(c, 1) && inlay_region_inside(inner, outer);
}

bool note_layers_push(note_layers *l, inlay_arena *a, const note_layer *layer)
{
    inlay_framed_box box = inlay_region_box(layer->where);

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

const note_layer *note_layers_first(const note_layers *l, size_t from, const inlay_region *where,
                                    note_costs *c)
{
    inlay_framed_box box = inlay_region_box(where);

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

/* The layers of a buffer, with an index: a binary tree of boxes that has the layers as its leaves.
 * A box is around the windows of all layers below it, so that a search passes by all of them at
 * once when the box lies elsewhere.
 *
 *     rows 0..7 ─┬─ rows 0..3 ─┬─ layer 0: rows 0..1
 *                │             └─ layer 1: rows 2..3
 *                └─ rows 5..7 ─── layer 2: rows 5..7
 */
#include "ir/notes/layers.h"
#include "ir/base/arena.h"
#include "ir/graph/work.h"
#include "ir/tensor/window.h"

#include <string.h>

/* So many comparisons of regions one graph may cost: a file cannot ask for more. */
enum { MAX_COMPARISONS = 1 << 27 };

/* From lo to hi on each of the first axes; empty where some lo is above its hi. */
enum { BOX_AXES = 3 };
struct note_box {
    int64_t lo[BOX_AXES], hi[BOX_AXES];
};

static bool is_spent(note_costs *c)
{
    if (c->comparisons < MAX_COMPARISONS) {
        c->comparisons++;
        inlay_count_steps(c->graph, 1);
    }
    return c->comparisons == MAX_COMPARISONS;
}

bool note_meets(note_costs *c, const note_region *a, const note_region *b)
{
    return is_spent(c) || note_region_meets(a, b);
}

bool note_inside(note_costs *c, const note_region *inner, const note_region *outer)
{
    return !is_spent(c) && note_region_inside(inner, outer);
}

/* The box around R, which is around all positions when those of R are not known. */
static struct note_box box_of(const note_layers *l, const note_region *r)
{
    const note_region *all = note_region_hull(r);
    bool known = all->known && all->rank == l->rank;
    struct note_box box;

    for (int i = 0; i < BOX_AXES; i++) {
        const inlay_window *w = known && i < all->rank ? &all->windows[i] : NULL;
        int64_t last = w ? w->begin + w->step * (w->count - 1) : 0;

        if (!w) {
            box.lo[i] = INT64_MIN;
            box.hi[i] = INT64_MAX;
        } else {
            box.lo[i] = w->begin < last ? w->begin : last;
            box.hi[i] = w->begin < last ? last : w->begin;
        }
    }
    return box;
}

static bool boxes_meet(const struct note_box *a, const struct note_box *b)
{
    for (int i = 0; i < BOX_AXES; i++) {
        if (a->lo[i] > b->hi[i] || b->lo[i] > a->hi[i])
            return false;
    }
    return true;
}

/* Makes box I, and all above it, large enough to hold BOX too. */
static void widen(note_layers *l, size_t i, const struct note_box *box)
{
    for (; i > 0; i /= 2) {
        struct note_box *b = &l->boxes[i];

        for (int k = 0; k < BOX_AXES; k++) {
            b->lo[k] = box->lo[k] < b->lo[k] ? box->lo[k] : b->lo[k];
            b->hi[k] = box->hi[k] > b->hi[k] ? box->hi[k] : b->hi[k];
        }
    }
}

static bool grow(note_layers *l, inlay_arena *a)
{
    static const struct note_box nothing = {{INT64_MAX, INT64_MAX, INT64_MAX},
                                            {INT64_MIN, INT64_MIN, INT64_MIN}};
    size_t cap = l->cap ? l->cap * 2 : 8;
    note_layer *list = inlay_arena_array(a, cap, sizeof *list);

    l->boxes = inlay_arena_array(a, 2 * cap, sizeof *l->boxes);
    if (!list || !l->boxes)
        return false;
    for (size_t i = 0; i < 2 * cap; i++)
        l->boxes[i] = nothing;
    if (l->n > 0)
        memcpy(list, l->list, l->n * sizeof *list);
    l->list = list;
    l->cap = cap;
    for (size_t i = 0; i < l->n; i++) {
        struct note_box box = box_of(l, list[i].where);

        widen(l, cap + i, &box);
    }
    return true;
}

bool note_layers_push(note_layers *l, inlay_arena *a, const inlay_value *v,
                      const note_region *where)
{
    struct note_box box = box_of(l, where);

    if (l->n == l->cap && !grow(l, a))
        return false;
    l->list[l->n] = (note_layer){v, where};
    widen(l, l->cap + l->n++, &box);
    return true;
}

/* The first layer from number `from` on that meets `where`, whose box is `box`. */
typedef struct search {
    const note_layers *l;
    note_costs *costs;
    const note_region *where;
    struct note_box box;
    size_t from;
} search;

/* The first layer that is searched among the WIDTH layers from LEFT on, which are those below box
 * I. The tree is as deep as the number of layers has bits. */
static const note_layer *find(const search *s, size_t i, size_t left, size_t width)
{
    const note_layer *found;

    if (left + width <= s->from || left >= s->l->n ||
        (!boxes_meet(&s->l->boxes[i], &s->box) && !is_spent(s->costs)))
        return NULL;
    if (width == 1)
        return note_meets(s->costs, s->l->list[left].where, s->where) ? &s->l->list[left] : NULL;
    found = find(s, 2 * i, left, width / 2);
    return found ? found : find(s, 2 * i + 1, left + width / 2, width / 2);
}

const note_layer *note_layers_first(const note_layers *l, size_t from, const note_region *where,
                                    note_costs *c)
{
    search s = {l, c, where, box_of(l, where), from};

    return from < l->n ? find(&s, 1, 0, l->cap) : NULL;
}

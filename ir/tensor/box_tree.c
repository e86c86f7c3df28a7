/* An index over boxes. See box_tree.h. */
#include "ir/tensor/box_tree.h"

/* Enlarges box I, and all boxes above it, so that they contain BOX. */
static void widen(inlay_box_tree *t, size_t i, const inlay_framed_box *box)
{
    for (; i > 0; i /= 2)
        inlay_framed_add(&t->boxes[i], box);
}

/* Doubles the capacity of T. */
static bool grow(inlay_box_tree *t, inlay_arena *a)
{
    const inlay_framed_box *leaves = t->boxes ? t->boxes + t->cap : NULL;
    size_t cap = t->cap ? t->cap * 2 : 8;
    inlay_framed_box *boxes = inlay_arena_array(a, 2 * cap, sizeof *boxes);

    if (!boxes)
        return false;
    for (size_t i = 0; i < 2 * cap; i++)
        boxes[i] = inlay_framed_nothing();
    t->boxes = boxes;
    t->cap = cap;
    for (size_t i = 0; i < t->n; i++)
        widen(t, cap + i, &leaves[i]);
    return true;
}

bool inlay_box_tree_push(inlay_box_tree *t, inlay_arena *a, const inlay_framed_box *box)
{
    if (t->n == t->cap && !grow(t, a))
        return false;
    widen(t, t->cap + t->n++, box);
    return true;
}

void inlay_box_tree_drop(inlay_box_tree *t, size_t i)
{
    t->boxes[t->cap + i] = inlay_framed_nothing();
    for (i = (t->cap + i) / 2; i > 0; i /= 2) {
        t->boxes[i] = t->boxes[2 * i];
        inlay_framed_add(&t->boxes[i], &t->boxes[2 * i + 1]);
    }
}

/* What is searched for, from entry `from` on. */
typedef struct search {
    const inlay_box_tree *t;
    const inlay_framed_box *box;
    size_t from, *passed;
} search;

/* Returns the first matching one of the WIDTH entries from LEFT on, which are those below box I.
 * Recursive, as deep as the number of bits in the number of entries. */
static size_t find(const search *s, size_t i, size_t left, size_t width)
{
    size_t found;

    if (left + width <= s->from || left >= s->t->n)
        return s->t->n;
    if (!inlay_framed_meet(&s->t->boxes[i], s->box)) {
        ++*s->passed;
        return s->t->n;
    }
    if (width == 1)
        return left;
    found = find(s, 2 * i, left, width / 2);
    return found < s->t->n ? found : find(s, 2 * i + 1, left + width / 2, width / 2);
}

size_t inlay_box_tree_next(const inlay_box_tree *t, size_t from, const inlay_framed_box *box,
                           size_t *passed)
{
    search s = {t, box, from, passed};

    return from < t->n ? find(&s, 1, 0, t->cap) : t->n;
}

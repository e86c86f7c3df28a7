/* An index over time of reads or writes: a tree whose leaves are places and whose nodes bound what
 * lies below them, so that a search passes by what is elsewhere in the buffer. See storage.h. */
#include "passes/inplace/storage.h"

#include <stdlib.h>

bool spans_begin(span_index *x, size_t n_places, uint64_t *looks)
{
    x->n = 1;
    x->looks = looks;
    while (x->n < n_places)
        x->n *= 2;
    x->at = calloc(2 * x->n, sizeof *x->at);
    return x->at != NULL;
}

void spans_end(span_index *x)
{
    free(x->at);
}

/* From place I of the tree downward, as many levels as the number of places has bits. */
static void clear_below(span_index *x, size_t i)
{
    if (!x->at[i].any)
        return;
    ++*x->looks;
    x->at[i] = (span){0};
    if (i < x->n) {
        clear_below(x, 2 * i);
        clear_below(x, 2 * i + 1);
    }
}

void spans_clear(span_index *x)
{
    clear_below(x, 1);
}

void span_of_region(const region *r, span *out)
{
    *out = (span){.any = true, .before = SIZE_MAX};
    out->box = query_box_of(r->known ? r->windows : NULL, r->rank);
}

static void add(span *all, const span *one)
{
    if (!one->any)
        return;
    if (!all->any) {
        *all = *one;
        return;
    }
    query_box_add(&all->box, &one->box);
    all->version = one->version < all->version ? one->version : all->version;
    all->before = one->before > all->before ? one->before : all->before;
}

static bool equal(const span *a, const span *b)
{
    if (!a->any || !b->any)
        return a->any == b->any;
    return query_boxes_equal(&a->box, &b->box) && a->version == b->version &&
           a->before == b->before;
}

/* Stops where a group of places bounds what it did before: so do all groups that hold it. */
void spans_set(span_index *x, size_t place, const span *s)
{
    size_t i = x->n + place;
    span now = *s;

    while (i > 0 && !equal(&x->at[i], &now)) {
        ++*x->looks;
        x->at[i] = now;
        now = x->at[i & ~(size_t)1];
        if (i > 1)
            add(&now, &x->at[i | 1]);
        i /= 2;
    }
}

static bool may_be(const span *s, const span *wanted)
{
    return s->any && s->version < wanted->version && s->before > wanted->before &&
           query_boxes_meet(&s->box, &wanted->box);
}

/* From the leaf of FROM on: what is not there is not below its node either, so that the next to be
 * looked at is its right neighbour, or that of the first node above it that is a left one. Node I
 * covers WIDTH places. */
size_t spans_next(const span_index *x, size_t from, size_t to, const span *wanted)
{
    size_t i = x->n + from, width = 1;

    if (!wanted->any)
        return SIZE_MAX;
    while (from < to && from < x->n) {
        ++*x->looks;
        if (may_be(&x->at[i], wanted)) {
            if (width == 1)
                return from;
            i *= 2;
            width /= 2;
            continue;
        }
        for (from += width; i % 2 == 1 && i > 1; width *= 2)
            i /= 2;
        i++;
    }
    return SIZE_MAX;
}

/* The tree of spans. See spans.h. */
#include "passes/inplace/spans.h"
#include "ir/shared.h"

#include <stdlib.h>

bool inplace_spans_begin(inplace_span_index *x, inlay_budget *budget, size_t n_places,
                         uint64_t *steps)
{
    x->n = 1;
    x->steps = steps;
    while (x->n < n_places)
        x->n *= 2;
    x->at = inlay_take(budget, 2 * x->n, sizeof *x->at);
    return x->at != NULL;
}

void inplace_spans_end(inplace_span_index *x)
{
    inlay_give(x->at);
}

/* Clears span I and all below it. The recursion is as deep as the tree: log2 of the number of
 * places. */
static void clear_below(inplace_span_index *x, size_t i)
{
    if (!x->at[i].any)
        return;
    ++*x->steps;
    x->at[i] = (inplace_span){0};
    if (i < x->n) {
        clear_below(x, 2 * i);
        clear_below(x, 2 * i + 1);
    }
}

void inplace_spans_clear(inplace_span_index *x)
{
    clear_below(x, 1);
}

static void add(inplace_span *all, const inplace_span *one)
{
    if (!one->any)
        return;
    if (!all->any) {
        *all = *one;
        return;
    }
    inlay_framed_add(&all->box, &one->box);
    all->version = one->version < all->version ? one->version : all->version;
    all->fence = one->fence > all->fence ? one->fence : all->fence;
}

static bool equal(const inplace_span *a, const inplace_span *b)
{
    if (!a->any || !b->any)
        return a->any == b->any;
    return inlay_framed_equal(&a->box, &b->box) && a->version == b->version && a->fence == b->fence;
}

/* Goes up from the leaf and stops at the first span that does not change, because then no span
 * above it does. */
void inplace_spans_set(inplace_span_index *x, size_t place, const inplace_span *s)
{
    size_t i = x->n + place;
    inplace_span now = *s;

    while (i > 0 && !equal(&x->at[i], &now)) {
        ++*x->steps;
        x->at[i] = now;
        now = x->at[i & ~(size_t)1];
        if (i > 1)
            add(&now, &x->at[i | 1]);
        i /= 2;
    }
}

static bool may_hold(const inplace_span *s, const inplace_span_query *wanted)
{
    return s->any && s->version < wanted->version_below && s->fence > wanted->fence_above &&
           inlay_framed_meet(&s->box, &wanted->box);
}

bool inplace_spans_hold(const inplace_span_index *x, size_t place, const inplace_span_query *wanted)
{
    return may_hold(&x->at[x->n + place], wanted);
}

/* Span I covers WIDTH places from FROM on. If it may match, the search continues in its left half.
 * Otherwise it continues at the next span to the right: the right neighbour of I, or, if I is a
 * right half, of the first span above it that is a left half. */
size_t inplace_spans_next(const inplace_span_index *x, size_t from, size_t to,
                          const inplace_span_query *wanted)
{
    size_t i = x->n + from, width = 1;

    while (from < to && from < x->n) {
        ++*x->steps;
        if (may_hold(&x->at[i], wanted)) {
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

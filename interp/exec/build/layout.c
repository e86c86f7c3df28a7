/* Assigns offsets in an arena to blocks; blocks that have an offset already keep it. Three orders are
 * tried, and the smallest arena wins. The first is the order of time: each block goes into the
 * smallest gap that fits (best fit). The second is by size: the largest block goes first, into the
 * lowest gap among the blocks alive at the same time (first fit). It is tried if the first result
 * is above the lower bound and there are not too many blocks; and again, with the block that came
 * to lie at the end now placed first, as long as that may help (of few blocks). The third, tried
 * alike, is by the end: what is there the longest goes first. */
#include "interp/exec/build/layout.h"
#include "ir/shared.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_BY_SIZE = 3000,
    MOST_AGAIN = 1 << 21, /* pairs of blocks that are looked at when they are placed again */
    ROUNDS = 16,
    MOST_GAPS = 512 /* the smallest one is forgotten then, to keep searches short */
};

/* Gaps of free bytes, in the order of offsets; beyond the last gap everything is free. */
struct gap {
    uint64_t begin, end;
};

struct gaps {
    struct gap *list;
    size_t n;
    uint64_t end; /* of the bytes used so far */
};

static uint64_t take_gap(struct gaps *g, uint64_t bytes)
{
    size_t best = g->n;
    uint64_t at;

    for (size_t i = 0; i < g->n; i++) {
        uint64_t size = g->list[i].end - g->list[i].begin;

        if (size >= bytes && (best == g->n || size < g->list[best].end - g->list[best].begin))
            best = i;
    }
    if (best == g->n) { /* no gap fits: at the end, or in the last gap if that reaches the end */
        bool last = g->n > 0 && g->list[g->n - 1].end == g->end;

        at = last ? g->list[g->n - 1].begin : g->end;
        g->n -= last;
        g->end = at + bytes;
        return at;
    }
    at = g->list[best].begin;
    g->list[best].begin += bytes;
    if (g->list[best].begin == g->list[best].end) {
        memmove(&g->list[best], &g->list[best + 1], (g->n - best - 1) * sizeof *g->list);
        g->n--;
    }
    return at;
}

static void forget_smallest(struct gaps *g)
{
    size_t least = 0;

    for (size_t i = 1; i < g->n; i++) {
        if (g->list[i].end - g->list[i].begin < g->list[least].end - g->list[least].begin)
            least = i;
    }
    memmove(&g->list[least], &g->list[least + 1], (g->n - least - 1) * sizeof *g->list);
    g->n--;
}

/* Adds the free bytes to the gaps. The list has room for one gap more than there are blocks. */
static void give_gap(struct gaps *g, uint64_t begin, uint64_t bytes)
{
    size_t i = g->n;

    if (bytes == 0)
        return;
    while (i > 0 && g->list[i - 1].begin > begin)
        i--;
    if (i > 0 && g->list[i - 1].end == begin) {
        g->list[i - 1].end += bytes;
        if (i < g->n && g->list[i - 1].end == g->list[i].begin) {
            g->list[i - 1].end = g->list[i].end;
            memmove(&g->list[i], &g->list[i + 1], (g->n - i - 1) * sizeof *g->list);
            g->n--;
        }
        return;
    }
    if (i < g->n && g->list[i].begin == begin + bytes) {
        g->list[i].begin = begin;
        return;
    }
    memmove(&g->list[i + 1], &g->list[i], (g->n - i) * sizeof *g->list);
    g->list[i] = (struct gap){begin, begin + bytes};
    g->n++;
    if (g->n > MOST_GAPS)
        forget_smallest(g);
}

static int by_first(const void *a, const void *b)
{
    const layout_block *x = *(layout_block *const *)a, *y = *(layout_block *const *)b;

    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    return (x > y) - (x < y);
}

static int by_last(const void *a, const void *b)
{
    const layout_block *x = *(layout_block *const *)a, *y = *(layout_block *const *)b;

    return (x->last > y->last) - (x->last < y->last);
}

/* Compares by size, but blocks that have an offset already come first. */
static int by_bytes(const void *a, const void *b)
{
    const layout_block *x = *(layout_block *const *)a, *y = *(layout_block *const *)b;

    if (x->fixed != y->fixed)
        return x->fixed ? -1 : 1;
    return x->bytes != y->bytes ? (x->bytes > y->bytes ? -1 : 1) : by_first(a, b);
}

/* Compares by the end, the last one first, likewise. */
static int by_end(const void *a, const void *b)
{
    const layout_block *x = *(layout_block *const *)a, *y = *(layout_block *const *)b;

    return x->fixed || y->fixed || x->last == y->last ? by_bytes(a, b) : x->last > y->last ? -1 : 1;
}

static int by_offset(const void *a, const void *b)
{
    const layout_block *x = *(layout_block *const *)a, *y = *(layout_block *const *)b;

    return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Lists the gaps between the blocks that have an offset already. SORTED has room for N. */
static void begin_gaps(layout_block *list, size_t n, layout_block **sorted, struct gaps *g)
{
    size_t n_fixed = 0;

    for (size_t i = 0; i < n; i++) {
        if (list[i].fixed)
            sorted[n_fixed++] = &list[i];
    }
    if (n_fixed > 0)
        qsort(sorted, n_fixed, sizeof *sorted, by_offset);
    for (size_t i = 0; i < n_fixed; i++) {
        const layout_block *b = sorted[i];

        if (b->offset > g->end)
            give_gap(g, g->end, b->offset - g->end);
        if (b->offset + b->bytes > g->end)
            g->end = b->offset + b->bytes;
    }
}

static uint64_t counted(const layout_block *b)
{
    return b->idle ? 0 : b->bytes;
}

/* Places blocks in the order of time: blocks that end before a time are freed before those that
 * begin then are placed. */
static void in_time(layout_block **begin, layout_block **end, size_t n, struct gaps *g, layout *out)
{
    uint64_t now = 0;
    size_t done = 0;

    for (size_t i = 0; i < n; i++) {
        for (; end[done]->last < begin[i]->first; done++) {
            give_gap(g, end[done]->offset, end[done]->bytes);
            now -= counted(end[done]);
        }
        if (!begin[i]->fixed)
            begin[i]->offset = take_gap(g, begin[i]->bytes);
        now += counted(begin[i]);
        if (now > out->bound) {
            out->bound = now;
            out->at = begin[i]->first;
        }
    }
    out->bytes = g->end;
}

static bool alive_together(const layout_block *a, const layout_block *b)
{
    return a->first <= b->last && b->first <= a->last;
}

/* Returns the lowest free offset for B, given the N blocks placed so far, which are in the order of
 * offsets in PLACED. */
static uint64_t first_gap(const layout_block *b, const size_t *order, size_t n,
                          layout_block *const *placed, const uint64_t *offset)
{
    uint64_t at = 0;

    for (size_t i = 0; i < n; i++) {
        const layout_block *p = placed[order[i]];

        if (!alive_together(b, p))
            continue;
        if (offset[order[i]] >= at && offset[order[i]] - at >= b->bytes)
            break;
        if (offset[order[i]] + p->bytes > at)
            at = offset[order[i]] + p->bytes;
    }
    return at;
}

/* Places the blocks of LIST in its order; OFFSET receives their offsets. Returns how many bytes they
 * take; *TOP is the block that lies at the end. */
static uint64_t in_order(layout_block *const *list, size_t n, uint64_t *offset, size_t *order,
                         size_t *top)
{
    uint64_t end = 0;

    *top = 0;
    for (size_t i = 0; i < n; i++) {
        size_t k = i;

        offset[i] = list[i]->fixed ? list[i]->offset : first_gap(list[i], order, i, list, offset);
        if (offset[i] + list[i]->bytes > end) {
            end = offset[i] + list[i]->bytes;
            *top = i;
        }
        for (; k > 0 && offset[order[k - 1]] > offset[i]; k--)
            order[k] = order[k - 1];
        order[k] = i;
    }
    return end;
}

/* Moves block number I of LIST to the front, behind those whose offsets are given. */
static void put_first(layout_block **list, size_t i)
{
    layout_block *b = list[i];

    for (; i > 0 && !list[i - 1]->fixed; i--)
        list[i] = list[i - 1];
    list[i] = b;
}

static bool round_up(layout_block *list, size_t n)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < n; i++) {
        uint64_t bytes = list[i].bytes;

        if (bytes > UINT64_MAX / 2 || (bytes += LAYOUT_LINE - 1) > UINT64_MAX / 2 - sum)
            return false;
        list[i].bytes = bytes - bytes % LAYOUT_LINE;
        sum += list[i].bytes;
    }
    return true;
}

/* Places the blocks in the order of COMPARE, and again as long as it may help; keeps the best. */
static bool try_in_order(layout_block **list, size_t n, int (*compare)(const void *, const void *),
                         inlay_arena *scratch, layout *out)
{
    uint64_t *offset = inlay_arena_array(scratch, n, sizeof *offset), end;
    size_t *order = inlay_arena_array(scratch, n, sizeof *order), top, rounds = MOST_AGAIN / n / n;
    bool ok = offset && order;

    qsort(list, n, sizeof *list, compare);
    for (size_t r = 0; ok && r <= rounds && r <= ROUNDS && out->bytes > out->bound; r++) {
        end = in_order(list, n, offset, order, &top);
        if (end < out->bytes) {
            out->bytes = end;
            for (size_t i = 0; i < n; i++)
                list[i]->offset = offset[i];
        }
        if (list[top]->fixed)
            break;
        put_first(list, top);
    }
    return ok;
}

bool layout_make(layout_block *list, size_t n, inlay_arena *scratch, layout *out)
{
    layout_block **begin = inlay_arena_array(scratch, n + 1, sizeof *begin);
    layout_block **end = inlay_arena_array(scratch, n + 1, sizeof *end);
    struct gaps g = {.list = inlay_arena_array(scratch, n + 2, sizeof *g.list)};
    bool ok = begin && end && g.list && round_up(list, n);

    *out = (layout){0};
    if (ok)
        begin_gaps(list, n, begin, &g);
    for (size_t i = 0; ok && i < n; i++)
        begin[i] = end[i] = &list[i];
    if (ok && n > 0) {
        qsort(begin, n, sizeof *begin, by_first);
        qsort(end, n, sizeof *end, by_last);
        in_time(begin, end, n, &g, out);
        ok = out->bytes == out->bound || n > MOST_BY_SIZE ||
             (try_in_order(begin, n, by_bytes, scratch, out) &&
              try_in_order(begin, n, by_end, scratch, out));
    }
    return ok;
}

/* What the notes cost in memory: a buffer of several values lives from the first of them to the
 * last, so that a run may hold more at its fullest than if some were copied.
 *
 *     moment 1   %a = Exp(%x)            into c: c is there from here on, half of it unused
 *     moment 2   %t = MatMul(%a, ...)    the fullest moment: a, t and the other half of c
 *     ...
 *     moment 8   %b = Tanh(%s)           into c
 *     moment 9   %c = Concat(%a, %b)
 *
 * Notes that only fill such a gap are given up until the run holds no more than without any. What
 * is held is judged by sizes and moments alone, as a run would hold it that frees a buffer behind
 * its last reader, with no room lost between buffers. */
#include "passes/inplace/peak.h"
#include "ir/shared.h"
#include "passes/inplace/attempt.h"
#include "passes/inplace/chain.h"

#include <stdlib.h>

enum {
    MAX_GAPS = 64, /* looked at for one decision on all notes */
    PAGE = 4096    /* bytes: a peak that is higher by no more than that needs no more memory */
};

/* From the moment FIRST to LAST, both included; LAST 0: it holds nothing. */
typedef struct life {
    size_t first, last;
} life;

/* By slot of a value: */
typedef struct lives {
    inplace_pass *p;
    size_t end;       /* the moment behind all nodes */
    life *own;        /* in a buffer of its own */
    life *shared;     /* of roots: of the buffer, by the notes */
    uint64_t *filled; /* of roots: the bytes that its members would hold at one moment */
    int64_t *change;  /* by moment: bytes that come and go */
} lives;

static size_t slot_of(const lives *x, const inlay_value *v)
{
    return x->p->s.aliases.first_slot[v->node->id] + (size_t)v->index;
}

static const inlay_value *root_of(const lives *x, const inlay_value *v)
{
    return inplace_storage_root(&x->p->s, v);
}

/* The bytes that a run allocates for V: none for what is there before, and none for what lies
 * between two pointwise nodes, which a run computes together. */
static uint64_t made_bytes(const inlay_value *v)
{
    const inlay_node *reader = v->uses && !v->uses->next ? v->uses->node : NULL;
    bool outside = inlay_node_is(v->node, INLAY_OP_CONST) ||
                   inlay_node_is(v->node, INLAY_OP_PARAMETER) ||
                   inlay_node_is(v->node, INLAY_OP_READ_VALUE);
    bool between = reader && inplace_is_pointwise(v->node) && inplace_is_pointwise(reader) &&
                   inlay_fact_same_shape(&v->fact, &reader->out[0].fact);

    return outside || between ? 0 : inplace_bytes_of(v);
}

/* The value whose buffer V has even without notes: reshapes copy nothing. */
static const inlay_value *unshaped(const inlay_value *v)
{
    while (v->note == INLAY_VIEW_OF && (v->node->op->flags & INLAY_RESHAPES))
        v = v->note_target;
    return v;
}

static size_t last_moment(const lives *x, const inlay_value *v)
{
    size_t last = inplace_moment(&x->p->s.order, v->node);

    for (const inlay_use *u = v->uses; u; u = u->next) {
        size_t at =
            (u->node->op->flags & INLAY_SINK) ? x->end : inplace_moment(&x->p->s.order, u->node);

        last = at > last ? at : last;
    }
    return last;
}

static void widen(life *l, size_t first, size_t last)
{
    l->first = l->last == 0 || first < l->first ? first : l->first;
    l->last = last > l->last ? last : l->last;
}

typedef void each_fn(lives *x, const inlay_value *v, size_t at);

static void for_each_value(lives *x, each_fn *fn, size_t at)
{
    const inlay_order_list *order = &x->p->s.order.list;

    x->p->s.steps += order->n;
    for (size_t i = 0; i < order->n; i++) {
        for (int k = 0; k < order->nodes[i]->n_out; k++)
            fn(x, &order->nodes[i]->out[k], at);
    }
}

static void live(lives *x, const inlay_value *v, size_t at)
{
    size_t first = inplace_moment(&x->p->s.order, v->node), last = last_moment(x, v);

    (void)at;
    widen(&x->own[slot_of(x, unshaped(v))], first, last);
    widen(&x->shared[slot_of(x, root_of(x, v))], first, last);
}

static void count(lives *x, const life *l, uint64_t bytes)
{
    if (l->last == 0)
        return;
    x->change[l->first] += (int64_t)bytes;
    x->change[l->last + 1] -= (int64_t)bytes;
}

static void count_own(lives *x, const inlay_value *v, size_t at)
{
    (void)at;
    count(x, &x->own[slot_of(x, v)], made_bytes(v));
}

static void count_shared(lives *x, const inlay_value *v, size_t at)
{
    (void)at;
    if (root_of(x, v) == v)
        count(x, &x->shared[slot_of(x, v)], made_bytes(v));
}

/* Returns the most that is held; *AT receives the moment. */
static uint64_t peak(lives *x, each_fn *counted, size_t *at)
{
    int64_t now = 0, most = 0;

    for_each_value(x, counted, 0);
    *at = 0;
    for (size_t i = 0; i <= x->end; i++) {
        now += x->change[i];
        if (now > most) {
            most = now;
            *at = i;
        }
        x->change[i] = 0;
    }
    x->change[x->end + 1] = 0;
    return (uint64_t)most;
}

static bool covers(const life *l, size_t at)
{
    return l->last > 0 && l->first <= at && at <= l->last;
}

static void fill(lives *x, const inlay_value *v, size_t at)
{
    if (covers(&x->own[slot_of(x, v)], at))
        x->filled[slot_of(x, root_of(x, v))] += made_bytes(v);
}

/* The bytes of the buffer of ROOT that no value needs at that moment. */
static uint64_t gap_of(const lives *x, const inlay_value *root, size_t at)
{
    size_t slot = slot_of(x, root);
    uint64_t bytes = covers(&x->shared[slot], at) ? made_bytes(root) : 0;

    return bytes > x->filled[slot] ? bytes - x->filled[slot] : 0;
}

/* Returns the value of the largest gap at that moment; NULL: there is none. */
static const inlay_value *largest_gap(const lives *x, size_t at)
{
    const inlay_order_list *order = &x->p->s.order.list;
    const inlay_value *largest = NULL;
    uint64_t most = 0;

    for (size_t i = 0; i < order->n; i++) {
        for (int k = 0; k < order->nodes[i]->n_out; k++) {
            const inlay_value *v = &order->nodes[i]->out[k];
            uint64_t gap = root_of(x, v) == v ? gap_of(x, v, at) : 0;

            largest = gap > most ? v : largest;
            most = gap > most ? gap : most;
        }
    }
    return largest;
}

/* Marks the notes by which the buffer of ROOT is there at that moment: it is allocated for values
 * that are made before what they are computed into, or kept for views that are read later. Returns
 * whether there are any that were not marked. */
static bool mark(lives *x, const inlay_value *root, size_t at, bool *costly)
{
    size_t n = inplace_list_members(&x->p->s.aliases, (inlay_value *)root);
    bool any = false;

    for (size_t i = 0; i < n; i++) {
        const inlay_value *v = x->p->s.aliases.list[i], *to = v->note_target;
        size_t made = inplace_moment(&x->p->s.order, v->node);
        bool early =
            v->note == INLAY_INTO && made <= at && at < inplace_moment(&x->p->s.order, to->node);
        bool late = v->note == INLAY_VIEW_OF && unshaped(v) == v && made <= at;

        if (!early && !late)
            continue;
        any = any || !costly[v->node->id];
        costly[v->node->id] = true;
    }
    return any;
}

static bool make_lives(lives *x, inplace_pass *p)
{
    const inlay_graph *g = p->s.order.g;
    size_t slots = p->s.aliases.n_slots;

    *x = (lives){.p = p, .end = p->s.order.list.n + 1};
    x->own = inlay_take(inlay_graph_budget(g), slots + 1, sizeof *x->own);
    x->shared = inlay_take(inlay_graph_budget(g), slots + 1, sizeof *x->shared);
    x->filled = inlay_take(inlay_graph_budget(g), slots + 1, sizeof *x->filled);
    x->change = inlay_take(inlay_graph_budget(g), x->end + 2, sizeof *x->change);
    return (x->own && x->shared && x->filled && x->change) || inlay_fail_memory(p->run->diags);
}

static void free_lives(lives *x)
{
    inlay_give(x->own);
    inlay_give(x->shared);
    inlay_give(x->filled);
    inlay_give(x->change);
}

/* Marks notes whose gaps at the moment AT are as large as the bytes EXCESS together. Returns
 * whether some were not marked before. */
static bool mark_gaps(lives *x, size_t at, uint64_t excess, bool *costly)
{
    const inlay_value *root;
    bool any = false;

    for_each_value(x, fill, at);
    for (int i = 0; i < MAX_GAPS && excess > 0 && (root = largest_gap(x, at)); i++) {
        uint64_t gap = gap_of(x, root, at);
        bool marked = mark(x, root, at, costly);

        excess -= marked && gap < excess ? gap : marked ? excess : 0;
        any = any || marked;
        x->filled[slot_of(x, root)] = UINT64_MAX;
    }
    return any;
}

bool inplace_find_costly(inplace_pass *p, bool *costly, bool *more)
{
    uint64_t own, shared;
    size_t at, ignored;
    lives x;
    bool ok = make_lives(&x, p);

    *more = false;
    if (ok) {
        for_each_value(&x, live, 0);
        own = peak(&x, count_own, &ignored);
        shared = peak(&x, count_shared, &at);
    }
    if (ok && shared > own + PAGE)
        *more = mark_gaps(&x, at, shared - own, costly);
    free_lives(&x);
    return ok;
}

/* Which order of the decisions saves the most bytes?
 *
 *     %r1 = SliceScatter(%d1, ...)    over d1 only if z1 comes before it
 *     %z1 = Add(%d1, %r2)             reads r2
 *     %r2 = SliceScatter(%d2, ...)    over d2 only if z2 comes before it
 *     %z2 = Add(%d2, %r1)             reads r1
 *
 * Only one of the two scatters can overwrite its data: the one that is tried first.
 *
 * If nothing was refused that another order might allow, the first order is kept. Otherwise a few
 * whole orders are tried. Starting from the best of them, single candidates, then pairs, are moved
 * to the front, or behind all views, as long as that saves more bytes. */
#include "passes/inplace/choose.h"
#include "ir/shared.h"

#include <stdlib.h>

enum {
    MAX_TRIALS = 96,   /* orders tried for a graph */
    MAX_MOVED = 32,    /* candidates; if there are more, none is moved alone */
    MAX_PAIRED = 8,    /* candidates; if there are more, no pairs are moved */
    MAX_LOOKS = 200000 /* steps of all trials together, without those for the whole orders */
};

typedef struct search {
    inlay_graph *g;
    pass_run *run;
    inplace_decide_fn *decide;
    inplace_priority now;
    int *rank;      /* of NOW */
    uint64_t saved; /* by the best order so far */
    uint64_t looks; /* steps that the run had taken when the search began */
    int trials;
} search;

/* Tries the order of S. Sets *BETTER: does it save more than all orders before? */
static bool try_order(search *s, bool *better)
{
    inplace_outcome out = {0};
    bool ok = s->decide(s->g, s->run, &s->now, &out);

    s->trials++;
    *better = ok && out.saved > s->saved;
    if (*better)
        s->saved = out.saved;
    inlay_give(out.ids);
    return ok;
}

static bool try_whole_orders(search *s)
{
    inplace_candidate_order best = s->now.turn;
    bool better, ok = true;

    for (int t = 0; ok && t < INPLACE_CANDIDATE_ORDERS; t++) {
        if (t == (int)INPLACE_LAST_THEN_LARGEST)
            continue; /* this order was the first one */
        s->now.turn = (inplace_candidate_order)t;
        ok = try_order(s, &better);
        best = better ? s->now.turn : best;
    }
    s->now.turn = best;
    return ok;
}

static bool is_spent(const search *s)
{
    return s->trials >= MAX_TRIALS || s->run->looks - s->looks > MAX_LOOKS;
}

/* A rank in front of all candidates that were moved to the front before; the rank below it is free,
 * too. */
static int front_of(const search *s)
{
    return -2 * s->trials - 2;
}

/* Tries both candidates at the front, or after all views. Sets *BETTER if that saves more. */
static bool move_both(search *s, uint32_t one, uint32_t other, bool *better)
{
    int old[2] = {s->rank[one], s->rank[other]}, front = front_of(s);
    const int moved[][2] = {{INPLACE_LATE, INPLACE_LATE},
                            {front - 1, front},
                            {front, front - 1},
                            {front, INPLACE_LATE},
                            {INPLACE_LATE, front}};
    bool ok = true;

    *better = false;
    for (size_t i = 0; ok && !*better && i < sizeof moved / sizeof *moved && !is_spent(s); i++) {
        s->rank[one] = moved[i][0];
        s->rank[other] = moved[i][1];
        ok = try_order(s, better);
    }
    if (!*better) {
        s->rank[one] = old[0];
        s->rank[other] = old[1];
    }
    return ok;
}

/* Tries the candidate at the front, or after all views. Sets *BETTER if that saves more. */
static bool move_candidate(search *s, uint32_t id, bool *better)
{
    int old = s->rank[id];

    s->rank[id] = front_of(s);
    if (!try_order(s, better))
        return false;
    if (*better)
        return true;
    s->rank[id] = INPLACE_LATE;
    if (!try_order(s, better))
        return false;
    if (!*better)
        s->rank[id] = old;
    return true;
}

static bool move_each(search *s, const inplace_outcome *first, bool *moved)
{
    bool ok = true;

    *moved = false;
    for (size_t i = 0; ok && i < first->n && !is_spent(s); i++) {
        bool better = false;

        ok = move_candidate(s, first->ids[i], &better);
        *moved = *moved || better;
    }
    return ok;
}

/* Two candidates may only save more when moved together, if each blocks the other. */
static bool move_two(search *s, const inplace_outcome *first, bool *moved)
{
    bool ok = true;

    *moved = false;
    for (size_t i = 0; ok && i < first->n && !*moved; i++) {
        for (size_t k = i + 1; ok && k < first->n && !*moved && !is_spent(s); k++)
            ok = move_both(s, first->ids[i], first->ids[k], moved);
    }
    return ok;
}

static bool move_candidates(search *s, const inplace_outcome *first)
{
    bool moved = first->n <= MAX_MOVED, ok = true;

    while (ok && moved && !is_spent(s)) {
        ok = move_each(s, first, &moved);
        if (ok && !moved && first->n <= MAX_PAIRED)
            ok = move_two(s, first, &moved);
    }
    return ok;
}

bool inplace_choose(inlay_graph *g, pass_run *r, inplace_decide_fn *decide,
                    const inplace_outcome *first, inplace_priority *best)
{
    search s = {.g = g,
                .run = r,
                .decide = decide,
                .rank = inlay_take(inlay_graph_budget(g), (size_t)g->next_id + 1, sizeof *s.rank),
                .saved = first->saved};
    bool ok = s.rank || inlay_fail_memory(r->diags);

    s.now = (inplace_priority){.turn = INPLACE_LAST_THEN_LARGEST, .rank = s.rank};
    ok = ok && try_whole_orders(&s);
    s.looks = r->looks;
    ok = ok && move_candidates(&s, first);
    *best = s.now;
    return ok;
}

/* Rounds of work, such as the steps of a recurrent net, in one split: to hand each round out anew
 * costs as much as a round of some microseconds.
 *
 * The items of a round are cut into as many parts as there are threads, alike in each round. Who
 * joins begins with a part of its own, takes the parts of the round that nobody has taken, and goes
 * on to the next round when this one is done. A part of a round is taken by raising a number:
 *
 *     taken    part 0: 8    part 1: 7    part 2: 8        round 7: parts 0 and 2 are taken,
 *     done     22 = 7 rounds of 3 parts, and one          and one of these two is computed
 *
 * Whoever waits has found all parts of the round taken, by threads that compute them and wait for
 * nothing meanwhile. So a thread that comes late, or never, costs time and nothing else; and where
 * one thread joins as several, one after the other, the first of them computes everything. */
#include "interp/exec/threads/rounds.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

enum {
    MOST_PARTS = 32,
    LINE = 64,  /* bytes that processors pass to each other at a time */
    CHEAP = 8,  /* rounds cost a thread so much less than splits: it waits awake */
    SPINS = 500 /* for which a thread waits, some microseconds, before it lets others compute */
};

/* A part of all rounds: how many of them somebody has taken it in. */
struct part {
    _Alignas(LINE) _Atomic int64_t taken;
};

struct rounds {
    call_round_fn *fn;
    void *ctx;
    int64_t n, rounds, parts;
    struct part part[MOST_PARTS];
    _Alignas(LINE) _Atomic int64_t done; /* parts, of all rounds */
};

/* Takes part P of round R. Returns whether nobody had. */
static bool take(struct rounds *all, int64_t p, int64_t r)
{
    return atomic_compare_exchange_strong(&all->part[p].taken, &(int64_t){r}, r + 1);
}

/* Computes the parts of round R that nobody has taken, part FIRST before others. */
static void compute_round(struct rounds *all, int64_t r, int64_t first)
{
    for (int64_t i = 0; i < all->parts; i++) {
        int64_t p = (first + i) % all->parts;

        if (!take(all, p, r))
            continue;
        all->fn(all->ctx, r, all->n * p / all->parts, all->n * (p + 1) / all->parts);
        atomic_fetch_add(&all->done, 1);
    }
}

/* Waits until DONE parts are computed. */
static void await(const struct rounds *all, int64_t done)
{
    for (int i = 0; atomic_load(&all->done) < done; i++) {
        if (i < SPINS)
            exec_workers_relax();
        else
            sched_yield();
    }
}

/* Is a thread with the parts FROM <= p < TO of its own, or several such threads in turn: a
 * call_part_fn. */
static void join(void *ctx, int64_t from, int64_t to)
{
    struct rounds *all = ctx;

    for (; from < to; from++) {
        for (int64_t r = atomic_load(&all->done) / all->parts; r < all->rounds; r++) {
            compute_round(all, r, from);
            await(all, (r + 1) * all->parts);
        }
    }
}

/* Returns how many parts rounds of N items of COST are worth. */
static int64_t parts_of(const exec_workers *w, int64_t n, double cost)
{
    double worth = 2 * CHEAP * (double)n * cost / (double)exec_workers_worth(w);
    int64_t most = exec_workers_threads(w);

    most = most < MOST_PARTS ? most : MOST_PARTS;
    most = most < n ? most : n;
    return worth < (double)most ? (int64_t)worth : most;
}

void exec_workers_rounds(exec_workers *w, int64_t rounds, int64_t n, double cost, call_round_fn *fn,
                         void *ctx)
{
    struct rounds all = {.fn = fn, .ctx = ctx, .n = n, .rounds = rounds};

    all.parts = parts_of(w, n, cost);
    if (all.parts < 2) {
        for (int64_t r = 0; r < rounds; r++)
            fn(ctx, r, 0, n);
        return;
    }
    exec_workers_split(w, all.parts, (double)rounds * (double)n * cost / (double)all.parts, join,
                       &all);
}

/* Rounds of work, such as the steps of a recurrent net, in one parallel section: starting a new
 * section for each round would cost as much as the round itself, some microseconds.
 *
 * The items of a round are divided into one part for each thread, in the same way in each round. A
 * thread begins with its own part, goes on with parts of the round that no thread has taken, and
 * enters the next round when all parts are done. It takes a part by raising that part's counter to
 * the number of the round:
 *
 *     taken    part 0: 8    part 1: 7    part 2: 8        round 7: parts 0 and 2 are taken,
 *     done     22 = 7 rounds of 3 parts, and one          and one of these two is computed
 *
 * A thread waits only when all parts of the round are taken, by threads that are computing and not
 * waiting. So there is no deadlock if a thread comes late or never; and if one thread plays
 * several, one after the other, it computes everything as the first of them. */
#include "interp/exec/threads/rounds.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

enum {
    MOST_PARTS = 32,
    LINE = 64,  /* bytes of a cache line */
    CHEAP = 8,  /* rounds cost a thread so much less than parallel sections, since it waits busily
                   */
    SPINS = 500 /* looks of a waiting thread, some microseconds, before it yields its processor */
};

/* A part, the same in all rounds: the number of rounds in which it was taken. */
struct part {
    _Alignas(LINE) _Atomic int64_t taken;
};

struct rounds {
    call_round_fn *fn;
    void *ctx;
    int64_t n, rounds, parts;
    struct part part[MOST_PARTS];
    _Alignas(LINE) _Atomic int64_t done; /* number of parts done, over all rounds */
};

/* Takes part P of round R. Returns whether no other thread had taken it. */
static bool take(struct rounds *all, int64_t p, int64_t r)
{
    return atomic_compare_exchange_strong(&all->part[p].taken, &(int64_t){r}, r + 1);
}

/* Computes the parts of round R that are not taken, beginning with part FIRST. */
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

/* A call_part_fn: works as the threads to which the parts FROM <= p < TO belong, one after the
 * other. */
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

/* Returns into how many parts to divide rounds of N items of COST. */
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

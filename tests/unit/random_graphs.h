/* Random graphs full of windows: slices, scatters, views of views, chains and forks of them,
 * variables, values that are results too. For tests that compare ways to run a graph. */
#ifndef INLAY_TESTS_RANDOM_GRAPHS_H
#define INLAY_TESTS_RANDOM_GRAPHS_H

#include "ir/ir.h"

#include <stdint.h>

typedef struct rng {
    uint64_t state;
} rng;

uint64_t rng_next(rng *r);
/* In [lo, hi]. */
int64_t rng_in(rng *r, int64_t lo, int64_t hi);
static inline bool rng_one_in(rng *r, int n)
{
    return rng_in(r, 1, n) == 1;
}

/* The seeds that a random test tries: from 1 on USUAL of them, with INLAY_SLOW only SLOW; or the
 * one that INLAY_SEED=N names; or those of INLAY_SEEDS=FIRST,COUNT. */
typedef struct seed_range {
    uint64_t first, n;
    bool whole; /* at least the usual ones, so that counts over them may be demanded */
} seed_range;

seed_range seeds_to_try(uint64_t usual, uint64_t slow);

enum { RANDOM_MAX_PARAMS = 16 };

typedef struct random_graph {
    inlay_graph *graph;
    /* What a tensor for each Parameter must be like: dims, and for index operands the bounds. */
    struct random_param {
        int rank;
        int64_t dims[INLAY_MAX_RANK];
        int64_t lo, hi;
    } params[RANDOM_MAX_PARAMS];
} random_graph;

/* The graph of SEED. */
random_graph random_graph_of(uint64_t seed, inlay_diags *d);
/* Another, full of what rules take: windows, joins, transposes, pads, reshapes, gathers and
 * scatters of each other, on the same few windows and indices. No run of it fails. */
random_graph random_moves_of(uint64_t seed, inlay_diags *d);
/* A tensor for Parameter I. */
inlay_tensor *random_input(const random_graph *g, int i, rng *r);

#endif

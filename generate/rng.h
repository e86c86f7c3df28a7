/* Random numbers that are the same on every machine. Draw two of them in two statements: C does not
 * define which argument of a call is evaluated first. */
#ifndef INLAY_GENERATE_RNG_H
#define INLAY_GENERATE_RNG_H

#include "ir/shared.h"

#include <stdbool.h>

typedef struct rng {
    uint64_t state;
} rng;

static inline uint64_t rng_next(rng *r)
{
    return inlay_random(&r->state);
}

/* Returns a number in [lo, hi]. */
static inline int64_t rng_in(rng *r, int64_t lo, int64_t hi)
{
    return lo + (int64_t)(rng_next(r) % (uint64_t)(hi - lo + 1));
}

static inline bool rng_one_in(rng *r, int n)
{
    return rng_in(r, 1, n) == 1;
}

#endif

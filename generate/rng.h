/* Random numbers that are the same on every machine. Draw two of them in two statements: C does not
 * define which argument of a call is evaluated first. */
#ifndef INLAY_GENERATE_RNG_H
#define INLAY_GENERATE_RNG_H

#include <stdbool.h>
#include <stdint.h>

/* splitmix64; any initial state will do. */
typedef struct rng {
    uint64_t state;
} rng;

static inline uint64_t rng_next(rng *r)
{
    uint64_t z = r->state += 0x9E3779B97F4A7C15u;

    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
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

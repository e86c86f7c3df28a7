/* Random numbers that are the same on every machine. Two of them in one expression are two
 * statements: C does not say which of two arguments is computed first. */
#ifndef INLAY_GENERATE_RNG_H
#define INLAY_GENERATE_RNG_H

#include <stdbool.h>
#include <stdint.h>

/* splitmix64; any state will do to begin with. */
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

/* In [lo, hi]. */
static inline int64_t rng_in(rng *r, int64_t lo, int64_t hi)
{
    return lo + (int64_t)(rng_next(r) % (uint64_t)(hi - lo + 1));
}

static inline bool rng_one_in(rng *r, int n)
{
    return rng_in(r, 1, n) == 1;
}

#endif

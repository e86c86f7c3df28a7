/* The seeds that a random test tries. */
#ifndef INLAY_TESTS_SEEDS_H
#define INLAY_TESTS_SEEDS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct seed_range {
    uint64_t first, n;
    bool whole; /* at least the usual ones, so that counts over them may be demanded */
} seed_range;

/* Returns USUAL seeds from 1 on, with INLAY_SLOW only SLOW of them; or the one that INLAY_SEED=N
 * names; or those of INLAY_SEEDS=FIRST,COUNT. */
seed_range seeds_to_try(uint64_t usual, uint64_t slow);

#endif

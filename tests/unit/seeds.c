#include "seeds.h"

#include <stdlib.h>

seed_range seeds_to_try(uint64_t usual, uint64_t slow)
{
    const char *one = getenv("INLAY_SEED"), *range = getenv("INLAY_SEEDS");
    seed_range s = {1, getenv("INLAY_SLOW") ? slow : usual, true};
    char *comma = NULL;

    if (one)
        return (seed_range){strtoull(one, NULL, 10), 1, false};
    if (range) {
        s.first = strtoull(range, &comma, 10);
        s.whole = *comma == ',' && strtoull(comma + 1, NULL, 10) >= s.n;
        s.n = *comma == ',' ? strtoull(comma + 1, NULL, 10) : 1;
    }
    return s;
}

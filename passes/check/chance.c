/* Random numbers that depend only on the seed of a graph. */
#include "passes/check/maker.h"

int64_t check_draw(check_maker *m, int64_t lo, int64_t hi)
{
    return hi <= lo ? lo : lo + (int64_t)(inlay_random(&m->random) % (uint64_t)(hi - lo + 1));
}

bool check_one_in(check_maker *m, int64_t n)
{
    return check_draw(m, 1, n) == 1;
}

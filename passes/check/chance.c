/* Random numbers that depend only on the seed of a graph. */
#include "passes/check/maker.h"

/* splitmix64, see verify/elements.c */
static uint64_t next(check_maker *m)
{
    uint64_t z = m->random += 0x9e3779b97f4a7c15;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

int64_t check_draw(check_maker *m, int64_t lo, int64_t hi)
{
    return hi <= lo ? lo : lo + (int64_t)(next(m) % (uint64_t)(hi - lo + 1));
}

bool check_one_in(check_maker *m, int64_t n)
{
    return check_draw(m, 1, n) == 1;
}

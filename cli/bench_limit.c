/* The memory bandwidth of this machine, to compare the rates of steps with. */
#include "cli/bench.h"

#include <stdlib.h>
#include <string.h>

double bench_copy_rate(void)
{
    enum { BYTES = 64 << 20, TRIES = 5 };
    char *from = malloc(BYTES), *to = malloc(BYTES);
    double best = 0;

    if (from && to) {
        memset(from, 1, BYTES);
        memset(to, 2, BYTES);
        for (int i = 0; i < TRIES; i++) {
            double start = bench_now_us(), rate;

            memcpy(to, from, BYTES);
            rate = 2.0 * BYTES / (bench_now_us() - start) / 1e3;
            best = rate > best && to[i] == 1 ? rate : best;
        }
    }
    free(from);
    free(to);
    return best;
}

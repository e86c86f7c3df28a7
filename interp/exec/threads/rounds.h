#ifndef INLAY_EXEC_THREADS_ROUNDS_H
#define INLAY_EXEC_THREADS_ROUNDS_H

#include "interp/exec/threads/workers.h"

/* Computes items 0 <= i < N, each with a cost of about COST, in each round 0 <= r < ROUNDS, and
 * returns when all are computed. No item of a round begins before all items of the round before are
 * computed (call/split.h). */
void exec_workers_rounds(exec_workers *w, int64_t rounds, int64_t n, double cost, call_round_fn *fn,
                         void *ctx);

#endif

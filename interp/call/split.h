/* Splits the work of a kernel among threads. */
#ifndef INLAY_INTERP_SPLIT_H
#define INLAY_INTERP_SPLIT_H

#include "interp/kernel.h"

/* The granularity at which rows are split. It is a multiple of every processor's vector, so the
 * elements that a compiler's loop computes one by one, after the last full vector, are the same
 * ones however a row is split. */
enum { CALL_PIECE = 64 };

/* Computes the items FROM <= i < TO of what CTX describes. Several threads call it at once, so it
 * writes only what belongs to these items, and calls nothing that uses the call. */
typedef void call_part_fn(void *ctx, int64_t from, int64_t to);
/* Computes items 0 <= i < N by FN, all at once or in parts. COST: of an item, as the number of
 * elements written or products added; about that many tenths of a nanosecond. Each element of an
 * output must belong to one item, so that it is computed by the same steps in the same order
 * however the items are split. */
void call_split(inlay_call *c, int64_t n, double cost, call_part_fn *fn, void *ctx);

/* Computes the items FROM <= i < TO of round ROUND of what CTX describes, like a call_part_fn. All
 * items of earlier rounds are computed. */
typedef void call_round_fn(void *ctx, int64_t round, int64_t from, int64_t to);
/* Computes items 0 <= i < N of the rounds 0 <= r < ROUNDS by FN. Each round begins when all items
 * of the one before are computed. A thread mostly computes the same items in each round, so that
 * what these read repeatedly stays in its cache. COST: of an item, as above. */
void call_rounds(inlay_call *c, int64_t rounds, int64_t n, double cost, call_round_fn *fn,
                 void *ctx);

#endif

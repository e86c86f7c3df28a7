/* Work of a kernel that several threads may share. */
#ifndef INLAY_INTERP_SPLIT_H
#define INLAY_INTERP_SPLIT_H

#include "interp/kernel.h"

/* Elements of a row that are not parted. A vector of any processor divides it, so the elements that
 * a compiler's loop computes one by one, behind the last full vector, are the same ones however a
 * row is cut. */
enum { CALL_PIECE = 64 };

/* Computes the items FROM <= i < TO of what CTX describes. It is called by several threads at once,
 * so it writes nothing but what belongs to these items, and asks nothing of the call. */
typedef void call_part_fn(void *ctx, int64_t from, int64_t to);
/* Computes items 0 <= i < N by FN, all at once or in parts. COST: what an item costs, counted in
 * elements that are written or products that are added; about that many tenths of a nanosecond.
 * Each element of an output must belong to one item, so that it is computed by the same steps in
 * the same order however the items are split. */
void call_split(inlay_call *c, int64_t n, double cost, call_part_fn *fn, void *ctx);

/* Computes the items FROM <= i < TO of round ROUND of what CTX describes, as a call_part_fn does.
 * What items of earlier rounds wrote is there. */
typedef void call_round_fn(void *ctx, int64_t round, int64_t from, int64_t to);
/* Computes items 0 <= i < N of the rounds 0 <= r < ROUNDS by FN. No item of a round begins before
 * all items of the round before are computed. A thread mostly computes the same items in each
 * round, so that what these read again and again is near. COST: of an item, as above. */
void call_rounds(inlay_call *c, int64_t rounds, int64_t n, double cost, call_round_fn *fn,
                 void *ctx);

#endif

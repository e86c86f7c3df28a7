/* Limits of arenas, for readers of what is not trusted. For the folders of this project, not
 * installed. */
#ifndef INLAY_IR_ARENA_H
#define INLAY_IR_ARENA_H

#include "ir/ir.h"

/* A, and what is under its limit with it, takes at most MAX bytes (0: no limit): beyond that it is
 * out of memory. */
void inlay_arena_limit(inlay_arena *a, uint64_t max);
/* A is under the limit of BUDGET too, which must outlive it. */
void inlay_arena_share(inlay_arena *a, inlay_arena *budget);
/* Counts memory from elsewhere against the limit of A; false when it is over it. And gives it back.
 */
bool inlay_arena_charge(inlay_arena *a, uint64_t size);
void inlay_arena_discharge(inlay_arena *a, uint64_t size);
/* Whether the limit of A has refused anything. */
bool inlay_arena_over(const inlay_arena *a);

#endif

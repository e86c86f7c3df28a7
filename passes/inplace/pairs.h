/* The pairs of a read and a write that come together when a note joins two alias sets, and what
 * follows from each of them.
 *
 *     set A   d ── r1 (write 1)          before: a read of A and a write of B touch different
 * buffers set B   v ── w  (write 2)          after:  they may touch the same bytes
 *
 * V is noted as something of a member of A. New are a read of A with a write of B, a read of B with
 * a write of A, and any read with the write that V's node now does itself. All other pairs were
 * judged when earlier notes were made.
 *
 * Of a pair whose regions meet, the place of the write in time decides (access.h):
 *
 *     up to the read's version    the value read contains the write: nothing follows
 *     in the read's live range    a conflict: the read would see a write that it must not see
 *     after the read              the read must stay before it: an order edge, unless the write
 *                                 depends on the reader anyway
 */
#ifndef INLAY_PASSES_INPLACE_PAIRS_H
#define INLAY_PASSES_INPLACE_PAIRS_H

#include "passes/inplace/access.h"

/* A note that is about to join two sets. The note is made, V and what stands on it have moved to
 * where the note puts them, and only the sets are still apart. */
typedef struct inplace_join {
    inlay_value *v;
    inplace_set *a; /* the set of the note's target */
    inplace_set *b; /* the set of V */
    bool moved;     /* V addresses other positions of its buffer than before: so may all of B */
    bool writes;    /* V's node becomes a writer, of `write` */
    inplace_write write;
} inplace_join;

/* A read that would see a write it must not see. */
typedef struct inplace_conflict {
    const inlay_use *read;
    const inlay_value *write; /* what the write makes */
} inplace_conflict;

typedef enum inplace_verdict {
    INPLACE_FREE,     /* no conflict */
    INPLACE_CONFLICT, /* there is one */
    INPLACE_FAILED    /* out of memory, or an order edge was refused: the error is recorded */
} inplace_verdict;

/* Looks for a conflict among the new pairs of J; OUT receives it. */
inplace_verdict inplace_find_conflict(inplace_accesses *x, const inplace_join *j,
                                      inplace_conflict *out);
/* Makes every read of the new pairs of J, which has no conflict, stay before the later writes that
 * it must not see. False: the error is recorded. */
bool inplace_keep_reads_first(inplace_accesses *x, const inplace_join *j);

/* What a note relies on, when all notes are made */

/* Calls FN with each write that may be the first over what U reads, if any node writes there behind
 * the read: that of the note of WRITTEN. False: FN or memory failed. */
typedef bool inplace_first_write_fn(void *ctx, const inlay_use *u, inlay_value *written);
bool inplace_find_first_writes(inplace_accesses *x, const inlay_use *u, inplace_first_write_fn *fn,
                               void *ctx);
/* The condition that V, which is written, keeps although its node reads U where it writes; or none.
 * False: out of memory. */
bool inplace_own_ground(inplace_accesses *x, const inlay_use *u, const inlay_value *v,
                        inlay_condition *kept);

#endif

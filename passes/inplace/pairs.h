/* The pairs of a read and a write that a note brings together when it joins two alias sets, and
 * what follows from each pair.
 *
 *     set A   d ── r1 (write 1)     before the note: reads of A and writes of B are in different
 *                                   buffers
 *     set B   v ── w  (write 2)     after it: they may be of the same bytes
 *
 * V gets a note whose target is a member of A. The new pairs are: a read of A with a write of B, a
 * read of B with a write of A, and every read with the write that V's own node now does. All other
 * pairs were judged when earlier notes were made.
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

/* A note that is about to join two sets. The note is made and V, with all that stands on it, has
 * its new region; only the sets are not joined yet. */
typedef struct inplace_join {
    inlay_value *v;
    inplace_set *a; /* the set of the note's target */
    inplace_set *b; /* the set of V */
    bool moved;     /* V has another region than before; then all of B may have */
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
/* J has no conflict. Adds order edges so that every read of its new pairs stays before the later
 * writes that it must not see. False: the error is recorded. */
bool inplace_keep_reads_first(inplace_accesses *x, const inplace_join *j);

/* What a note relies on, when all notes are made */

/* Calls FN for each write, after the read U, that may be the first over what U reads: WRITTEN is
 * the value that is written. False: FN or memory failed. */
typedef bool inplace_first_write_fn(void *ctx, const inlay_use *u, inlay_value *written);
bool inplace_find_first_writes(inplace_accesses *x, const inlay_use *u, inplace_first_write_fn *fn,
                               void *ctx);
/* The node of V, which is written into a buffer, reads U at positions that it writes. *KEPT becomes
 * the condition because of which it may, or INLAY_NO_CONDITION. False: out of memory. */
bool inplace_own_ground(inplace_accesses *x, const inlay_use *u, const inlay_value *v,
                        inlay_condition *kept);

#endif

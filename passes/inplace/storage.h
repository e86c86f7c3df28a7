/* Where values are stored by the notes made so far, and whether every reader still reads the value
 * that the graph without notes gives it. This is the analysis behind in-place-windows: the pass
 * asks for one note after another, and each is made or refused.
 *
 *     order.h              when each node runs, and which must run before which others
 *     ir/graph/region.h    which positions of a buffer a value addresses
 *     alias.h              alias sets: the values that share a buffer
 *     access.h             reads and writes, and the live range of a read; spans.h is their index
 *     pairs.h              the pairs of a read and a write that a note brings together: a conflict,
 *                          or order edges
 *
 * A note joins two alias sets. It is refused when some read would see a write that it must not see:
 * a write into its positions within its live range. All conditions of the form "nobody sees the
 * write" are this one test (the read-after-write conflict of one-shot bufferization, with regions).
 */
#ifndef INLAY_PASSES_INPLACE_STORAGE_H
#define INLAY_PASSES_INPLACE_STORAGE_H

#include "passes/inplace/pairs.h"

typedef struct inplace_storage {
    inplace_order order;
    inplace_aliases aliases;
    inplace_accesses accesses;
    uint64_t steps; /* of all searches, for tests */
} inplace_storage;

/* Begins with G, which has no notes. S may not be moved or copied. False: the error is recorded,
 * here and below; inplace_storage_end is called in any case. */
bool inplace_storage_begin(inplace_storage *s, inlay_graph *g, inlay_diags *d);
void inplace_storage_end(inplace_storage *s);
/* Notes V, which has no note yet, as KIND of TARGET. If that is a conflict, C receives it and
 * nothing changes. Reads that are right only because they happen to come before a write are kept
 * before it by order edges. */
inplace_verdict inplace_storage_note(inplace_storage *s, inlay_value *v, inlay_note_kind kind,
                                     inlay_value *target, inplace_conflict *c);
/* Finds the order of the nodes again, because order edges were added. */
bool inplace_storage_reorder(inplace_storage *s);
/* Removes all order edges but the first N, and finds the order again. */
bool inplace_storage_drop_edges(inplace_storage *s, size_t n);
/* The value that owns the bytes of V. The ReadValues of one variable are one value. */
inlay_value *inplace_storage_root(inplace_storage *s, const inlay_value *v);
/* Does any node write, by its note, into the buffer that V stands in? */
bool inplace_storage_is_written(inplace_storage *s, const inlay_value *v);

#endif

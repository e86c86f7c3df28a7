/* Which positions are read and written, and when.
 *
 * A *read* is the use of a value by a node that runs. The value contains the writes up to its
 * version. From the version up to the moment of the read nothing may be written over the positions
 * that are read: this is the *live range* of the read.
 *
 *     moment 1    %r1 overwrites d        the version of x
 *     moment 2    %x = Slice(%r1, ...)    │ a view of r1
 *     moment 3                            │ the live range: a write to x's window is a conflict
 *     moment 4    %z = Exp(%x)            the read of x
 *     moment 5    %r2 overwrites r1       harmless, as long as it stays after moment 4
 *
 * A *write* is made by a node whose output overwrites its target or is computed into its window.
 *
 * All reads and writes are in indexes over time (spans.h), so that a decision looks only at the few
 * that concern it. Reads at the end of the run (inplace_looks_last) come after everything else.
 */
#ifndef INLAY_PASSES_INPLACE_ACCESS_H
#define INLAY_PASSES_INPLACE_ACCESS_H

#include "passes/inplace/alias.h"
#include "passes/inplace/order.h"
#include "passes/inplace/spans.h"

/* `where` may stand in `room`, so that neither of the two structs can be copied. */
typedef struct inplace_read {
    const inlay_use *use;
    size_t version, moment;    /* the live range: after `version`, up to `moment` */
    const inlay_region *where; /* what the node reads; of a slice only the window */
    inlay_region_room room;
} inplace_read;

typedef struct inplace_write {
    const inlay_value *value; /* the value that is written */
    size_t moment;
    const inlay_region *where;
    inlay_region_room room;
} inplace_write;

typedef struct inplace_accesses {
    inplace_order *order;
    inplace_aliases *aliases;
    uint64_t *steps;
    /* By node id, of its outputs: how many are used and are no views, and how many are views. */
    struct inplace_outputs {
        int others, views;
    } * outputs;
    bool left;         /* notes were removed, but their values are still in the joined sets */
    size_t *first_use; /* by node id: the number of its first input; every input has a number */
    bool *last;        /* by number of an input: it is read at the end of the run */
    /* By number of an input: the first write over it that an order edge keeps after the read, or
     * NULL. */
    const inlay_node **fence;
    /* Places number the inputs, too, but in the order in which they are read. */
    const inlay_use **reads; /* by place */
    size_t *place;           /* by number of an input: its place */
    size_t *first_read;      /* by node id: the first place at or after the node's moment */
    inplace_span_index window_reads,
        whole_reads;           /* by place: reads of a part, of all of a buffer */
    inplace_span_index writes; /* by moment */
} inplace_accesses;

/* Lists all reads and writes according to the present notes. X keeps ORDER and ALIASES. False: out
 * of memory; inplace_accesses_end is called in any case. */
bool inplace_accesses_begin(inplace_accesses *x, inplace_order *order, inplace_aliases *aliases,
                            uint64_t *steps);
void inplace_accesses_end(inplace_accesses *x);
/* Makes the indexes again, because the order changed. False: out of memory, here and below. */
bool inplace_index_all(inplace_accesses *x);
/* Update the indexes: for the read U, for all inputs of N, for all uses of V, for the write of V.
 */
bool inplace_index_read(inplace_accesses *x, const inlay_use *u);
bool inplace_index_reads_by(inplace_accesses *x, const inlay_node *n);
bool inplace_index_reads_of(inplace_accesses *x, const inlay_value *v);
bool inplace_index_write(inplace_accesses *x, const inlay_value *v);

/* Sets the note of V, and the count of views among the outputs of its node. */
bool inplace_set_note(inplace_accesses *x, inlay_value *v, inlay_note_kind kind,
                      inlay_value *target);
/* Does V's note make its node write into the buffer of another value? */
bool inplace_is_write(const inlay_value *v);
/* Does U read no byte of its value? Then its node needs only the shape, makes only views, finds the
 * updates in their window already, or does not run. */
bool inplace_reads_nothing(const inplace_accesses *x, const inlay_use *u);
/* Is U a read at the end of the run, such as that of a Result, or of an input that a body passes
 * through? */
static inline bool inplace_looks_last(const inplace_accesses *x, const inlay_use *u)
{
    return x->last[x->first_use[u->node->id] + (size_t)u->index];
}
/* The read U of its value, the member M. */
void inplace_read_of(const inplace_accesses *x, const inlay_use *u, const inplace_member *m,
                     inplace_read *out);
/* The write of V's node if V lies at WHERE. */
void inplace_write_of(const inplace_accesses *x, const inlay_value *v, const inlay_region *where,
                      inplace_write *out);
/* The entry of `fence` for U. */
const inlay_node **inplace_fence_of(const inplace_accesses *x, const inlay_use *u);

#endif

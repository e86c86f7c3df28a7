/* Which bytes are read and written, and when.
 *
 * A *read* is the use of a value by a node that runs. The value contains the writes up to its
 * version. From the version up to the moment of the read no other node may write over the positions
 * that the read looks at: this is the *live range* of the read.
 *
 *     moment 1    %r1 overwrites d        the version of x
 *     moment 2    %x = Slice(%r1, ...)    │ a view of r1
 *     moment 3                            │ the live range: a write to the window of x is a
 * conflict moment 4    %z = Exp(%x)            the read of x moment 5    %r2 overwrites r1
 * harmless, as long as it stays behind moment 4
 *
 * A *write* is made by a node whose output overwrites its target or is computed into its window.
 *
 * All reads and writes stand in indexes over time (spans.h), so that a decision looks at the few
 * that it concerns. What is looked at when the run is over (inplace_looks_last) is read after all
 * else.
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
    const inlay_region *where; /* what the node looks at; of a slice only the window */
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
    bool left;         /* notes were given up, but what they noted is in its set still */
    size_t *first_use; /* by node id: the number of its first input; every input has a number */
    bool *last;        /* by number of an input: it is looked at when the run is over */
    /* By number of an input: the first node that is known to write over it only after it was read,
     * or NULL. */
    const inlay_node **fence;
    /* Places are numbers of inputs too, but in the order of the reads in time. */
    const inlay_use **reads; /* by place */
    size_t *place;           /* by number of an input: its place */
    size_t *first_read;      /* by node id: the first place that is not before the node's moment */
    inplace_span_index window_reads,
        whole_reads;           /* by place: reads of a part, of all of a buffer */
    inplace_span_index writes; /* by moment */
} inplace_accesses;

/* All reads and writes by the notes there are. The accesses keep ORDER and ALIASES. False: out of
 * memory; inplace_accesses_end is called in any case. */
bool inplace_accesses_begin(inplace_accesses *x, inplace_order *order, inplace_aliases *aliases,
                            uint64_t *steps);
void inplace_accesses_end(inplace_accesses *x);
/* Makes the indexes anew, because the order changed. False: out of memory, as below. */
bool inplace_index_all(inplace_accesses *x);
/* Brings the indexes up to date: for the read U, the inputs of N, the uses of V, the write of V. */
bool inplace_index_read(inplace_accesses *x, const inlay_use *u);
bool inplace_index_reads_by(inplace_accesses *x, const inlay_node *n);
bool inplace_index_reads_of(inplace_accesses *x, const inlay_value *v);
bool inplace_index_write(inplace_accesses *x, const inlay_value *v);

/* Notes V and keeps count of the views among the outputs of its node. */
bool inplace_set_note(inplace_accesses *x, inlay_value *v, inlay_note_kind kind,
                      inlay_value *target);
/* Does the node that makes V write into a buffer, by the note of V? */
bool inplace_is_write(const inlay_value *v);
/* Does U look at no byte of its value? Its node asks for the shape only, makes only views, finds
 * its updates in the window already, or does not run. */
bool inplace_reads_nothing(const inplace_accesses *x, const inlay_use *u);
/* Does U look at its value when the run is over, as a Result does, and as is done with what a body
 * hands through? */
static inline bool inplace_looks_last(const inplace_accesses *x, const inlay_use *u)
{
    return x->last[x->first_use[u->node->id] + (size_t)u->index];
}
/* What U reads of the member M, which is its value. */
void inplace_read_of(const inplace_accesses *x, const inlay_use *u, const inplace_member *m,
                     inplace_read *out);
/* What the node of V writes when V lies at WHERE. */
void inplace_write_of(const inplace_accesses *x, const inlay_value *v, const inlay_region *where,
                      inplace_write *out);
/* The moment of a version; 0 for NULL. */
size_t inplace_version_moment(const inplace_accesses *x, const inlay_node *version);
/* The entry of `fence` for U. */
const inlay_node **inplace_fence_of(const inplace_accesses *x, const inlay_use *u);

#endif

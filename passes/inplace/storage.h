/* Where the bytes of values live under the notes made so far, and whether every reader still finds
 * what the pure graph promises it. The analysis behind the storage passes; private to passes/.
 *
 * A root is a value with a buffer of its own; the values whose notes lead to it form its set. Each
 * member has a region (which positions of the root it addresses) and knows the writes into the
 * buffer up to one, its version. A read of a member is right when no later write went into its
 * region before the read happened. All conditions of the form "nobody sees the write" are that one
 * test (the read-after-write conflict of MLIR's one-shot analysis, here with regions).
 *
 * A note joins two sets, and only pairs of a read of one and a write of the other are new. They are
 * found by an index over time (spans.c), so a decision looks at what it touches and not at
 * all that was decided before.
 */
#ifndef INLAY_PASSES_STORAGE_H
#define INLAY_PASSES_STORAGE_H

#include "passes/passes.h"
#include "passes/query/box.h"
#include "passes/query/scatter.h"

/* Positions of a root. Not known: may be all of it. exact: element p of the value lies at position
 * windows(p) of the root, no reshape or transpose between. A window whose numbers are not constant
 * is told by the slice that has it: two such regions are equal when their operands are the same
 * values. */
typedef struct region {
    bool known, exact;
    int rank;
    const inlay_window *windows;
    const inlay_node *symbol; /* Slice or SliceScatter, when its window is not constant: what it
                                 selects of the windows, or of the whole root */
} region;

/* What stands at one time, or at several: where it may lie, by the first axes; of reads the
 * earliest version, and how long the latest may still be overtaken. */
typedef struct span {
    bool any;
    query_box box;
    size_t version, before;
} span;

/* spans.c: one span for each place in a sequence over time, and for each group of
 * neighbouring places the span of all of them. */
typedef struct span_index {
    size_t n; /* places, a power of two */
    span *at; /* at[1] is of all, at[i] of at[2i] and at[2i + 1], at[n + k] of place k */
    uint64_t *looks;
} span_index;

bool spans_begin(span_index *x, size_t n_places, uint64_t *looks);
void spans_end(span_index *x);
void spans_clear(span_index *x);
void spans_set(span_index *x, size_t place, const span *s);
/* The first place in [FROM, TO) at which something may lie in WANTED, with a version below
 * WANTED's and `before` above WANTED's; SIZE_MAX: there is none. */
size_t spans_next(const span_index *x, size_t from, size_t to, const span *wanted);
void span_of_region(const region *r, span *out);

/* A value; by slot. Of a set, its representative holds what is below the line. */
typedef struct storage_member {
    region where;
    bool placed;               /* where is made when first asked for */
    const inlay_node *version; /* the last write it knows of, or NULL */
    inlay_value *child, *sibling;
    size_t up; /* towards the representative */

    inlay_value *root;
    size_t size, n_writes;
    bool branched; /* windows of it were handed to writers that know nothing of each other */
    /* What looks at a member when the run is over, by its place in `last`, counted from 1: the
     * first, and the first that gives it to another variable or output than that one does; 0: none.
     */
    size_t ends[2];
} storage_member;

typedef struct storage {
    inlay_graph *g;
    inlay_diags *diags;
    inlay_order_list order; /* of what runs: an edge to a dead node would make it run */
    size_t *time;           /* by node id: position in order; SIZE_MAX: does not run */
    size_t *first_slot;     /* by node id */
    size_t *first_use;      /* by node id: of its inputs */
    storage_member *member; /* by slot */
    /* By node id, of its outputs: how many are looked at and no views; how many are views. */
    struct storage_outputs {
        int others, views;
    } * outputs;
    int64_t *part;              /* by slot: where this output of a Split begins, see split_begins */
    const inlay_node **before;  /* by use: the first write it is known to come before, or NULL */
    span_index windows, wholes; /* by place of a read: of a window of a buffer, of all of it */
    span_index writes;          /* by moment */
    const inlay_use **reads;    /* by place: of all nodes that run, in their order, but those that
                                   look at the end of the run come last */
    size_t *first_read;         /* by node id: the place of its first input */
    inlay_node **last;          /* Results and Assigns, in the order of the graph */
    size_t n_last;
    inlay_value **list; /* members that are looked at one by one; room for all slots */
    /* The last search of storage_depends: SEEN has its number for all nodes that FROM is known to
     * depend on, by node id. Those of them that were not yet gone through are a heap, the one that
     * runs last on top; it has room for all nodes. */
    const inlay_node *from;
    uint32_t *seen, search;
    inlay_node **heap;
    size_t n_heap;
    size_t *first_edge, *next_edge,
        cap_edges; /* by node id, by edge: the edges to a node, from 1 */
    inlay_arena *arena;
    uint64_t looks; /* steps of all searches, for tests */
} storage;

/* A reader that would see a write it must not see. */
typedef struct storage_conflict {
    const inlay_use *read;
    const inlay_value *write; /* what the write makes */
} storage_conflict;

bool storage_begin(storage *s, inlay_graph *g, inlay_diags *d);
void storage_end(storage *s);
bool storage_add_edge(storage *s, inlay_node *before, inlay_node *after);
/* Takes back the order edges after the first N. */
bool storage_drop_edges(storage *s, size_t n);
/* The order changed because order edges were added. */
bool storage_reorder(storage *s);
/* Must WRITER run before N (data flow and order edges)? N itself counts. */
bool storage_depends(storage *s, inlay_node *n, const inlay_node *writer);
/* Notes V, which has no note yet, unless a reader is wronged: then *FOUND is set, C says which and
 * nothing is changed. Readers that are right only because they happen to come before a write are
 * made to by order edges. False: out of memory. */
bool storage_note(storage *s, inlay_value *v, inlay_note_kind kind, inlay_value *target,
                  bool *found, storage_conflict *c);
/* The value that owns the bytes of V. All ReadValues of one variable are one. */
inlay_value *storage_root(storage *s, const inlay_value *v);
/* Does anything write into the buffer V stands in? */
bool storage_is_written(storage *s, const inlay_value *v);
/* Does N look only at the end of the run? */
static inline bool storage_looks_last(const inlay_node *n)
{
    return (n->op->flags & (INLAY_SINK | INLAY_HAS_BODY)) != 0;
}

bool region_meets(const region *a, const region *b);
bool region_equal(const region *a, const region *b);
/* What N (Slice or SliceScatter), or the view V, selects of a value at OUTER. ROOM: INLAY_MAX_RANK
 * windows. */
region region_of_slice(const region *outer, const inlay_node *n, inlay_window *room);
/* BEGIN: of split_begins, for an output of a Split. */
region region_of_view(const region *outer, const inlay_value *v, int64_t begin, inlay_window *room);
/* For each output of N, a Split, where it begins along the axis; -1: not known. */
void split_begins(const inlay_node *n, int64_t *begins);

#endif

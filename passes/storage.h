/* Where the bytes of values live under the notes made so far, and whether every reader still finds
 * what the pure graph promises it. The analysis behind the storage passes; private to passes/.
 *
 * A root is a value with a buffer of its own; the values whose notes lead to it form its set. Each
 * member has a region (which positions of the root it addresses) and each write into the buffer a
 * rank, in order of time: the version of a member is the rank of the last write it knows of. A read
 * of a member is right when no later version wrote into its region before the read happened. All
 * conditions of the form "nobody sees the write" are that one test (the read-after-write conflict
 * of MLIR's one-shot analysis, here with regions).
 */
#ifndef INLAY_PASSES_STORAGE_H
#define INLAY_PASSES_STORAGE_H

#include "passes/passes.h"

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

typedef struct storage_write {
    inlay_value *value; /* what it makes */
    size_t time;
    region where;
    int rank;
} storage_write;

typedef struct storage_read {
    const inlay_use *use;
    size_t time; /* SIZE_MAX: at the end of the run (results, variables) */
    int version;
    region where;
} storage_read;

typedef struct storage_member {
    inlay_value *value;
    region where;
    int version;
} storage_member;

/* One set, with its events. */
typedef struct storage_set {
    storage_member *members;
    size_t n_members, cap_members;
    storage_write *writes;
    size_t n_writes, cap_writes;
    storage_read *reads;
    size_t n_reads, cap_reads;
} storage_set;

typedef struct storage {
    inlay_graph *g;
    inlay_diags *diags;
    inlay_order_list order;         /* of what runs: an edge to a dead node would make it run */
    size_t *time;                   /* by node id: position in order; SIZE_MAX: does not run */
    size_t *first_slot;             /* by node id */
    inlay_value **child, **sibling; /* by slot: values whose note leads here */
    inlay_arena *arena;             /* windows of the set at hand */
    storage_set set;
} storage;

/* A reader that would see a write it must not see. */
typedef struct storage_conflict {
    const storage_read *read;
    const storage_write *write;
} storage_conflict;

bool storage_begin(storage *s, inlay_graph *g, inlay_diags *d);
void storage_end(storage *s);
/* The order changed because order edges were added. */
bool storage_reorder(storage *s);
/* Makes or takes back a note. */
bool storage_note(storage *s, inlay_value *v, inlay_note_kind kind, inlay_value *target);
/* The value that owns the bytes of V. All ReadValues of one variable are one. */
inlay_value *storage_root(const storage *s, inlay_value *v);
/* Collects the set of ROOT into s->set. */
bool storage_collect(storage *s, inlay_value *root);
/* The first conflict in s->set, or false. */
bool storage_find_conflict(const storage *s, storage_conflict *out);
const storage_member *storage_member_of(const storage *s, const inlay_value *v);
/* Does reader R come before write W only because the order says so (an order edge is needed)? */
bool storage_relies_on_order(const storage_read *r, const storage_write *w);

/* The window of a Slice or SliceScatter when all numbers are constant and the data is static. */
bool window_of_slice(const inlay_node *n, inlay_window *out);
/* The same, if the data had the sizes DIMS. */
bool window_of_slice_in(const inlay_node *n, const int64_t *dims, inlay_window *out);
/* Two slices (Slice or SliceScatter) of data with the same dims select the same positions in the
 * same order: equal windows, or the same operands. */
bool same_windows(const inlay_node *a, const inlay_node *b);
bool region_meets(const region *a, const region *b);
bool region_equal(const region *a, const region *b);

/* The input whose storage a scatter may take, and the values it scatters. */
static inline inlay_value *scatter_data(const inlay_node *n)
{
    return inlay_node_input(n, n->op->overwrites);
}
static inline bool is_scatter(const inlay_node *n)
{
    return (n->op->flags & INLAY_SCATTER) != 0;
}

#endif

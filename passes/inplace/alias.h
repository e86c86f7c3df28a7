/* Alias sets: the values that share a buffer.
 *
 *     %d = Abs(%data)                          d           the root: it owns the buffer
 *     %x = Slice(%d, ...)       view of d      ├── x
 *     %y = Exp(%x)              into r         └── r
 *     %r = SliceScatter(%d, %y) overwrites d       └── y
 *
 * Each value with a note stands below the target of its note; the value on top, the root, has no
 * note and owns the bytes. A value is at first the root of a set of its own; a note joins two sets.
 * The sets are kept as a union-find structure, which answers in which set a value is, and as these
 * trees, which are gone through when something changes for all that stands on a value.
 *
 * Each member knows its region of the buffer, and its *version*: the last write that its value
 * contains. Of r and y that is the write of y into the window, of d and x none.
 */
#ifndef INLAY_PASSES_INPLACE_ALIAS_H
#define INLAY_PASSES_INPLACE_ALIAS_H

#include "ir/shared.h"

typedef struct inplace_member {
    const inlay_region *where; /* NULL: the member was not asked for yet */
    const inlay_node *version; /* the node of the last write that the value contains, or NULL */
    inlay_value *child;        /* the latest of the values that stand on this one */
    inlay_value *sibling;      /* the next of the values that stand on the same one */
} inplace_member;

typedef struct inplace_set {
    size_t up; /* union-find: the slot one step nearer to the slot that represents the set */

    /* These count only in the slot that represents the set: */
    inlay_value *root;
    size_t size;     /* members */
    size_t n_writes; /* nodes that write into the buffer by a note */
    bool branched;   /* the writers need not come one after the other: windows of the buffer were
                        handed to some of them separately */
    /* Two of the Results and Assigns that look at a member when the run is over, by number; 0:
     * none. The first of all, and the first that gives the buffer to another variable than that one
     * does, or to an output where that one gives it to a variable. */
    size_t observers[2];
    bool leaves; /* the buffer leaves the run as the output that a view of all of it is */
} inplace_set;

typedef struct inplace_aliases {
    inlay_graph *g;
    inlay_diags *diags;
    uint64_t *steps;
    size_t *first_slot;      /* by node id: the slot of its first output; every value has a slot */
    inplace_member *members; /* by slot */
    inplace_set *sets;       /* by slot */
    int64_t *begins;        /* by slot, of outputs of a Split: inlay_value_cut_end; -1: not known */
    inlay_node **observers; /* Results and Assigns, which look at a value when the run is over, in
                                the order of the graph; numbered from 1 */
    size_t n_observers;
    inlay_value **list; /* what the last inplace_list_... listed; has room for all values */
    inlay_arena *arena; /* regions */
} inplace_aliases;

/* Each value alone in its set, but for the ReadValues of one variable, which are one value: the
 * later ones stand on the first, without a note. False: out of memory; inplace_aliases_end is
 * called in any case. */
bool inplace_aliases_begin(inplace_aliases *a, inlay_graph *g, uint64_t *steps, inlay_diags *d);
void inplace_aliases_end(inplace_aliases *a);

/* Is V made by a node that holds its operands, so that they may be computed in their parts of it?
 * Then it contains what is written there before. */
static inline bool inplace_holds(const inlay_value *v)
{
    return (v->node->op->flags & INLAY_HOLDS) != 0;
}
/* The set that V is in. Until sets are joined, equal pointers mean the same set. */
inplace_set *inplace_set_of(inplace_aliases *a, const inlay_value *v);
/* The member V; NULL: out of memory. A value that is asked for first is the root of its set. */
inplace_member *inplace_member_of(inplace_aliases *a, const inlay_value *v);
/* Where V, noted as KIND of TARGET, lies when TARGET lies at OUTER. NULL: out of memory. */
const inlay_region *inplace_noted_region(const inplace_aliases *a, const inlay_region *outer,
                                         const inlay_value *v, inlay_note_kind kind,
                                         const inlay_value *target);

/* Puts V below TARGET, and joins their sets; the root of TARGET's stays the root. */
void inplace_join_sets(inplace_aliases *a, inlay_value *v, inlay_value *target);
/* Lists FROM and all that stands on it, directly or not, in a->list: how many they are. */
size_t inplace_list_members(inplace_aliases *a, inlay_value *from);
/* A set of so few members, with so few uses all together, is gone through, where an index over all
 * buffers is searched for the accesses of a larger one. */
enum { INPLACE_FEW = 32, INPLACE_FEW_USES = 128 };
/* Lists the members of SET in OUT, which has room for INPLACE_FEW: how many they are; 0: they, or
 * their uses, are more than a few. */
size_t inplace_list_few(const inplace_aliases *a, const inplace_set *set, inlay_value **out);
/* Lists FROM and those of them that are views: they contain the same writes as FROM. */
size_t inplace_list_views(inplace_aliases *a, inlay_value *from);
/* The first Result or Assign that looks at a member of X or of Y when the run is over, but for the
 * Assigns of VARIABLE; NULL: there is none. */
inlay_node *inplace_foreign_observer(const inplace_aliases *a, const inplace_set *x,
                                     const inplace_set *y, const inlay_variable *variable);

#endif

/* Alias sets: the values that share a buffer.
 *
 *     %d = Abs(%data)                          d           the root: it owns the buffer
 *     %x = Slice(%d, ...)       view of d      ├── x
 *     %y = Exp(%x)              into r         └── r
 *     %r = SliceScatter(%d, %y) overwrites d       └── y
 *
 * Each value with a note is a child of the note's target; the root has no note and owns the bytes.
 * At first each value is the root of a set of its own; a note joins two sets. There is a union-find
 * structure, to find the set of a value, and the tree, to visit all values below one that changes.
 *
 * Each member has a region of the buffer and a *version*, the last write that its value contains:
 * for r and y the write of y into the window, for d and x none.
 */
#ifndef INLAY_PASSES_INPLACE_ALIAS_H
#define INLAY_PASSES_INPLACE_ALIAS_H

#include "ir/shared.h"

typedef struct inplace_member {
    const inlay_region *where; /* NULL: not asked for yet */
    const inlay_node *version; /* the node of the last write that the value contains, or NULL */
    inlay_value *child;        /* the latest child in the tree */
    inlay_value *sibling;      /* the next child of the same parent */
    int nested;                /* how many values are parts of it, one in the other */
} inplace_member;

typedef struct inplace_set {
    size_t up; /* union-find: the parent slot; a slot that is its own parent represents the set */

    /* Valid only in the slot that represents the set: */
    inlay_value *root;
    size_t size;     /* members */
    size_t n_writes; /* nodes that write into the buffer by a note */
    bool branched;   /* some writers write separate windows, in any order */
    /* The numbers of two of the Results and Assigns that read a member at the end of the run; 0:
     * none. The first one, and the first one that gives the buffer to another variable than that
     * (or to an output, if that gives it to a variable). */
    size_t observers[2];
    bool leaves; /* the buffer becomes an output: a view of all of it is one */
} inplace_set;

typedef struct inplace_aliases {
    inlay_graph *g;
    inlay_diags *diags;
    uint64_t *steps;
    size_t *first_slot; /* by node id: the slot of its first output; every value has a slot */
    size_t n_slots;
    inplace_member *members; /* by slot */
    inplace_set *sets;       /* by slot */
    int64_t *begins;        /* by slot, of outputs of a Split: inlay_value_cut_end; -1: not known */
    inlay_node **observers; /* Results and Assigns, which look at a value when the run is over, in
                                the order of the graph; numbered from 1 */
    size_t n_observers;
    inlay_value **list; /* what the last inplace_list_... listed; has room for all values */
    inlay_arena *arena; /* regions */
} inplace_aliases;

/* Each value is alone in its set, except that the ReadValues of one variable are one value: the
 * later ones are children of the first, without a note. False: out of memory; inplace_aliases_end
 * is called in any case. */
bool inplace_aliases_begin(inplace_aliases *a, inlay_graph *g, uint64_t *steps, inlay_diags *d);
void inplace_aliases_end(inplace_aliases *a);

/* Is V made by a node that holds its operands, such as Concat? They may then be computed in their
 * parts of V before, and V contains these writes. */
static inline bool inplace_holds(const inlay_value *v)
{
    return (v->node->op->flags & INLAY_HOLDS) != 0;
}
/* The set of V. Two values are in one set if the pointers are equal; joining sets changes them. */
inplace_set *inplace_set_of(inplace_aliases *a, const inlay_value *v);
/* The member V; NULL: out of memory. A value that has no region yet is taken for a root. */
inplace_member *inplace_member_of(inplace_aliases *a, const inlay_value *v);
/* The region of V, noted as KIND of TARGET, if TARGET lies at OUTER. NULL: out of memory. */
const inlay_region *inplace_noted_region(const inplace_aliases *a, const inlay_region *outer,
                                         const inlay_value *v, inlay_note_kind kind,
                                         const inlay_value *target);

/* The region of V as a view of its node's first operand. *SHOWN: strides surely show it. NULL: out
 * of memory, which is recorded. */
const inlay_region *inplace_view_region(inplace_aliases *a, const inlay_value *v, bool *shown);

/* Makes V a child of TARGET and joins their sets. The root of TARGET's set is the root. */
void inplace_join_sets(inplace_aliases *a, inlay_value *v, inlay_value *target);
/* Lists FROM and all values below it in a->list, and returns how many they are. */
size_t inplace_list_members(inplace_aliases *a, inlay_value *from);
/* A set of at most this many members and uses is searched member by member; larger ones by the
 * indexes over all buffers. */
enum { INPLACE_FEW = 64, INPLACE_FEW_USES = 256 };
/* Lists the members of SET in OUT[INPLACE_FEW] and returns how many they are; 0: more than that, or
 * they have too many uses. */
size_t inplace_list_few(const inplace_aliases *a, const inplace_set *set, inlay_value **out);
/* The same of FROM and of the views below it, which contain the same writes as FROM. */
size_t inplace_list_views(inplace_aliases *a, inlay_value *from);
/* The first Result or Assign, except an Assign to VARIABLE, that reads a member of X or Y at the
 * end of the run; NULL: there is none. */
inlay_node *inplace_foreign_observer(const inplace_aliases *a, const inplace_set *x,
                                     const inplace_set *y, const inlay_variable *variable);

#endif

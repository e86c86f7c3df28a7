/* Which positions of a buffer a value addresses, as the checker knows it. Private to this room.
 *
 *     %d = ...                       f32[8,4], owns the buffer: known, tight, exact, whole
 *     %x = Slice(%d, 2, 6, 2)        rows 2 and 4: known, tight, exact
 *     %w = Transpose(%x)             a turn: a region of its own, whose hull is that of x
 *     %q = Slice(%d, %p, %e, 1)      p is no constant: tight and exact, of a slice of base d
 *     %z = Slice(%q, 0, 1, 1)        some positions within q, in some order: nothing else is known
 *
 * A *turn* is a view whose elements stand at other positions than those of its operand. What is
 * selected of it is said in its own positions, and can be compared with what else is selected of
 * it; beside what is not of the turn, it is all of the turn, which is its hull.
 *
 * Where not enough is known, regions may meet, and none lies inside another or equals it. */
#ifndef INLAY_IR_NOTES_REGION_H
#define INLAY_IR_NOTES_REGION_H

#include "ir/base/arena.h"
#include "ir/graph.h"
#include "ir/tensor/window.h"

typedef struct note_region {
    bool known; /* no position lies outside of `windows` */
    bool tight; /* the positions are all of the windows, or all that `slice` selects: none of them
                   is left out */
    bool exact; /* element p of the value lies at the p-th position */
    bool whole; /* every position of the buffer, or of the turn, is one of them */
    int rank;
    const inlay_window *windows; /* axis by axis, in positions of the buffer, or of the turn */
    /* A Slice or SliceScatter whose window is not constant, or NULL: the positions are those that
     * it selects of `base`. */
    const inlay_node *slice;
    const struct note_region *base;
    const struct note_region *within; /* of what is not tight: no position lies outside; or NULL */
    const inlay_value *turn;          /* whose positions are meant; NULL: those of the buffer */
    const struct note_region *hull; /* of a turn: what it is a view of, in the buffer's positions */
} note_region;

/* Functions that make a region take it from the arena A; NULL: out of memory. */

/* The whole buffer of ROOT. */
const note_region *note_region_whole(inlay_arena *a, const inlay_value *root);
/* What the Slice or SliceScatter N selects of a value that lies at OUTER. */
const note_region *note_region_slice(inlay_arena *a, const note_region *outer, const inlay_node *n);
/* Where the outputs of a Split begin along its axis, as far as they were added up: the next output
 * is number INDEX of NODE, at BEGIN. */
typedef struct note_parts {
    const inlay_node *node;
    int index;
    int64_t begin;
} note_parts;
/* Output V of a Split of a value that lies at OUTER. PARTS, empty at first, saves the additions
 * when the outputs are asked for one after another. */
const note_region *note_region_split(inlay_arena *a, const note_region *outer, const inlay_value *v,
                                     note_parts *parts);
/* The part in which V stands of R, which lies at OUTER and whose node holds V. */
const note_region *note_region_held(inlay_arena *a, const note_region *outer, const inlay_value *v,
                                    const inlay_value *r);
/* V, a view that turns what lies at OUTER. ALL: it shows every element of that. */
const note_region *note_region_turned(inlay_arena *a, const note_region *outer,
                                      const inlay_value *v, bool all);
/* Some positions of OUTER, in some order. */
const note_region *note_region_some(inlay_arena *a, const note_region *outer);
/* R in the buffer's own positions: itself, or the hull of its turn. */
const note_region *note_region_hull(const note_region *r);

/* May A and B have a position in common? */
bool note_region_meets(const note_region *a, const note_region *b);
/* Is every position of INNER surely one of OUTER? */
bool note_region_inside(const note_region *inner, const note_region *outer);
/* Does element p of one surely lie where element p of the other lies, for every p? */
bool note_region_same(const note_region *a, const note_region *b);
/* Would A be B if it were moved, and does its order follow that of the buffer? */
bool note_region_shifted(const note_region *a, const note_region *b);
/* Where elements of the buffer of ROOT are smaller than a byte: does every row of R begin and end
 * on a whole byte? */
bool note_region_on_bytes(const note_region *r, const inlay_value *root);

#endif

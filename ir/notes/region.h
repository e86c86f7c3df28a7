/* Which positions of a buffer a value addresses, as the checker knows it. Private to this room.
 *
 *     %d = ...                       f32[8,4], owns the buffer: all of it
 *     %x = Slice(%d, 2, 6, 2)        rows 2 and 4: windows of d
 *     %w = Transpose(%x)             a turn: all of a frame of its own, which shows x
 *     %q = Slice(%d, %p, %e, 1)      p is no constant: what this node selects of d
 *     %z = Slice(%q, 0, 1, 1)        some positions of q, in some order: nothing else is known
 *
 * A *frame* is a buffer, or a *turn*: a view whose elements stand at other positions than those of
 * its operand. What is selected of a frame is said in its own positions, and can be compared with
 * what else is selected of it; beside what is of a frame around, it is all that the turn shows.
 *
 * Where not enough is known, regions may meet, and none lies inside another or equals it. */
#ifndef INLAY_IR_NOTES_REGION_H
#define INLAY_IR_NOTES_REGION_H

#include "ir/base/arena.h"
#include "ir/graph.h"
#include "ir/tensor/window.h"

/* So many parts of unknown sizes are known one in another, and so many frames. */
enum { NOTE_MOST_DEEP = 16 };

/* Element p of a value lies at the p-th position of its region, unless they are some. */
typedef enum note_extent {
    NOTE_ALL,     /* of a frame */
    NOTE_WINDOWS, /* those in the windows */
    NOTE_SLICE,   /* those that a Slice or SliceScatter selects, whose window is not constant */
    NOTE_HELD,    /* the part of an operand of what holds it, of sizes that are not known */
    NOTE_SOME,    /* some, in some order */
} note_extent;

typedef struct note_region {
    note_extent extent;
    const struct note_region *of; /* what it selects of; what a turn shows; of a buffer NULL */
    int rank;
    const inlay_window *windows; /* of a frame whose sizes are known, and of windows in one */
    const inlay_node *slice;     /* which selects */
    const inlay_node *holder;    /* whose part it is: of what holds it, */
    const inlay_value *held;     /* of which operand, */
    int deep; /* so many such parts it is in, with itself; of a frame: so many frames */
    /* How the elements of a frame lie in memory: without gaps, whatever the sizes are; and how far
     * those of each axis lie apart, or NULL. */
    bool dense;
    const int64_t *strides;
} note_region;

/* Functions that make a region take it from the arena A; NULL: out of memory. */

/* The whole buffer of ROOT. */
const note_region *note_region_whole(inlay_arena *a, const inlay_value *root);
/* What the Slice or SliceScatter N selects of a value that lies at OUTER. */
const note_region *note_region_slice(inlay_arena *a, const note_region *outer, const inlay_node *n);
/* Output V of a Split of a value that lies at OUTER. It begins at BEGIN along the Split's axis;
 * below 0: that is not known. */
const note_region *note_region_split(inlay_arena *a, const note_region *outer, const inlay_value *v,
                                     int64_t begin);
/* The part in which V stands of R, which lies at OUTER and whose node holds V: along R's axes, or,
 * where sizes are not known, no more than that other operands stand elsewhere. */
const note_region *note_region_held(inlay_arena *a, const note_region *outer, const inlay_value *v,
                                    const inlay_value *r);
/* Some positions of OUTER, in some order. */
const note_region *note_region_some(inlay_arena *a, const note_region *outer);

/* turn.c */

/* V, a view that turns what lies at OUTER. *SHOWN false: it is a reshape, and it is not known that
 * strides can show it. */
const note_region *note_region_turned(inlay_arena *a, const note_region *outer,
                                      const inlay_value *v, bool *shown);
/* V, whose elements lie at OUTER in their order, but along other axes. */
const note_region *note_region_reshaped(inlay_arena *a, const note_region *outer,
                                        const inlay_value *v);

/* The frame in which R is said. */
const note_region *note_region_frame(const note_region *r);
/* R in the buffer's own positions: itself, or what its turn shows. */
const note_region *note_region_hull(const note_region *r);
/* Windows around all positions of R, in ROOM if they are no region's; NULL: not known. */
const inlay_window *note_region_bounds(const note_region *r, inlay_window *room, int *rank);

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

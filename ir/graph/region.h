/* Regions: which positions of a buffer a value addresses. The checker of storage notes and the pass
 * that makes them compare values by these; interp/audit, which judges the finished program, does
 * not.
 *
 *     %d = ...                       f32[8,4], owns the buffer: rows 0..7, columns 0..3
 *     %x = Slice(%d, 2, 6, 2)        rows 2 and 4: windows {begin 2, count 2, step 2}, {0, 4, 1}
 *     %z = Slice(%x, 1, 2, 1)        row 1 of x, which is row 4 of d: windows compose
 *     %q = Slice(%d, %p, %e, 1)      p is no constant: whatever this Slice selects of d
 *     %s = Slice(%q, 0, 1, 1)        some positions of q, in some order: nothing else is known
 *     %w = Transpose(%x)             a new frame, f32[4,2], which shows rows 2 and 4 of d
 *     %v = Slice(%w, 1, 2, 1)        row 1 of the frame w
 *     %c = Concat(%a, %b)            of unknown sizes: a and b are in different parts of c
 *
 * A *frame* is an index space: that of a buffer, or that of a view which is not a window of its
 * operand (a reshape, a transpose), so that its elements have other indices than in the operand.
 * Two regions in one frame are compared index by index. For regions in different frames it is only
 * known where the whole of each frame is, in the frame or buffer that contains both.
 *
 * Every question has a safe answer if something is not known: two regions may overlap, and none is
 * contained in another or equal to another. Private to this project; not installed. */
#ifndef INLAY_IR_GRAPH_REGION_H
#define INLAY_IR_GRAPH_REGION_H

#include "ir/base/arena.h"
#include "ir/graph.h"
#include "ir/tensor/box.h"

/* Deeper nesting of frames, or of parts of unknown sizes, is not followed: less is known then. */
enum { INLAY_REGION_MOST_DEEP = 16 };

/* Element p of the value is at the p-th position that the fields describe together; or, if SOME, at
 * one of these positions. */
typedef struct inlay_region {
    const struct inlay_index_space *frame; /* whose indices the windows are */
    int rank;
    const inlay_window *windows; /* one for each axis; NULL: all of a frame of unknown sizes */
    /* A node that selects from the windows, by numbers that are not constant; or NULL. Two slices
     * are equal if their operands are, and i:k does not overlap k:n, whatever the numbers are. */
    const inlay_node *slice;
    /* An operand that `holder` holds in its result, whose sizes are not known; or NULL. It is in its
     * part of `outer`, the region of the result, beside the parts of the other operands. */
    const inlay_value *part;
    const inlay_node *holder;
    const struct inlay_region *outer;
    bool some; /* some of these positions, in some order */
} inlay_region;

typedef struct inlay_index_space {
    inlay_region all;          /* all of the frame */
    const inlay_region *shows; /* its region in the frame around it; NULL: this is a buffer */
    int depth;                 /* number of frames around this one */
    /* Its layout in memory: whether it is dense, whatever the sizes are; and its strides, or NULL if
     * they are not known. */
    bool dense;
    const int64_t *strides;
    const int64_t *order; /* which axis of `shows` each of its axes is; NULL: not only their order
                           * is another one */
} inlay_index_space;

/* Room for a region that a function makes without an arena: the region then points into it. */
typedef struct inlay_region_room {
    inlay_region region;
    inlay_window windows[INLAY_MAX_RANK];
} inlay_region_room;

/* Making regions. Those in an arena may point to OUTER, which must live as long; NULL: out of
 * memory. */

/* The whole buffer that ROOT owns. */
const inlay_region *inlay_region_whole(inlay_arena *a, const inlay_value *root);
/* What N, which has a window, selects from the region OUTER: OUTER itself, or in ROOM. */
const inlay_region *inlay_region_slice(const inlay_region *outer, const inlay_node *n,
                                       inlay_region_room *room);
/* Some positions of OUTER, in some order. */
const inlay_region *inlay_region_some(const inlay_region *outer, inlay_region_room *room);
/* R, copied to the arena if it is in ROOM. */
const inlay_region *inlay_region_keep(inlay_arena *a, const inlay_region *r,
                                      const inlay_region_room *room);
/* V as a view of its node's first operand, the region OUTER. An output of a Split begins at BEGIN
 * along the axis that is split; below 0: not known. *SHOWN becomes false if V is a reshape and it is
 * not known that strides can describe it. */
const inlay_region *inlay_region_view(inlay_arena *a, const inlay_region *outer,
                                      const inlay_value *v, int64_t begin, bool *shown);
/* V, computed into the window that SCATTER writes in its data, the region OUTER. */
const inlay_region *inlay_region_window(inlay_arena *a, const inlay_region *outer,
                                        const inlay_value *v, const inlay_node *scatter);
/* V, computed into its part of R, the region OUTER. The node of R holds V, or a reshape of V. */
const inlay_region *inlay_region_part(inlay_arena *a, const inlay_region *outer,
                                      const inlay_value *v, const inlay_value *r);

/* Asking regions of one buffer */

/* Is R all of its frame, in the order of the frame? And is that frame the buffer? */
bool inlay_region_is_all(const inlay_region *r);
bool inlay_region_is_whole(const inlay_region *r);
/* Is R all of its buffer in the order of memory, perhaps with other axes? */
bool inlay_region_fills(const inlay_region *r);
/* A box around R, in the buffer and in its frame; of NULL, around everything. */
inlay_framed_box inlay_region_box(const inlay_region *r);
/* May A and B have a position in common? */
bool inlay_region_meets(const inlay_region *a, const inlay_region *b);
/* Is every position of INNER surely one of OUTER? */
bool inlay_region_inside(const inlay_region *inner, const inlay_region *outer);
/* Is element p of A surely at the same position as element p of B, for every p? */
bool inlay_region_same(const inlay_region *a, const inlay_region *b);
/* Are all positions of B surely those of A moved by one distance, in the order of the buffer? Only
 * the run may know the distance. */
bool inlay_region_shifted(const inlay_region *a, const inlay_region *b);
/* Do the elements of R surely follow each other in memory, in their order? */
bool inlay_region_is_dense(const inlay_region *r);
/* Lists the sizes and strides of R, in elements. False: not all are known. */
bool inlay_region_axes(const inlay_region *r, int64_t *dims, int64_t *strides);
/* Where elements of the buffer that ROOT owns are smaller than a byte: does every row of R begin
 * and end on a whole byte? */
bool inlay_region_on_bytes(const inlay_region *r, const inlay_value *root);

#endif

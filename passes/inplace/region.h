/* Which positions of a buffer a value addresses.
 *
 *     %d = ...                       f32[8,4], owns the buffer: rows 0..7, columns 0..3
 *     %x = Slice(%d, 2, 6, 2)        rows 2 and 4: windows {begin 2, count 2, step 2}, {0, 4, 1}
 *     %z = Slice(%x, 1, 2, 1)        row 1 of x, which is row 4 of d: windows compose
 *     %q = Slice(%d, %p, %e, 1)      p is no constant: not known, the symbol is q
 *     %w = Transpose(%x)             a frame of its own, [4,2], which lies in rows 2 and 4 of d
 *     %v = Slice(%w, 1, 2, 1)        row 1 of the frame w
 *     %c = Concat(%a, %b)            of unknown sizes: a and b have their parts of c
 *
 * A view that is no window of its operand (a reshape, a transpose) is a *frame*: its elements stand
 * at other positions, but each has one of its own. Within a frame windows are compared as in a
 * buffer; of positions in two frames it is known only where all of each frame lies, in the frame or
 * the buffer around both.
 *
 * Two questions are asked of regions, and where a region is not known each has its safe answer: do
 * two have a position in common (yes), and are they the same positions in the same order (no).
 */
#ifndef INLAY_PASSES_INPLACE_REGION_H
#define INLAY_PASSES_INPLACE_REGION_H

#include "ir/shared.h"

typedef struct inplace_region {
    bool known; /* all positions lie in `windows`; else they may be any of the frame */
    bool exact; /* element p of the value lies at the p-th position of the windows, or of what the
                   symbol selects */
    int rank;
    const inlay_window *windows; /* axis by axis, in positions of the frame */
    /* The Slice or SliceScatter whose window is not constant, or NULL: it selects its positions of
     * the windows, or of the whole frame when there are none. Regions with symbols are equal when
     * the operands of the symbols are the same values; i:k and k:n do not meet, whatever the
     * numbers are. */
    const inlay_node *symbol;
    bool among; /* not exact: some positions of those that the symbol selects */
    /* An operand of a node that holds it, where sizes are not known; or NULL: it lies in its part
     * of what lies at `outer`, beside those of the other operands. */
    const inlay_value *part;
    const struct inplace_region *outer;
    const inlay_value *frame;          /* the view whose positions are meant; NULL: the buffer's */
    const struct inplace_region *hull; /* where all of the frame lies; or NULL */
} inplace_region;

bool inplace_region_meets(const inplace_region *a, const inplace_region *b);
bool inplace_region_equal(const inplace_region *a, const inplace_region *b);
/* Is B where A would be if all of its positions were moved by as much, in their order? */
bool inplace_region_moved(const inplace_region *a, const inplace_region *b);
/* Windows, in positions of R's frame, that hold all positions of R; they may stand in ROOM. NULL:
 * there are none. */
const inlay_window *inplace_region_bounds(const inplace_region *r, inlay_window *room);
/* R itself when it lies in the buffer's own positions, else where in them all of its frame lies. */
const inplace_region *inplace_region_hull(const inplace_region *r);
/* What N, a Slice or SliceScatter, selects of a value at OUTER. ROOM has place for INLAY_MAX_RANK
 * windows, here and below; the region points to it. */
inplace_region inplace_region_of_slice(const inplace_region *outer, const inlay_node *n,
                                       inlay_window *room);
/* Where V lies as a view of its node's first operand, which lies at OUTER. An output of a Split
 * begins at BEGIN of the Split's axis, as inplace_split_begins says. The region may point to OUTER,
 * which must stay where it is. */
inplace_region inplace_region_of_view(const inplace_region *outer, const inlay_value *v,
                                      int64_t begin, inlay_window *room);
/* The frame that V is, a view of what lies at OUTER, or computed there along other axes. */
inplace_region inplace_region_of_frame(const inplace_region *outer, const inlay_value *v,
                                       inlay_window *room);
/* The part of R, which lies at OUTER and whose node holds V, in which V stands. The region may
 * point to OUTER, which stands where R's does. */
inplace_region inplace_region_of_held(const inplace_region *outer, const inlay_value *v,
                                      const inlay_value *r, inlay_window *room);
/* For each output of N, a Split, where it begins along the axis that N cuts; -1: not known. */
void inplace_split_begins(const inlay_node *n, int64_t *begins);

#endif

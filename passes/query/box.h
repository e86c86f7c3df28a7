/* Bounding boxes of windows, for indexes over many windows: two windows whose boxes do not meet
 * have no position in common, and one comparison of boxes rules out all windows below a tree's
 * node.
 *
 *     rows 2, 4, 6 and columns 0..9    lo = {2, 0}, hi = {6, 9}
 */
#ifndef INLAY_PASSES_BOX_H
#define INLAY_PASSES_BOX_H

#include "ir/ir.h"
#include "ir/shared.h"

/* Only the first few axes count, because windows of one tensor differ in these. */
enum { QUERY_BOX_AXES = 3 };

/* The positions from LO to HI on each axis; both ends belong to the box. */
typedef struct query_box {
    int64_t lo[QUERY_BOX_AXES], hi[QUERY_BOX_AXES];
} query_box;

/* Returns the box around WINDOWS, which has one window for each of RANK axes. Where WINDOWS is NULL
 * the windows are not known, and the box is all of the tensor. */
query_box query_box_of(const inlay_window *windows, int rank);
/* Makes ALL large enough to hold ONE too. */
void query_box_add(query_box *all, const query_box *one);
bool query_boxes_meet(const query_box *a, const query_box *b);
bool query_boxes_equal(const query_box *a, const query_box *b);

#endif

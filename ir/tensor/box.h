/* Bounding boxes of windows, for indexes over many windows: windows whose boxes do not intersect
 * have no position in common, so one comparison of boxes rules out all windows below a tree's node.
 *
 *     rows 2, 4, 6 and columns 0..9    lo = {2, 0}, hi = {6, 9}
 *
 * For the folders of this project, not installed. */
#ifndef INLAY_IR_TENSOR_BOX_H
#define INLAY_IR_TENSOR_BOX_H

#include "ir/tensor/window.h"

/* A box has the first few axes only, because windows of one tensor differ in these. */
enum { INLAY_BOX_AXES = 3 };

/* The positions from LO to HI on each axis; both ends belong to the box. */
typedef struct inlay_box {
    int64_t lo[INLAY_BOX_AXES], hi[INLAY_BOX_AXES];
} inlay_box;

/* Returns the box around WINDOWS, one for each of RANK axes. WINDOWS NULL: they are unknown, and
 * the box is the whole tensor. */
inlay_box inlay_box_of(const inlay_window *windows, int rank);
/* Extends ALL to contain ONE. */
void inlay_box_add(inlay_box *all, const inlay_box *one);
bool inlay_boxes_meet(const inlay_box *a, const inlay_box *b);

/* A box in a buffer, and a second one in a frame, which is a view whose elements are not in
 * row-major order in the buffer. The second one separates windows of one frame that in the buffer
 * may be anywhere:
 *
 *     rows 2..3 of a Reshape    in the buffer: all of it    in the frame: rows 2..3 */
typedef struct inlay_framed_box {
    inlay_box box;
    const void *frame; /* NULL: none, or several */
    inlay_box inside;  /* the box in the frame */
} inlay_framed_box;

/* Returns an empty box, which intersects nothing; adding a box to it gives that box. */
inlay_framed_box inlay_framed_nothing(void);
void inlay_framed_add(inlay_framed_box *all, const inlay_framed_box *one);
bool inlay_framed_meet(const inlay_framed_box *a, const inlay_framed_box *b);
bool inlay_framed_equal(const inlay_framed_box *a, const inlay_framed_box *b);

#endif

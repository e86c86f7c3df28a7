/* What the kernels that move data share. Most of them copy the elements that one view of an operand
 * shows, in order, over those that a view of the output shows. */
#ifndef INLAY_INTERP_KERNELS_MOVES_H
#define INLAY_INTERP_KERNELS_MOVES_H

#include "interp/call/share.h"

/* A view of a tensor's elements: dims, strides in elements, and the offset of the first one. */
struct view {
    int rank;
    int64_t dims[INLAY_MAX_RANK], strides[INLAY_MAX_RANK], offset;
};

/* A view of all of T. */
struct view view_all(const inlay_tensor *t);
/* A view of what W, a window for each axis of T, selects. */
struct view view_windows(const inlay_tensor *t, const inlay_window *w);
/* A view of the elements of a dense tensor, in their order, as one of other DIMS. */
struct view view_dense(int rank, const int64_t *dims);

/* Gives output O, in row-major order, the elements that FROM shows through FV. The executor may
 * make the output a view of them. Else they are copied over what the output shows through TV, a
 * view of all of it with the dims of FV. A view that is NULL shows all of its tensor. */
bool move_output(inlay_call *c, int o, const struct view *tv, const inlay_tensor *from,
                 const struct view *fv);
/* Copies the elements of FROM over those that TO, an output or part of one, shows through TV. */
bool move_part(inlay_call *c, const inlay_tensor *to, const struct view *tv,
               const inlay_tensor *from);

/* Checks X, the index that element POSITION (row-major) of operand I holds: it must be one of the
 * SIZE positions of AXIS, which may be counted from the end if NEGATIVE allows it. *OUT receives it
 * non-negative. False after recording an error that names the element. */
bool checked_index(inlay_call *c, int i, int64_t position, int64_t x, int axis, int64_t size,
                   bool negative, int64_t *out);

#endif

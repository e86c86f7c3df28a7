/* What kernels that move data share. Most of them are one call: copy the elements of this view of
 * the operand, in order, to that view of the output. */
#ifndef INLAY_INTERP_KERNELS_MOVES_H
#define INLAY_INTERP_KERNELS_MOVES_H

#include "interp/call/share.h"

/* A strided view of the elements of a tensor. Strides count elements, and so does the offset, from
 * the first element of the tensor. The second column of a dense [2,3] is {rank 1, dims {2}, strides
 * {3}, offset 1}. */
struct view {
    int rank;
    int64_t dims[INLAY_MAX_RANK], strides[INLAY_MAX_RANK], offset;
};

/* Returns a view of all of T. */
struct view view_all(const inlay_tensor *t);
/* Returns a view of the elements that W, a window for each axis of T, selects. */
struct view view_windows(const inlay_tensor *t, const inlay_window *w);
/* Returns a view of a dense tensor's elements in row-major order, with other dims. */
struct view view_dense(int rank, const int64_t *dims);

/* Sets output O to the elements of FROM in the view FV, in row-major order: the executor makes the
 * output a view of them, or they are copied to the view TV, which is all of the output with the
 * dims of FV. NULL: all of the tensor. */
bool move_output(inlay_call *c, int o, const struct view *tv, const inlay_tensor *from,
                 const struct view *fv);
/* Copies the elements of FROM to the view TV of TO, an output or part of one. */
bool move_part(inlay_call *c, const inlay_tensor *to, const struct view *tv,
               const inlay_tensor *from);
/* Copies the elements of operand FROM in the view FV to the view TV of output 0, of the same dims.
 */
bool move_piece(inlay_call *c, const struct view *tv, const inlay_tensor *from,
                const struct view *fv);
/* Are the elements of T those of the view V of output 0, because they were computed there? */
bool stands_in(const inlay_call *c, const struct view *v, const inlay_tensor *t);

/* Moves items 0 <= i < N, which are elements of output 0 or rows of them, by FN, like call_split.
 * Strings, and elements that share a byte, are moved by one thread. */
void split_moves(inlay_call *c, int64_t n, double cost, call_part_fn *fn, void *ctx);

/* checked_index for an X that is not in [0, SIZE). */
bool odd_index(inlay_call *c, int i, int64_t position, int64_t x, int axis, int64_t size,
               bool negative, int64_t *out);
/* Sets *OUT to X, element POSITION (row-major) of operand I, as an index of AXIS, which has SIZE
 * positions. NEGATIVE: an X below zero counts from the end. False and an error that names the
 * element: X is out of range. */
static inline bool checked_index(inlay_call *c, int i, int64_t position, int64_t x, int axis,
                                 int64_t size, bool negative, int64_t *out)
{
    *out = x;
    return (uint64_t)x < (uint64_t)size || odd_index(c, i, position, x, axis, size, negative, out);
}

#endif

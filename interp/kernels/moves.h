/* What the kernels that move data share. Most of them are one sentence: the elements of this view
 * of the operand go, in order, to that view of the output. */
#ifndef INLAY_INTERP_KERNELS_MOVES_H
#define INLAY_INTERP_KERNELS_MOVES_H

#include "interp/call/share.h"

/* A strided window on the elements of a tensor. Strides count elements, and so does the offset,
 * from the first element of the tensor. The second column of a dense [2,3] is {rank 1, dims {2},
 * strides {3}, offset 1}. */
struct view {
    int rank;
    int64_t dims[INLAY_MAX_RANK], strides[INLAY_MAX_RANK], offset;
};

/* Returns a view of all of T. */
struct view view_all(const inlay_tensor *t);
/* Returns a view of what W selects, which has a window for each axis of T. */
struct view view_windows(const inlay_tensor *t, const inlay_window *w);
/* Returns a view of the elements of a dense tensor in row-major order, with other dims. */
struct view view_dense(int rank, const int64_t *dims);

/* Output O has, in row-major order, the elements that FROM shows through FV: they are copied over
 * what it shows through TV, a view of all of it of the same dims as FV, unless the executor makes
 * the output a view. NULL: all of the tensor. */
bool move_output(inlay_call *c, int o, const struct view *tv, const inlay_tensor *from,
                 const struct view *fv);
/* Copies the elements of FROM over those that TO, an output or part of one, shows through TV. */
bool move_part(inlay_call *c, const inlay_tensor *to, const struct view *tv,
               const inlay_tensor *from);
/* Copies the elements that operand FROM shows through FV over those that output 0 shows through TV,
 * a view of the same dims. */
bool move_piece(inlay_call *c, const struct view *tv, const inlay_tensor *from,
                const struct view *fv);
/* Returns whether the elements of T are those that output 0 shows through V, because they were
 * computed there. */
bool stands_in(const inlay_call *c, const struct view *v, const inlay_tensor *t);

/* Moves items 0 <= i < N, which are elements of output 0 or rows of them, by FN, as call_split
 * does. Strings, and elements that share a byte, are moved by one thread. */
void split_moves(inlay_call *c, int64_t n, double cost, call_part_fn *fn, void *ctx);

/* OUT receives index X, which is element POSITION (row-major) of operand I, as one of the SIZE
 * positions of AXIS. An X below zero counts from the end if NEGATIVE. False and an error that names
 * the element: X is no position. */
bool checked_index(inlay_call *c, int i, int64_t position, int64_t x, int axis, int64_t size,
                   bool negative, int64_t *out);

#endif

/* Axis operands read by kernels. Private to interp/kernels/. */
#ifndef INLAY_KERNELS_AXES_H
#define INLAY_KERNELS_AXES_H

#include "interp/call/kernel.h"

/* OUT receives AXIS, which must be in [-rank, rank-1], as a number that is not negative. Another
 * AXIS is a data fault that names WHAT. The shape rule has said so before, except where it did not
 * have to know the axis to know the shape. */
bool axis_checked(inlay_call *c, const char *what, int64_t axis, int rank, int *out);
/* Marks in MASK the axes that operand I lists; a repeated one is a fault. */
bool axes_of_operand(inlay_call *c, int i, int rank, bool mask[INLAY_MAX_RANK]);

/* AXIS receives the axis of data of RANK dimensions that the only element of operand I names. */
bool axis_of_operand(inlay_call *c, int i, int rank, int *axis);

/* Data folded along some axes: to which element of the result an element of the data belongs, and
 * how many of them meet there. The result is dense, and has the other axes in their order.
 * Neighbouring axes that are both folded, or both not, are joined where the data has no gap between
 * them. */
typedef struct folding {
    const inlay_tensor *data;
    int rank; /* at least 1 */
    int64_t dims[INLAY_MAX_RANK];
    int64_t strides[INLAY_MAX_RANK]; /* of the result over these dims; 0 along folded axes */
    int64_t from[INLAY_MAX_RANK];    /* of data */
    int64_t n_in, n_out, group;
} folding;
/* OUT receives the folding of data whose elements lie STRIDES apart; NULL: the data is dense. */
void folding_of(const inlay_tensor *data, const int64_t *strides, const bool *folded, folding *f);
static inline index_iter folding_begin(const folding *f)
{
    return index_begin(f->rank, f->dims);
}
/* The same row by row: all axes but the last one. */
static inline index_iter folding_rows(const folding *f)
{
    return index_rows(f->rank, f->dims);
}
static inline int64_t folding_at(const folding *f, const index_iter *it)
{
    return index_dot(it->rank, it->at, f->strides);
}

/* How threads can share the work of F: along an axis that is not folded, of which each UNIT places
 * are not parted. The axis with the most such units; -1: there is none. */
int folding_cut(const folding *f, int64_t *unit);
/* F, or in ROOM the part of it from index FROM to TO on AXIS. What it begins with is FROM times the
 * axis's `from` and `strides` behind the beginnings of data and result. */
const folding *folding_part(const folding *f, int axis, int64_t from, int64_t to, folding *room);

/* A tensor seen as [before, length, after] around AXIS, dense. Without elements nothing is before
 * or after, so that [5000000000, 0] is not walked line by line. */
typedef struct axis_split {
    int64_t before, length, after;
} axis_split;
axis_split axis_split_of(const inlay_tensor *t, int axis);

#endif

/* Reads operands that name axes. Private to interp/kernels/. */
#ifndef INLAY_KERNELS_AXES_H
#define INLAY_KERNELS_AXES_H

#include "interp/call/kernel.h"

/* Sets *OUT to AXIS, which must be in [-rank, rank-1], as a number >= 0; else an error of the data
 * that names WHAT. The shape rule has checked AXIS already, unless the shape does not depend on it.
 */
bool axis_checked(inlay_call *c, const char *what, int64_t axis, int rank, int *out);
/* Sets MASK for the axes that operand I lists; a repeated one is an error. */
bool axes_of_operand(inlay_call *c, int i, int rank, bool mask[INLAY_MAX_RANK]);

/* Sets *AXIS to the axis of data of RANK axes that the only element of operand I names. */
bool axis_of_operand(inlay_call *c, int i, int rank, int *axis);

/* A reduction of data along some axes: maps each element of the data to its element of the result;
 * GROUP elements are reduced to one. The result is dense, and has the other axes in their order.
 * Neighbouring axes that are both reduced, or both not, are merged if the data is contiguous there.
 */
typedef struct folding {
    const inlay_tensor *data;
    int rank; /* at least 1 */
    int64_t dims[INLAY_MAX_RANK];
    int64_t strides[INLAY_MAX_RANK]; /* of the result over these dims; 0 along reduced axes */
    int64_t from[INLAY_MAX_RANK];    /* of data */
    int64_t n_in, n_out, group;
} folding;
/* Makes the folding of data with STRIDES; NULL: the data is dense. */
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

/* Finds an axis along which threads can share the work of F: the axis that is not reduced and has
 * the most units, which are UNIT positions that must stay together. -1: there is none. */
int folding_cut(const folding *f, int64_t *unit);
/* Returns F, or the part of it from index FROM to TO on AXIS, made in ROOM. The part begins FROM
 * times the axis' `from` and `strides` behind the beginning of data and result. */
const folding *folding_part(const folding *f, int axis, int64_t from, int64_t to, folding *room);

/* A dense tensor as [before, length, after] around AXIS. For a tensor without elements before and
 * after are 0, so that [5000000000, 0] is not visited line by line. */
typedef struct axis_split {
    int64_t before, length, after;
} axis_split;
axis_split axis_split_of(const inlay_tensor *t, int axis);

#endif

/* Axes that operands or attributes name, and tensors seen along an axis. Private to
 * interp/kernels/. */
#ifndef INLAY_KERNELS_AXES_H
#define INLAY_KERNELS_AXES_H

#include "interp/call/kernel.h"

/* Makes AXIS, which must be in [-RANK, RANK - 1], non-negative. False after recording a fault that
 * calls the axis WHAT. The shape rule has found such a fault before, except where it could tell the
 * shape without knowing the axis. */
bool axis_checked(inlay_call *c, const char *what, int64_t axis, int rank, int *out);
/* Marks in MASK the axes that operand I lists. An axis that is listed twice is a fault. */
bool axes_of_operand(inlay_call *c, int i, int rank, bool mask[INLAY_MAX_RANK]);

/* The axis of data of RANK dimensions that operand I, which must have one element, names. */
bool axis_of_operand(inlay_call *c, int i, int rank, int *axis);

/* Data that is folded along some axes: to which element of the result (which is dense and has the
 * other axes in order) each element of data belongs, and how many elements are folded into one.
 * Neighbouring axes that are both folded, or both not, are joined to one. */
typedef struct folding {
    const inlay_tensor *data;
    int rank; /* at least 1 */
    int64_t dims[INLAY_MAX_RANK];
    int64_t strides[INLAY_MAX_RANK]; /* of the result along these dims; 0 along folded axes */
    int64_t n_in, n_out, group;
} folding;
void folding_of(const inlay_tensor *data, const bool *folded, folding *f);
static inline index_iter folding_begin(const folding *f)
{
    return index_begin(f->rank, f->dims);
}
/* The same for rows: a walk over all axes but the last one. */
static inline index_iter folding_rows(const folding *f)
{
    return index_rows(f->rank, f->dims);
}
static inline int64_t folding_at(const folding *f, const index_iter *it)
{
    return index_dot(it->rank, it->at, f->strides);
}

/* A dense tensor seen as [before, length, after], where length is that of one axis. For a tensor
 * without elements before and after are 0, so that [5000000000, 0] is not walked line by line. */
typedef struct axis_split {
    int64_t before, length, after;
} axis_split;
axis_split axis_split_of(const inlay_tensor *t, int axis);

#endif

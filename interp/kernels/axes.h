/* Axis operands read by kernels. Private to interp/kernels/. */
#ifndef INLAY_KERNELS_AXES_H
#define INLAY_KERNELS_AXES_H

#include "interp/kernel.h"

/* AXIS in [-rank, rank-1] made non-negative; otherwise a data fault that names WHAT. The shape rule
 * has said so before, except where it did not have to know the axis to know the shape. */
bool call_axis(inlay_call *c, const char *what, int64_t axis, int rank, int *out);
/* Marks in MASK the axes that operand I lists; a repeated one is a fault. */
bool call_axes(inlay_call *c, int i, int rank, bool mask[INLAY_MAX_RANK]);

/* A tensor seen as [before, length, after] around AXIS, dense. */
typedef struct axis_split {
    int64_t before, length, after;
} axis_split;
axis_split split_at(const inlay_tensor *t, int axis);

#endif

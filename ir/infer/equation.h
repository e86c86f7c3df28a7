/* The equation of an Einsum, "ij,jk->ik", taken apart: the shape rule and the kernel read it. For
 * the folders of this project, not installed. */
#ifndef INLAY_IR_INFER_EQUATION_H
#define INLAY_IR_INFER_EQUATION_H

#include "ir/tensor.h"

/* Labels: a letter is its place in A..Za..z, the axes that an ellipsis covers are the numbers from
 * INLAY_ELLIPSIS on, counted from the last one, because they are broadcast. */
enum { INLAY_ELLIPSIS = 52, INLAY_LABELS = INLAY_ELLIPSIS + INLAY_MAX_RANK };

/* The labels of the axes of an operand, or of the result. */
typedef struct inlay_subscript {
    int rank; /* -1: that depends on a rank which is not known */
    int label[INLAY_MAX_RANK];
} inlay_subscript;

/* The subscripts of N operands of these ranks (-1: not known), and that of the result as OUT[N].
 * False: WHY says what is wrong. */
bool inlay_equation_read(const char *equation, const int *ranks, int n, inlay_subscript *out,
                         char *why, size_t size);

#endif

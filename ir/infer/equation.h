/* The equation of an Einsum, "ij,jk->ik", taken apart: the shape rule and the kernel read its
 * parts. This header is for the folders of this project, and is not installed. */
#ifndef INLAY_IR_INFER_EQUATION_H
#define INLAY_IR_INFER_EQUATION_H

#include "ir/tensor.h"

/* Labels are numbers. A letter is its place in A..Za..z. The axes that an ellipsis covers are the
 * numbers from INLAY_ELLIPSIS on, and the last axis comes first, because these axes are
 * broadcast. */
enum { INLAY_ELLIPSIS = 52, INLAY_LABELS = INLAY_ELLIPSIS + INLAY_MAX_RANK };

/* The labels of the axes of an operand, or of the result. */
typedef struct inlay_subscript {
    int rank; /* -1: the number depends on a rank that is not known */
    int label[INLAY_MAX_RANK];
} inlay_subscript;

/* OUT receives the subscripts of N operands of these RANKS (-1: not known), and behind them, as
 * OUT[N], the subscript of the result. False: WHY says what is wrong. */
bool inlay_equation_read(const char *equation, const int *ranks, int n, inlay_subscript *out,
                         char *why, size_t size);

#endif

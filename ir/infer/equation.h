/* Parses the equation of an Einsum, "ij,jk->ik", for the shape rule and the kernel. For the folders
 * of this project, not installed. */
#ifndef INLAY_IR_INFER_EQUATION_H
#define INLAY_IR_INFER_EQUATION_H

#include "ir/tensor.h"

/* Labels are numbers: a letter is its index in A..Za..z. The axes of an ellipsis are the numbers
 * from INLAY_ELLIPSIS on, beginning with the last axis, because they are broadcast. */
enum { INLAY_ELLIPSIS = 52, INLAY_LABELS = INLAY_ELLIPSIS + INLAY_MAX_RANK };

/* The labels of the axes of an operand or of the result. */
typedef struct inlay_subscript {
    int rank; /* -1: the number depends on an unknown rank */
    int label[INLAY_MAX_RANK];
} inlay_subscript;

/* Writes the subscripts of N operands of these RANKS (-1: unknown) to OUT, and that of the result
 * to OUT[N]. False: WHY says what is wrong. */
bool inlay_equation_read(const char *equation, const int *ranks, int n, inlay_subscript *out,
                         char *why, size_t size);

#endif

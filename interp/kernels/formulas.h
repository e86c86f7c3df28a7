/* The formulas of operations that are computed in two ways: as rows by themselves (binary.c,
 * unary.c), and behind other operations on vectors (stages.c). Each is one line here, over numbers
 * x, y and z, so that both ways make the same bits. Who includes this defines
 * PICK(condition, a, b) for its numbers: A where CONDITION is true, and else B.
 * Private to interp/kernels/. */
#ifndef INLAY_KERNELS_FORMULAS_H
#define INLAY_KERNELS_FORMULAS_H

#define FORM_ADD(x, y) ((x) + (y))
#define FORM_SUBTRACT(x, y) ((x) - (y))
#define FORM_MULTIPLY(x, y) ((x) * (y))
#define FORM_DIVIDE(x, y) ((x) / (y))
/* A NaN on either side comes out, as in numpy. */
#define FORM_MAXIMUM(x, y) PICK(((x) > (y)) | ((x) != (x)), x, y)
#define FORM_MINIMUM(x, y) PICK(((x) < (y)) | ((x) != (x)), x, y)
/* A NaN comes out; -0 becomes 0. */
#define FORM_RELU(x, zero) PICK((x) <= (zero), zero, x)
/* A NaN comes out: it is neither less nor greater. */
#define FORM_CLAMP(x, lo, hi) PICK((x) < (lo), lo, PICK((x) > (hi), hi, x))

#endif

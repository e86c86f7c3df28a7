/* The formulas of operations that are computed in two ways: as row functions (binary.c, unary.c),
 * and after other operations on vectors (stages.c). Each is one line here, on numbers x, y and z,
 * so that both ways give the same bits. Includers define PICK(condition, a, b) for their numbers: A
 * if CONDITION is true, else B. Private to interp/kernels/. */
#ifndef INLAY_KERNELS_FORMULAS_H
#define INLAY_KERNELS_FORMULAS_H

#define FORM_ADD(x, y) ((x) + (y))
#define FORM_SUBTRACT(x, y) ((x) - (y))
#define FORM_MULTIPLY(x, y) ((x) * (y))
#define FORM_DIVIDE(x, y) ((x) / (y))
/* A NaN on either side gives NaN, as in numpy. */
#define FORM_MAXIMUM(x, y) PICK((x) != (x), x, PICK((x) > (y), x, y))
#define FORM_MINIMUM(x, y) PICK((x) != (x), x, PICK((x) < (y), x, y))
/* NaN gives NaN; -0 becomes 0. */
#define FORM_RELU(x, zero) PICK((x) <= (zero), zero, x)
/* NaN gives NaN: it is neither less nor greater. */
#define FORM_CLAMP(x, lo, hi) PICK((x) < (lo), lo, PICK((x) > (hi), hi, x))

#endif

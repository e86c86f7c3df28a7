/* The functions of interp/maths that are correctly rounded: X(name, its name in the C library and
 * in MPFR, up to which float it may be called). */
#ifndef INLAY_TESTS_MATHS_FUNCTIONS_H
#define INLAY_TESTS_MATHS_FUNCTIONS_H

#define EACH_MATHS(X)                                                                              \
    X(exp, exp, INFINITY)                                                                          \
    X(expm1, expm1, INFINITY)                                                                      \
    X(log, log, INFINITY)                                                                          \
    X(log1p, log1p, INFINITY)                                                                      \
    X(sin, sin, INFINITY)                                                                          \
    X(cos, cos, INFINITY)                                                                          \
    X(tan, tan, INFINITY)                                                                          \
    X(asin, asin, INFINITY)                                                                        \
    X(acos, acos, INFINITY)                                                                        \
    X(atan, atan, INFINITY) X(sinh, sinh, INFINITY) X(cosh, cosh, INFINITY)                        \
        X(tanh, tanh, INFINITY) X(asinh, asinh, INFINITY) X(acosh, acosh, INFINITY)                \
            X(atanh, atanh, INFINITY) X(erf, erf, INFINITY) X(sin_near, sin, MATHS_NEAR)           \
                X(cos_near, cos, MATHS_NEAR) X(tan_near, tan, MATHS_NEAR)

#endif

/* Instantiates a kernel that computes in f32 and in f64: includes LOOP twice.
 *
 *     #define LOOP "interp/kernels/attention_loop.h"
 *     #include "interp/kernels/each_float.h"
 *     #undef LOOP
 *
 * LOOP uses these macros:
 *
 *     T            the type of elements
 *     NAME(run)    run_f32, run_f64
 *     LOAD, STORE  load_f32 and store_f32 of interp/call/load.h, or those of f64
 *     F(sqrt)      the function of C for the type: sqrtf, sqrt
 *     FUSED(a, b, c)  a step of a sum of products (ir/OPERATIONS.md): a * b + c, rounded once
 *     FUSED_CLONES    marks functions with such steps (clones.h)
 *     MATHS(exp)   that of interp/maths, which gives the same bits everywhere; for f64 that of C */
#define T float
#define NAME(name) name##_f32
#define LOAD load_f32
#define STORE store_f32
#define F(name) name##f
#define FUSED fmaf
#define FUSED_CLONES INLAY_FUSED_CLONES
#define MATHS(name) maths_##name
#include LOOP
#undef T
#undef NAME
#undef LOAD
#undef STORE
#undef F
#undef FUSED
#undef FUSED_CLONES
#undef MATHS

#define T double
#define NAME(name) name##_f64
#define LOAD load_f64
#define STORE store_f64
#define F(name) name
#define FUSED fma
#define FUSED_CLONES INLAY_FUSED_CLONES
#define MATHS(name) name
#include LOOP
#undef T
#undef NAME
#undef LOAD
#undef STORE
#undef F
#undef FUSED
#undef FUSED_CLONES
#undef MATHS

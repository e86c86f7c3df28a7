/* The frame of a kernel that computes in f32, in f64 and in integers of 64 bits that wrap: includes
 * LOOP three times, as each_float.h does. Of integers T is uint64_t, NAME(run) run_u64, and what
 * LOAD and STORE know is int64_t; there are no F and MATHS. */
#include "interp/kernels/each_float.h"

#define T uint64_t
#define NAME(name) name##_u64
#define LOAD load_i64
#define STORE store_i64
#include LOOP
#undef T
#undef NAME
#undef LOAD
#undef STORE

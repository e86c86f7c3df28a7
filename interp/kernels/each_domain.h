/* Instantiates a kernel that computes in f32, in f64 and in integers of 64 bits that wrap: includes
 * LOOP three times, like each_float.h. For integers T is uint64_t, NAME(run) is run_u64, LOAD and
 * STORE use int64_t, FUSED is a product and a sum, and F and MATHS are undefined. */
#include "interp/kernels/each_float.h"

#define T uint64_t
#define NAME(name) name##_u64
#define LOAD load_i64
#define STORE store_i64
#define FUSED(a, b, c) ((a) * (b) + (c))
#define FUSED_CLONES INLAY_CLONES
#include LOOP
#undef T
#undef NAME
#undef LOAD
#undef STORE
#undef FUSED
#undef FUSED_CLONES

/* Convolutions of 3 x 3 for several processors: for each one in vectors of several widths, because
 * rows may be short. */
#include "interp/library/near.h"
#include "interp/library/fused.h"

enum { BESIDE = 4 /* vectors */ };

#define BACK 3, 4, 5, 6
#define ON 1, 2, 3, 4
#define VECTOR_BYTES 16
#define TARGET
#define NAME(name) name##_16_plain
#include "interp/library/near_loop.h"
#undef NAME
#undef TARGET

#if defined __x86_64__
#define TARGET FUSED_AVX2
#define NAME(name) name##_16_avx2
#include "interp/library/near_loop.h"
#undef NAME
#undef VECTOR_BYTES
#undef BACK
#undef ON

#define BACK 7, 8, 9, 10, 11, 12, 13, 14
#define ON 1, 2, 3, 4, 5, 6, 7, 8
#define VECTOR_BYTES 32
#define NAME(name) name##_32_avx2
#include "interp/library/near_loop.h"
#undef NAME
#undef VECTOR_BYTES
#undef TARGET
#undef BACK
#undef ON

#define BACK 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30
#define ON 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
#define VECTOR_BYTES 64
#define TARGET FUSED_AVX512
#define NAME(name) name##_64_avx512
#include "interp/library/near_loop.h"
#undef NAME
#undef TARGET
#endif
#undef VECTOR_BYTES
#undef BACK
#undef ON

typedef void compute_fn(const near_field *w);

/* The function for rows of at least LEAST columns in vectors of BYTES; wide vectors come first. */
static const struct loop {
    int bytes;
    int64_t least;
    compute_fn *compute;
} loops[] = {
#if defined __x86_64__
    {64, 16, compute_64_avx512},
    {32, 8, compute_32_avx2},
    {32, NEAR_LEAST, compute_16_avx2},
#endif
    {16, NEAR_LEAST, compute_16_plain},
};

void near_compute(const tile_set *set, const near_field *n)
{
    const struct loop *l = loops;

    while (l->bytes > set->vector_bytes || l->least > n->cols)
        l++;
    l->compute(n);
}

/* The sets of loops that unpack weights: those of unpack_loop.h, compiled for several processors.
 */
#include "interp/library/unpack.h"

#include <stddef.h>

enum { AHEAD = 256 }; /* words that are asked of memory before they are read */

#define NAME(name) name##_plain
#define TARGET
#define VECTOR_BYTES 16
#include "interp/library/unpack_loop.h"
#undef NAME
#undef TARGET
#undef VECTOR_BYTES

#ifdef __x86_64__
#define NAME(name) name##_avx2
#define TARGET __attribute__((target("avx2")))
#define VECTOR_BYTES 32
#include "interp/library/unpack_loop.h"
#undef NAME
#undef TARGET
#undef VECTOR_BYTES

#define NAME(name) name##_avx512
#define TARGET __attribute__((target("avx512f")))
#define VECTOR_BYTES 64
#include "interp/library/unpack_loop.h"
#undef NAME
#undef TARGET
#undef VECTOR_BYTES
#endif

static const unpack_set *const sets[] = {
    &set_plain,
#ifdef __x86_64__
    &set_avx2,
    &set_avx512,
#endif
};

const unpack_set *unpack_set_of(int cols)
{
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        if (sets[i]->cols == cols)
            return sets[i];
    }
    return NULL;
}

/* The sets of loops that unpack weights: those of unpack_loop.h, compiled for several processors.
 */
#include "interp/library/unpack.h"
#include "interp/library/fused.h"

#include <stddef.h>

/* clang does not vectorise a loop that reads what was stored just before it. */
#ifdef __clang__
#define APART __attribute__((noinline))
#else
#define APART
#endif

/* clang unrolls these short loops by itself. When it is told to, it takes minutes where a sanitizer
 * checks each of their steps. */
#ifdef __clang__
#define UNROLLED
#else
#define UNROLLED FUSED_UNROLLED
#endif

/* How far ahead words are asked for: what is multiplied as integers takes less time than memory
 * does, and asks for too much of it at a time otherwise. */
enum { AHEAD = 1536, DIGITS_AHEAD = 896, LINE = 64 };

#define NAME(name) name##_plain
#define TARGET
#define VECTOR_BYTES 16
#ifdef __x86_64__
#define MULTIPLY_PAIRS(a, b) _mm_madd_epi16((__m128i)(a), (__m128i)(b))
#endif
#define PLUS_DOUBLE(x, a, b) ((x) + (double)(a) * (b))
#include "interp/library/unpack_loop.h"
#undef PLUS_DOUBLE
#undef NAME
#undef TARGET
#undef VECTOR_BYTES
#undef MULTIPLY_PAIRS

#ifdef __x86_64__
#define PLUS_DOUBLE(x, a, b) __builtin_fma(a, b, x)
#define NAME(name) name##_avx2
#define TARGET __attribute__((target("avx2,fma,f16c")))
#define VECTOR_BYTES 32
#define OF_HALVES(at) _mm256_cvtph_ps(_mm_loadu_si128((const __m128i_u *)(at)))
#define LESS_PRODUCT(x, a, b) _mm256_fnmadd_ps((__m256)(a), (__m256)(b), (__m256)(x))
#define MULTIPLY_PAIRS(a, b) _mm256_madd_epi16((__m256i)(a), (__m256i)(b))
#include "interp/library/unpack_loop.h"
#undef NAME
#undef TARGET
#undef VECTOR_BYTES
#undef MULTIPLY_PAIRS
#undef LESS_PRODUCT
#undef OF_HALVES

#define NAME(name) name##_avx512
#define TARGET __attribute__((target("avx512f,avx512bw,fma,f16c")))
#define VECTOR_BYTES 64
#define OF_HALVES(at) _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i_u *)(at)))
#define LESS_PRODUCT(x, a, b) _mm512_fnmadd_ps((__m512)(a), (__m512)(b), (__m512)(x))
#define MULTIPLY_PAIRS(a, b) _mm512_madd_epi16((__m512i)(a), (__m512i)(b))
#define TARGET_QUADS __attribute__((target("avx512f,avx512bw,avx512vnni,fma,f16c")))
#define ADD_QUADS(sum, w, b) _mm512_dpbusd_epi32((__m512i)(sum), (__m512i)(w), (__m512i)(b))
#include "interp/library/unpack_loop.h"
#undef NAME
#undef TARGET
#undef VECTOR_BYTES
#undef MULTIPLY_PAIRS
#undef LESS_PRODUCT
#undef OF_HALVES
#undef TARGET_QUADS
#undef ADD_QUADS
#undef PLUS_DOUBLE
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

bool unpack_has_bytes(const unpack_set *set)
{
#ifdef __x86_64__
    return set->bytes[UNPACK_U8] && __builtin_cpu_supports("avx512vnni");
#else
    return set->bytes[UNPACK_U8];
#endif
}

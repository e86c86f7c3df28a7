/* What stages_vectors.h takes of processors with AVX2. Private to stages.c. */
#define TARGET target("avx2,fma,f16c")
#define LANES 8
#define floats floats8
#define bits bits8
#define VECTORS a, b, c, d, e, f, g, h
#define ALL_VECTORS EIGHT_VECTORS
#define ALL_TIMES EIGHT_TIMES
#define V(name) _mm256_##name
#define INTEGERS(v) _mm256_castps_si256(v)
#define FLOATS(v) _mm256_castsi256_ps(v)
#define STAGE_STAYS(x) __asm__("" : "+x"(x))

#define CHOOSE(x, y, is, then, other) _mm256_blendv_ps(other, then, _mm256_cmp_ps(x, y, is))
#define KEEP(x, y, is, then) _mm256_and_ps(_mm256_cmp_ps(x, y, is), then)
#define ROUND(x, how) _mm256_round_ps(x, how)
#define AND(v, w) _mm256_and_si256(v, w)
#define UNORDERED_PAIR(v, w) _mm256_cmp_ps(v, w, _CMP_UNORD_Q)
#define HAS_NAN                                                                                    \
    (_mm256_movemask_ps(_mm256_or_ps(_mm256_or_ps(UNORDERED_PAIR(a, b), UNORDERED_PAIR(c, d)),     \
                                     _mm256_or_ps(UNORDERED_PAIR(e, f), UNORDERED_PAIR(g, h)))) != \
     0)

#define LOAD_BYTES(at) _mm_loadl_epi64(at)
#define LOAD_PAIRS(at) _mm_loadu_si128(at)
#define LOAD_INTEGERS(at) _mm256_loadu_si256(at)
#define STORE_PAIRS(to, v) _mm_storeu_si128((__m128i *)(void *)(to), v)
#define STREAM(to, v) _mm256_stream_si256(to, v)
#define STORE_INTEGERS(to, v) _mm256_storeu_si256(to, v)

/* Packing takes halves of 16 bytes by themselves, so eights are put into their order behind it. */
#define PACK_PAIRS(pack, v, w) _mm256_permute4x64_epi64(PACK(pack, v, w), 0xd8)
#define PACK_BYTES(pack, v, w, x, y)                                                               \
    _mm256_permutevar8x32_epi32(_mm256_##pack(PACK(packs_epi32, v, w), PACK(packs_epi32, x, y)),   \
                                _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7))
#define PUT_BYTES(pack)                                                                            \
    PUT(PACK_BYTES(pack, a, b, c, d), 0);                                                          \
    PUT(PACK_BYTES(pack, e, f, g, h), 1)
#define PUT_PAIRS(pack)                                                                            \
    PUT(PACK_PAIRS(pack, a, b), 0);                                                                \
    PUT(PACK_PAIRS(pack, c, d), 1);                                                                \
    PUT(PACK_PAIRS(pack, e, f), 2);                                                                \
    PUT(PACK_PAIRS(pack, g, h), 3)

#define NAME(name) name##_avx2
#include "interp/kernels/stages_vectors.h"

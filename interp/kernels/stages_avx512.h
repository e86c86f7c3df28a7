/* What stages_vectors.h takes of processors with AVX-512. Private to stages.c. */
#define TARGET target("avx512f,avx512bw,avx512dq,fma")
#define LANES 16
#define floats floats16
#define bits bits16
#define VECTORS a, b, c, d
#define ALL_VECTORS FOUR_VECTORS
#define ALL_TIMES FOUR_TIMES
#define V(name) _mm512_##name
#define INTEGERS(v) _mm512_castps_si512(v)
#define FLOATS(v) _mm512_castsi512_ps(v)
#define STAGE_STAYS(x) __asm__("" : "+v"(x))

#define CHOOSE(x, y, is, then, other) _mm512_mask_mov_ps(other, _mm512_cmp_ps_mask(x, y, is), then)
#define KEEP(x, y, is, then) _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(x, y, is), then)
#define ROUND(x, how) _mm512_roundscale_ps(x, how)
#define AND(v, w) _mm512_and_si512(v, w)
#define UNORDERED_PAIR(v, w) _mm512_cmp_ps_mask(v, w, _CMP_UNORD_Q)
#define HAS_NAN ((UNORDERED_PAIR(a, b) | UNORDERED_PAIR(c, d)) != 0)

#define LOAD_BYTES(at) _mm_loadu_si128(at)
#define LOAD_PAIRS(at) _mm256_loadu_si256((const __m256i *)(at))
#define LOAD_INTEGERS(at) _mm512_loadu_si512(at)
#define STORE_PAIRS(to, v) _mm256_storeu_si256((__m256i *)(void *)(to), v)
#define STREAM(to, v) _mm512_stream_si512(to, v)
#define STORE_INTEGERS(to, v) _mm512_storeu_si512(to, v)

/* Packing takes quarters of 16 bytes by themselves. */
#define PACK_PAIRS(pack, v, w)                                                                     \
    _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), PACK(pack, v, w))
#define PUT_BYTES(pack)                                                                            \
    PUT(_mm512_permutexvar_epi32(                                                                  \
            _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15),               \
            _mm512_##pack(PACK(packs_epi32, a, b), PACK(packs_epi32, c, d))),                      \
        0)
#define PUT_PAIRS(pack)                                                                            \
    PUT(PACK_PAIRS(pack, a, b), 0);                                                                \
    PUT(PACK_PAIRS(pack, c, d), 1)

#define NAME(name) name##_avx512
#include "interp/kernels/stages_vectors.h"

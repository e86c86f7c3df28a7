/* Tables of bytes: with AVX-512 VBMI a table is in four registers, with AVX2 sixteen entries at a
 * time are. */
#include "interp/library/lookup.h"

#if defined __x86_64__ && defined __GNUC__
#include <immintrin.h>
#define HAS_X86
#endif

#ifdef HAS_X86
/* Vectors of 64; the last one, under a mask, has the rest. */
static __attribute__((target("avx512f,avx512bw,avx512vbmi"))) void
lookup_vbmi(const uint8_t *table, const uint8_t *from, uint8_t *to, int64_t n)
{
    enum { WIDE = 64 };
    __m512i a = _mm512_loadu_si512(table), b = _mm512_loadu_si512(table + WIDE);
    __m512i c = _mm512_loadu_si512(table + 2 * WIDE), d = _mm512_loadu_si512(table + 3 * WIDE);

    for (int64_t i = 0; i < n; i += WIDE) {
        __mmask64 some = n - i < WIDE ? (UINT64_C(1) << (n - i)) - 1 : UINT64_MAX;
        __m512i x = _mm512_maskz_loadu_epi8(some, from + i);
        __m512i low = _mm512_permutex2var_epi8(a, x, b), high = _mm512_permutex2var_epi8(c, x, d);

        _mm512_mask_storeu_epi8(to + i, some,
                                _mm512_mask_mov_epi8(low, _mm512_movepi8_mask(x), high));
    }
}

/* Returns how many of N bytes, whole vectors, are looked up: a shuffle gives 0 for each byte whose
 * highest bit is set, which those of other rows get. */
static __attribute__((target("avx2"))) int64_t
lookup_avx2(const uint8_t *table, const uint8_t *from, uint8_t *to, int64_t n)
{
    enum { WIDE = 32, ROW = 16, BESIDE = 0x70 };
    int64_t i = 0;

    for (; i + WIDE <= n; i += WIDE) {
        __m256i x = _mm256_loadu_si256((const __m256i *)(const void *)(from + i));
        __m256i y = _mm256_setzero_si256();

        for (int row = 0; row < LOOKUP_ENTRIES / ROW; row++) {
            const void *entries = table + row * ROW;
            __m256i at = _mm256_xor_si256(x, _mm256_set1_epi8((char)(row * ROW)));

            at = _mm256_adds_epu8(at, _mm256_set1_epi8(BESIDE));
            y = _mm256_or_si256(
                y, _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(_mm_loadu_si128(entries)), at));
        }
        _mm256_storeu_si256((__m256i *)(void *)(to + i), y);
    }
    return i;
}
#endif

void lookup_bytes(const uint8_t *table, const uint8_t *from, uint8_t *to, int64_t n)
{
    int64_t i = 0;

#ifdef HAS_X86
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512bw")) {
        lookup_vbmi(table, from, to, n);
        return;
    }
    if (__builtin_cpu_supports("avx2"))
        i = lookup_avx2(table, from, to, n);
#endif
    for (; i < n; i++)
        to[i] = table[from[i]];
}

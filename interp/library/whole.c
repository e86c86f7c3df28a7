/* Tiles of integers for several processors, and their words. */
#include "interp/library/whole.h"

#include "interp/call/share.h"
#include "interp/kernels/clones.h"
#include "interp/library/fused.h"

#include <string.h>

enum { VECTORS = 2, HALF = 16 /* bits */, BIAS = 1 << 15 };

#define VECTOR_BYTES 16
#define TARGET
#define NAME(name) name##_plain
#if defined __x86_64__
#define PAIRS(x, y) _mm_madd_epi16((__m128i)(x), (__m128i)(y))
#else
typedef int32_t signed_words __attribute__((vector_size(16)));

/* Returns for each word the sum of the products of its halves. */
static inline signed_words multiply_pairs(signed_words x, signed_words y)
{
    typedef uint32_t words __attribute__((vector_size(16)));
    signed_words u = (signed_words)((words)x << HALF) >> HALF;
    signed_words v = (signed_words)((words)y << HALF) >> HALF;

    return (signed_words)((words)(u * v) + (words)((x >> HALF) * (y >> HALF)));
}
#define PAIRS(x, y) multiply_pairs((signed_words)(x), (signed_words)(y))
#endif
#define ROWS 5
#include "interp/library/whole_loop.h"
#undef ROWS
#undef PAIRS
#undef NAME
#undef TARGET
#undef VECTOR_BYTES

#if defined __x86_64__
#define VECTOR_BYTES 32
#define TARGET __attribute__((target("avx2")))
#define NAME(name) name##_avx2
#define PAIRS(x, y) _mm256_madd_epi16((__m256i)(x), (__m256i)(y))
#define ROWS 6
#include "interp/library/whole_loop.h"
#undef ROWS
#undef PAIRS
#undef NAME
#undef TARGET
#undef VECTOR_BYTES

#define VECTOR_BYTES 64
#define TARGET __attribute__((target("avx512f,avx512bw")))
#define NAME(name) name##_avx512
#define PAIRS(x, y) _mm512_madd_epi16((__m512i)(x), (__m512i)(y))
#define ROWS 12
#include "interp/library/whole_loop.h"
#undef NAME
#undef TARGET

/* Processors with an instruction for bytes (VNNI, AVX-VNNI). */
#define TARGET __attribute__((target("avx512f,avx512bw,avx512vnni")))
#define NAME(name) name##_vnni512
#define BYTES(sum, x, y) _mm512_dpbusd_epi32((__m512i)(sum), (__m512i)(y), (__m512i)(x))
#include "interp/library/whole_loop.h"
#undef BYTES
#undef ROWS
#undef PAIRS
#undef NAME
#undef TARGET
#undef VECTOR_BYTES

#define VECTOR_BYTES 32
#define TARGET __attribute__((target("avx2,avxvnni")))
#define NAME(name) name##_vnni256
#define PAIRS(x, y) _mm256_madd_epi16((__m256i)(x), (__m256i)(y))
#define BYTES(sum, x, y) _mm256_dpbusd_avx_epi32((__m256i)(sum), (__m256i)(y), (__m256i)(x))
#define ROWS 6
#include "interp/library/whole_loop.h"
#undef BYTES
#undef ROWS
#undef PAIRS
#undef NAME
#undef TARGET
#undef VECTOR_BYTES

/* Has the processor AVX-VNNI? Older clang has no name for it. */
static bool has_vnni256(void)
{
#if defined __clang__ && __clang_major__ < 17
    return false;
#else
    return __builtin_cpu_supports("avxvnni");
#endif
}
#endif

void whole_multiply(const tile_set *set, const whole_tile *t, int64_t rows, int64_t cols)
{
#if defined __x86_64__
    bool bytes = t->kind >= WHOLE_BYTES;

    if (set->vector_bytes >= 64) {
        (bytes && __builtin_cpu_supports("avx512vnni") ? tile_vnni512 : tile_avx512)(t, rows, cols);
        return;
    }
    if (set->vector_bytes >= 32) {
        (bytes && has_vnni256() ? tile_vnni256 : tile_avx2)(t, rows, cols);
        return;
    }
#else
    (void)set;
#endif
    tile_plain(t, rows, cols);
}

bool whole_takes(inlay_type type)
{
    return type == INLAY_I32 || type == INLAY_U32;
}

const whole_number *whole_load(inlay_call *c, int i, int64_t *strides)
{
    const inlay_tensor *t = c->in[i];

    if (t->rank > 0)
        memcpy(strides, t->strides, (size_t)t->rank * sizeof *strides);
    return call_reads(c, i) ? (const whole_number *)t->data + t->offset : NULL;
}

static INLAY_CLONES uint32_t beyond_of(const whole_number *x, int64_t n)
{
    uint32_t beyond = 0;

    for (int64_t i = 0; i < n; i++)
        beyond |= x[i] + BIAS;
    return beyond >> HALF;
}

uint32_t whole_beyond(const whole_number *x, int64_t n)
{
    return beyond_of(x, n);
}

void whole_copy(const whole_number *x, int64_t step, int64_t n, uint32_t *to)
{
    if (step == 1) {
        memcpy(to, x, (size_t)n * sizeof *to);
        return;
    }
    for (int64_t i = 0; i < n; i++)
        to[i] = x[i * step];
}

/* STEP is a constant where this is inlined. */
static inline __attribute__((always_inline)) uint32_t
pair(const whole_number *x, const whole_number *y, int64_t step, int64_t n, uint32_t *restrict to)
{
    uint32_t beyond = 0;

    for (int64_t i = 0; i < n; i++) {
        uint32_t u = x[i * step], v = y[i * step];

        to[i] = (u & UINT16_MAX) | v << HALF;
        beyond |= (u + BIAS) | (v + BIAS);
    }
    return beyond >> HALF;
}

static INLAY_CLONES uint32_t pair_dense(const whole_number *x, const whole_number *y, int64_t n,
                                        uint32_t *to)
{
    return pair(x, y, 1, n, to);
}

static INLAY_CLONES uint32_t pair_row(const whole_number *x, const whole_number *y, int64_t n,
                                      uint32_t *to)
{
    return pair(x, y, 2, n, to);
}

/* Pairs with zeros. */
static uint32_t pair_alone(const whole_number *x, int64_t step, int64_t n, uint32_t *to)
{
    uint32_t beyond = 0;

    for (int64_t i = 0; i < n; i++) {
        to[i] = x[i * step] & UINT16_MAX;
        beyond |= x[i * step] + BIAS;
    }
    return beyond >> HALF;
}

uint32_t whole_pair(const whole_number *x, const whole_number *y, int64_t step, int64_t n,
                    uint32_t *to)
{
    if (!y)
        return pair_alone(x, step, n, to);
    return step == 1   ? pair_dense(x, y, n, to)
           : step == 2 ? pair_row(x, y, n, to)
                       : pair(x, y, step, n, to);
}

uint32_t whole_pack_row(const whole_number *x, int64_t step, int64_t n, bool pairs, uint32_t *to)
{
    uint32_t beyond;

    if (!pairs) {
        whole_copy(x, step, n, to);
        return 0;
    }
    beyond = whole_pair(x, x + step, step * 2, n / 2, to);
    if (n % 2)
        beyond |= pair_alone(x + (n - 1) * step, step, 1, to + n / 2);
    return beyond;
}

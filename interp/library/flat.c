/* Windows over planes that are one run, for processors that can leave lanes of a vector out. */
#include "interp/library/flat.h"
#include "interp/kernels/formulas.h"
#include "interp/library/fused.h"
#include "interp/library/near.h"

#include <string.h>

enum {
    BESIDE = 4,       /* vectors */
    MOST_STEPS = 1024 /* of one plane: a vector at a place of the window */
};

typedef bool compute_fn(const flat_plan *p, const float *x, const float *f, float *y,
                        const tile_end *e);

#ifdef __x86_64__
#define VECTOR_BYTES 32
#define TARGET FUSED_AVX2
#define LARGER(v, u) ((NAME(vector))_mm256_max_ps((__m256)(v), (__m256)(u)))
#define MASK 8
#define SEEN(p) _mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)(p)))
#define LOAD_SEEN(p, seen, v)                                                                      \
    ((NAME(vector))_mm256_blendv_ps((__m256)(v), _mm256_maskload_ps(p, SEEN(seen)),                \
                                    _mm256_castsi256_ps(SEEN(seen))))
#define STORE_SOME(p, n, v)                                                                        \
    _mm256_maskstore_ps(p,                                                                         \
                        _mm256_cmpgt_epi32(_mm256_set1_epi32((int)(n)),                            \
                                           _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)),             \
                        (__m256)(v))
#define NAME(name) name##_32_avx2
#include "interp/library/flat_loop.h"
#undef SEEN

#define VECTOR_BYTES 64
#define TARGET FUSED_AVX512
#define LARGER(v, u) ((NAME(vector))_mm512_max_ps((__m512)(v), (__m512)(u)))
#define MASK 2
#define LOAD_SEEN(p, seen, v)                                                                      \
    ((NAME(vector))_mm512_mask_loadu_ps((__m512)(v), *(const mask_bits *)(const void *)(seen), p))
#define STORE_SOME(p, n, v) _mm512_mask_storeu_ps(p, (__mmask16)((1U << (n)) - 1), (__m512)(v))
#define NAME(name) name##_64_avx512
typedef uint16_t mask_bits __attribute__((may_alias));
#include "interp/library/flat_loop.h"

static compute_fn *compute_of(const tile_set *set)
{
    return set->vector_bytes >= 64   ? compute_64_avx512
           : set->vector_bytes >= 32 ? compute_32_avx2
                                     : NULL;
}
#else
static compute_fn *compute_of(const tile_set *set)
{
    (void)set;
    return NULL;
}
#endif

static int64_t lanes_of(const tile_set *set)
{
    return set->vector_bytes / (int64_t)sizeof(float);
}

bool flat_takes(const tile_set *set, const field *w)
{
    enum { SHORT = 8, FEW = 9 };
    int64_t lanes = lanes_of(set), cols = w->axis[2].small;
    bool same = compute_of(set) && w->large > 0 && w->kernel > 0 && w->kernel <= MOST_STEPS &&
                w->large <= MOST_STEPS * lanes;

    for (int i = 0; same && i < FIELD_AXES; i++)
        same = w->axis[i].stride == 1 && w->axis[i].small == w->axis[i].large;
    if (!same || (w->large + lanes - 1) / lanes * w->kernel > MOST_STEPS)
        return false;
    return !near_takes(set, w, false) || cols < SHORT + (lanes > SHORT) ||
           (lanes <= SHORT && cols < 2 * SHORT && w->kernel <= FEW);
}

/* Marks N lanes of a plane, from lane AT on, whose marks are bits if BITS, or else bytes. */
static void mark_run(unsigned char *sees, int64_t at, int64_t n, bool bits)
{
    if (!bits && n > 0)
        memset(sees + at, 0xff, (size_t)n);
    for (int64_t some; bits && n > 0; at += some, n -= some) {
        some = 8 - at % 8 < n ? 8 - at % 8 : n;
        sees[at / 8] |= (unsigned char)(((1 << some) - 1) << at % 8);
    }
}

/* Marks the lanes that see an element at place K. */
static void mark_place(const field *w, const int64_t *k, bool bits, unsigned char *sees)
{
    const field_axis *a = w->axis;
    int64_t from[FIELD_AXES], to[FIELD_AXES];

    for (int i = 0; i < FIELD_AXES; i++)
        field_reach(&a[i], k[i], &from[i], &to[i]);
    for (int64_t p = from[0]; p < to[0]; p++) {
        for (int64_t q = from[1]; q < to[1]; q++)
            mark_run(sees, (p * a[1].small + q) * a[2].small + from[2], to[2] - from[2], bits);
    }
}

/* Returns the bytes that say which lanes of a plane see a place. */
static int64_t seen_bytes(const tile_set *set, const field *w)
{
    int64_t lanes = lanes_of(set), mask = lanes == 16 ? 2 : 8;

    return (w->large + lanes - 1) / lanes * mask;
}

int64_t flat_bytes(const tile_set *set, const field *w)
{
    return w->kernel * ((int64_t)sizeof(int64_t) + seen_bytes(set, w));
}

void flat_prepare(const tile_set *set, const field *w, void *room, flat_plan *p)
{
    const field_axis *a = w->axis;
    const int64_t dims[FIELD_AXES] = {a[0].kernel, a[1].kernel, a[2].kernel};
    int64_t *at = room, lanes = lanes_of(set), bytes = seen_bytes(set, w);
    unsigned char *sees = (unsigned char *)(at + w->kernel);

    *p = (flat_plan){.places = w->kernel, .plane = w->large, .at = at, .sees = sees};
    p->vectors = (w->large + lanes - 1) / lanes;
    memset(sees, 0, (size_t)(w->kernel * bytes));
    for (index_iter it = index_begin(FIELD_AXES, dims); index_valid(&it); index_next(&it)) {
        at[it.linear] = 0;
        for (int i = 0; i < FIELD_AXES; i++)
            at[it.linear] = at[it.linear] * a[i].large + it.at[i] * a[i].dilation - a[i].pad;
        mark_place(w, it.at, lanes == 16, sees + it.linear * bytes);
    }
}

bool flat_compute(const tile_set *set, const flat_plan *p, const float *x, const float *f, float *y,
                  const tile_end *e)
{
    return compute_of(set)(p, x, f, y, e);
}

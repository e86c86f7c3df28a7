/* Small windows for several processors: for each one in vectors of several widths, because rows may
 * be short. */
#include "interp/library/near.h"
#include "interp/kernels/formulas.h"
#include "interp/library/fused.h"

enum {
    MOST_SIDE = 7,   /* of a window */
    MOST_LIVE = 7,   /* rows of the result that a row of the data is read for */
    MOST_BESIDE = 4, /* vectors of a row */
    LEAST = 4        /* columns of the result */
};

typedef bool compute_fn(const near_field *n);

/* A copy of what a loop reads, in registers: for all that the compiler knows, the field itself
 * might change whenever a result is stored. */
struct own {
    near_field n;
    field_axis down, across;
    tile_end end;
};

/* Applies DO to the sides and the strides of windows. */
#define EACH_WINDOW(DO) DO(2, 2) DO(3, 1) DO(3, 2) DO(5, 1) DO(5, 2) DO(7, 1) DO(7, 2)

#ifdef __x86_64__
#define VECTOR_BYTES 32
#define EVEN 0, 2, 4, 6, 8, 10, 12, 14
#define ODD 1, 3, 5, 7, 9, 11, 13, 15
#define TARGET FUSED_AVX2
#define LARGER(v, u) ((NAME(vector))_mm256_max_ps((__m256)(v), (__m256)(u)))
#define ADD_ODD(odd, v, u)                                                                         \
    ((odd) | (NAME(lanes))_mm256_cmp_ps((__m256)(v), (__m256)(u), _CMP_UNORD_Q))
#define MASK __m256i
#define BELOW(n)                                                                                   \
    _mm256_cmpgt_epi32(_mm256_set1_epi32((int)(n)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))
#define LANES(from, to) _mm256_andnot_si256(BELOW(from), BELOW(to))
#define LOAD_SOME(p, mask, v)                                                                      \
    ((NAME(vector))_mm256_blendv_ps((__m256)(v), _mm256_maskload_ps(p, mask),                      \
                                    _mm256_castsi256_ps(mask)))
#define STORE_SOME(p, n, v) _mm256_maskstore_ps(p, BELOW(n), (__m256)(v))
#define NAME(name) name##_32_avx2
#include "interp/library/near_loop.h"
#undef BELOW

#define VECTOR_BYTES 64
#define EVEN 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define ODD 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31
#define TARGET FUSED_AVX512
#define LARGER(v, u) ((NAME(vector))_mm512_max_ps((__m512)(v), (__m512)(u)))
#define ADD_ODD(odd, v, u)                                                                         \
    ((NAME(lanes))_mm512_mask_set1_epi32(                                                          \
        (__m512i)(odd), _mm512_cmp_ps_mask((__m512)(v), (__m512)(u), _CMP_UNORD_Q), -1))
#define MASK __mmask16
#define LANES(from, to) ((__mmask16)((1U << (to)) - (1U << (from))))
#define LOAD_SOME(p, mask, v) ((NAME(vector))_mm512_mask_loadu_ps((__m512)(v), mask, p))
#define STORE_SOME(p, n, v) _mm512_mask_storeu_ps(p, LANES(0, n), (__m512)(v))
#define NAME(name) name##_64_avx512
#include "interp/library/near_loop.h"
#else
/* Lanes FROM <= i < TO. */
struct mask {
    int from, to;
};

#define VECTOR_BYTES 16
#define EVEN 0, 2, 4, 6
#define ODD 1, 3, 5, 7
#define TARGET
#define LARGER(v, u)                                                                               \
    ((NAME(vector))(((NAME(lanes))(v) & ((v) > (u))) | ((NAME(lanes))(u) & ~((v) > (u)))))
#define ADD_ODD(odd, v, u) ((odd) | ((v) != (v)) | ((u) != (u)))
#define MASK struct mask
#define LANES(from, to) ((struct mask){from, to})
#define LOAD_SOME(p, mask, v) load_some(p, &(mask), v)
#define STORE_SOME(p, n, v) (void)(v) /* rows are not shorter than a vector */

typedef float four __attribute__((vector_size(16), aligned(sizeof(float)), may_alias));

static inline four load_some(const float *x, const struct mask *m, four v)
{
    for (int i = m->from; i < m->to; i++)
        v[i] = x[i];
    return v;
}

#define NAME(name) name##_16_plain
#include "interp/library/near_loop.h"
#endif

#define SIZE(side, stride) {side, stride},
static const struct size {
    int64_t side, stride;
} sizes[] = {EACH_WINDOW(SIZE)};
#undef SIZE

/* The functions for vectors of BYTES; wide vectors come first. */
static const struct loop {
    int bytes;
    compute_fn *const *sum, *const *most;
} loops[] = {
#ifdef __x86_64__
    {64, sum_64_avx512, most_64_avx512},
    {32, sum_32_avx2, most_32_avx2},
#else
    {16, sum_16_plain, most_16_plain},
#endif
};

/* Returns the index of the size of W; -1: it has no function. */
static int size_of(const field *w)
{
    const field_axis *a = w->axis;

    for (int i = 0; i < (int)(sizeof sizes / sizeof *sizes); i++) {
        if (a[1].kernel == sizes[i].side && a[2].kernel == sizes[i].side &&
            a[1].stride == sizes[i].stride && a[2].stride == sizes[i].stride)
            return i;
    }
    return -1;
}

enum { N_LOOPS = sizeof loops / sizeof *loops };

bool near_takes(const tile_set *set, const field *w, bool most)
{
    const field_axis *a = w->axis;
    bool takes = set->vector_bytes >= loops[N_LOOPS - 1].bytes && size_of(w) >= 0 &&
                 (most || a[0].kernel == 1) && a[2].small >= LEAST;

    for (int i = 1; takes && i < FIELD_AXES; i++) {
        int64_t end = (a[i].small - 1) * a[i].stride + a[i].kernel - a[i].pad - a[i].large;

        takes = a[i].dilation == 1 && a[i].pad >= 0 && a[i].pad <= a[i].kernel / 2 &&
                end <= a[i].kernel / 2;
    }
    return takes;
}

bool near_compute(const tile_set *set, const near_field *n)
{
    const field_axis *a = n->w->axis;
    const struct loop *l = loops;
    int64_t plane = a[1].large * a[2].large, size = a[1].small * a[2].small, from, to;
    near_field part = *n;
    compute_fn *compute;
    bool finite = true;

    while (l->bytes > set->vector_bytes)
        l++;
    compute = (n->most ? l->most : l->sum)[size_of(n->w)];
    for (int64_t p = 0; p < a[0].small; p++, part.y += size) {
        field_inside(&a[0], p, &from, &to);
        for (int64_t i = 0; from == to && i < size; i++)
            part.y[i] = n->most ? -INFINITY : 0;
        for (int64_t k = from; k < to; k++) {
            part.x = n->x + field_element(&a[0], p, k) * plane;
            part.goes_on = k > from;
            finite &= compute(&part);
        }
    }
    return finite;
}

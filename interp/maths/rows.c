/* The rows of rows.h. The compiler vectorizes a loop over a function of maths.h by itself: these
 * are the plain rows. wide.h has the same in vectors, by hand, for the processors that most
 * machines have. */
#include "interp/maths/rows.h"

#include "interp/maths/maths.h"

#if defined __x86_64__ && defined __GNUC__
#define HAS_X86
#endif

/* Adds element I of X to LANE[I % MATHS_LANES]. */
static inline __attribute__((always_inline)) void add_lanes(float *restrict lane, const float *x,
                                                            int64_t n)
{
    int64_t i = 0;

    for (; i + MATHS_LANES <= n; i += MATHS_LANES) {
        _Pragma("omp simd") for (int k = 0; k < MATHS_LANES; k++) lane[k] += x[i + k];
    }
    for (; i < n; i++)
        lane[i % MATHS_LANES] += x[i];
}

static float sum_of_lanes(const float *lane, float sum)
{
    for (int k = 0; k < MATHS_LANES; k++)
        sum += lane[k];
    return sum;
}

enum { TOGETHER = 4 };
/* Sets SUM[R] to the sum of the lanes of row R, in order. Four lanes of four rows are turned round,
 * so that their sums are side by side: one after the other each would wait for sixteen additions. */
static inline __attribute__((always_inline)) void add_up(float *sum, float (*lane)[MATHS_LANES])
{
    typedef float four __attribute__((vector_size(4 * sizeof(float))));
    four all = {0}, r[4];

    for (int k = 0; k < MATHS_LANES; k += 4) {
        four low, high, low2, high2;

        for (int i = 0; i < 4; i++)
            memcpy(&r[i], lane[i] + k, sizeof r[i]);
        low = __builtin_shufflevector(r[0], r[1], 0, 4, 1, 5);
        high = __builtin_shufflevector(r[0], r[1], 2, 6, 3, 7);
        low2 = __builtin_shufflevector(r[2], r[3], 0, 4, 1, 5);
        high2 = __builtin_shufflevector(r[2], r[3], 2, 6, 3, 7);
        all += __builtin_shufflevector(low, low2, 0, 1, 4, 5);
        all += __builtin_shufflevector(low, low2, 2, 3, 6, 7);
        all += __builtin_shufflevector(high, high2, 0, 1, 4, 5);
        all += __builtin_shufflevector(high, high2, 2, 3, 6, 7);
    }
    memcpy(sum, &all, sizeof all);
}

static inline __attribute__((always_inline)) void divide(float *y, int64_t n, float by)
{
    _Pragma("omp simd") for (int64_t i = 0; i < n; i++) y[i] /= by;
}

/* Defines the row NAME of elements FORM, over x, a and b. */
#define PLAIN_ROW(attribute, name, form)                                                           \
    static attribute void name(float *to, const float *from, int64_t n, double a, double b)        \
    {                                                                                              \
        (void)a, (void)b;                                                                          \
        _Pragma("omp simd") for (int64_t i = 0; i < n; i++)                                        \
        {                                                                                          \
            float x = from[i];                                                                     \
                                                                                                   \
            to[i] = form;                                                                          \
        }                                                                                          \
    }
#define ROW(name, form) PLAIN_ROW(, name##_row_plain, form)
#include "interp/maths/rows.def"
#undef ROW

static void divide_plain(float *y, int64_t n, float by)
{
    divide(y, n, by);
}

static float largest_plain(const float *from, int64_t n)
{
    float most = -INFINITY;

    for (int64_t i = 0; i < n; i++)
        most = from[i] > most ? from[i] : most;
    return most;
}

static void softmax_plain(char *to, ptrdiff_t to_pitch, const char *from, ptrdiff_t from_pitch,
                          int64_t rows, int64_t n)
{
    for (; rows > 0; rows--, to += to_pitch, from += from_pitch) {
        const float *x = (const float *)(const void *)from;
        float lane[MATHS_LANES] = {0}, *y = (float *)(void *)to;

        exp_row_plain(y, x, n, largest_plain(x, n), 0);
        add_lanes(lane, y, n);
        divide(y, n, sum_of_lanes(lane, 0));
    }
}

static float exp_rest_plain(const float *from, int64_t n, float most)
{
    float lane[MATHS_LANES] = {0};
    int64_t equal = 0;

    for (int64_t i = 0; i < n; i++) {
        if (from[i] - most == 0)
            equal++;
        else
            lane[i % MATHS_LANES] += maths_exp(from[i] - most);
    }
    return sum_of_lanes(lane, (float)(equal - 1));
}

#ifdef HAS_X86
#include "interp/maths/wide.h"
#endif

const maths_rows *maths_rows_of(maths_width width)
{
#define ROW(name, form) name##_row_plain,
    static const maths_rows plain = {
#include "interp/maths/rows.def"
        largest_plain, softmax_plain, exp_rest_plain, divide_plain};
#undef ROW
#ifdef HAS_X86
#define ROW(name, form) name##_row_avx2,
    static const maths_rows avx2 = {
#include "interp/maths/rows.def"
        largest_avx2, softmax_avx2, exp_rest_avx2, divide_avx2};
#undef ROW
#define ROW(name, form) name##_row_avx512,
    static const maths_rows avx512 = {
#include "interp/maths/rows.def"
        largest_avx512, softmax_avx512, exp_rest_avx512, divide_avx512};
#undef ROW

    __builtin_cpu_init();
    if (width == MATHS_AVX512 && __builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return &avx512;
    if (width == MATHS_AVX2 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return &avx2;
#endif
    return width == MATHS_PLAIN ? &plain : NULL;
}

const maths_rows *maths_best_rows(void)
{
    const maths_rows *rows = NULL;

    for (int width = MATHS_AVX512; !rows; width--)
        rows = maths_rows_of((maths_width)width);
    return rows;
}

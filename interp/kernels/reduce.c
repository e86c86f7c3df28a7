/* Reductions: every element of data, in row-major order, is reduced into its element of the output.
 * One operation is one line: the start of the reduction, its step, and the final operation on the
 * sum and the number N of elements. */
#include "interp/kernels/reduce.h"

#include <math.h>
#include <string.h>

/* An extreme of MANY numbers has MANY lanes, one of a row in a block SHORT. */
enum { SHORT = 16, MANY = 128 };

/* For each element of a row, stores FORM of SUM and X in TO; with a STEP of 0 the whole row is
 * folded into one element. */
#define FOLD(T, form)                                                                              \
    if (step == 0) {                                                                               \
        T sum = *to;                                                                               \
                                                                                                   \
        for (int64_t i = 0; i < n; i++) {                                                          \
            T x = from[i * apart];                                                                 \
                                                                                                   \
            sum = form;                                                                            \
        }                                                                                          \
        *to = sum;                                                                                 \
    }                                                                                              \
    for (int64_t i = 0; step != 0 && i < n; i++) {                                                 \
        T sum = to[i * step], x = from[i * apart];                                                 \
                                                                                                   \
        to[i * step] = form;                                                                       \
    }

/* Defines the function that folds a row into its extreme: of two numbers, the one that IS beyond
 * the other. In the order of the elements, the first NaN is the result, else the last of what is
 * equal to the extreme, which matters to zeros; LANES parts know neither. */
#define MORE_OF(is, a, b) ((a)is(b) || (a) != (a) ? (a) : (b))
#define MERGE(n, is)                                                                               \
    _Pragma("omp simd") for (int k = 0; k < (n); k++) lane[k] = MORE_OF(is, lane[k], lane[k + (n)]);
#define MOST_OF(n, is)                                                                             \
    _Pragma("omp simd") for (int k = 0; k < (n); k++) lane[k] =                                    \
        lane[k] is lane[k + (n)] ? lane[k] : lane[k + (n)];
/* The lanes are in memory: a vector is read again in the next turn, when it has been written. With
 * MANY lanes that is later, and is not waited for. */
#define EXTREME_LOOP(lanes, is)                                                                    \
    for (; i + (lanes) <= n; i += (lanes)) {                                                       \
        _Pragma("omp simd") for (int k = 0; k < (lanes); k++) lane[k] =                            \
            MORE_OF(is, lane[k], x[i + k]);                                                        \
    }
#define EXTREME(T, name, is)                                                                       \
    static INLAY_CLONES T name##_most(const T *x, int64_t n, T start)                              \
    {                                                                                              \
        T lane[MANY];                                                                              \
        int64_t i = 0;                                                                             \
                                                                                                   \
        for (int k = 0; k < (n < MANY ? LANES : MANY); k++)                                        \
            lane[k] = start;                                                                       \
        EXTREME_LOOP(MANY, is)                                                                     \
        if (i > 0) {                                                                               \
            MERGE(64, is)                                                                          \
            MERGE(32, is)                                                                          \
        }                                                                                          \
        EXTREME_LOOP(LANES, is)                                                                    \
        _Pragma("omp simd") for (int k = 0; k < LANES; k++)                                        \
        {                                                                                          \
            T e = k < n - i ? x[i + k] : start;                                                    \
                                                                                                   \
            lane[k] = MORE_OF(is, lane[k], e);                                                     \
        }                                                                                          \
        MERGE(16, is)                                                                              \
        MERGE(8, is)                                                                               \
        MERGE(4, is)                                                                               \
        MERGE(2, is)                                                                               \
        return MORE_OF(is, lane[0], lane[1]);                                                      \
    }                                                                                              \
                                                                                                   \
    /* Sets TO to the extreme MOST of itself and of the N numbers FROM. */                         \
    static inline void name##_settle(T *to, T most, const T *from, int64_t n)                      \
    {                                                                                              \
        if (most != most) {                                                                        \
            name##_each(to, 0, from, 1, n);                                                        \
            return;                                                                                \
        }                                                                                          \
        while (most == 0 && n > 0 && from[n - 1] != 0)                                             \
            n--;                                                                                   \
        *to = most == 0 && n > 0 ? from[n - 1] : most;                                             \
    }                                                                                              \
                                                                                                   \
    static void name(T *to, int64_t step, const T *from, int64_t apart, int64_t n)                 \
    {                                                                                              \
        if (step != 0 || apart != 1 || n < EIGHT) {                                                \
            name##_each(to, step, from, apart, n);                                                 \
            return;                                                                                \
        }                                                                                          \
        name##_settle(to, name##_most(from, n, *to), from, n);                                     \
    }                                                                                              \
                                                                                                   \
    static inline __attribute__((always_inline)) bool name##_odd(const T *x, int64_t n)            \
    {                                                                                              \
        int odd = 0;                                                                               \
                                                                                                   \
        _Pragma("omp simd reduction(|: odd)") for (int64_t i = 0; i < n; i++) odd |= x[i] != x[i]; \
        return odd;                                                                                \
    }                                                                                              \
                                                                                                   \
    /* NaN is asked for in some rows at once. The last numbers are compared twice. */              \
    static INLAY_CLONES void name##_rows(T *restrict to, int64_t step, const T *restrict from,     \
                                         const lines *l)                                           \
    {                                                                                              \
        const int64_t n = l->n;                                                                    \
        bool fits = n >= SHORT && n < 2 * MANY, odd = !fits;                                       \
                                                                                                   \
        for (int64_t row = 0; row < l->rows; row++, from += l->pitch, to += step) {                \
            int64_t left = l->rows - row;                                                          \
            T lane[SHORT];                                                                         \
                                                                                                   \
            if (fits && l->pitch != n)                                                             \
                odd = name##_odd(from, n);                                                         \
            else if (fits && row % SHORT == 0)                                                     \
                odd = name##_odd(from, (left < SHORT ? left : SHORT) * n);                         \
            if (odd) {                                                                             \
                name(to, 0, from, 1, n);                                                           \
                continue;                                                                          \
            }                                                                                      \
            memcpy(lane, from, sizeof lane);                                                       \
            for (int64_t i = SHORT; i < n; i += SHORT) {                                           \
                const T *x = from + (i < n - SHORT ? i : n - SHORT);                               \
                                                                                                   \
                _Pragma("omp simd") for (int k = 0; k < SHORT; k++) lane[k] =                      \
                    lane[k] is x[k] ? lane[k] : x[k];                                              \
            }                                                                                      \
            MOST_OF(8, is)                                                                         \
            MOST_OF(4, is)                                                                         \
            MOST_OF(2, is)                                                                         \
            lane[0] = lane[0] is lane[1] ? lane[0] : lane[1];                                      \
            name##_settle(to, MORE_OF(is, *to, lane[0]), from, n);                                 \
        }                                                                                          \
    }

#define STEP(T, name, form)                                                                        \
    static INLAY_CLONES void name(T *to, int64_t step, const T *from, int64_t apart, int64_t n)    \
    {                                                                                              \
        FOLD(T, form)                                                                              \
    }

/* Defines the function that folds columns: some of them in registers, row after row. The last ones,
 * which are too few, are folded with those before them, and before these. */
#define COLUMN_BLOCK(T, width, at, form)                                                           \
    T lane[width];                                                                                 \
                                                                                                   \
    memcpy(lane, to + (at), sizeof lane);                                                          \
    for (int64_t row = 0; row < l->rows; row++) {                                                  \
        const T *line = from + row * l->pitch + (at);                                              \
                                                                                                   \
        _Pragma("omp simd") for (int k = 0; k < (width); k++)                                      \
        {                                                                                          \
            T sum = lane[k], x = line[k];                                                          \
                                                                                                   \
            lane[k] = form;                                                                        \
        }                                                                                          \
    }
#define COLUMN_BLOCKS(T, width, form)                                                              \
    {                                                                                              \
        const int64_t n = l->n, rest = n % (width);                                                \
        T last[width];                                                                             \
                                                                                                   \
        if (rest > 0) {                                                                            \
            COLUMN_BLOCK(T, width, n - (width), form)                                              \
            memcpy(last, lane, sizeof last);                                                       \
        }                                                                                          \
        for (int64_t i = 0; i + (width) <= n; i += (width)) {                                      \
            COLUMN_BLOCK(T, width, i, form)                                                        \
            memcpy(to + i, lane, sizeof lane);                                                     \
        }                                                                                          \
        if (rest > 0)                                                                              \
            memcpy(to + n - rest, last + (width)-rest, (size_t)rest * sizeof(T));                  \
    }
/* Few columns of rows without gaps: also computes what stands behind them, and drops it. */
#define FEW_COLUMNS(T, form)                                                                       \
    {                                                                                              \
        const int64_t n = l->n, all = l->rows * n;                                                 \
        T lane[EIGHT] = {0};                                                                       \
        int64_t i = 0;                                                                             \
                                                                                                   \
        memcpy(lane, to, (size_t)n * sizeof(T));                                                   \
        for (; i + EIGHT <= all; i += n) {                                                         \
            _Pragma("omp simd") for (int k = 0; k < EIGHT; k++)                                    \
            {                                                                                      \
                T sum = lane[k], x = from[i + k];                                                  \
                                                                                                   \
                lane[k] = form;                                                                    \
            }                                                                                      \
        }                                                                                          \
        for (; i < all; i += n) {                                                                  \
            for (int64_t k = 0; k < n; k++) {                                                      \
                T sum = lane[k], x = from[i + k];                                                  \
                                                                                                   \
                lane[k] = form;                                                                    \
            }                                                                                      \
        }                                                                                          \
        memcpy(to, lane, (size_t)n * sizeof(T));                                                   \
    }
#define COLUMNS(T, name, form)                                                                     \
    static INLAY_CLONES void name(T *restrict to, const T *restrict from, const lines *l)          \
    {                                                                                              \
        if (l->n >= LANES)                                                                         \
            COLUMN_BLOCKS(T, LANES, form)                                                          \
        else if (l->n >= EIGHT)                                                                    \
            COLUMN_BLOCKS(T, EIGHT, form)                                                          \
        else                                                                                       \
            FEW_COLUMNS(T, form)                                                                   \
    }

#define STEPS(name, f32_form, f64_form, i64_form)                                                  \
    COLUMNS(float, name##_columns_f32, f32_form)                                                   \
    COLUMNS(double, name##_columns_f64, f64_form)                                                  \
    STEP(float, name##_f32, f32_form)                                                              \
    STEP(double, name##_f64, f64_form)                                                             \
    STEP_I64(name, i64_form)

#define STEP_I64(name, i64_form)                                                                   \
    static void name##_i64(int64_t *to, int64_t step, const int64_t *from, int64_t apart,          \
                           int64_t n, bool is_unsigned)                                            \
    {                                                                                              \
        (void)is_unsigned;                                                                         \
        FOLD(int64_t, i64_form)                                                                    \
    }

/* Defines the function that folds rows of integers of type T. They may be at any address. */
#define INT_ROWS(name, suffix, T, form)                                                            \
    typedef T name##_##suffix##_any __attribute__((aligned(1), may_alias));                        \
    static INLAY_CLONES void name##_##suffix(void *out, int64_t step, const void *in,              \
                                             int64_t apart, int64_t n)                             \
    {                                                                                              \
        name##_##suffix##_any *to = out;                                                           \
        const name##_##suffix##_any *from = in;                                                    \
                                                                                                   \
        if (step == 0 && apart == 1) {                                                             \
            T sum = *to;                                                                           \
                                                                                                   \
            for (int64_t i = 0; i < n; i++) {                                                      \
                T x = from[i];                                                                     \
                                                                                                   \
                sum = (T)(form);                                                                   \
            }                                                                                      \
            *to = sum;                                                                             \
        } else if (step == 1 && apart == 1) {                                                      \
            _Pragma("omp simd") for (int64_t i = 0; i < n; i++)                                    \
            {                                                                                      \
                T sum = to[i], x = from[i];                                                        \
                                                                                                   \
                to[i] = (T)(form);                                                                 \
            }                                                                                      \
        } else {                                                                                   \
            FOLD(T, (T)(form))                                                                     \
        }                                                                                          \
    }

#define SIGNED_ROWS(name, form)                                                                    \
    INT_ROWS(name, i8, int8_t, form)                                                               \
    INT_ROWS(name, i16, int16_t, form)                                                             \
    INT_ROWS(name, i32, int32_t, form)                                                             \
    INT_ROWS(name, i64, int64_t, form)
#define UNSIGNED_ROWS(name, form)                                                                  \
    INT_ROWS(name, u8, uint8_t, form)                                                              \
    INT_ROWS(name, u16, uint16_t, form)                                                            \
    INT_ROWS(name, u32, uint32_t, form)                                                            \
    INT_ROWS(name, u64, uint64_t, form)
#define EACH_INT(name)                                                                             \
    {                                                                                              \
        name##_i8, name##_u8, name##_i16, name##_u16, name##_i32, name##_u32, name##_i64,          \
            name##_u64                                                                             \
    }
/* Sums and products of signed integers have the bits of those without a sign. */
#define EACH_SUM(name)                                                                             \
    {                                                                                              \
        name##_u8, name##_u8, name##_u16, name##_u16, name##_u32, name##_u32, name##_u64,          \
            name##_u64                                                                             \
    }

SIGNED_ROWS(least, x < sum ? x : sum)
UNSIGNED_ROWS(least, x < sum ? x : sum)
SIGNED_ROWS(greatest, x > sum ? x : sum)
UNSIGNED_ROWS(greatest, x > sum ? x : sum)
UNSIGNED_ROWS(total, sum + x)
UNSIGNED_ROWS(times, (uint64_t)sum *x)
SIGNED_ROWS(sizes, (uint64_t)sum + (x < 0 ? -(uint64_t)x : (uint64_t)x))

/* Adds element I of a row to its lane. */
#define LANE(T, k, i, form)                                                                        \
    {                                                                                              \
        T sum = lane[k], x = from[(i)*apart];                                                      \
                                                                                                   \
        lane[k] = form;                                                                            \
    }

/* Adds the elements of L, which begin at FROM with number AT of all, to their lanes. */
#define LANES_OF(name, T, suffix, form)                                                            \
    static INLAY_CLONES void name##_lanes_##suffix(T *restrict lane, int64_t at,                   \
                                                   const T *restrict from, const lines *l)         \
    {                                                                                              \
        int64_t apart = l->apart, n = l->n;                                                        \
        bool even = apart == 1 && n % LANES == 0 && at % LANES == 0; /* lanes stay in registers */ \
                                                                                                   \
        for (int64_t row = 0; even && row < l->rows; row++, from += l->pitch) {                    \
            for (int64_t i = 0; i < n; i += LANES) {                                               \
                _Pragma("omp simd") for (int k = 0; k < LANES; k++) LANE(T, k, i + k, form)        \
            }                                                                                      \
        }                                                                                          \
        for (int64_t row = 0; !even && row < l->rows; row++, from += l->pitch, at += n) {          \
            int64_t i = 0;                                                                         \
                                                                                                   \
            for (; i < n && (at + i) % LANES != 0; i++)                                            \
                LANE(T, (at + i) % LANES, i, form)                                                 \
            for (; apart == 1 && n - i >= LANES; i += LANES) {                                     \
                _Pragma("omp simd") for (int k = 0; k < LANES; k++) LANE(T, k, i + k, form)        \
            }                                                                                      \
            for (int k = 0; apart == 1 && n - i >= EIGHT; k += EIGHT, i += EIGHT) {                \
                _Pragma("omp simd") for (int j = 0; j < EIGHT; j++) LANE(T, k + j, i + j, form)    \
            }                                                                                      \
            for (; i < n; i++)                                                                     \
                LANE(T, (at + i) % LANES, i, form)                                                 \
        }                                                                                          \
    }

#define SUM_ROWS(name, T, suffix, none, join, halve, form)                                         \
    static INLAY_CLONES void name##_rows_##suffix(T *restrict to, int64_t step,                    \
                                                  const T *restrict from, const lines *l)          \
    {                                                                                              \
        const int64_t apart = 1, n = l->n;                                                         \
                                                                                                   \
        for (int64_t row = 0; row < l->rows; row++, from += l->pitch, to += step) {                \
            T lane[LANES];                                                                         \
            int64_t i = 0;                                                                         \
                                                                                                   \
            for (int k = 0; k < LANES; k++)                                                        \
                lane[k] = none;                                                                    \
            for (; n - i >= LANES; i += LANES) {                                                   \
                _Pragma("omp simd") for (int k = 0; k < LANES; k++) LANE(T, k, i + k, form)        \
            }                                                                                      \
            _Pragma("omp simd") for (int k = 0; k < LANES; k++)                                    \
            {                                                                                      \
                T sum = lane[k], x = k < n - i ? from[i + k] : none;                               \
                                                                                                   \
                lane[k] = form;                                                                    \
            }                                                                                      \
            *to join halve##_##suffix(lane);                                                       \
        }                                                                                          \
    }

/* Folds in lanes, which begin with NONE and are joined to the result by JOIN. */
#define IN_LANES(name, none, join, halve, f32_form, f64_form, i64_form)                            \
    STEPS(name, f32_form, f64_form, i64_form)                                                      \
    LANES_OF(name, float, f32, f32_form)                                                           \
    LANES_OF(name, double, f64, f64_form)                                                          \
    SUM_ROWS(name, float, f32, none, join, halve, f32_form)                                        \
    SUM_ROWS(name, double, f64, none, join, halve, f64_form)
#define SUMS(name, f32_form, f64_form, i64_form)                                                   \
    IN_LANES(name, 0, +=, halve_sum, f32_form, f64_form, i64_form)

/* Of booleans, which are loaded as i64. */
#define LOGICAL(name, from_what, form)                                                             \
    STEP_I64(name, form)                                                                           \
    bool eval_##name(inlay_call *c)                                                                \
    {                                                                                              \
        static const reduce_fn fn = {.start = from_what, .row_i64 = name##_i64};                   \
                                                                                                   \
        return reduce_run(c, &fn);                                                                 \
    }

#define EXTREMES(name, from_what, is, i64_form, rows)                                              \
    STEP(float, name##_f32_each, sum is x || sum != sum ? sum : x)                                 \
    STEP(double, name##_f64_each, sum is x || sum != sum ? sum : x)                                \
    EXTREME(float, name##_f32, is)                                                                 \
    EXTREME(double, name##_f64, is)                                                                \
    COLUMNS(float, name##_columns_f32, sum is x || sum != sum ? sum : x)                           \
    COLUMNS(double, name##_columns_f64, sum is x || sum != sum ? sum : x)                          \
    STEP_I64(name, i64_form)                                                                       \
    EVAL(name, from_what, EACH_INT(rows), .rows_f32 = name##_f32_rows, .rows_f64 = name##_f64_rows)

#define EVAL(name, from_what, int_rows, ...)                                                       \
    bool eval_##name(inlay_call *c)                                                                \
    {                                                                                              \
        static const reduce_fn fn = {.start = from_what,                                           \
                                     .ints = int_rows,                                             \
                                     .row_f32 = name##_f32,                                        \
                                     .row_f64 = name##_f64,                                        \
                                     .row_i64 = name##_i64,                                        \
                                     .columns_f32 = name##_columns_f32,                            \
                                     .columns_f64 = name##_columns_f64,                            \
                                     __VA_ARGS__};                                                 \
                                                                                                   \
        return reduce_run(c, &fn);                                                                 \
    }

#define EVAL_LANES(name, from_what, is_product, ...)                                               \
    bool eval_##name(inlay_call *c)                                                                \
    {                                                                                              \
        static const reduce_fn fn = {.start = from_what,                                           \
                                     .multiplies = is_product,                                     \
                                     .ints = __VA_ARGS__,                                          \
                                     .row_f32 = name##_f32,                                        \
                                     .row_f64 = name##_f64,                                        \
                                     .row_i64 = name##_i64,                                        \
                                     .lanes_f32 = name##_lanes_f32,                                \
                                     .lanes_f64 = name##_lanes_f64,                                \
                                     .rows_f32 = name##_rows_f32,                                  \
                                     .rows_f64 = name##_rows_f64,                                  \
                                     .columns_f32 = name##_columns_f32,                            \
                                     .columns_f64 = name##_columns_f64};                           \
                                                                                                   \
        return reduce_run(c, &fn);                                                                 \
    }
#define SUM(name, f32_form, f64_form, i64_form, ...)                                               \
    SUMS(name, f32_form, f64_form, i64_form)                                                       \
    EVAL_LANES(name, 0, false, __VA_ARGS__)
#define PRODUCT(name, f32_form, f64_form, i64_form, ...)                                           \
    IN_LANES(name, 1, *=, halve_product, f32_form, f64_form, i64_form)                             \
    EVAL_LANES(name, 1, true, __VA_ARGS__)

SUM(reduce_sum, sum + x, sum + x, wrap_add(sum, x), EACH_SUM(total))
PRODUCT(reduce_prod, sum *x, sum *x, wrap_mul(sum, x), EACH_SUM(times))
/* The result is NaN where any element is NaN. */
EXTREMES(reduce_max, -INFINITY, >, less_int(sum, x, is_unsigned) ? x : sum, greatest)
EXTREMES(reduce_min, INFINITY, <, less_int(x, sum, is_unsigned) ? x : sum, least)
SUM(reduce_l1, sum + fabsf(x), sum + fabs(x),
    wrap_add(sum, !is_unsigned && x < 0 ? wrap_sub(0, x) : x),
    {sizes_i8, total_u8, sizes_i16, total_u16, sizes_i32, total_u32, sizes_i64, total_u64})
LOGICAL(reduce_logical_and, 1, sum &&x)
LOGICAL(reduce_logical_or, 0, sum || x)

#define END(T, name, form)                                                                         \
    static INLAY_CLONES void name(T *to, int64_t step, int64_t count, int64_t n)                   \
    {                                                                                              \
        const T all = (T)n;                                                                        \
                                                                                                   \
        (void)all;                                                                                 \
        for (int64_t i = 0; step == 1 && i < count; i++) {                                         \
            T sum = to[i];                                                                         \
                                                                                                   \
            to[i] = form;                                                                          \
        }                                                                                          \
        for (int64_t i = 0; step != 1 && i < count; i++) {                                         \
            T sum = to[i * step];                                                                  \
                                                                                                   \
            to[i * step] = form;                                                                   \
        }                                                                                          \
    }

END(float, mean_f32, sum / all)
END(double, mean_f64, sum / all)

/* Truncates the mean. The mean of no elements has been refused. */
static int64_t mean_i64(int64_t sum, int64_t n, inlay_type type)
{
    return type == INLAY_U64 ? (int64_t)((uint64_t)sum / (uint64_t)n) : sum / n;
}

bool eval_reduce_mean(inlay_call *c)
{
    static const reduce_fn fn = {.row_f32 = reduce_sum_f32,
                                 .row_f64 = reduce_sum_f64,
                                 .row_i64 = reduce_sum_i64,
                                 .end_f32 = mean_f32,
                                 .end_f64 = mean_f64,
                                 .end_i64 = mean_i64,
                                 .lanes_f32 = reduce_sum_lanes_f32,
                                 .lanes_f64 = reduce_sum_lanes_f64,
                                 .rows_f32 = reduce_sum_rows_f32,
                                 .rows_f64 = reduce_sum_rows_f64,
                                 .columns_f32 = reduce_sum_columns_f32,
                                 .columns_f64 = reduce_sum_columns_f64,
                                 .scales = true};

    if (inlay_type_is_int(c->in[0]->type) && inlay_tensor_count(c->in[0]) == 0 &&
        inlay_tensor_count(c->out[0]) > 0)
        return inlay_call_fail(c, "the mean of no integers does not exist");
    return reduce_run(c, &fn);
}

SUMS(squares, sum + x * x, sum + x * x, wrap_add(sum, wrap_mul(x, x)))

END(float, root_f32, sqrtf(sum))
END(double, root_f64, sqrt(sum))

/* Returns the root of an integer rounded as Sqrt rounds it. */
static int64_t root_i64(int64_t sum, int64_t n, inlay_type type)
{
    (void)n;
    if (type != INLAY_U64 && sum < 0) /* the squares have wrapped */
        return 0;
    return saturated_integer(type, round(sqrt((double)(uint64_t)sum)));
}

bool eval_reduce_l2(inlay_call *c)
{
    static const reduce_fn fn = {.row_f32 = squares_f32,
                                 .row_f64 = squares_f64,
                                 .row_i64 = squares_i64,
                                 .end_f32 = root_f32,
                                 .end_f64 = root_f64,
                                 .end_i64 = root_i64,
                                 .lanes_f32 = squares_lanes_f32,
                                 .lanes_f64 = squares_lanes_f64,
                                 .rows_f32 = squares_rows_f32,
                                 .rows_f64 = squares_rows_f64,
                                 .columns_f32 = squares_columns_f32,
                                 .columns_f64 = squares_columns_f64,
                                 .scales = true,
                                 .low_f32 = 0x1p-50,
                                 .low_f64 = 0x1p-480};

    return reduce_run(c, &fn);
}

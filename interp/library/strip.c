/* Strips of windows. See strip.h. */
#include "interp/library/strip.h"

#include "interp/kernels/clones.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    EIGHT = 8,
    MANY = 4 * EIGHT,
    STEPS = 4,
    MOST_ROWS = 256,
    MANY_ROWS = 3, /* of which maxima are computed column by column, in rows of at most */
    WIDE = 1 << 11 /* elements */
};

typedef float eight __attribute__((vector_size(EIGHT * sizeof(float)), aligned(4), may_alias));
typedef int32_t bits __attribute__((vector_size(EIGHT * sizeof(float)), aligned(4), may_alias));

/* What the windows of a row see: of each of N_ROWS rows of the data, which begin at ROWS, PLACES
 * elements that are APART. */
struct strip {
    int64_t rows[MOST_ROWS];
    int64_t n_rows, places, apart;
};

/* Loads eight elements that are 2 to 4 apart, and none behind the last one of them: of several
 * loads, in each of which some of the elements lie at places of their own, these are taken, and put
 * into their order last. Taking is cheaper than moving. */
#define EIGHT_AT(at) (*(const eight *)(at))
#define PUT(v, ...) (v) = __builtin_shufflevector(v, v, __VA_ARGS__)
#define TAKE(v, at, ...) (v) = __builtin_shufflevector(v, EIGHT_AT(at), __VA_ARGS__)
#define LOAD_2(v, at)                                                                              \
    do {                                                                                           \
        (v) = EIGHT_AT(at);                                                                        \
        TAKE(v, (at) + 7, 0, 9, 2, 11, 4, 13, 6, 15);                                              \
        PUT(v, 0, 2, 4, 6, 1, 3, 5, 7);                                                            \
    } while (0)
#define LOAD_3(v, at)                                                                              \
    do {                                                                                           \
        (v) = EIGHT_AT(at);                                                                        \
        TAKE(v, (at) + 7, 0, 1, 10, 3, 4, 13, 6, 7);                                               \
        TAKE(v, (at) + 14, 0, 9, 2, 3, 12, 5, 6, 15);                                              \
        PUT(v, 0, 3, 6, 2, 5, 1, 4, 7);                                                            \
    } while (0)
#define LOAD_4(v, at)                                                                              \
    do {                                                                                           \
        (v) = EIGHT_AT(at);                                                                        \
        TAKE(v, (at) + 7, 0, 9, 2, 3, 4, 13, 6, 7);                                                \
        TAKE(v, (at) + 14, 0, 1, 10, 3, 4, 5, 14, 7);                                              \
        TAKE(v, (at) + 21, 0, 1, 2, 11, 4, 5, 6, 15);                                              \
        PUT(v, 0, 4, 1, 5, 2, 6, 3, 7);                                                            \
    } while (0)

#define SUM(u, v) (u) = (u) + (v)
/* The larger one; U, if they are equal. */
#define LARGER(u, v)                                                                               \
    do {                                                                                           \
        bits is = (v) > (u);                                                                       \
                                                                                                   \
        (u) = (eight)(((bits)(v)&is) | ((bits)(u) & ~is));                                         \
    } while (0)

/* Folds what the window at AT, and those of the vectors behind it, see. EACH: for these vectors. */
#define FOLD_PLACES(EACH, step, load, at, fold)                                                    \
    for (int64_t j = 0; j < s->n_rows; j++) {                                                      \
        const float *from = (at) + s->rows[j];                                                     \
                                                                                                   \
        for (int64_t k = 0; k < s->places; k++, from += s->apart) {                                \
            eight v;                                                                               \
                                                                                                   \
            EACH(step, load, fold)                                                                 \
        }                                                                                          \
    }
#define ONE_VECTOR(step, load, fold)                                                               \
    load(v, from);                                                                                 \
    fold(a, v);
#define TWO_VECTORS(step, load, fold)                                                              \
    ONE_VECTOR(step, load, fold)                                                                   \
    load(v, from + second * (step));                                                               \
    fold(b, v);
#define THREE_VECTORS(step, load, fold)                                                            \
    TWO_VECTORS(step, load, fold)                                                                  \
    load(v, from + third * (step));                                                                \
    fold(c, v);
#define FOUR_VECTORS(step, load, fold)                                                             \
    THREE_VECTORS(step, load, fold)                                                                \
    load(v, from + fourth * (step));                                                               \
    fold(d, v);

/* Defines the function that computes N results, at least eight, of which the first sees the data at
 * X. The last vectors may compute some of them again: a chain alone waits for each of its steps. */
#define DEFINE_STRIP(name, step, start, fold)                                                      \
    static INLAY_CLONES void name##_##step(const struct strip *s, const float *x, float *y,        \
                                           int64_t n)                                              \
    {                                                                                              \
        for (; n > 0; n -= MANY, x += MANY * (step), y += MANY) {                                  \
            eight a = (start) - (eight){0}, b = a, c = a, d = a;                                   \
            const int64_t last = n - EIGHT, second = last < EIGHT ? last : EIGHT,                  \
                          third = last < 2 * EIGHT ? last : 2 * EIGHT,                             \
                          fourth = last < 3 * EIGHT ? last : 3 * EIGHT;                            \
                                                                                                   \
            if (last < 0) {                                                                        \
                FOLD_PLACES(ONE_VECTOR, step, LOAD_##step, x + last * (step), fold)                \
                *(eight *)(y + last) = a;                                                          \
                break;                                                                             \
            }                                                                                      \
            if (n <= 2 * EIGHT) {                                                                  \
                FOLD_PLACES(TWO_VECTORS, step, LOAD_##step, x, fold)                               \
            } else if (n <= 3 * EIGHT) {                                                           \
                FOLD_PLACES(THREE_VECTORS, step, LOAD_##step, x, fold)                             \
                *(eight *)(y + third) = c;                                                         \
            } else {                                                                               \
                FOLD_PLACES(FOUR_VECTORS, step, LOAD_##step, x, fold)                              \
                *(eight *)(y + third) = c;                                                         \
                *(eight *)(y + fourth) = d;                                                        \
            }                                                                                      \
            *(eight *)(y + second) = b;                                                            \
            *(eight *)y = a;                                                                       \
        }                                                                                          \
    }
#define DEFINE_STRIPS(step)                                                                        \
    DEFINE_STRIP(sums, step, 0.0F, SUM)                                                            \
    DEFINE_STRIP(maxima, step, -INFINITY, LARGER)

typedef void strip_fn(const struct strip *s, const float *x, float *y, int64_t n);
DEFINE_STRIPS(2)
DEFINE_STRIPS(3)
DEFINE_STRIPS(4)

/* The larger one; U, if they are equal. */
static inline float larger(float u, float v)
{
    return v > u ? v : u;
}

/* Sets the positions FROM <= p < TO at which all places lie inside. */
static void whole_windows(const field_axis *a, int64_t *from, int64_t *to)
{
    int64_t end;

    field_reach(a, 0, from, &end);
    field_reach(a, a->kernel - 1, &end, to);
    *to = *to > *from ? *to : *from;
}

/* Returns the elements that the windows of a row reach over, or those of the row with its padding,
 * if these are more. */
static int64_t reach(const field_axis *a)
{
    int64_t all = (a->small - 1) * a->stride + (a->kernel - 1) * a->dilation + 1;

    return all > a->pad + a->large ? all : a->pad + a->large;
}

/* Are there enough rows that their columns are worth comparing first? */
static bool has_columns(const field *w)
{
    return w->axis[0].kernel * w->axis[1].kernel >= MANY_ROWS && reach(&w->axis[2]) <= WIDE;
}

/* Returns whether most windows of A lie within their row, and as many as a vector has. */
static bool are_whole(const field_axis *a)
{
    int64_t from, to;

    whole_windows(a, &from, &to);
    return to - from >= EIGHT && (to - from) * 4 >= a->small * 3;
}

bool strip_takes(const field *w, bool most)
{
    const field_axis *a = &w->axis[2];
    int64_t rows = w->axis[0].kernel * w->axis[1].kernel;

    /* Images of windows with steps of 1 are the data itself, and those that share rows share their
     * maxima there. */
    return a->stride > 1 && a->stride <= STEPS && w->large > 0 && w->axis[0].kernel <= MOST_ROWS &&
           rows <= MOST_ROWS &&
           (are_whole(a) || (most && has_columns(w) && w->axis[1].kernel <= 2 * w->axis[1].stride));
}

/* Computes the result at position R, of whose window some places are outside. */
static float fold_one(const struct strip *s, const field_axis *a, bool most, const float *x,
                      int64_t r)
{
    float y = most ? -INFINITY : 0;
    int64_t from, to, first = r * a->stride - a->pad;

    field_inside(a, r, &from, &to);
    for (int64_t j = 0; j < s->n_rows; j++) {
        for (int64_t k = from; k < to; k++) {
            float v = x[s->rows[j] + first + k * a->dilation];

            y = !most ? y + v : v > y ? v : y;
        }
    }
    return y;
}

/* Lists the rows of the data that windows at row Q of layer P see. */
static void list_rows(const field *w, int64_t p, int64_t q, struct strip *s)
{
    const field_axis *a = w->axis;

    s->n_rows = 0;
    for (int64_t i = 0; i < a[0].kernel; i++) {
        for (int64_t j = 0; j < a[1].kernel; j++) {
            int64_t z = field_element(&a[0], p, i), y = field_element(&a[1], q, j);

            if (z >= 0 && y >= 0)
                s->rows[s->n_rows++] = (z * a[1].large + y) * a[2].large;
        }
    }
}

/* Divides N sums by ABOVE times COUNTS. Returns whether all of them are finite. */
static INLAY_CLONES bool divide(float *restrict y, float above, const float *restrict counts,
                                int64_t n)
{
    int some = 0;

    for (int64_t i = 0; i < n; i++) {
        some |= !(fabsf(y[i]) <= FLT_MAX);
        y[i] /= above * counts[i];
    }
    return !some;
}

/* Sets Y to the maxima, column by column, of N elements of each row that S lists. */
static INLAY_CLONES void maxima_of_rows(const struct strip *s, const float *restrict x, int64_t n,
                                        float *restrict y)
{
    for (int64_t j = 0; j < s->n_rows; j += 3) {
        const float *a = x + s->rows[j], *b = x + s->rows[j + 1 < s->n_rows ? j + 1 : j],
                    *c = x + s->rows[j + 2 < s->n_rows ? j + 2 : j];
        const bool begun = j > 0;

        _Pragma("omp simd") for (int64_t i = 0; i < n; i++) y[i] =
            larger(larger(begun ? larger(y[i], a[i]) : a[i], b[i]), c[i]);
    }
}

/* Computes a few results from a row with its padding. */
static void few_maxima(const field_axis *a, const float *x, float *y)
{
    for (int64_t r = 0; r < a->small; r++) {
        const float *from = x + r * a->stride;
        float most = from[0];

        for (int64_t k = 1; k < a->kernel; k++)
            most = larger(most, from[k * a->dilation]);
        y[r] = most;
    }
}

/* Maxima of columns first, which no window has to take apart: of equal numbers they may take
 * another one, so none may be -0. Rows have their padding. */
static void columns_first(const field *w, strip_fn *fn, const float *x, float *y)
{
    const field_axis *a = w->axis;
    const struct strip one = {.n_rows = 1, .places = a[2].kernel, .apart = a[2].dilation};
    struct strip s;
    float columns[WIDE];

    for (int64_t i = 0; i < reach(&a[2]); i++)
        columns[i] = -INFINITY;
    for (int64_t i = 0; i < a[0].small * a[1].small; i++, y += a[2].small) {
        list_rows(w, i / a[1].small, i % a[1].small, &s);
        if (s.n_rows > 0)
            maxima_of_rows(&s, x, a[2].large, columns + a[2].pad);
        if (a[2].small >= EIGHT)
            fn(&one, columns, y, a[2].small);
        else
            few_maxima(&a[2], columns, y);
        for (int64_t r = 0; s.n_rows == 0 && r < a[2].small; r++)
            y[r] = -INFINITY;
    }
}

bool strip_compute(const field *w, bool most, bool plain, const float *const *counts,
                   const float *x, float *y)
{
    static strip_fn *const fns[2][STEPS - 1] = {{sums_2, sums_3, sums_4},
                                                {maxima_2, maxima_3, maxima_4}};
    const field_axis *a = w->axis;
    strip_fn *fn = fns[most][a[2].stride - 2];
    struct strip s = {.places = a[2].kernel, .apart = a[2].dilation};
    int64_t from, to;
    bool finite = true;

    if (most && plain && has_columns(w)) {
        columns_first(w, fn, x, y);
        return true;
    }
    whole_windows(&a[2], &from, &to);
    if (most && !are_whole(&a[2]))
        return false;
    for (int64_t i = 0; i < a[0].small * a[1].small; i++, y += a[2].small) {
        list_rows(w, i / a[1].small, i % a[1].small, &s);
        for (int64_t r = 0; r < from; r++)
            y[r] = fold_one(&s, &a[2], most, x, r);
        fn(&s, x + from * a[2].stride - a[2].pad, y + from, to - from);
        for (int64_t r = to; r < a[2].small; r++)
            y[r] = fold_one(&s, &a[2], most, x, r);
        if (!most)
            finite &= divide(y, counts[0][i / a[1].small] * counts[1][i % a[1].small], counts[2],
                             a[2].small);
    }
    return finite;
}

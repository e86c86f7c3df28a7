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
    WHOLE = 16,      /* elements of a line */
    ROW = 1 << 10,   /* most elements of a row with its padding, if maxima of rows are kept, */
    MAXIMA = 4 << 10 /* and of these maxima: they stay in the first-level cache */
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

DEFINE_STRIPS(2)
DEFINE_STRIPS(3)
DEFINE_STRIPS(4)

/* Defines what takes a row apart: element I of part P is element I * STEP + P of X. Each part has N
 * elements, whole lines of them. */
#define DEFINE_PARTS(step)                                                                         \
    static INLAY_CLONES void parts_##step(const float *restrict x, int64_t n, float *restrict to)  \
    {                                                                                              \
        n = n / WHOLE * WHOLE;                                                                     \
        _Pragma("omp simd") for (int64_t i = 0; i < n; i++)                                        \
        {                                                                                          \
            for (int p = 0; p < (step); p++)                                                       \
                to[p * n + i] = x[i * (step) + p];                                                 \
        }                                                                                          \
    }
DEFINE_PARTS(2)
DEFINE_PARTS(3)
DEFINE_PARTS(4)

/* The larger one; U, if they are equal. */
static inline float larger(float u, float v)
{
    return v > u ? v : u;
}

/* Sets N results, whole lines, to the maxima of what they read at four places of X, and of
 * themselves if they are BEGUN. */
static INLAY_CLONES void four_maxima(float *restrict y, const float *restrict x, const int64_t *at,
                                     int64_t n, bool begun)
{
    const float *a = x + at[0], *b = x + at[1], *c = x + at[2], *d = x + at[3];

    n = n / WHOLE * WHOLE;
    _Pragma("omp simd") for (int64_t i = 0; i < n; i++) y[i] =
        larger(larger(larger(begun ? larger(y[i], a[i]) : a[i], b[i]), c[i]), d[i]);
}

/* Sets the positions FROM <= p < TO at which all places lie inside. */
static void whole_windows(const field_axis *a, int64_t *from, int64_t *to)
{
    int64_t end;

    field_reach(a, 0, from, &end);
    field_reach(a, a->kernel - 1, &end, to);
    *to = *to > *from ? *to : *from;
}

bool strip_takes(const field *w)
{
    const field_axis *a = &w->axis[2];
    int64_t from, to;

    /* Images of windows with steps of 1 are the data itself. */
    if (a->stride == 1 || a->stride > STEPS || w->large == 0 || w->axis[0].kernel > MOST_ROWS ||
        w->axis[0].kernel * w->axis[1].kernel > MOST_ROWS)
        return false;
    whole_windows(a, &from, &to);
    return to - from >= EIGHT && (to - from) * 4 >= a->small * 3;
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

/* Maxima of the rows of windows are computed once for all windows that see them. Of equal numbers,
 * such as zeros of both signs, both they and the maxima of these take the first one, as a window's
 * chain does. Several rows are copied, taken apart and compared at a time: one row would wait each
 * time for what has just been stored. */
struct kept_rows {
    int64_t part;                    /* elements of a part of a row, and of its maxima */
    int64_t batch;                   /* rows that are taken apart at a time */
    int64_t span;                    /* rows that a window reaches over, */
    int64_t some;                    /* and rows of results for which there is room */
    int64_t n_at, at[MOST_ROWS + 4]; /* the places of a row of a window, in the parts */
    float padded[ROW], parts[2 * ROW], maxima[MAXIMA + ROW], results[MAXIMA];
};

/* Repeats the last of N places, one at least, until they are fours. Returns how many there are. */
static int64_t make_fours(int64_t *at, int64_t n)
{
    for (; n % 4 != 0; n++)
        at[n] = at[n - 1];
    return n;
}

/* Plans that for the plane of W; false: there is no room, or it takes longer: what is done for a row
 * costs as much as to compare some places. */
static bool plan_rows(const field *w, struct kept_rows *r)
{
    const field_axis *a = &w->axis[1], *b = &w->axis[2];
    int64_t reach = (b->kernel - 1) * b->dilation, fit, all;

    r->part = (b->small + reach / b->stride + WHOLE - 1) / WHOLE * WHOLE;
    all = r->part * b->stride;
    if (w->axis[0].kernel > 1 || field_element(w->axis, 0, 0) < 0 ||
        field_element(w->axis, w->axis[0].small - 1, 0) < 0 || w->kernel < 8 * a->stride ||
        a->kernel <= a->stride || b->kernel > MOST_ROWS || all > ROW || b->pad + b->large > all)
        return false;
    r->batch = ROW / all;
    fit = MAXIMA / r->part;
    r->span = (a->kernel - 1) * a->dilation + 1;
    r->some = fit < r->span ? 0 : (fit - r->span) / a->stride + 1;
    if (r->some * a->stride < r->span)
        return false;
    for (int64_t k = 0; k < b->kernel; k++)
        r->at[k] = k * b->dilation % b->stride * r->batch * r->part + k * b->dilation / b->stride;
    r->n_at = make_fours(r->at, b->kernel);
    for (int64_t i = 0; i < ROW; i++)
        r->padded[i] = -INFINITY;
    return true;
}

/* Sets N maxima of rows from row FIRST of X on; those of the padding are not read. */
static void keep_maxima(const field *w, const float *x, int64_t first, int64_t n,
                        struct kept_rows *r)
{
    typedef void parts_fn(const float *restrict x, int64_t n, float *restrict to);
    static parts_fn *const fns[] = {parts_2, parts_3, parts_4};
    const field_axis *a = &w->axis[1], *b = &w->axis[2];

    for (int64_t at = 0; at < n; at += r->batch) {
        for (int64_t i = 0; i < r->batch; i++) {
            if (first + at + i >= 0 && first + at + i < a->large)
                memcpy(r->padded + i * r->part * b->stride + b->pad,
                       x + (first + at + i) * b->large, (size_t)b->large * sizeof *x);
        }
        fns[b->stride - 2](r->padded, r->batch * r->part, r->parts);
        for (int64_t k = 0; k < r->n_at; k += 4)
            four_maxima(r->maxima + at * r->part, r->parts, r->at + k, r->batch * r->part, k > 0);
    }
}

/* Computes the N results from row Q on of a layer X. */
static void fold_rows(const field *w, const float *x, int64_t q, int64_t n, struct kept_rows *r,
                      float *y)
{
    const field_axis *a = &w->axis[1];
    int64_t small = w->axis[2].small, at[MOST_ROWS + 4];

    keep_maxima(w, x, q * a->stride - a->pad, (n - 1) * a->stride + r->span, r);
    for (int64_t i = 0; i < n; i++) {
        int64_t n_at = 0, from, to;

        field_inside(a, q + i, &from, &to);
        for (int64_t k = from; k < to; k++)
            at[n_at++] = (i * a->stride + k * a->dilation) * r->part;
        n_at = make_fours(at, n_at);
        for (int64_t k = 0; k < n_at; k += 4)
            four_maxima(r->results + i * r->part, r->maxima, at + k, r->part, k > 0);
        for (int64_t k = 0; k < r->part && n_at == 0; k++)
            r->results[i * r->part + k] = -INFINITY;
    }
    for (int64_t i = 0; i < n; i++)
        memcpy(y + i * small, r->results + i * r->part, (size_t)small * sizeof *y);
}

/* Computes the maxima of plane X. */
static void strip_maxima(const field *w, const float *x, struct kept_rows *r, float *y)
{
    const field_axis *a = w->axis;

    for (int64_t p = 0; p < a[0].small; p++) {
        int64_t z = field_element(&a[0], p, 0);

        for (int64_t q = 0, n; q < a[1].small; q += n, y += n * a[2].small) {
            n = a[1].small - q < r->some ? a[1].small - q : r->some;
            fold_rows(w, x + z * a[1].large * a[2].large, q, n, r, y);
        }
    }
}

bool strip_compute(const field *w, bool most, const float *const *counts, const float *x, float *y)
{
    typedef void strip_fn(const struct strip *s, const float *x, float *y, int64_t n);
    static strip_fn *const fns[2][STEPS - 1] = {{sums_2, sums_3, sums_4},
                                                {maxima_2, maxima_3, maxima_4}};
    const field_axis *a = w->axis;
    strip_fn *fn = fns[most][a[2].stride - 2];
    struct strip s = {.places = a[2].kernel, .apart = a[2].dilation};
    int64_t from, to;
    bool finite = true;
    struct kept_rows kept;

    if (most && plan_rows(w, &kept)) {
        strip_maxima(w, x, &kept, y);
        return true;
    }
    whole_windows(&a[2], &from, &to);
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

/* Reductions: every element of data, in row-major order, is reduced into its element of the output.
 * One operation is one line: the start of the reduction, its step, and the final operation on the
 * sum and the number N of elements. */
#include "interp/kernels/axes.h"
#include "interp/kernels/elementwise.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* N numbers in a row, APART from each other; the rows are PITCH apart. */
typedef struct lines {
    int64_t rows, pitch, n, apart;
} lines;

/* Folds a row of integers as they are in memory; what is added wraps. */
typedef void reduce_row(void *to, int64_t step, const void *from, int64_t apart, int64_t n);

/* The functions by type; NULL: there is none. */
typedef struct reduce_ints {
    reduce_row *i8, *u8, *i16, *u16, *i32, *u32, *i64, *u64;
} reduce_ints;

typedef struct reduce_fn {
    double start;
    reduce_ints ints;
    void (*row_f32)(float *to, int64_t step, const float *from, int64_t apart, int64_t n);
    void (*row_f64)(double *to, int64_t step, const double *from, int64_t apart, int64_t n);
    void (*row_i64)(int64_t *to, int64_t step, const int64_t *from, int64_t apart, int64_t n,
                    bool is_unsigned);
    float (*end_f32)(float sum, int64_t n);
    double (*end_f64)(double sum, int64_t n);
    int64_t (*end_i64)(int64_t sum, int64_t n, inlay_type type);
    void (*lanes_f32)(float *lane, int64_t at, const float *from, const lines *l);
    void (*lanes_f64)(double *lane, int64_t at, const double *from, const lines *l);
    /* Folds a row of N numbers side by side into each of ROWS results, STEP apart; sums: in lanes.
     */
    void (*rows_f32)(float *to, int64_t step, const float *from, const lines *l);
    void (*rows_f64)(double *to, int64_t step, const double *from, const lines *l);
    /* Folds ROWS rows of N numbers into the N numbers TO, one row after the other. With fewer than
     * EIGHT numbers, rows have no gaps. */
    void (*columns_f32)(float *to, const float *from, const lines *l);
    void (*columns_f64)(double *to, const double *from, const lines *l);
    bool scales; /* FN(s x) = s FN(x): if an intermediate result overflowed, the reduction is
                    repeated with scaled numbers (again) */
    double low_f32, low_f64; /* results below it have lost bits in intermediate results, too */
} reduce_fn;

/* The lanes of a sum (DEFINE_SUM); those of an extreme of MANY numbers. */
enum { LANES = 32, EIGHT = 8, SHORT = 16, MANY = 128 };

/* Says how the axes lie in memory, and what is done along them. */
typedef struct reduce_frame {
    const reduce_fn *fn;
    folding f;
    bool lanes; /* it is a sum in LANES parts; then the first KEPT axes, and no others, are not
                   folded */
    int kept;
    reduce_row *ints; /* not NULL: integers are folded as they are */
} reduce_frame;

/* A fold that threads share: each thread gets some positions of an axis that is not folded. */
struct work {
    const reduce_frame *frame;
    const void *x;
    void *y;
    bool is_unsigned;
    int cut;      /* the axis; below 0: the fold is not shared */
    int64_t unit; /* that many positions stay together */
};

/* Computes W, whose tensors and frame are set, by FN. */
static void split_fold(inlay_call *c, struct work *w, call_part_fn *fn)
{
    const folding *f = &w->frame->f;
    int64_t n;

    w->cut = folding_cut(f, &w->unit);
    n = w->cut < 0 ? 1 : (f->dims[w->cut] + w->unit - 1) / w->unit;
    if (n == 1)
        fn(w, 0, 1);
    else
        call_split(c, n, n > 0 ? (double)f->n_in / (double)n : 0, fn, w);
}

/* Returns the part of W for items FROM to TO, and sets *AT to its first position. */
static const folding *part_of(const struct work *w, int64_t from, int64_t to, int64_t *at,
                              folding *room)
{
    const folding *f = &w->frame->f;
    int64_t end = to * w->unit;

    *at = w->cut < 0 ? 0 : from * w->unit;
    if (w->cut >= 0 && end > f->dims[w->cut])
        end = f->dims[w->cut];
    return folding_part(f, w->cut, *at, end, room);
}

/* The beginning, in the data and in the result, of the part of W that begins at position AT of the
 * divided axis. */
#define PART_X(T) ((const T *)w->x + (w->cut < 0 ? 0 : at * f->from[w->cut]))
#define PART_Y(T) ((T *)w->y + (w->cut < 0 ? 0 : at * f->strides[w->cut]))

#define FOLD_EACH_ROW(suffix, more)                                                                \
    for (it = folding_rows(f); index_valid(&it); index_next(&it))                                  \
        w->frame->fn->row_##suffix(&y[folding_at(f, &it)], f->strides[last],                       \
                                   x + index_dot(it.rank, it.at, f->from), f->from[last],          \
                                   f->dims[last] more);

/* Defines the function that folds the rows of a part, whose numbers are of type T: several at once
 * where they lie one after the other. */
#define DEFINE_FOLD(T, suffix)                                                                     \
    static void fold_##suffix(void *ctx, int64_t from, int64_t to)                                 \
    {                                                                                              \
        const struct work *w = ctx;                                                                \
        const reduce_fn *fn = w->frame->fn;                                                        \
        folding room;                                                                              \
        int64_t at;                                                                                \
        const folding *f = part_of(w, from, to, &at, &room);                                       \
        int last = f->rank - 1, before = last > 0 ? last - 1 : 0;                                  \
        const lines l = {f->dims[before], f->from[before], f->dims[last], f->from[last]};          \
        bool dense = last > 0 && l.apart == 1, kept = f->strides[before] != 0;                     \
        bool columns = dense && fn->columns_##suffix && !kept && f->strides[last] == 1;            \
        bool rows = dense && kept && !fn->lanes_##suffix && f->strides[last] == 0;                 \
        const T *x = PART_X(T);                                                                    \
        T *y = PART_Y(T);                                                                          \
        index_iter it;                                                                             \
                                                                                                   \
        if (!(columns && (l.n >= EIGHT || l.pitch == l.n)) && !(rows && fn->rows_##suffix)) {      \
            FOLD_EACH_ROW(suffix, )                                                                \
            return;                                                                                \
        }                                                                                          \
        for (index_start(&it, before, f->dims); index_valid(&it); index_next(&it)) {               \
            const T *first = x + index_dot(before, it.at, f->from);                                \
                                                                                                   \
            if (columns)                                                                           \
                fn->columns_##suffix(&y[folding_at(f, &it)], first, &l);                           \
            else                                                                                   \
                fn->rows_##suffix(&y[folding_at(f, &it)], f->strides[before], first, &l);          \
        }                                                                                          \
    }

DEFINE_FOLD(float, f32)
DEFINE_FOLD(double, f64)

#define AND_UNSIGNED , w->is_unsigned

static void fold_i64(void *ctx, int64_t from, int64_t to)
{
    const struct work *w = ctx;
    folding room;
    int64_t at;
    const folding *f = part_of(w, from, to, &at, &room);
    int last = f->rank - 1;
    const int64_t *x = PART_X(int64_t);
    int64_t *y = PART_Y(int64_t);
    index_iter it;

    FOLD_EACH_ROW(i64, AND_UNSIGNED)
}

/* A sum of many floats along the last axis is computed in LANES partial sums, so that an addition
 * need not wait for the one before it: element i goes to partial sum i % LANES, and at the end half
 * of the partial sums are added to the other half, until one is left. With 4 lanes the sum of a to
 * f would be
 *
 *     ((a + e) + c) + ((b + f) + d)
 *
 * So the order depends only on the number of elements. LANES elements or fewer are added in their
 * own order. */

/* Adds the last half of the lanes to the first one, until one is left. */
#define DEFINE_LANES(T, suffix)                                                                    \
    typedef T sixteen_##suffix                                                                     \
        __attribute__((vector_size(16 * sizeof(T)), aligned(sizeof(T)), may_alias));               \
                                                                                                   \
    static inline __attribute__((always_inline)) T halve_lanes_##suffix(const T *lane)             \
    {                                                                                              \
        sixteen_##suffix x =                                                                       \
            *(const sixteen_##suffix *)lane + *(const sixteen_##suffix *)(lane + LANES / 2);       \
        __typeof__(__builtin_shufflevector(x, x, 0, 1, 2, 3, 4, 5, 6, 7)) y =                      \
            __builtin_shufflevector(x, x, 0, 1, 2, 3, 4, 5, 6, 7) +                                \
            __builtin_shufflevector(x, x, 8, 9, 10, 11, 12, 13, 14, 15);                           \
        __typeof__(__builtin_shufflevector(y, y, 0, 1, 2, 3)) z =                                  \
            __builtin_shufflevector(y, y, 0, 1, 2, 3) + __builtin_shufflevector(y, y, 4, 5, 6, 7); \
                                                                                                   \
        return (z[0] + z[2]) + (z[1] + z[3]);                                                      \
    }                                                                                              \
                                                                                                   \
    static INLAY_CLONES T sum_lanes_##suffix(const T *lane)                                        \
    {                                                                                              \
        return halve_lanes_##suffix(lane);                                                         \
    }

DEFINE_LANES(float, f32)
DEFINE_LANES(double, f64)

/* Defines the function that sums a part in lanes, one element of the result after the other, whose
 * numbers begin at FIRST. The axis before the last one, if folded, needs no index. */
#define DEFINE_SUM(T, suffix)                                                                      \
    static void add_lines_##suffix(const struct work *w, const folding *f, const T *first,         \
                                   T *lane)                                                        \
    {                                                                                              \
        int kept = w->frame->kept, last = f->rank - 1, walked = last > kept ? last - 1 - kept : 0; \
        const lines l = {last > kept ? f->dims[last - 1] : 1, last > kept ? f->from[last - 1] : 0, \
                         f->dims[last], f->from[last]};                                            \
        index_iter it;                                                                             \
                                                                                                   \
        for (index_start(&it, walked, f->dims + kept); index_valid(&it); index_next(&it))          \
            w->frame->fn->lanes_##suffix(lane, it.linear *l.rows *l.n,                             \
                                         first + index_dot(walked, it.at, f->from + kept), &l);    \
    }                                                                                              \
                                                                                                   \
    static void sum_##suffix(void *ctx, int64_t from, int64_t to)                                  \
    {                                                                                              \
        const struct work *w = ctx;                                                                \
        folding room;                                                                              \
        int64_t at;                                                                                \
        const folding *f = part_of(w, from, to, &at, &room);                                       \
        int kept = w->frame->kept, last = f->rank - 1;                                             \
        bool rows = kept > 0 && kept == last && f->from[last] == 1;                                \
        const T *x = PART_X(T);                                                                    \
        T *y = PART_Y(T);                                                                          \
        index_iter o;                                                                              \
                                                                                                   \
        for (index_start(&o, rows ? kept - 1 : kept, f->dims); index_valid(&o); index_next(&o)) {  \
            T lane[LANES] = {0}, *sum = &y[folding_at(f, &o)];                                     \
            const T *first = x + index_dot(o.rank, o.at, f->from);                                 \
            const lines l = {rows ? f->dims[kept - 1] : 0, rows ? f->from[kept - 1] : 0,           \
                             f->dims[last], 1};                                                    \
                                                                                                   \
            if (rows) {                                                                            \
                w->frame->fn->rows_##suffix(sum, f->strides[kept - 1], first, &l);                 \
                continue;                                                                          \
            }                                                                                      \
            add_lines_##suffix(w, f, first, lane);                                                 \
            *sum += sum_lanes_##suffix(lane);                                                      \
        }                                                                                          \
    }

DEFINE_SUM(float, f32)
DEFINE_SUM(double, f64)

/* Whether a result of FN may be more precise if its operands are scaled; whether one of N may. */
#define DEFINE_DOUBTFUL(T, suffix, absolute, most)                                                 \
    static inline bool is_doubtful_##suffix(const reduce_fn *fn, T y)                              \
    {                                                                                              \
        return fn->scales & !((absolute(y) >= (T)fn->low_##suffix) & (absolute(y) <= (most)));     \
    }                                                                                              \
                                                                                                   \
    static INLAY_CLONES bool any_doubtful_##suffix(const reduce_fn *fn, const T *y, int64_t n)     \
    {                                                                                              \
        int any = 0;                                                                               \
                                                                                                   \
        for (int64_t i = 0; fn->scales && i < n; i++)                                              \
            any |= is_doubtful_##suffix(fn, y[i]);                                                 \
        return any != 0;                                                                           \
    }

DEFINE_DOUBTFUL(float, f32, fabsf, FLT_MAX)
DEFINE_DOUBTFUL(double, f64, fabs, DBL_MAX)

/* Defines the function that folds the elements of one result again, in f64 and scaled by a power of
 * two, so that the largest of them is near 1. WHERE is the folded part of F. */
#define DEFINE_AGAIN(T, suffix)                                                                    \
    static T again_##suffix(const reduce_fn *fn, const T *x, const folding *where, T result)       \
    {                                                                                              \
        double most = 0, sum = fn->start;                                                          \
        int exponent;                                                                              \
                                                                                                   \
        for (index_iter it = folding_begin(where); index_valid(&it); index_next(&it))              \
            most = fmax(most, fabs((double)x[index_dot(it.rank, it.at, where->from)]));            \
        if (most == 0 || isinf(most))                                                              \
            return result;                                                                         \
        frexp(most, &exponent);                                                                    \
        for (index_iter it = folding_begin(where); index_valid(&it); index_next(&it)) {            \
            double e = ldexp((double)x[index_dot(it.rank, it.at, where->from)], -exponent);        \
                                                                                                   \
            fn->row_f64(&sum, 0, &e, 1, 1);                                                        \
        }                                                                                          \
        return (T)ldexp(fn->end_f64(sum, where->n_in), exponent);                                  \
    }                                                                                              \
                                                                                                   \
    /* Folds again what is doubtful among the results of F. */                                     \
    static void mend_##suffix(const reduce_fn *fn, const folding *f, const T *x, T *y)             \
    {                                                                                              \
        folding kept = *f, where = *f;                                                             \
                                                                                                   \
        where.n_in = f->group;                                                                     \
        for (int i = 0; i < f->rank; i++)                                                          \
            (f->strides[i] == 0 ? &kept : &where)->dims[i] = 1;                                    \
        for (index_iter it = folding_begin(&kept); index_valid(&it); index_next(&it)) {            \
            T *to = &y[folding_at(f, &it)];                                                        \
                                                                                                   \
            if (is_doubtful_##suffix(fn, *to))                                                     \
                *to = again_##suffix(fn, x + index_dot(it.rank, it.at, f->from), &where, *to);     \
        }                                                                                          \
    }

DEFINE_AGAIN(float, f32)
DEFINE_AGAIN(double, f64)

static bool reduce_f32(inlay_call *c, const void *frame)
{
    const reduce_fn *fn = ((const reduce_frame *)frame)->fn;
    const folding *f = &((const reduce_frame *)frame)->f;
    int64_t strides[INLAY_MAX_RANK];
    const float *x = load_strided_f32(c, 0, strides);
    float *y = place_f32(c, 0);
    struct work w = {.frame = frame, .x = x, .y = y};

    if (!x || !y)
        return false;
    for (int64_t o = 0; o < f->n_out; o++)
        y[o] = (float)fn->start;
    split_fold(c, &w, ((const reduce_frame *)frame)->lanes ? sum_f32 : fold_f32);
    for (int64_t o = 0; fn->end_f32 && o < f->n_out; o++)
        y[o] = fn->end_f32(y[o], f->group);
    if (any_doubtful_f32(fn, y, f->group > 0 ? f->n_out : 0))
        mend_f32(fn, f, x, y);
    return store_f32(c, 0, y);
}

static bool reduce_f64(inlay_call *c, const void *frame)
{
    const reduce_fn *fn = ((const reduce_frame *)frame)->fn;
    const folding *f = &((const reduce_frame *)frame)->f;
    int64_t strides[INLAY_MAX_RANK];
    const double *x = load_strided_f64(c, 0, strides);
    double *y = place_f64(c, 0);
    struct work w = {.frame = frame, .x = x, .y = y};

    if (!x || !y)
        return false;
    for (int64_t o = 0; o < f->n_out; o++)
        y[o] = fn->start;
    split_fold(c, &w, ((const reduce_frame *)frame)->lanes ? sum_f64 : fold_f64);
    for (int64_t o = 0; fn->end_f64 && o < f->n_out; o++)
        y[o] = fn->end_f64(y[o], f->group);
    if (any_doubtful_f64(fn, y, f->group > 0 ? f->n_out : 0))
        mend_f64(fn, f, x, y);
    return store_f64(c, 0, y);
}

static bool reduce_i64(inlay_call *c, const void *frame)
{
    const reduce_fn *fn = ((const reduce_frame *)frame)->fn;
    const folding *f = &((const reduce_frame *)frame)->f;
    int64_t strides[INLAY_MAX_RANK];
    const int64_t *x = load_strided_i64(c, 0, strides);
    int64_t *y = place_i64(c, 0);
    struct work w = {.frame = frame, .x = x, .y = y, .is_unsigned = c->in[0]->type == INLAY_U64};

    if (!x || !y)
        return false;
    for (int64_t o = 0; o < f->n_out; o++)
        y[o] = saturated_integer(c->in[0]->type, fn->start);
    split_fold(c, &w, fold_i64);
    for (int64_t o = 0; fn->end_i64 && o < f->n_out; o++)
        y[o] = fn->end_i64(y[o], f->group, c->in[0]->type);
    return store_i64(c, 0, y);
}

static reduce_row *ints_of(const reduce_fn *fn, inlay_type type)
{
    const reduce_ints *r = &fn->ints;

    return type == INLAY_I8    ? r->i8
           : type == INLAY_U8  ? r->u8
           : type == INLAY_I16 ? r->i16
           : type == INLAY_U16 ? r->u16
           : type == INLAY_I32 ? r->i32
           : type == INLAY_U32 ? r->u32
           : type == INLAY_I64 ? r->i64
           : type == INLAY_U64 ? r->u64
                               : NULL;
}

static void fold_ints(void *ctx, int64_t from, int64_t to)
{
    const struct work *w = ctx;
    int size = inlay_type_info_of(w->frame->f.data->type)->bits / 8;
    folding room;
    int64_t at;
    const folding *f = part_of(w, from, to, &at, &room);
    int last = f->rank - 1;
    const char *x = (const char *)w->x + (w->cut < 0 ? 0 : at * f->from[w->cut]) * size;
    char *y = (char *)w->y + (w->cut < 0 ? 0 : at * f->strides[w->cut]) * size;

    for (index_iter it = folding_rows(f); index_valid(&it); index_next(&it))
        w->frame->ints(y + folding_at(f, &it) * size, f->strides[last],
                       x + index_dot(it.rank, it.at, f->from) * size, f->from[last], f->dims[last]);
}

/* Sets the N elements of Y, which are of TYPE, to START. */
static void fill(char *y, int64_t n, inlay_type type, double start)
{
    size_t size = (size_t)inlay_type_info_of(type)->bits / 8, all = (size_t)n * size, done = size;

    if (n == 0)
        return;
    inlay_store_i64(type, y, 0, saturated_integer(type, start));
    for (; done < all; done += done < all - done ? done : all - done)
        memcpy(y + done, y, done < all - done ? done : all - done);
}

static bool reduce_own(inlay_call *c, const void *frame)
{
    const reduce_frame *r = frame;
    reduce_frame own = *r;
    inlay_tensor *out = c->out[0], y = *out;
    const inlay_tensor *x = c->in[0];
    int size = inlay_type_info_of(x->type)->bits / 8;
    bool dense = inlay_tensor_is_dense(out);
    int64_t strides[INLAY_MAX_RANK];
    struct work w = {.frame = &own, .x = (const char *)x->data + x->offset * size};

    own.f.data = x;
    w.y = dense ? (char *)out->data + out->offset * size
                : inlay_call_memory(c, inlay_tensor_count(out), (size_t)size);
    if (!w.y || !call_settle(c))
        return false;
    fill(w.y, r->f.n_out, x->type, r->fn->start);
    split_fold(c, &w, fold_ints);
    strides_dense(out->rank, out->dims, strides);
    y.data = w.y;
    y.offset = 0;
    y.strides = strides;
    return dense || inlay_tensor_assign(out, &y) || inlay_fail_memory(c->diags);
}

/* Moves the axes of F that are not folded before the others; each keep their order. Returns how
 * many are not folded. */
static int kept_first(folding *f)
{
    const folding was = *f;
    int kept = 0, n;

    for (int i = 0; i < was.rank; i++)
        kept += was.strides[i] != 0;
    n = kept;
    for (int i = was.rank - 1, folded = was.rank; i >= 0; i--) {
        int to = was.strides[i] != 0 ? --n : --folded;

        f->dims[to] = was.dims[i];
        f->strides[to] = was.strides[i];
        f->from[to] = was.from[i];
    }
    return kept;
}

/* Defines the function that folds each row of a block into one element. */
#define DEFINE_ROWS(T, suffix)                                                                     \
    static void fold_rows_##suffix(const reduce_fn *fn, const lines *l, const T *x, T *y,          \
                                   int64_t step)                                                   \
    {                                                                                              \
        for (int64_t r = 0; r < l->rows; r++)                                                      \
            y[r * step] = (T)fn->start;                                                            \
        if (fn->rows_##suffix && (l->n > LANES || !fn->lanes_##suffix)) {                          \
            fn->rows_##suffix(y, step, x, l);                                                      \
            return;                                                                                \
        }                                                                                          \
        for (int64_t r = 0; r < l->rows; r++)                                                      \
            fn->row_##suffix(&y[r * step], 0, x + r * l->pitch, 1, l->n);                          \
    }                                                                                              \
                                                                                                   \
    static void rows_##suffix(const row_block *k)                                                  \
    {                                                                                              \
        const reduce_fn *fn = k->with;                                                             \
        const lines l = {k->rows, k->x_pitch / (ptrdiff_t)sizeof(T), k->length, 1};                \
        int64_t step = k->to_pitch / (ptrdiff_t)sizeof(T);                                         \
        const T *x = (const T *)(const void *)k->x;                                                \
        T *y = (T *)(void *)k->to;                                                                 \
                                                                                                   \
        fold_rows_##suffix(fn, &l, x, y, step);                                                    \
        for (int64_t r = 0; r < k->rows; r++, x += l.pitch, y += step) {                           \
            *y = fn->end_##suffix ? fn->end_##suffix(*y, k->length) : *y;                          \
            if (is_doubtful_##suffix(fn, *y) && k->length > 0)                                     \
                *y = again_##suffix(                                                               \
                    fn, x, &(folding){NULL, 1, {k->length}, {0}, {1}, k->length, 1, k->length},    \
                    *y);                                                                           \
        }                                                                                          \
    }

DEFINE_ROWS(float, f32)
DEFINE_ROWS(double, f64)

/* Announces that rows are folded, if REDUCED marks exactly the last axes. */
static void announce(inlay_call *c, const reduce_fn *fn, const bool *reduced)
{
    const inlay_tensor *x = c->in[0];
    row_form f = {.n = 1, .with = fn, .folds = true, .from = {x->type}, .to = x->type};
    bool last = true;

    while (f.row_dims < x->rank && reduced[x->rank - 1 - f.row_dims])
        f.row_dims++;
    for (int i = 0; i < x->rank - f.row_dims; i++)
        last = last && !reduced[i];
    f.run = x->type == INLAY_F32 ? rows_f32 : x->type == INLAY_F64 ? rows_f64 : NULL;
    if (!last || f.row_dims == 0 || !f.run)
        return;
    memcpy(f.strides[0], x->strides, (size_t)x->rank * sizeof *f.strides[0]);
    call_form(c, &f);
}

static bool run_reduce(inlay_call *c, const reduce_fn *fn)
{
    inlay_domain domain = load_domain(c->in[0]->type);
    call_rest_fn *rest = domain == DOMAIN_F32   ? reduce_f32
                         : domain == DOMAIN_F64 ? reduce_f64
                                                : reduce_i64;
    reduce_frame frame = {.fn = fn, .ints = ints_of(fn, c->in[0]->type)};
    int64_t strides[INLAY_MAX_RANK];
    bool reduced[INLAY_MAX_RANK];

    if (!axes_of_operand(c, 1, c->in[0]->rank, reduced))
        return false;
    announce(c, fn, reduced);
    load_strides(c->in[0], domain, strides);
    folding_of(c->in[0], frame.ints ? c->in[0]->strides : strides, reduced, &frame.f);
    if (frame.ints)
        return call_rest(c, reduce_own, &frame, sizeof frame);
    frame.lanes = fn->lanes_f32 && domain != DOMAIN_I64 && frame.f.group > LANES &&
                  frame.f.strides[frame.f.rank - 1] == 0;
    frame.kept = frame.lanes ? kept_first(&frame.f) : 0;
    return call_rest(c, rest, &frame, sizeof frame);
}

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
    /* The last numbers of a short row are compared twice, which changes no extreme. */            \
    static INLAY_CLONES void name##_rows(T *restrict to, int64_t step, const T *restrict from,     \
                                         const lines *l)                                           \
    {                                                                                              \
        const int64_t n = l->n;                                                                    \
                                                                                                   \
        for (int64_t row = 0; row < l->rows; row++, from += l->pitch, to += step) {                \
            T lane[SHORT];                                                                         \
                                                                                                   \
            if (n < SHORT || n >= 2 * MANY) {                                                      \
                name(to, 0, from, 1, n);                                                           \
                continue;                                                                          \
            }                                                                                      \
            memcpy(lane, from, sizeof lane);                                                       \
            for (int64_t i = SHORT; i < n; i += SHORT) {                                           \
                const T *x = from + (i < n - SHORT ? i : n - SHORT);                               \
                                                                                                   \
                _Pragma("omp simd") for (int k = 0; k < SHORT; k++) lane[k] =                      \
                    MORE_OF(is, lane[k], x[k]);                                                    \
            }                                                                                      \
            MERGE(8, is)                                                                           \
            MERGE(4, is)                                                                           \
            MERGE(2, is)                                                                           \
            lane[0] = MORE_OF(is, lane[0], lane[1]);                                               \
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
/* Sums of signed integers have the bits of those without a sign. */
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

#define SUM_ROWS(name, T, suffix, form)                                                            \
    static INLAY_CLONES void name##_rows_##suffix(T *restrict to, int64_t step,                    \
                                                  const T *restrict from, const lines *l)          \
    {                                                                                              \
        const int64_t apart = 1, n = l->n;                                                         \
                                                                                                   \
        for (int64_t row = 0; row < l->rows; row++, from += l->pitch, to += step) {                \
            T lane[LANES] = {0};                                                                   \
            int64_t i = 0;                                                                         \
                                                                                                   \
            for (; n - i >= LANES; i += LANES) {                                                   \
                _Pragma("omp simd") for (int k = 0; k < LANES; k++) LANE(T, k, i + k, form)        \
            }                                                                                      \
            _Pragma("omp simd") for (int k = 0; k < LANES; k++)                                    \
            {                                                                                      \
                T sum = lane[k], x = k < n - i ? from[i + k] : 0;                                  \
                                                                                                   \
                lane[k] = form;                                                                    \
            }                                                                                      \
            *to += halve_lanes_##suffix(lane);                                                     \
        }                                                                                          \
    }

#define SUMS(name, f32_form, f64_form, i64_form)                                                   \
    STEPS(name, f32_form, f64_form, i64_form)                                                      \
    LANES_OF(name, float, f32, f32_form)                                                           \
    LANES_OF(name, double, f64, f64_form)                                                          \
    SUM_ROWS(name, float, f32, f32_form)                                                           \
    SUM_ROWS(name, double, f64, f64_form)

#define REDUCE(name, from_what, f32_form, f64_form, i64_form)                                      \
    STEPS(name, f32_form, f64_form, i64_form)                                                      \
    EVAL(name, from_what, {0}, .rows_f32 = NULL)

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
        return run_reduce(c, &fn);                                                                 \
    }

#define SUM(name, f32_form, f64_form, i64_form, ...)                                               \
    SUMS(name, f32_form, f64_form, i64_form)                                                       \
    bool eval_##name(inlay_call *c)                                                                \
    {                                                                                              \
        static const reduce_fn fn = {.ints = __VA_ARGS__,                                          \
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
        return run_reduce(c, &fn);                                                                 \
    }

SUM(reduce_sum, sum + x, sum + x, wrap_add(sum, x), EACH_SUM(total))
REDUCE(reduce_prod, 1, sum *x, sum *x, wrap_mul(sum, x))
/* The result is NaN where any element is NaN. */
EXTREMES(reduce_max, -INFINITY, >, less_int(sum, x, is_unsigned) ? x : sum, greatest)
EXTREMES(reduce_min, INFINITY, <, less_int(x, sum, is_unsigned) ? x : sum, least)
SUM(reduce_l1, sum + fabsf(x), sum + fabs(x),
    wrap_add(sum, !is_unsigned && x < 0 ? wrap_sub(0, x) : x), {0})
REDUCE(reduce_logical_and, 1, sum &&x, sum &&x, sum &&x)
REDUCE(reduce_logical_or, 0, sum || x, sum || x, sum || x)

static float mean_f32(float sum, int64_t n)
{
    return sum / (float)n;
}

static double mean_f64(double sum, int64_t n)
{
    return sum / (double)n;
}

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
    return run_reduce(c, &fn);
}

SUMS(squares, sum + x * x, sum + x * x, wrap_add(sum, wrap_mul(x, x)))

static float root_f32(float sum, int64_t n)
{
    (void)n;
    return sqrtf(sum);
}

static double root_f64(double sum, int64_t n)
{
    (void)n;
    return sqrt(sum);
}

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

    return run_reduce(c, &fn);
}

/* Folds rows along any axes, by the functions of a reduction (reduce.h): shares the work among
 * threads, sums in lanes, and repeats with scaled numbers what has overflowed. */
#include "interp/kernels/axes.h"
#include "interp/kernels/reduce.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    AT_ONCE = 256, /* elements of short rows that are folded together */
    NARROW = 32,   /* such rows, if their elements have results of their own, */
    SHORT = 8      /* or one */
};

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

/* Are there many rows of a few elements? Chains of these are the same in any order of the rows. */
static bool is_short(const lines *l)
{
    return l->n <= SHORT && l->rows > l->n;
}

#define FOLD_EACH_ROW(suffix, more)                                                                \
    for (it = folding_rows(f); index_valid(&it); index_next(&it))                                  \
        w->frame->fn->row_##suffix(&y[folding_at(f, &it)], f->strides[last],                       \
                                   x + index_dot(it.rank, it.at, f->from), f->from[last],          \
                                   f->dims[last] more);

/* Defines the function that folds the rows of a part, whose numbers are of type T: several at once
 * where they lie one after the other, and of many short ones the first element, then the second. */
#define DEFINE_FOLD(T, suffix)                                                                     \
    static void fold_across_##suffix(const reduce_fn *fn, const lines *l, const T *x, T *y,        \
                                     int64_t step)                                                 \
    {                                                                                              \
        for (int64_t i = 0; i < l->rows; i += AT_ONCE) {                                           \
            int64_t some = l->rows - i < AT_ONCE ? l->rows - i : AT_ONCE;                          \
                                                                                                   \
            for (int64_t k = 0; k < l->n; k++)                                                     \
                fn->row_##suffix(y + i * step, step, x + i * l->pitch + k * l->apart, l->pitch,    \
                                 some);                                                            \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
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
        bool across =                                                                              \
            last > 0 && kept && f->strides[last] == 0 && fn->lanes_##suffix && is_short(&l);       \
        const T *x = PART_X(T);                                                                    \
        T *y = PART_Y(T);                                                                          \
        index_iter it;                                                                             \
                                                                                                   \
        if (!(columns && (l.n >= EIGHT || l.pitch == l.n)) && !(rows && fn->rows_##suffix) &&      \
            !across) {                                                                             \
            FOLD_EACH_ROW(suffix, )                                                                \
            return;                                                                                \
        }                                                                                          \
        for (index_start(&it, before, f->dims); index_valid(&it); index_next(&it)) {               \
            const T *first = x + index_dot(before, it.at, f->from);                                \
                                                                                                   \
            if (across)                                                                            \
                fold_across_##suffix(fn, &l, first, &y[folding_at(f, &it)], f->strides[before]);   \
            else if (columns)                                                                      \
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

/* Adds all lanes to X, or multiplies it by them. */
#define DEFINE_LANES(T, suffix)                                                                    \
    static INLAY_CLONES T join_lanes_##suffix(bool multiplies, T x, const T *lane)                 \
    {                                                                                              \
        return multiplies ? x * halve_product_##suffix(lane) : x + halve_sum_##suffix(lane);       \
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
            T lane[LANES], *sum = &y[folding_at(f, &o)];                                           \
            const T *first = x + index_dot(o.rank, o.at, f->from);                                 \
            const lines l = {rows ? f->dims[kept - 1] : 0, rows ? f->from[kept - 1] : 0,           \
                             f->dims[last], 1};                                                    \
                                                                                                   \
            if (rows) {                                                                            \
                w->frame->fn->rows_##suffix(sum, f->strides[kept - 1], first, &l);                 \
                continue;                                                                          \
            }                                                                                      \
            for (int k = 0; k < LANES; k++)                                                        \
                lane[k] = (T)w->frame->fn->start;                                                  \
            add_lines_##suffix(w, f, first, lane);                                                 \
            *sum = join_lanes_##suffix(w->frame->fn->multiplies, *sum, lane);                      \
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
        fn->end_f64(&sum, 1, 1, where->n_in);                                                      \
        return (T)ldexp(sum, exponent);                                                            \
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
    if (fn->end_f32)
        fn->end_f32(y, 1, f->n_out, f->group);
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
    if (fn->end_f64)
        fn->end_f64(y, 1, f->n_out, f->group);
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

/* The rows of integers of a fold: ROWS of them, PITCH elements apart, of N, which are APART; their
 * results begin STEP elements apart, or are one, and so for the elements of a row. */
struct int_rows_of {
    reduce_row *fold;
    int64_t rows, pitch, n, apart, row_step, step, size;
};

/* Folds short rows that follow each other into as many results, and these into TO. */
static void fold_together(const struct int_rows_of *r, inlay_type type, double start, char *to,
                          const char *from)
{
    const int64_t all = r->rows * r->n, some = AT_ONCE / r->n * r->n;
    int64_t results[AT_ONCE], at = 0;

    fill((char *)results, some, type, start);
    for (; at + some <= all; at += some)
        r->fold(results, 1, from + at * r->size, 1, some);
    for (int64_t i = 0; i < some; i += r->n)
        r->fold(to, 1, (char *)results + i * r->size, 1, r->n);
    for (; at < all; at += r->n)
        r->fold(to, 1, from + at * r->size, 1, r->n);
}

/* Folds short rows, each into one result: of many of them the first element, then the second. */
static void fold_across(const struct int_rows_of *r, char *to, const char *from)
{
    for (int64_t i = 0; i < r->rows; i += AT_ONCE) {
        int64_t some = r->rows - i < AT_ONCE ? r->rows - i : AT_ONCE;

        for (int64_t k = 0; k < r->n; k++)
            r->fold(to + i * r->row_step * r->size, r->row_step,
                    from + (i * r->pitch + k * r->apart) * r->size, r->pitch, some);
    }
}

static void fold_ints(void *ctx, int64_t from, int64_t to)
{
    const struct work *w = ctx;
    inlay_type type = w->frame->f.data->type;
    folding room;
    int64_t at, size = inlay_type_info_of(type)->bits / 8;
    const folding *f = part_of(w, from, to, &at, &room);
    int last = f->rank - 1, before = last > 0 ? last - 1 : 0;
    const struct int_rows_of r = {.fold = w->frame->ints,
                                  .rows = last > 0 ? f->dims[before] : 1,
                                  .pitch = f->from[before],
                                  .n = f->dims[last],
                                  .apart = f->from[last],
                                  .row_step = f->strides[before],
                                  .step = f->strides[last],
                                  .size = size};
    bool together = last > 0 && r.step == 1 && r.row_step == 0 && r.apart == 1 && r.pitch == r.n &&
                    r.n < NARROW && r.rows * r.n >= 2 * AT_ONCE;
    bool across = last > 0 && r.step == 0 && r.row_step != 0 && r.n <= SHORT && r.rows > r.n;
    index_iter it;

    for (index_start(&it, before, f->dims); index_valid(&it); index_next(&it)) {
        const char *x =
            (const char *)w->x +
            ((w->cut < 0 ? 0 : at * f->from[w->cut]) + index_dot(before, it.at, f->from)) * size;
        char *y =
            (char *)w->y + ((w->cut < 0 ? 0 : at * f->strides[w->cut]) + folding_at(f, &it)) * size;

        if (together)
            fold_together(&r, type, w->frame->fn->start, y, x);
        else if (across)
            fold_across(&r, y, x);
        else
            for (int64_t i = 0; i < r.rows; i++)
                r.fold(y + i * r.row_step * size, r.step, x + i * r.pitch * size, r.apart, r.n);
    }
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
        if (fn->lanes_##suffix && is_short(l)) {                                                   \
            fold_across_##suffix(fn, l, x, y, step);                                               \
            return;                                                                                \
        }                                                                                          \
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
        if (fn->end_##suffix)                                                                      \
            fn->end_##suffix(y, step, k->rows, k->length);                                         \
        for (int64_t r = 0; r < k->rows; r++, x += l.pitch, y += step) {                           \
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
    inlay_domain domain = load_domain(x->type);
    row_form f = {.n = 1, .with = fn, .folds = true};
    bool last = true;

    while (f.row_dims < x->rank && reduced[x->rank - 1 - f.row_dims])
        f.row_dims++;
    for (int i = 0; i < x->rank - f.row_dims; i++)
        last = last && !reduced[i];
    f.run = domain == DOMAIN_F32 ? rows_f32 : domain == DOMAIN_F64 ? rows_f64 : NULL;
    f.to = f.from[0] = domain == DOMAIN_F32 ? INLAY_F32 : INLAY_F64;
    if (!last || f.row_dims == 0 || !f.run)
        return;
    memcpy(f.strides[0], x->strides, (size_t)x->rank * sizeof *f.strides[0]);
    call_form(c, &f);
}

bool reduce_run(inlay_call *c, const reduce_fn *fn)
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

/* Reductions: every element of data, in row-major order, is folded into the output element that it
 * belongs to. One operation is one line, which has the start of the fold, its step, and what is
 * done to the sum and the number N of elements at the end. */
#include "interp/kernels/axes.h"
#include "interp/kernels/elementwise.h"

#include <math.h>

typedef struct reduce_fn {
    double start;
    void (*row_f32)(float *to, int64_t step, const float *from, int64_t apart, int64_t n);
    void (*row_f64)(double *to, int64_t step, const double *from, int64_t apart, int64_t n);
    void (*row_i64)(int64_t *to, int64_t step, const int64_t *from, int64_t apart, int64_t n,
                    bool is_unsigned);
    float (*end_f32)(float sum, int64_t n);
    double (*end_f64)(double sum, int64_t n);
    int64_t (*end_i64)(int64_t sum, int64_t n, inlay_type type);
} reduce_fn;

/* Says how the axes lie, and what is done along them. */
typedef struct reduce_frame {
    const reduce_fn *fn;
    folding f;
} reduce_frame;

/* A fold that threads share: each thread has some of the places on an axis that is not folded. */
struct work {
    const reduce_frame *frame;
    const void *x;
    void *y;
    bool is_unsigned;
    int cut;      /* the axis; below 0: it is not shared */
    int64_t unit; /* so many places of it are not parted */
};

/* Computes W, whose tensors and frame are set, by FN. */
static void split_fold(inlay_call *c, struct work *w, call_part_fn *fn)
{
    const folding *f = &w->frame->f;
    int64_t n;

    w->cut = folding_cut(f, &w->unit);
    n = w->cut < 0 ? 1 : (f->dims[w->cut] + w->unit - 1) / w->unit;
    call_split(c, n, n > 0 ? (double)f->n_in / (double)n : 0, fn, w);
}

/* Returns the part of W from item FROM to TO, and sets *AT to the first place of this part. */
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

/* Defines the function that folds the rows of a part, whose numbers are of type T; MORE is the last
 * argument of the function of a row, if it takes more than the others do. */
#define DEFINE_FOLD(T, suffix, more)                                                               \
    static void fold_##suffix(void *ctx, int64_t from, int64_t to)                                 \
    {                                                                                              \
        const struct work *w = ctx;                                                                \
        folding room;                                                                              \
        int64_t at;                                                                                \
        const folding *f = part_of(w, from, to, &at, &room);                                       \
        int last = f->rank - 1;                                                                    \
        const T *x = (const T *)w->x + (w->cut < 0 ? 0 : at * f->from[w->cut]);                    \
        T *y = (T *)w->y + (w->cut < 0 ? 0 : at * f->strides[w->cut]);                             \
                                                                                                   \
        for (index_iter it = folding_rows(f); index_valid(&it); index_next(&it))                   \
            w->frame->fn->row_##suffix(&y[folding_at(f, &it)], f->strides[last],                   \
                                       x + index_dot(it.rank, it.at, f->from), f->from[last],      \
                                       f->dims[last] more);                                        \
    }

#define AND_UNSIGNED , w->is_unsigned

DEFINE_FOLD(float, f32, )
DEFINE_FOLD(double, f64, )
DEFINE_FOLD(int64_t, i64, AND_UNSIGNED)

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
    split_fold(c, &w, fold_f32);
    for (int64_t o = 0; fn->end_f32 && o < f->n_out; o++)
        y[o] = fn->end_f32(y[o], f->group);
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
    split_fold(c, &w, fold_f64);
    for (int64_t o = 0; fn->end_f64 && o < f->n_out; o++)
        y[o] = fn->end_f64(y[o], f->group);
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

static bool run_reduce(inlay_call *c, const reduce_fn *fn)
{
    inlay_domain domain = load_domain(c->in[0]->type);
    call_rest_fn *rest = domain == DOMAIN_F32   ? reduce_f32
                         : domain == DOMAIN_F64 ? reduce_f64
                                                : reduce_i64;
    reduce_frame frame = {.fn = fn};
    int64_t strides[INLAY_MAX_RANK];
    bool reduced[INLAY_MAX_RANK];

    if (!axes_of_operand(c, 1, c->in[0]->rank, reduced))
        return false;
    load_strides(c->in[0], domain, strides);
    folding_of(c->in[0], strides, reduced, &frame.f);
    return call_rest(c, rest, &frame, sizeof frame);
}

/* Stores FORM of SUM and X in TO, for each element of a row; with a STEP of 0 the whole row is
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

#define STEPS(name, f32_form, f64_form, i64_form)                                                  \
    static INLAY_CLONES void name##_f32(float *to, int64_t step, const float *from, int64_t apart, \
                                        int64_t n)                                                 \
    {                                                                                              \
        FOLD(float, f32_form)                                                                      \
    }                                                                                              \
    static INLAY_CLONES void name##_f64(double *to, int64_t step, const double *from,              \
                                        int64_t apart, int64_t n)                                  \
    {                                                                                              \
        FOLD(double, f64_form)                                                                     \
    }                                                                                              \
    static void name##_i64(int64_t *to, int64_t step, const int64_t *from, int64_t apart,          \
                           int64_t n, bool is_unsigned)                                            \
    {                                                                                              \
        (void)is_unsigned;                                                                         \
        FOLD(int64_t, i64_form)                                                                    \
    }

#define REDUCE(name, start, f32_form, f64_form, i64_form)                                          \
    STEPS(name, f32_form, f64_form, i64_form)                                                      \
    bool eval_##name(inlay_call *c)                                                                \
    {                                                                                              \
        static const reduce_fn fn = {start, name##_f32, name##_f64, name##_i64, NULL, NULL, NULL}; \
        return run_reduce(c, &fn);                                                                 \
    }

REDUCE(reduce_sum, 0, sum + x, sum + x, wrap_add(sum, x))
REDUCE(reduce_prod, 1, sum *x, sum *x, wrap_mul(sum, x))
/* The result is NaN where any element is NaN. */
REDUCE(reduce_max, -INFINITY, sum > x || sum != sum ? sum : x, sum > x || sum != sum ? sum : x,
       less_int(sum, x, is_unsigned) ? x : sum)
REDUCE(reduce_min, INFINITY, sum < x || sum != sum ? sum : x, sum < x || sum != sum ? sum : x,
       less_int(x, sum, is_unsigned) ? x : sum)
REDUCE(reduce_l1, 0, sum + fabsf(x), sum + fabs(x),
       wrap_add(sum, !is_unsigned && x < 0 ? wrap_sub(0, x) : x))
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
    static const reduce_fn fn = {0,        reduce_sum_f32, reduce_sum_f64, reduce_sum_i64,
                                 mean_f32, mean_f64,       mean_i64};

    if (inlay_type_is_int(c->in[0]->type) && inlay_tensor_count(c->in[0]) == 0 &&
        inlay_tensor_count(c->out[0]) > 0)
        return inlay_call_fail(c, "the mean of no integers does not exist");
    return run_reduce(c, &fn);
}

STEPS(squares, sum + x * x, sum + x * x, wrap_add(sum, wrap_mul(x, x)))

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

/* Returns the root of an integer as Sqrt does. */
static int64_t root_i64(int64_t sum, int64_t n, inlay_type type)
{
    (void)n;
    if (type != INLAY_U64 && sum < 0) /* the squares have wrapped */
        return 0;
    return saturated_integer(type, round(sqrt((double)(uint64_t)sum)));
}

bool eval_reduce_l2(inlay_call *c)
{
    static const reduce_fn fn = {0,        squares_f32, squares_f64, squares_i64,
                                 root_f32, root_f64,    root_i64};

    return run_reduce(c, &fn);
}

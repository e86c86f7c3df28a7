/* Samples of images, for all channels at once. */
#include "interp/library/points.h"

#include "interp/kernels/clones.h"
#include "interp/library/doubles.h"
#include "interp/library/mover.h"

#include <string.h>

enum {
    FEW = 5,     /* channels that are read one by one */
    BLOCK = 1024 /* pixels that one thread puts side by side as one work item */
};

/* The greater one, as region_greater, without a branch. */
static inline double greater(double a, double b)
{
    return ((b > a) | (a != a)) ? b : a;
}

/* What four taps of a channel give, added to Y. */
#define SUM_OF_FOUR(y, k)                                                                          \
    ((y) + at[0].weight * (double)a[k] + at[1].weight * (double)b[k] +                             \
     at[2].weight * (double)c[k] + at[3].weight * (double)d[k])

/* Folds N taps of CHANNELS numbers each, those of a pixel, which are WIDTH apart. */
#define DEFINE_FOLDS(T)                                                                            \
    static INLAY_CLONES void add_four_##T(const T *x, int64_t width, int64_t channels,             \
                                          const region_tap *at, double *restrict y)                \
    {                                                                                              \
        const T *a = x + at[0].at * width, *b = x + at[1].at * width, *c = x + at[2].at * width,   \
                *d = x + at[3].at * width;                                                         \
                                                                                                   \
        for (int64_t k = 0; k < channels; k++)                                                     \
            y[k] = SUM_OF_FOUR(y[k], k);                                                           \
    }                                                                                              \
                                                                                                   \
    static INLAY_CLONES void greatest_of_four_##T(const T *x, int64_t width, int64_t channels,     \
                                                  const region_tap *at, double *restrict y)        \
    {                                                                                              \
        const T *a = x + at[0].at * width, *b = x + at[1].at * width, *c = x + at[2].at * width,   \
                *d = x + at[3].at * width;                                                         \
                                                                                                   \
        for (int64_t k = 0; k < channels; k++)                                                     \
            y[k] = greater(y[k], SUM_OF_FOUR(0, k));                                               \
    }                                                                                              \
                                                                                                   \
    static INLAY_CLONES void fold_one_##T(const T *restrict x, int64_t channels, double weight,    \
                                          bool adds, double *restrict y)                           \
    {                                                                                              \
        if (adds)                                                                                  \
            for (int64_t k = 0; k < channels; k++)                                                 \
                y[k] += weight * (double)x[k];                                                     \
        else                                                                                       \
            for (int64_t k = 0; k < channels; k++)                                                 \
                y[k] = greater(y[k], weight * (double)x[k]);                                       \
    }                                                                                              \
                                                                                                   \
    static void fold_beside_##T(const T *x, int64_t width, int64_t channels, const region_tap *at, \
                                int n, points_way way, double *y)                                  \
    {                                                                                              \
        bool adds = way == POINTS_ADD;                                                             \
                                                                                                   \
        if (way == POINTS_GREATEST) {                                                              \
            greatest_of_four_##T(x, width, channels, at, y);                                       \
            return;                                                                                \
        }                                                                                          \
        for (; adds && n >= REGION_TAPS; n -= REGION_TAPS, at += REGION_TAPS)                      \
            add_four_##T(x, width, channels, at, y);                                               \
        for (; n > 0; n--, at++)                                                                   \
            fold_one_##T(x + at->at * width, channels, at->weight, adds, y);                       \
    }                                                                                              \
                                                                                                   \
    /* The same for channels one by one, whose planes are SIZE apart. */                           \
    static void fold_planes_##T(const T *x, int64_t size, int64_t channels, const region_tap *at,  \
                                int n, points_way way, double *y)                                  \
    {                                                                                              \
        for (int64_t k = 0; k < channels; k++, x += size) {                                        \
            double most = y[k], sum = way == POINTS_ADD ? most : 0;                                \
                                                                                                   \
            for (int i = 0; i < n; i++) {                                                          \
                double part = at[i].weight * (double)x[at[i].at];                                  \
                                                                                                   \
                sum += part;                                                                       \
                if (way == POINTS_GREATEST_PART)                                                   \
                    most = greater(most, part);                                                    \
            }                                                                                      \
            y[k] = way == POINTS_ADD ? sum : way == POINTS_GREATEST ? greater(most, sum) : most;   \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    static void fold_##T(const points *p, const T *x, int64_t image, int64_t first,                \
                         int64_t channels, const region_tap *at, int n, points_way way, double *y) \
    {                                                                                              \
        x += image * p->channels * p->size;                                                        \
        if (p->beside)                                                                             \
            fold_beside_##T(x + first, p->channels, channels, at, n, way, y);                      \
        else                                                                                       \
            fold_planes_##T(x + first * p->size, p->size, channels, at, n, way, y);                \
    }

#define DEFINE_SUM(T)                                                                              \
    static INLAY_CLONES void sum_##T(const T *x, const int64_t *at, const double *products,        \
                                     int64_t taps, int64_t n, double *restrict y)                  \
    {                                                                                              \
        for (int64_t i = 0; i < n; i++)                                                            \
            y[i] = 0;                                                                              \
        for (; taps > 0; taps--, at += n, products += n) {                                         \
            for (int64_t i = 0; i < n; i++) {                                                      \
                double part = products[i] * (double)x[at[i]];                                      \
                                                                                                   \
                y[i] += products[i] != 0 ? part : 0;                                               \
            }                                                                                      \
        }                                                                                          \
    }

DEFINE_SUM(float)
DEFINE_SUM(double)
DEFINE_FOLDS(float)
DEFINE_FOLDS(double)

void points_fold(const points *p, int64_t image, int64_t first, int64_t channels,
                 const region_tap *at, int n, points_way way, double *y)
{
    if (p->f32)
        fold_float(p, p->f32, image, first, channels, at, n, way, y);
    else
        fold_double(p, p->f64, image, first, channels, at, n, way, y);
}

void points_sum(const points *p, int64_t image, int64_t channel, const int64_t *at,
                const double *products, int64_t taps, int64_t n, double *y)
{
    int64_t plane = (image * p->channels + channel) * p->size;

    if (p->f32)
        sum_float(p->f32 + plane, at, products, taps, n, y);
    else
        sum_double(p->f64 + plane, at, products, taps, n, y);
}

/* What the threads share while channels are put side by side. */
struct turning {
    const inlay_tensor *planes, *pixels; /* dense [images, channels, size], and the other way */
    int64_t blocks;
};

/* An item is a block of the pixels of an image. */
static void turn_pixels(void *ctx, int64_t from, int64_t to)
{
    const struct turning *t = ctx;
    int64_t channels = t->planes->dims[1], size = t->planes->dims[2];
    int64_t planes[] = {size, 1}, pixels[] = {1, channels};

    for (; from < to; from++) {
        int64_t first = from % t->blocks * BLOCK, image = from / t->blocks * channels * size;
        int64_t dims[] = {channels, size - first < BLOCK ? size - first : BLOCK};
        inlay_tensor src = *t->planes, dst = *t->pixels;

        src.rank = dst.rank = 2;
        src.dims = dst.dims = dims;
        src.strides = planes;
        dst.strides = pixels;
        src.offset = image + first;
        dst.offset = image + first * channels;
        library_assign(&dst, &src);
    }
}

/* Makes P's images a copy with the channels of each pixel side by side, in memory that stays for
 * the next run: while the system gave and took its pages every time, two thirds of the time went
 * by. */
static bool put_beside(inlay_call *c, int64_t images, points *p)
{
    inlay_type type = p->f32 ? INLAY_F32 : INLAY_F64;
    int64_t all = images * p->channels * p->size;
    int64_t dims[] = {images, p->channels, p->size};
    inlay_tensor planes = {
        type, 3, dims, NULL, (void *)(p->f32 ? (uintptr_t)p->f32 : (uintptr_t)p->f64), 0, NULL};
    void *room = inlay_call_memory(c, all, inlay_type_info_of(type)->bits / 8);
    inlay_tensor pixels = {type, 3, dims, NULL, room, 0, NULL};
    struct turning t = {
        .planes = &planes, .pixels = &pixels, .blocks = (p->size + BLOCK - 1) / BLOCK};

    if (!room)
        return false;
    call_split(c, images * t.blocks, (double)p->channels * BLOCK, turn_pixels, &t);
    if (p->f32)
        p->f32 = room;
    else
        p->f64 = room;
    p->beside = true;
    return true;
}

bool points_read(inlay_call *c, int i, double taps, points *p)
{
    const inlay_tensor *in = c->in[i];
    bool single = load_domain(in->type) == DOMAIN_F32;

    *p = (points){.channels = in->dims[1], .size = dims_product(in->dims + 2, in->rank - 2)};
    p->f32 = single ? load_f32(c, i) : NULL;
    p->f64 = single ? NULL : load_f64(c, i);
    if (!p->f32 && !p->f64)
        return false;
    return p->channels < FEW || taps < (double)p->size || put_beside(c, in->dims[0], p);
}

bool points_begin(inlay_call *c, int i, double taps, points *p)
{
    const inlay_tensor *out = c->out[0];

    if (!points_read(c, i, taps, p))
        return false;
    p->result = inlay_tensor_is_dense(out) ? inlay_tensor_retain(out)
                                           : call_raw_tensor(c, out->type, out->rank, out->dims);
    return p->result || points_end(c, p, false);
}

void points_keep(inlay_type type, const double *y, int64_t channels, void *rows, int64_t k,
                 int64_t n)
{
    doubles_store(&(inlay_tensor){.type = type, .data = rows}, k * channels, n * channels, y);
}

void points_turn(const inlay_tensor *to, const void *rows, int64_t n, int64_t channels, int64_t at,
                 int64_t far)
{
    int64_t dims[] = {channels, n}, beside[] = {1, channels}, apart[] = {far, 1};
    inlay_tensor src = {to->type, 2, dims, beside, (void *)(uintptr_t)rows, 0, NULL};
    inlay_tensor dst = {to->type, 2, dims, apart, to->data, to->offset + at, to->buffer};

    library_assign(&dst, &src);
}

bool points_end(inlay_call *c, points *p, bool ok)
{
    if (ok && p->result && !inlay_tensor_is_dense(c->out[0]))
        library_assign(c->out[0], p->result);
    inlay_tensor_release(p->result);
    return ok;
}

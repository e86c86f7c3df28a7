/* Pooling of f32. A channel is cut into bands of positions, and a band's data becomes an image
 * (image.h), padded and split by the strides. There all positions of the band read, at one place of
 * the window, one contiguous run, so the band is a loop over places of loops over runs, whatever
 * the strides and dilations are. Positions in the gaps between rows are computed, too, and dropped.
 *
 * The padding changes nothing: a sum that begins with +0 is never -0, so that adding +0 leaves it,
 * and no number is below -infinity. Of equal elements, such as zeros of both signs, and of NaN,
 * maxima take the first one; the maxima of rows of places, and then of these maxima, do so, too,
 * and need far fewer comparisons. Sums have no such freedom. */
#include "interp/library/windows.h"

#include "interp/kernels/clones.h"
#include "interp/library/flat.h"
#include "interp/library/halves.h"
#include "interp/library/image.h"
#include "interp/library/library.h"
#include "interp/library/near.h"
#include "interp/library/strip.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    ROOM = 1 << 12,        /* elements of a band's image, */
    PLANE = 4 * ROOM,      /* and of a plane of halves that is widened */
    MOST_PLACES = 1 << 12, /* of a window */
    BESIDE = 16,           /* channels of one position each that are computed side by side */
    AT_ONCE = 3            /* places that are read in one pass */
};

/* How many positions a band has on each axis, and how many bands there are. */
struct bands {
    int64_t size[FIELD_AXES], n[FIELD_AXES], all;
};

struct work {
    const field *w;
    struct bands bands;
    int64_t planes;
    bool most;
    const float *x;
    float *y;
    const float *counts[FIELD_AXES]; /* for each position the elements that are counted, or 1 */
    const float *ones;               /* for each place */
    flat_plan plane;
    bool strips;       /* planes are computed in strips */
    inlay_type half;   /* F16 or BF16: of the codes, which are widened plane by plane; */
    const char *codes; /* then there is no X, */
    char *to;          /* and no Y */
};

/* The image of a band, and lists of places in it: those of a window; if they are compared row by
 * row, those of a row, and those of the rows in the image of rows. */
struct band {
    field w;
    image form;
    int64_t first[FIELD_AXES];
    int64_t at[MOST_PLACES], rows[MOST_PLACES / 2], n_rows;
};

/* Defines a function that sets N results to chains, which begin with FIRST and go on by what each
 * reads at some places: chain I reads element I of their runs. The first pass has no results to
 * read, and the compiler makes loops of their own for it. */
#define DEFINE_RUNS(name, STEP)                                                                    \
    static INLAY_CLONES void name(float *restrict y, float first, const float *restrict x,         \
                                  const int64_t *at, int64_t places, int64_t n)                    \
    {                                                                                              \
        bool begun = false;                                                                        \
                                                                                                   \
        for (; places >= AT_ONCE; places -= AT_ONCE, at += AT_ONCE, begun = true) {                \
            const float *a = x + at[0], *b = x + at[1], *c = x + at[2];                            \
                                                                                                   \
            for (int64_t i = 0; i < n; i++)                                                        \
                y[i] = STEP(STEP(STEP(begun ? y[i] : first, a[i]), b[i]), c[i]);                   \
        }                                                                                          \
        for (; places > 0; places--, at++, begun = true) {                                         \
            const float *a = x + at[0];                                                            \
                                                                                                   \
            for (int64_t i = 0; i < n; i++)                                                        \
                y[i] = STEP(begun ? y[i] : first, a[i]);                                           \
        }                                                                                          \
    }

static inline float sum_of(float u, float v)
{
    return u + v;
}

/* The larger one; U, if they are equal. */
static inline float larger(float u, float v)
{
    return v > u ? v : u;
}

/* The same; the first NaN, if there is one. */
static inline float larger_or_nan(float u, float v)
{
    return ((v != v) & (u == u)) ? v : larger(u, v);
}

DEFINE_RUNS(add_runs, sum_of)
DEFINE_RUNS(compare_runs, larger)
DEFINE_RUNS(compare_odd_runs, larger_or_nan)

static INLAY_CLONES bool has_nan(const float *x, int64_t n)
{
    int some = 0;

    for (int64_t i = 0; i < n; i++)
        some |= x[i] != x[i];
    return some;
}

typedef void runs_fn(float *restrict y, float first, const float *restrict x, const int64_t *at,
                     int64_t places, int64_t n);

/* Sets N results to the chains of FN over some places, one at least. */
static void fold(runs_fn *fn, float *y, const float *x, const int64_t *at, int64_t places,
                 int64_t n)
{
    enum { PART = 1024 }; /* results that stay in the first-level cache */
    float first = fn == add_runs ? 0 : -INFINITY;

    for (int64_t i = 0; i < n; i += PART) {
        int64_t some = n - i < PART ? n - i : PART;

        fn(y + i, first, x + i, at, places, some);
    }
}

/* Whether rows of places are worth an image of their maxima. */
static bool has_rows(const struct work *m, const field *w)
{
    int64_t row = w->axis[2].kernel, parts = w->axis[0].stride * w->axis[1].stride;

    return m->most && row > 1 && parts * row + w->kernel / row < w->kernel;
}

/* Returns part I of N of the field: a field over the same data. */
static void cut(const struct work *m, const int64_t *band, field *w, int64_t *first)
{
    *w = *m->w;
    w->small = 1;
    for (int i = 0; i < FIELD_AXES; i++) {
        field_axis *a = &w->axis[i];

        first[i] = band[i] * m->bands.size[i];
        a->pad -= first[i] * a->stride;
        if (a->small - first[i] < m->bands.size[i])
            a->small -= first[i];
        else
            a->small = m->bands.size[i];
        if (a->small == 1) /* any step is as good */
            a->stride = 1;
        w->small *= a->small;
    }
}

static void form_band(const struct work *m, const int64_t *band, struct band *b)
{
    const float least = -INFINITY;
    int64_t parts, part;

    cut(m, band, &b->w, b->first);
    image_of_field(&b->w, &b->form);
    if (m->most)
        memcpy(&b->form.around, &least, sizeof least);
    image_list(&b->form, 1, b->at);
    b->n_rows = 0;
    if (!has_rows(m, &b->w))
        return;
    parts = b->form.parts[2];
    part = b->form.part;
    for (int64_t i = 0; i < b->w.kernel; i += b->w.axis[2].kernel)
        b->rows[b->n_rows++] = b->at[i] / part / parts * part + b->at[i] % part;
}

/* Computes a band whose image is X: all its positions, and gaps. */
static void fold_band(const struct work *m, const struct band *b, const float *x, float *y)
{
    float rows[ROOM];
    const image *f = &b->form;
    int64_t row = b->w.axis[2].kernel, n = f->part - (f->width[2] - b->w.axis[2].small);
    /* Comparisons that mind NaN take several times as long. */
    runs_fn *fn = !m->most ? add_runs : has_nan(x, f->plane) ? compare_odd_runs : compare_runs;

    if (b->n_rows == 0) {
        fold(fn, y, x, b->at, b->w.kernel, f->span);
        return;
    }
    for (int64_t i = 0; i < f->parts[0] * f->parts[1]; i++)
        fold(fn, rows + i * f->part, x + i * f->parts[2] * f->part, b->at, row, n);
    fold(fn, y, rows, b->rows, b->n_rows, f->span);
}

/* Writes N sums divided by ABOVE times COUNTS. Returns whether all of them are finite. */
static INLAY_CLONES bool divide(const float *restrict sums, float above,
                                const float *restrict counts, int64_t n, float *restrict y)
{
    int some = 0;

    for (int64_t i = 0; i < n; i++) {
        some |= !(fabsf(sums[i]) <= FLT_MAX);
        y[i] = sums[i] / (above * counts[i]);
    }
    return !some;
}

/* If a sum overflows, elements are divided before they are added. What overflowed is not finite
 * after its division, either. X: what the first of N positions sees. */
static void divide_early(const struct band *b, const float *x, float above, const float *counts,
                         int64_t n, float *y)
{
    for (int64_t i = 0; i < n; i++) {
        float share = 1 / (above * counts[i]), sum = 0;

        if (isfinite(y[i]))
            continue;
        for (int64_t k = 0; k < b->w.kernel; k++)
            sum += x[b->at[k] + i] * share;
        y[i] = sum;
    }
}

/* Returns the position in the image of the first one of row Q of layer P. */
static int64_t row_at(const image *f, int64_t p, int64_t q)
{
    return (p * f->width[1] + q) * f->width[2];
}

/* Stores the results of a band in the plane Y. X: its image. */
static void keep_band(const struct work *m, const struct band *b, const float *x,
                      const float *folded, float *y)
{
    const field_axis *a = b->w.axis, *all = m->w->axis;

    for (int64_t i = 0; i < a[0].small * a[1].small; i++) {
        int64_t p = b->first[0] + i / a[1].small, q = b->first[1] + i % a[1].small;
        int64_t at = row_at(&b->form, i / a[1].small, i % a[1].small);
        float *to = y + (p * all[1].small + q) * all[2].small + b->first[2], above;

        if (m->most) {
            memcpy(to, folded + at, (size_t)a[2].small * sizeof *to);
            continue;
        }
        above = m->counts[0][p] * m->counts[1][q];
        if (!divide(folded + at, above, m->counts[2] + b->first[2], a[2].small, to))
            divide_early(b, x + at, above, m->counts[2] + b->first[2], a[2].small, to);
    }
}

static void pool_band(const struct work *m, const struct band *b, int64_t plane)
{
    float folded[ROOM], room[ROOM];
    const float *x = m->x + plane * m->w->large;

    if (!b->form.plain) {
        image_copy(&b->form, 1, x, room);
        x = room;
    }
    fold_band(m, b, x, folded);
    keep_band(m, b, x, folded, m->y + plane * m->w->small);
}

/* Computes the only positions of N planes, from X on, whose images are the data itself: side by
 * side, as a chain alone waits for each of its sums. */
static INLAY_CLONES void fold_beside(const struct work *m, const int64_t *at, const float *x,
                                     int64_t n, float *y)
{
    int64_t plane = m->w->large;

    for (int64_t i = 0; i < n; i++)
        y[i] = m->most ? -INFINITY : 0;
    for (int64_t k = 0; k < m->w->kernel; k++) {
        const float *from = x + at[k];

        for (int64_t i = 0; i < n; i++)
            y[i] = m->most ? larger_or_nan(y[i], from[i * plane]) : y[i] + from[i * plane];
    }
}

static void pool_beside(const struct work *m, const struct band *b, int64_t from, int64_t to)
{
    float folded[BESIDE];

    for (int64_t n; from < to; from += n) {
        n = to - from < BESIDE ? to - from : BESIDE;
        fold_beside(m, b->at, m->x + from * m->w->large, n, folded);
        for (int64_t i = 0; i < n; i++)
            keep_band(m, b, m->x + (from + i) * m->w->large, folded + i, m->y + from + i);
    }
}

/* Computes band I of the planes FROM <= k < TO, so that its lists are made once. */
static void pool_bands(const struct work *m, int64_t i, int64_t from, int64_t to)
{
    const struct bands *all = &m->bands;
    int64_t band[] = {i / all->n[2] / all->n[1], i / all->n[2] % all->n[1], i % all->n[2]};
    struct band b;

    form_band(m, band, &b);
    if (m->w->small == 1 && b.form.plain)
        pool_beside(m, &b, from, to);
    else
        for (; from < to; from++)
            pool_band(m, &b, from);
}

/* An item is a band of a plane: the first one of all planes, then the second one. */
static void pool_items(void *ctx, int64_t from, int64_t to)
{
    const struct work *m = ctx;

    while (from < to) {
        int64_t i = from / m->planes, end = (i + 1) * m->planes < to ? (i + 1) * m->planes : to;

        pool_bands(m, i, from - i * m->planes, end - i * m->planes);
        from = end;
    }
}

/* Is one of N numbers -0? */
static INLAY_CLONES bool has_minus_zero(const float *x, int64_t n)
{
    int some = 0;

    for (int64_t i = 0; i < n; i++) {
        uint32_t bits;

        memcpy(&bits, &x[i], sizeof bits);
        some |= bits == UINT32_C(1) << 31;
    }
    return some;
}

/* Computes a plane without images. Returns false if it has NaN, or sums that overflow. */
static bool pool_near(const struct work *m, int64_t plane)
{
    near_field n = {.w = m->w,
                    .x = m->x + plane * m->w->large,
                    .f = m->ones,
                    .y = m->y + plane * m->w->small,
                    .most = m->most,
                    .rows = m->counts[1],
                    .cols = m->counts[2]};

    if (!m->strips && !m->plane.at)
        return near_compute(tile_set_best(), &n);
    if (m->most && has_nan(n.x, m->w->large))
        return false;
    return m->strips ? strip_compute(m->w, m->most, m->most && !has_minus_zero(n.x, m->w->large),
                                     m->counts, n.x, n.y)
                     : flat_compute(tile_set_best(), &m->plane, n.x, n.f, n.y, NULL);
}

/* An item is a plane. */
static void pool_planes(void *ctx, int64_t from, int64_t to)
{
    const struct work *m = ctx;

    for (; from < to; from++) {
        bool done = pool_near(m, from);

        for (int64_t i = 0; !done && i < m->bands.all; i++)
            pool_bands(m, i, from, from + 1);
    }
}

/* The same of halves. */
static void pool_halves(void *ctx, int64_t from, int64_t to)
{
    const struct work *m = ctx;
    struct work one = *m;
    _Alignas(64) float x[PLANE], y[PLANE];

    one.x = x;
    one.y = y;
    for (; from < to; from++) {
        halves_widen(m->half, m->codes + 2 * from * m->w->large, m->w->large, x);
        pool_planes(&one, 0, 1);
        inlay_store_f32_row(m->half, m->to, from * m->w->small, 1, m->w->small, y);
    }
}

/* Returns the elements of the image that bands of SIZE positions have. */
static double room_of(const field *w, const int64_t *size)
{
    double n = 1;

    for (int i = 0; i < FIELD_AXES; i++) {
        const field_axis *a = &w->axis[i];
        double stride = size[i] == 1 || a->kernel == 1 ? 1 : (double)a->stride;

        n *= stride * (double)size[i] + (double)(a->kernel - 1) * (double)a->dilation;
    }
    return n;
}

/* Halves bands, those of outer axes first, until they fit. Returns false if they never do. */
static bool find_bands(const field *w, struct bands *b)
{
    for (int i = 0; i < FIELD_AXES; i++)
        b->size[i] = w->axis[i].small;
    for (int i = 0; i < FIELD_AXES && room_of(w, b->size) > ROOM;) {
        if (b->size[i] > 1)
            b->size[i] = (b->size[i] + 1) / 2;
        else
            i++;
    }
    b->all = 1;
    for (int i = 0; i < FIELD_AXES; i++) {
        b->n[i] = b->size[i] > 0 ? (w->axis[i].small + b->size[i] - 1) / b->size[i] : 0;
        b->all *= b->n[i];
    }
    return room_of(w, b->size) <= ROOM;
}

bool windows_take(const field *w)
{
    struct bands b;

    return w->large > 0 && w->kernel <= MOST_PLACES && image_is_small(w) && find_bands(w, &b);
}

/* Returns how many elements the windows of A count at each position, and 1 where it is none, and as
 * much as a vector behind; NULL: out of memory. */
static const float *counts_of(inlay_call *c, const field_axis *a, bool inside)
{
    enum { BEHIND = TILE_BYTES / sizeof(float) };
    float *counts = inlay_call_memory(c, a->small + BEHIND, sizeof *counts);

    for (int64_t p = 0; counts && p < a->small + BEHIND; p++) {
        int64_t room = a->large + a->pad_end - (p * a->stride - a->pad), from = 0, to = 0;

        if (p < a->small)
            field_inside(a, p, &from, &to);
        room = room > 0 ? (room + a->dilation - 1) / a->dilation : 0;
        room = inside ? to - from : room < a->kernel ? room : a->kernel;
        counts[p] = room > 0 ? (float)room : 1;
    }
    return counts;
}

/* Makes what averages need. */
static bool prepare_average(inlay_call *c, struct work *m, bool inside)
{
    float *ones = inlay_call_memory(c, m->w->kernel, sizeof *ones);

    m->ones = ones;
    for (int64_t i = 0; ones && i < m->w->kernel; i++)
        ones[i] = 1;
    for (int i = 0; ones && i < FIELD_AXES; i++) {
        m->counts[i] = counts_of(c, &m->w->axis[i], inside);
        if (!m->counts[i])
            return false;
    }
    return ones;
}

/* Plans planes that are one run. */
static bool prepare_flat(inlay_call *c, struct work *m)
{
    const field_axis *a = m->w->axis;
    enum { BEHIND = TILE_BYTES / sizeof(float) };
    void *room = inlay_call_memory(c, flat_bytes(tile_set_best(), m->w), 1);
    float *counts;

    if (room)
        flat_prepare(tile_set_best(), m->w, room, &m->plane);
    if (!room || m->most)
        return room;
    m->plane.counts = counts = inlay_call_memory(c, m->w->small + BEHIND, sizeof *counts);
    for (int64_t i = 0; counts && i < m->w->small + BEHIND; i++) {
        int64_t row = i / a[2].small, q = row % a[1].small, p = row / a[1].small;

        counts[i] =
            i < m->w->small ? m->counts[0][p] * m->counts[1][q] * m->counts[2][i % a[2].small] : 1;
    }
    return counts;
}

/* Do sums over windows of W take longer than to take their image apart? */
static bool is_large(const field *w)
{
    enum { FEW = 8 };

    return w->kernel > 2 * w->axis[1].stride * w->axis[2].stride + FEW;
}

static bool is_by_strips(const field *w, bool most)
{
    return !flat_takes(tile_set_best(), w) && !near_takes(tile_set_best(), w, most) &&
           strip_takes(w, most) && (most || !is_large(w));
}

/* Returns whether planes are computed without images. */
static bool is_by_planes(const field *w, bool most)
{
    return flat_takes(tile_set_best(), w) || near_takes(tile_set_best(), w, most) ||
           is_by_strips(w, most);
}

/* Computes M, which has floats or halves. */
static bool run(inlay_call *c, struct work *m, bool inside)
{
    enum { ELEMENTS = 8 }; /* computed in the time that call_split counts for one */
    const field *w = m->w;
    double elements = (double)(w->large + w->small * w->kernel) / ELEMENTS;
    bool flat;

    if (!find_bands(w, &m->bands) || !(m->most || prepare_average(c, m, inside)))
        return false;
    m->planes = c->in[0]->dims[0] * c->in[0]->dims[1];
    flat = m->planes > 0 && flat_takes(tile_set_best(), w);
    if (flat && !prepare_flat(c, m))
        return false;
    m->strips = is_by_strips(w, m->most);
    if (m->planes > 0 && is_by_planes(w, m->most))
        call_split(c, m->planes, elements, m->codes ? pool_halves : pool_planes, m);
    else if (m->planes * m->bands.all > 0)
        call_split(c, m->planes * m->bands.all, elements / (double)m->bands.all, pool_items, m);
    return true;
}

bool windows_run(inlay_call *c, const field *w, const float *x, float *y, bool most, bool inside)
{
    struct work m = {.w = w, .most = most, .x = x, .y = y};

    return x && y && run(c, &m, inside);
}

/* Returns whether planes of halves of C are widened one at a time. */
static bool widens(const inlay_call *c, const field *w, bool most)
{
    return call_is_half(c->in[0]->type) && is_by_planes(w, most) && w->large <= PLANE &&
           w->small <= PLANE && inlay_tensor_is_dense(c->in[0]) && inlay_tensor_is_dense(c->out[0]);
}

bool windows_floats(inlay_call *c, const field *w, bool most, bool inside)
{
    struct work m = {.w = w, .most = most};

    if (widens(c, w, most) && call_settle(c)) {
        m.half = c->in[0]->type;
        m.codes = halves_at(c, 0, 0);
        m.to = (char *)c->out[0]->data + 2 * c->out[0]->offset;
        return run(c, &m, inside);
    }
    m.x = load_f32(c, 0);
    m.y = place_f32(c, 0);
    return m.x && m.y && run(c, &m, inside) && store_f32(c, 0, m.y);
}

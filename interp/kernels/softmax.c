/* SoftMax-1, SoftMax-8, LogSoftmax-5 along one axis. The largest element is subtracted first, which
 * changes nothing in exact arithmetic and keeps exp finite. */
#include "interp/kernels/softmax.h"

#include "interp/kernels/axes.h"
#include "interp/kernels/elementwise.h"
#include "interp/maths/maths.h"
#include "interp/maths/rows.h"

#include <math.h>
#include <string.h>

enum { LANES = MATHS_LANES, COLUMNS = 256, NARROW = 16, TILE = 2048 };

/* WIDTH lines of N elements side by side, up to COLUMNS; the elements of a line are STEP apart. */
typedef struct columns {
    const float *x;
    float *y;
    int64_t n, step, width;
    float most[COLUMNS];
} columns;
typedef void softmax_f32(columns *c);

/* The same in double precision, where sums are not in parts: they add element after element. */
typedef struct columns_f64 {
    const double *x;
    double *y;
    int64_t n, step, width;
    double most[COLUMNS], sum[COLUMNS];
    bool out[COLUMNS]; /* of a logarithm: the largest element has been left out */
} columns_f64;
typedef void softmax_f64(columns_f64 *c);
/* Computes a line (softmax.h). */
typedef void line_f64(const double *x, double *y, int64_t n, int64_t step);

#define EACH_COLUMN _Pragma("omp simd") for (int64_t j = 0; j < width; j++)

#define FIND_LARGEST(name, T, lines)                                                               \
    static INLAY_CLONES void name(lines *c)                                                        \
    {                                                                                              \
        int64_t width = c->width;                                                                  \
                                                                                                   \
        EACH_COLUMN c->most[j] = -INFINITY;                                                        \
        for (int64_t i = 0; i < c->n; i++) {                                                       \
            const T *x = c->x + i * c->step;                                                       \
                                                                                                   \
            EACH_COLUMN c->most[j] = x[j] > c->most[j] ? x[j] : c->most[j];                        \
        }                                                                                          \
    }

FIND_LARGEST(find_largest, float, columns)
FIND_LARGEST(find_largest_f64, double, columns_f64)

/* Sets E to the differences of the elements from AT to END of each line from its largest one. */
static INLAY_CLONES void find_differences(const columns *c, float *e, int64_t at, int64_t end)
{
    int64_t width = c->width;

    for (; at < end; at++, e += width) {
        const float *x = c->x + at * c->step;

        EACH_COLUMN e[j] = x[j] - c->most[j];
    }
}

/* Returns the end of the elements from AT on for which there is room in a tile. */
static int64_t tile_end(int64_t at, int64_t n, int64_t width)
{
    return at + TILE / width < n ? at + TILE / width : n;
}

/* Sets E to the exponentials of that. Returns the end of the elements for which there is room. */
static int64_t find_exponentials(const columns *c, float *e, int64_t at)
{
    int64_t end = tile_end(at, c->n, c->width);

    find_differences(c, e, at, end);
    maths_best_rows()->exp(e, e, (end - at) * c->width, 0, 0);
    return end;
}

/* Element I of a line is added to lane I % LANES, as softmax of interp/maths/rows.h does. */
static INLAY_CLONES void keep_and_add(const columns *c, const float *e, int64_t at, int64_t end,
                                      float (*lane)[COLUMNS])
{
    int64_t width = c->width;

    for (; at < end; at++, e += width) {
        float *restrict y = c->y + at * c->step, *restrict sum = lane[at % LANES];

        EACH_COLUMN y[j] = e[j], sum[j] += e[j];
    }
}

static INLAY_CLONES void divide_columns(const columns *c, float (*lane)[COLUMNS])
{
    int64_t width = c->width;
    float *restrict sum = lane[0];

    for (int k = 1; k < LANES; k++)
        EACH_COLUMN sum[j] += lane[k][j];
    for (int64_t i = 0; i < c->n; i++) {
        float *restrict y = c->y + i * c->step;

        EACH_COLUMN y[j] /= sum[j];
    }
}

static void clear_lanes(const columns *c, float (*lane)[COLUMNS])
{
    for (int k = 0; k < LANES; k++)
        memset(lane[k], 0, (size_t)c->width * sizeof *lane[k]);
}

static void softmax_columns(columns *c)
{
    float e[TILE], lane[LANES][COLUMNS];

    find_largest(c);
    clear_lanes(c, lane);
    for (int64_t at = 0, end; at < c->n; at = end) {
        end = find_exponentials(c, e, at);
        keep_and_add(c, e, at, end, lane);
    }
    divide_columns(c, lane);
}

/* Sets E to the exponentials of the differences of the elements from AT to END of each line from its
 * largest one. */
static INLAY_CLONES void find_exponentials_f64(const columns_f64 *c, double *e, int64_t at,
                                               int64_t end)
{
    int64_t width = c->width, n = (end - at) * width;

    for (double *d = e; at < end; at++, d += width) {
        const double *x = c->x + at * c->step;

        EACH_COLUMN d[j] = x[j] - c->most[j];
    }
    EACH_ELEMENT e[i] = maths_exp_f64(e[i]);
}

static INLAY_CLONES void keep_and_add_f64(columns_f64 *c, const double *e, int64_t at, int64_t end)
{
    int64_t width = c->width;

    for (; at < end; at++, e += width) {
        double *restrict y = c->y + at * c->step;

        EACH_COLUMN y[j] = e[j], c->sum[j] += e[j];
    }
}

static INLAY_CLONES void divide_f64(const columns_f64 *c)
{
    int64_t width = c->width;

    for (int64_t i = 0; i < c->n; i++) {
        double *restrict y = c->y + i * c->step;

        EACH_COLUMN y[j] /= c->sum[j];
    }
}

static void softmax_columns_f64(columns_f64 *c)
{
    double e[TILE];

    find_largest_f64(c);
    memset(c->sum, 0, (size_t)c->width * sizeof *c->sum);
    for (int64_t at = 0, end; at < c->n; at = end) {
        end = tile_end(at, c->n, c->width);
        find_exponentials_f64(c, e, at, end);
        keep_and_add_f64(c, e, at, end);
    }
    divide_f64(c);
}

/* Adds the exponentials, but for that of the first of the largest elements. */
static INLAY_CLONES void add_rest_f64(columns_f64 *c, const double *e, int64_t at, int64_t end)
{
    int64_t width = c->width;

    for (; at < end; at++, e += width) {
        const double *x = c->x + at * c->step;

        EACH_COLUMN
        {
            bool other = c->out[j] | (x[j] != c->most[j]);

            c->sum[j] += other ? e[j] : 0;
            c->out[j] |= !other;
        }
    }
}

static INLAY_CLONES void subtract_f64(columns_f64 *c)
{
    int64_t width = c->width;

    EACH_COLUMN c->sum[j] = maths_log1p_d(c->sum[j]);
    for (int64_t i = 0; i < c->n; i++) {
        const double *x = c->x + i * c->step;
        double *y = c->y + i * c->step;

        EACH_COLUMN y[j] = (x[j] - c->most[j]) - c->sum[j];
    }
}

/* The logarithm of a SoftMax. The largest element, which adds 1 to the sum, is left out: where it
 * is far above the others, its result is what those add. Where it is infinite, there is no result.
 */
static void log_softmax_columns_f64(columns_f64 *c)
{
    double e[TILE];

    find_largest_f64(c);
    for (int64_t j = 0; j < c->width; j++) {
        c->sum[j] = c->most[j] - c->most[j];
        c->out[j] = false;
    }
    for (int64_t at = 0, end; at < c->n; at = end) {
        end = tile_end(at, c->n, c->width);
        find_exponentials_f64(c, e, at, end);
        add_rest_f64(c, e, at, end);
    }
    subtract_f64(c);
}

static INLAY_CLONES double largest_f64(const double *x, int64_t n, int64_t step)
{
    double most[LANES];
    int64_t i = 0;

    for (int k = 0; k < LANES; k++)
        most[k] = -INFINITY;
    for (; i + LANES <= n; i += LANES) {
        _Pragma("omp simd") for (int k = 0; k < LANES; k++)
        {
            double u = x[(i + k) * step];

            most[k] = u > most[k] ? u : most[k];
        }
    }
    for (; i < n; i++)
        most[0] = x[i * step] > most[0] ? x[i * step] : most[0];
    for (int k = 1; k < LANES; k++)
        most[0] = most[k] > most[0] ? most[k] : most[0];
    return most[0];
}

/* Sets E to the exponentials of the differences of N elements from the largest one. */
static INLAY_CLONES void exponentials_f64(const double *x, int64_t n, int64_t step, double most,
                                          double *e)
{
    EACH_ELEMENT e[i] = maths_exp_f64(x[i * step] - most);
}

void softmax_line_f64(const double *x, double *y, int64_t n, int64_t step)
{
    double most = largest_f64(x, n, step), sum = 0, e[TILE];

    for (int64_t at = 0, end; at < n; at = end) {
        end = tile_end(at, n, 1);
        exponentials_f64(x + at * step, end - at, step, most, e);
        for (int64_t i = at; i < end; i++)
            sum += y[i * step] = e[i - at];
    }
    for (int64_t i = 0; i < n; i++)
        y[i * step] /= sum;
}

void log_softmax_line_f64(const double *x, double *y, int64_t n, int64_t step)
{
    double most = largest_f64(x, n, step), rest = most - most, less, e[TILE];
    bool out = false;

    for (int64_t at = 0, end; at < n; at = end) {
        end = tile_end(at, n, 1);
        exponentials_f64(x + at * step, end - at, step, most, e);
        for (int64_t i = at; i < end; i++) {
            rest += out || x[i * step] != most ? e[i - at] : 0;
            out = out || x[i * step] == most;
        }
    }
    less = maths_log1p_d(rest);
    for (int64_t i = 0; i < n; i++)
        y[i * step] = (x[i * step] - most) - less;
}

/* Adds exponentials as exp_rest of interp/maths/rows.h does; EQUAL is how many are left out. */
static INLAY_CLONES void add_others(const columns *c, const float *e, int64_t at, int64_t end,
                                    float (*lane)[COLUMNS], float *equal)
{
    int64_t width = c->width;

    for (; at < end; at++, e += width) {
        const float *x = c->x + at * c->step;
        float *restrict sum = lane[at % LANES];

        EACH_COLUMN
        {
            bool other = x[j] - c->most[j] != 0;

            sum[j] += other ? e[j] : 0;
            equal[j] += other ? 0 : 1;
        }
    }
}

/* Sets REST to the logarithm of 1 more, for WIDTH numbers. */
static INLAY_CLONES void find_logarithms(float *rest, int64_t width)
{
    EACH_COLUMN rest[j] = (float)maths_log1p_d((double)rest[j]);
}

static INLAY_CLONES void subtract_columns(const columns *c, float (*lane)[COLUMNS], float *less)
{
    int64_t width = c->width;

    EACH_COLUMN less[j] -= 1;
    for (int k = 0; k < LANES; k++)
        EACH_COLUMN less[j] += lane[k][j];
    find_logarithms(less, width);
    for (int64_t i = 0; i < c->n; i++) {
        const float *x = c->x + i * c->step;
        float *y = c->y + i * c->step;

        EACH_COLUMN y[j] = (x[j] - c->most[j]) - less[j];
    }
}

/* All terms of an element are negative, so that nothing is lost where they are added. */
static void log_softmax_columns(columns *c)
{
    float e[TILE], lane[LANES][COLUMNS], less[COLUMNS];

    find_largest(c);
    clear_lanes(c, lane);
    memset(less, 0, (size_t)c->width * sizeof *less);
    for (int64_t at = 0, end; at < c->n; at = end) {
        end = find_exponentials(c, e, at);
        add_others(c, e, at, end, lane, less);
    }
    subtract_columns(c, lane, less);
}

/* Lines of a tensor, which go from X to Y; ROWS computes those whose elements follow each other. */
struct lines {
    axis_split s;
    row_fn *rows;
    softmax_f32 *f32;
    softmax_f64 *f64;
    line_f64 *line;
    const void *x;
    void *y;
};

static int64_t line_at(const axis_split *s, int64_t i)
{
    return i / s->after * s->length * s->after + i % s->after;
}

/* Computes a few lines as rows of a copy. */
static void turned(const columns *c, row_fn *rows)
{
    float e[TILE];

    for (int64_t at = 0, end; at < c->width; at = end) {
        int64_t room = TILE / c->n;

        end = at + room < c->width ? at + room : c->width;
        for (int64_t j = at; j < end; j++)
            for (int64_t i = 0; i < c->n; i++)
                e[(j - at) * c->n + i] = c->x[i * c->step + j];
        rows(&(row_block){.to = (char *)e,
                          .x = (const char *)e,
                          .to_pitch = c->n * (ptrdiff_t)sizeof *e,
                          .x_pitch = c->n * (ptrdiff_t)sizeof *e,
                          .rows = end - at,
                          .length = c->n});
        for (int64_t j = at; j < end; j++)
            for (int64_t i = 0; i < c->n; i++)
                c->y[i * c->step + j] = e[(j - at) * c->n + i];
    }
}

static void lines_f32(void *ctx, int64_t from, int64_t to)
{
    const struct lines *l = ctx;
    ptrdiff_t pitch = (ptrdiff_t)l->s.length * (ptrdiff_t)sizeof(float);

    if (l->s.after == 1) {
        l->rows(&(row_block){.to = (char *)l->y + from * pitch,
                             .x = (const char *)l->x + from * pitch,
                             .to_pitch = pitch,
                             .x_pitch = pitch,
                             .rows = to - from,
                             .length = l->s.length});
        return;
    }
    for (int64_t width; from < to; from += width) {
        int64_t at = line_at(&l->s, from), left = l->s.after - from % l->s.after;
        columns c = {.x = (const float *)l->x + at, .y = (float *)l->y + at, .n = l->s.length};

        width = left < to - from ? left : to - from;
        width = width < COLUMNS ? width : COLUMNS;
        c.step = l->s.after;
        c.width = width;
        if (width < NARROW && c.n > 0 && c.n <= TILE)
            turned(&c, l->rows);
        else
            l->f32(&c);
    }
}

static void lines_f64(void *ctx, int64_t from, int64_t to)
{
    const struct lines *l = ctx;
    columns_f64 c = {.n = l->s.length, .step = l->s.after};

    for (; from < to; from += c.width) {
        int64_t at = line_at(&l->s, from), left = l->s.after - from % l->s.after;

        c.width = left < to - from ? left : to - from;
        c.width = c.width < COLUMNS ? c.width : COLUMNS;
        c.x = (const double *)l->x + at;
        c.y = (double *)l->y + at;
        if (c.width >= NARROW / 2)
            l->f64(&c);
        for (int64_t j = 0; c.width < NARROW / 2 && j < c.width; j++)
            l->line(c.x + j, c.y + j, c.n, c.step);
    }
}

enum { EXP_COST = 32 }; /* what an exponential is beside an addition */

/* What a call computes, as far as it is known without elements. */
typedef struct softmax_frame {
    row_fn *rows;
    softmax_f32 *f32;
    softmax_f64 *f64;
    line_f64 *line;
    axis_split s;
} softmax_frame;

static bool compute_lines(inlay_call *c, const void *frame)
{
    const softmax_frame *f = frame;
    struct lines l = {.rows = f->rows, .f32 = f->f32, .f64 = f->f64, .line = f->line, .s = f->s};
    bool wide = c->in[0]->type == INLAY_F64;

    l.x = wide ? (const void *)load_f64(c, 0) : load_f32(c, 0);
    l.y = wide ? (void *)place_f64(c, 0) : place_f32(c, 0);
    if (!l.x || !l.y)
        return false;
    call_split(c, l.s.before * l.s.after, EXP_COST * (double)l.s.length,
               wide ? lines_f64 : lines_f32, &l);
    return wide ? store_f64(c, 0, l.y) : store_f32(c, 0, l.y);
}

/* Announces that each row of f32 is a line, which ROWS computes. */
static void announce(inlay_call *c, row_fn *rows)
{
    row_form f = {
        .run = rows, .from = {INLAY_F32}, .to = INLAY_F32, .n = 1, .row_dims = 1, .cost = EXP_COST};

    memcpy(f.strides[0], c->in[0]->strides, (size_t)c->in[0]->rank * sizeof *f.strides[0]);
    call_form(c, &f);
}

static bool along_axis(inlay_call *c, softmax_f32 *f32, softmax_f64 *f64, line_f64 *line,
                       row_fn *rows)
{
    softmax_frame f = {.rows = rows, .f32 = f32, .f64 = f64, .line = line};
    int axis;

    if (!axis_checked(c, "axis", inlay_node_int(c->node, "axis"), c->in[0]->rank, &axis))
        return false;
    f.s = axis_split_of(c->in[0], axis);
    if (axis == c->in[0]->rank - 1)
        announce(c, rows);
    return call_rest(c, compute_lines, &f, sizeof f);
}

/* Row R of operand x of block K, and of its output. */
static const float *row_x(const row_block *k, int64_t r)
{
    return (const float *)(const void *)(k->x + r * k->x_pitch);
}

static float *row_y(const row_block *k, int64_t r)
{
    return (float *)(void *)(k->to + r * k->to_pitch);
}

void softmax_rows_f32(const row_block *k)
{
    maths_best_rows()->softmax(k->to, k->to_pitch, k->x, k->x_pitch, k->rows, k->length);
}

void softmax_line_f32(const float *x, float *y, int64_t n, int64_t step)
{
    row_block k = {.x = (const char *)x, .to = (char *)y, .rows = 1, .length = n};

    if (step == 1)
        softmax_rows_f32(&k);
    else
        softmax_columns(&(columns){.x = x, .y = y, .n = n, .step = step, .width = 1});
}

static INLAY_CLONES void subtract(const float *x, float *y, int64_t n, float most, float less)
{
    EACH_ELEMENT y[i] = (x[i] - most) - less;
}

/* The logarithms of some rows are found side by side. */
static void log_softmax_rows(const row_block *k)
{
    enum { TOGETHER = 8 };
    const maths_rows *rows = maths_best_rows();
    float most[TOGETHER], less[TOGETHER];

    for (int64_t at = 0; at < k->rows; at += TOGETHER) {
        int64_t n = k->rows - at < TOGETHER ? k->rows - at : TOGETHER;

        for (int64_t r = 0; r < n; r++)
            most[r] = rows->largest(row_x(k, at + r), k->length);
        for (int64_t r = 0; r < n; r++)
            less[r] = rows->exp_rest(row_x(k, at + r), k->length, most[r]);
        find_logarithms(less, n);
        for (int64_t r = 0; r < n; r++)
            subtract(row_x(k, at + r), row_y(k, at + r), k->length, most[r], less[r]);
    }
}

bool eval_softmax(inlay_call *c)
{
    return along_axis(c, softmax_columns, softmax_columns_f64, softmax_line_f64, softmax_rows_f32);
}

bool eval_log_softmax(inlay_call *c)
{
    return along_axis(c, log_softmax_columns, log_softmax_columns_f64, log_softmax_line_f64,
                      log_softmax_rows);
}

/* SoftMax-1, SoftMax-8, LogSoftmax-5 along one axis. The largest element is subtracted first, which
 * changes nothing in exact arithmetic and keeps exp finite. */
#include "interp/kernels/softmax.h"

#include "interp/kernels/axes.h"
#include "interp/kernels/elementwise.h"
#include "interp/maths/maths.h"
#include "interp/maths/rows.h"

#include <math.h>
#include <string.h>

/* Computes a line (softmax.h). */
typedef void softmax_f64(const double *x, double *y, int64_t n, int64_t step);

enum { LANES = MATHS_LANES, COLUMNS = 256, NARROW = 16, TILE = 2048 };

/* WIDTH lines of N elements side by side, up to COLUMNS; the elements of a line are STEP apart. */
typedef struct columns {
    const float *x;
    float *y;
    int64_t n, step, width;
    float most[COLUMNS];
} columns;
typedef void softmax_f32(columns *c);

#define EACH_COLUMN _Pragma("omp simd") for (int64_t j = 0; j < width; j++)

static double largest_f64(const double *x, int64_t n, int64_t step)
{
    double most = -INFINITY;

    for (int64_t i = 0; i < n; i++)
        most = x[i * step] > most ? x[i * step] : most;
    return most;
}

static INLAY_CLONES void find_largest(columns *c)
{
    int64_t width = c->width;

    EACH_COLUMN c->most[j] = -INFINITY;
    for (int64_t i = 0; i < c->n; i++) {
        const float *x = c->x + i * c->step;

        EACH_COLUMN c->most[j] = x[j] > c->most[j] ? x[j] : c->most[j];
    }
}

/* Sets E to the differences of the elements from AT to END of each line from its largest one. */
static INLAY_CLONES void find_differences(const columns *c, float *e, int64_t at, int64_t end)
{
    int64_t width = c->width;

    for (; at < end; at++, e += width) {
        const float *x = c->x + at * c->step;

        EACH_COLUMN e[j] = x[j] - c->most[j];
    }
}

/* Sets E to the exponentials of that. Returns the end of the elements for which there is room. */
static int64_t find_exponentials(const columns *c, float *e, int64_t at)
{
    int64_t end = at + TILE / c->width < c->n ? at + TILE / c->width : c->n;

    find_differences(c, e, at, end);
    maths_best_rows()->exp(e, e, (end - at) * c->width, 0, 0);
    return end;
}

/* Element I of a line is added to lane I % LANES, as exp_sum of interp/maths/rows.h does. */
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

void softmax_line_f32(const float *x, float *y, int64_t n, int64_t step)
{
    const maths_rows *rows = maths_best_rows();

    if (step == 1)
        rows->divide(y, n, rows->exp_sum(y, x, n, rows->largest(x, n), NULL, 1));
    else
        softmax_columns(&(columns){.x = x, .y = y, .n = n, .step = step, .width = 1});
}

void softmax_line_f64(const double *x, double *y, int64_t n, int64_t step)
{
    double most = largest_f64(x, n, step), sum = 0;

    for (int64_t i = 0; i < n; i++)
        sum += y[i * step] = maths_exp_f64(x[i * step] - most);
    for (int64_t i = 0; i < n; i++)
        y[i * step] /= sum;
}

/* The logarithm of a SoftMax. The largest element, which adds 1 to the sum, is left out: where it
 * is far above the others, its result is what those add. Where it is infinite, there is no result.
 */
void log_softmax_line_f64(const double *x, double *y, int64_t n, int64_t step)
{
    double most = largest_f64(x, n, step), rest = most - most, less;
    bool out = false;

    for (int64_t i = 0; i < n; i++) {
        rest += out || x[i * step] != most ? maths_exp_f64(x[i * step] - most) : 0;
        out = out || x[i * step] == most;
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

    for (; from < to; from++) {
        int64_t at = line_at(&l->s, from);

        l->f64((const double *)l->x + at, (double *)l->y + at, l->s.length, l->s.after);
    }
}

enum { EXP_COST = 32 }; /* what an exponential is beside an addition */

/* What a call computes, as far as it is known without elements. */
typedef struct softmax_frame {
    row_fn *rows;
    softmax_f32 *f32;
    softmax_f64 *f64;
    axis_split s;
} softmax_frame;

static bool compute_lines(inlay_call *c, const void *frame)
{
    const softmax_frame *f = frame;
    struct lines l = {.rows = f->rows, .f32 = f->f32, .f64 = f->f64, .s = f->s};
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

static bool along_axis(inlay_call *c, softmax_f32 *f32, softmax_f64 *f64, row_fn *rows)
{
    softmax_frame f = {.rows = rows, .f32 = f32, .f64 = f64};
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

/* A row is divided by its sum while the exponentials of the next one are computed, whose largest
 * element is found before those of this one, so that none waits for another. */
static void softmax_rows(const row_block *k)
{
    const maths_rows *rows = maths_best_rows();
    float *was = NULL, sum = 1, most = k->rows ? rows->largest(row_x(k, 0), k->length) : 0;

    for (int64_t r = 0; r < k->rows; r++) {
        float next = r + 1 < k->rows ? rows->largest(row_x(k, r + 1), k->length) : 0;

        sum = rows->exp_sum(row_y(k, r), row_x(k, r), k->length, most, was, sum);
        was = row_y(k, r);
        most = next;
    }
    if (was)
        rows->divide(was, k->length, sum);
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
    return along_axis(c, softmax_columns, softmax_line_f64, softmax_rows);
}

bool eval_log_softmax(inlay_call *c)
{
    return along_axis(c, log_softmax_columns, log_softmax_line_f64, log_softmax_rows);
}

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
typedef void softmax_f32(const float *x, float *y, int64_t n, int64_t step);
typedef void softmax_f64(const double *x, double *y, int64_t n, int64_t step);

enum { LANES = MATHS_LANES };

/* Element I of the line goes to lane I % LANES, whatever the width of vectors is, so that nothing
 * waits for the element before it. FORM says how E changes SO_FAR, what the lane has by then. */
#define EACH_LANE(form)                                                                            \
    for (int64_t i = 0; i + LANES <= n; i += LANES) {                                              \
        _Pragma("omp simd") for (int k = 0; k < LANES; k++)                                        \
        {                                                                                          \
            float e = x[(i + k) * step], so_far = lane[k];                                         \
                                                                                                   \
            lane[k] = form;                                                                        \
        }                                                                                          \
    }                                                                                              \
    for (int64_t i = n / LANES * LANES; i < n; i++) {                                              \
        float e = x[i * step], so_far = lane[i % LANES];                                           \
                                                                                                   \
        lane[i % LANES] = form;                                                                    \
    }

static inline __attribute__((always_inline)) void largest_lanes(const float *x, int64_t n,
                                                                int64_t step, float *lane)
{
    EACH_LANE(e > so_far ? e : so_far)
}

static INLAY_CLONES float largest_f32(const float *x, int64_t n, int64_t step)
{
    float lane[LANES], most = -INFINITY;

    for (int k = 0; k < LANES; k++)
        lane[k] = -INFINITY;
    if (step == 1) /* a number that the compiler knows makes it a loop of vectors */
        largest_lanes(x, n, 1, lane);
    else
        largest_lanes(x, n, step, lane);
    for (int k = 0; k < LANES; k++)
        most = lane[k] > most ? lane[k] : most;
    return most;
}

/* Adds as exp_sum of interp/maths/rows.h does. */
static INLAY_CLONES float sum_f32(const float *x, int64_t n, int64_t step)
{
    float lane[LANES] = {0}, sum = 0;

    EACH_LANE(so_far + e)
    for (int k = 0; k < LANES; k++)
        sum += lane[k];
    return sum;
}

static double largest_f64(const double *x, int64_t n, int64_t step)
{
    double most = -INFINITY;

    for (int64_t i = 0; i < n; i++)
        most = x[i * step] > most ? x[i * step] : most;
    return most;
}

static INLAY_CLONES void exponentials(const float *x, float *y, int64_t n, int64_t step, float most)
{
    EACH_ELEMENT y[i * step] = maths_exp(x[i * step] - most);
}

static INLAY_CLONES void divide_f32(float *y, int64_t n, int64_t step, float by)
{
    EACH_ELEMENT y[i * step] /= by;
}

void softmax_line_f32(const float *x, float *y, int64_t n, int64_t step)
{
    float most = largest_f32(x, n, step);

    if (step == 1) {
        const maths_rows *rows = maths_best_rows();

        rows->divide(y, n, rows->exp_sum(y, x, n, most, NULL, 1));
        return;
    }
    exponentials(x, y, n, step, most);
    divide_f32(y, n, step, sum_f32(y, n, step));
}

void softmax_line_f64(const double *x, double *y, int64_t n, int64_t step)
{
    double most = largest_f64(x, n, step), sum = 0;

    for (int64_t i = 0; i < n; i++)
        sum += y[i * step] = exp(x[i * step] - most);
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
        rest += out || x[i * step] != most ? exp(x[i * step] - most) : 0;
        out = out || x[i * step] == most;
    }
    less = log1p(rest);
    for (int64_t i = 0; i < n; i++)
        y[i * step] = (x[i * step] - most) - less;
}

/* Each line is summed in the order of its elements; TOGETHER lines are, so that an addition need
 * not wait for the one before it. */
enum { TOGETHER = 8, PIECE = 256 };

typedef struct log_line {
    const float *x;
    float *y, most;
    bool out; /* the largest element has been left out */
} log_line;

/* Returns where the first of N elements is that equals MOST, or N. */
static INLAY_CLONES int64_t place_of(const float *x, int64_t n, int64_t step, float most)
{
    int64_t i = 0;
    int found = 0;

    for (; step == 1 && !found && i + LANES <= n; i += LANES) {
        _Pragma("omp simd reduction(|:found)") for (int k = 0; k < LANES; k++) found |=
            x[i + k] == most;
    }
    for (i -= found ? LANES : 0; i < n && x[i * step] != most;)
        i++;
    return i;
}

/* Sets E to what the N elements of L from X on add. */
static void add_of(log_line *l, const float *x, float *e, int64_t n, int64_t step)
{
    int64_t largest = l->out ? n : place_of(x, n, step, l->most);

    for (int64_t i = 0; step != 1 && i < n; i++)
        e[i] = x[i * step];
    maths_best_rows()->exp(e, step == 1 ? x : e, n, (double)l->most, 0);
    if (largest < n) {
        l->out = true;
        e[largest] = 0;
    }
}

/* Eight numbers by name stay in registers, and are added side by side. */
static void add_pieces(double *rest, float (*e)[PIECE], int64_t n)
{
    double a = rest[0], b = rest[1], c = rest[2], d = rest[3];
    double f = rest[4], g = rest[5], h = rest[6], j = rest[7];

    for (int64_t i = 0; i < n; i++) {
        a += (double)e[0][i], b += (double)e[1][i], c += (double)e[2][i], d += (double)e[3][i];
        f += (double)e[4][i], g += (double)e[5][i], h += (double)e[6][i], j += (double)e[7][i];
    }
    memcpy(rest, (double[TOGETHER]){a, b, c, d, f, g, h, j}, TOGETHER * sizeof *rest);
}

static INLAY_CLONES void subtract(const log_line *l, int64_t n, int64_t step, double less)
{
    const float *x = l->x;
    float *y = l->y;
    double most = (double)l->most;

    if (step == 1) /* a number that the compiler knows makes it a loop of vectors */
        EACH_ELEMENT y[i] = (float)(((double)x[i] - most) - less);
    else
        EACH_ELEMENT y[i * step] = (float)(((double)x[i * step] - most) - less);
}

static void log_softmax_lines(log_line *l, int lines, int64_t n, int64_t step)
{
    float e[TOGETHER][PIECE] = {{0}};
    double rest[TOGETHER] = {0};

    for (int k = 0; k < lines; k++) {
        l[k].most = largest_f32(l[k].x, n, step);
        rest[k] = (double)(l[k].most - l[k].most);
    }
    for (int64_t i = 0; i < n; i += PIECE) {
        int64_t count = n - i < PIECE ? n - i : PIECE;

        for (int k = 0; k < lines; k++)
            add_of(&l[k], l[k].x + i * step, e[k], count, step);
        add_pieces(rest, e, count);
    }
    for (int k = 0; k < lines; k++)
        subtract(&l[k], n, step, maths_log1p_d(rest[k]));
}

static void log_softmax_line_f32(const float *x, float *y, int64_t n, int64_t step)
{
    log_softmax_lines(&(log_line){.x = x, .y = y}, 1, n, step);
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
    for (; from < to; from++) {
        int64_t at = line_at(&l->s, from);

        l->f32((const float *)l->x + at, (float *)l->y + at, l->s.length, l->s.after);
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

static void log_softmax_rows(const row_block *k)
{
    for (int64_t r = 0; r < k->rows; r += TOGETHER) {
        log_line l[TOGETHER];
        int lines = 0;

        for (; lines < TOGETHER && r + lines < k->rows; lines++)
            l[lines] = (log_line){.x = row_x(k, r + lines), .y = row_y(k, r + lines)};
        log_softmax_lines(l, lines, k->length, 1);
    }
}

bool eval_softmax(inlay_call *c)
{
    return along_axis(c, softmax_line_f32, softmax_line_f64, softmax_rows);
}

bool eval_log_softmax(inlay_call *c)
{
    return along_axis(c, log_softmax_line_f32, log_softmax_line_f64, log_softmax_rows);
}

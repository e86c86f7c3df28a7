/* SoftMax-1, SoftMax-8, LogSoftmax-5 along one axis. The largest element is subtracted first, which
 * changes nothing in exact arithmetic and keeps exp finite. */
#include "interp/kernels/axes.h"

#include <math.h>

/* The elements at a fixed place before and after the axis: N of them, STEP apart. */
typedef void softmax_f32(const float *x, float *y, int64_t n, int64_t step);
typedef void softmax_f64(const double *x, double *y, int64_t n, int64_t step);

static float largest_f32(const float *x, int64_t n, int64_t step)
{
    float most = -INFINITY;

    for (int64_t i = 0; i < n; i++)
        most = x[i * step] > most ? x[i * step] : most;
    return most;
}

static double largest_f64(const double *x, int64_t n, int64_t step)
{
    double most = -INFINITY;

    for (int64_t i = 0; i < n; i++)
        most = x[i * step] > most ? x[i * step] : most;
    return most;
}

static void softmax_line_f32(const float *x, float *y, int64_t n, int64_t step)
{
    float most = largest_f32(x, n, step), sum = 0;

    for (int64_t i = 0; i < n; i++)
        sum += y[i * step] = expf(x[i * step] - most);
    for (int64_t i = 0; i < n; i++)
        y[i * step] /= sum;
}

static void softmax_line_f64(const double *x, double *y, int64_t n, int64_t step)
{
    double most = largest_f64(x, n, step), sum = 0;

    for (int64_t i = 0; i < n; i++)
        sum += y[i * step] = exp(x[i * step] - most);
    for (int64_t i = 0; i < n; i++)
        y[i * step] /= sum;
}

static void log_softmax_line_f32(const float *x, float *y, int64_t n, int64_t step)
{
    float most = largest_f32(x, n, step), sum = 0;

    for (int64_t i = 0; i < n; i++)
        sum += expf(x[i * step] - most);
    for (int64_t i = 0; i < n; i++)
        y[i * step] = (x[i * step] - most) - logf(sum);
}

static void log_softmax_line_f64(const double *x, double *y, int64_t n, int64_t step)
{
    double most = largest_f64(x, n, step), sum = 0;

    for (int64_t i = 0; i < n; i++)
        sum += exp(x[i * step] - most);
    for (int64_t i = 0; i < n; i++)
        y[i * step] = (x[i * step] - most) - log(sum);
}

static bool lines_f32(inlay_call *c, axis_split s, softmax_f32 *line)
{
    const float *x = load_f32(c, 0);
    float *y = inlay_call_memory(c, inlay_tensor_count(c->in[0]), sizeof *y);

    if (!x || !y)
        return false;
    for (int64_t i = 0; i < s.before; i++) {
        for (int64_t j = 0; j < s.after; j++) {
            int64_t at = i * s.length * s.after + j;

            line(x + at, y + at, s.length, s.after);
        }
    }
    return store_f32(c, 0, y);
}

static bool lines_f64(inlay_call *c, axis_split s, softmax_f64 *line)
{
    const double *x = load_f64(c, 0);
    double *y = inlay_call_memory(c, inlay_tensor_count(c->in[0]), sizeof *y);

    if (!x || !y)
        return false;
    for (int64_t i = 0; i < s.before; i++) {
        for (int64_t j = 0; j < s.after; j++) {
            int64_t at = i * s.length * s.after + j;

            line(x + at, y + at, s.length, s.after);
        }
    }
    return store_f64(c, 0, y);
}

static bool along_axis(inlay_call *c, softmax_f32 *f32, softmax_f64 *f64)
{
    int axis;

    if (!axis_checked(c, "axis", inlay_node_int(c->node, "axis"), c->in[0]->rank, &axis))
        return false;
    if (c->in[0]->type == INLAY_F64)
        return lines_f64(c, axis_split_of(c->in[0], axis), f64);
    return lines_f32(c, axis_split_of(c->in[0], axis), f32);
}

bool eval_softmax(inlay_call *c)
{
    return along_axis(c, softmax_line_f32, softmax_line_f64);
}

bool eval_log_softmax(inlay_call *c)
{
    return along_axis(c, log_softmax_line_f32, log_softmax_line_f64);
}

/* Normalizations: BatchNormInference-1/-5, MVN-1/-6, NormalizeL2-1, LRN-1, GRN-1,
 * GroupNormalization-12. */
#include "interp/kernels/axes.h"
#include "ir/shared.h"

#include <math.h>
#include <string.h>

typedef struct mvn {
    double eps;
    bool variance, outside; /* divide by the deviation; eps is added to the root */
} mvn;

typedef struct lrn {
    const inlay_tensor *data;
    bool axes[INLAY_MAX_RANK]; /* those that the region stretches over */
    int64_t size;
    double alpha, beta, bias; /* alpha over the number of elements of the region */
} lrn;

/* The region around AT: FROM and its LENGTH on every axis. */
static void lrn_region(const lrn *p, const int64_t *at, int64_t *from, int64_t *length)
{
    for (int i = 0; i < p->data->rank; i++) {
        int64_t before = p->axes[i] ? p->size / 2 : 0, to = at[i] + before + 1;

        from[i] = at[i] > before ? at[i] - before : 0;
        length[i] = (to < p->data->dims[i] ? to : p->data->dims[i]) - from[i];
    }
}

#define T float
#define F(name) name##f
#define NAME(name) name##_f32
#include "interp/kernels/normalize_loop.h"
#undef T
#undef F
#undef NAME

#define T double
#define F(name) name
#define NAME(name) name##_f64
#include "interp/kernels/normalize_loop.h"
#undef T
#undef F
#undef NAME

static bool run_mvn(inlay_call *c, const bool *axes, const mvn *p)
{
    folding f;

    folding_of(c->in[0], NULL, axes, &f);
    if (f.n_in == 0)
        return true;
    if (c->in[0]->type == INLAY_F64) {
        const double *x = load_f64(c, 0);
        double *y = inlay_call_memory(c, f.n_in, sizeof *y),
               *mean = inlay_call_memory(c, f.n_out, sizeof *mean);
        double *variance = inlay_call_memory(c, f.n_out, sizeof *variance);

        return x && y && mean && variance &&
               (mvn_f64(p, &f, x, mean, variance, y), store_f64(c, 0, y));
    }
    const float *x = load_f32(c, 0);
    float *y = inlay_call_memory(c, f.n_in, sizeof *y),
          *mean = inlay_call_memory(c, f.n_out, sizeof *mean);
    float *variance = inlay_call_memory(c, f.n_out, sizeof *variance);

    return x && y && mean && variance && (mvn_f32(p, &f, x, mean, variance, y), store_f32(c, 0, y));
}

bool eval_mvn(inlay_call *c)
{
    mvn p = {inlay_node_float(c->node, "eps"), inlay_node_bool(c->node, "normalize_variance"),
             strcmp(inlay_node_string(c->node, "eps_mode"), "outside_sqrt") == 0};
    bool axes[INLAY_MAX_RANK];

    return axes_of_operand(c, 1, c->in[0]->rank, axes) && run_mvn(c, axes, &p);
}

/* MVN-1 takes its axes from attributes: a list, or all but the first one or two. */
bool eval_mvn_1(inlay_call *c)
{
    mvn p = {inlay_node_float(c->node, "eps"), inlay_node_bool(c->node, "normalize_variance"),
             false};
    int n, first = inlay_node_bool(c->node, "across_channels") ? 1 : 2, axis;
    const int64_t *listed = inlay_node_ints(c->node, "reduction_axes", &n);
    bool axes[INLAY_MAX_RANK] = {false};

    for (int i = first; n == 0 && i < c->in[0]->rank; i++)
        axes[i] = true;
    for (int i = 0; i < n; i++) {
        if (!axis_checked(c, "reduction_axes", listed[i], c->in[0]->rank, &axis))
            return false;
        axes[axis] = true;
    }
    return run_mvn(c, axes, &p);
}

/* Without axes there is nothing to sum, and eps has no part in it: 1, and 0 stays 0. */
static bool divide_by_itself(inlay_call *c)
{
    int64_t n = inlay_tensor_count(c->in[0]);
    const double *x = load_f64(c, 0);
    double *y = inlay_call_memory(c, n, sizeof *y);

    if (!x || !y)
        return false;
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i] == 0 ? x[i] : 1;
    return store_f64(c, 0, y);
}

/* Each element over the root of the squares along AXES, with EPS added to or put below their sum.
 */
static bool run_l2(inlay_call *c, const bool *axes, double eps, bool add)
{
    folding f;

    folding_of(c->in[0], NULL, axes, &f);
    if (f.n_in == 0)
        return true;
    if (c->in[0]->type == INLAY_F64) {
        const double *x = load_f64(c, 0);
        double *y = inlay_call_memory(c, f.n_in, sizeof *y),
               *sum = inlay_call_memory(c, f.n_out, sizeof *sum);

        return x && y && sum && (l2_f64(&f, eps, add, x, sum, y), store_f64(c, 0, y));
    }
    const float *x = load_f32(c, 0);
    float *y = inlay_call_memory(c, f.n_in, sizeof *y),
          *sum = inlay_call_memory(c, f.n_out, sizeof *sum);

    return x && y && sum && (l2_f32(&f, (float)eps, add, x, sum, y), store_f32(c, 0, y));
}

bool eval_normalize_l2(inlay_call *c)
{
    bool axes[INLAY_MAX_RANK], add = strcmp(inlay_node_string(c->node, "eps_mode"), "add") == 0;

    if (!axes_of_operand(c, 1, c->in[0]->rank, axes))
        return false;
    if (inlay_tensor_count(c->in[1]) == 0)
        return divide_by_itself(c);
    return run_l2(c, axes, inlay_node_float(c->node, "eps"), add);
}

/* output[n, c, ...] = x[n, c, ...] / sqrt(sum of x[n, every channel, ...]^2 + bias) */
bool eval_grn(inlay_call *c)
{
    const bool channels[INLAY_MAX_RANK] = {false, true};

    return run_l2(c, channels, inlay_node_float(c->node, "bias"), true);
}

bool eval_group_normalization(inlay_call *c)
{
    int64_t n = inlay_tensor_count(c->in[0]), groups = inlay_node_int(c->node, "num_groups");
    double eps = inlay_node_float(c->node, "epsilon");
    axis_split s = axis_split_of(c->in[0], 1);

    if (c->in[0]->type == INLAY_F64) {
        const double *x = load_f64(c, 0), *scale = load_f64(c, 1), *bias = load_f64(c, 2);
        double *y = inlay_call_memory(c, n, sizeof *y);

        return x && scale && bias && y &&
               (groups_f64(s, groups, eps, scale, bias, x, y), store_f64(c, 0, y));
    }
    const float *x = load_f32(c, 0), *scale = load_f32(c, 1), *bias = load_f32(c, 2);
    float *y = inlay_call_memory(c, n, sizeof *y);

    return x && scale && bias && y &&
           (groups_f32(s, groups, (float)eps, scale, bias, x, y), store_f32(c, 0, y));
}

bool eval_lrn(inlay_call *c)
{
    int64_t n = inlay_tensor_count(c->in[0]);
    lrn p = {.data = c->in[0],
             .size = inlay_node_int(c->node, "size"),
             .alpha = inlay_node_float(c->node, "alpha"),
             .beta = inlay_node_float(c->node, "beta"),
             .bias = inlay_node_float(c->node, "bias")};

    if (!axes_of_operand(c, 1, c->in[0]->rank, p.axes))
        return false;
    for (int i = 0; i < c->in[0]->rank; i++)
        p.alpha /= p.axes[i] ? (double)p.size : 1;
    if (c->in[0]->type == INLAY_F64) {
        const double *x = load_f64(c, 0);
        double *y = inlay_call_memory(c, n, sizeof *y);

        return x && y && (lrn_f64(&p, x, y), store_f64(c, 0, y));
    }
    const float *x = load_f32(c, 0);
    float *y = inlay_call_memory(c, n, sizeof *y);

    return x && y && (lrn_f32(&p, x, y), store_f32(c, 0, y));
}

/* Operand DATA is the data; the others are gamma, beta, mean, variance. */
static bool run_batch_norm(inlay_call *c, int data)
{
    int64_t n = inlay_tensor_count(c->in[data]);
    double eps = inlay_node_float(c->node, "epsilon");
    axis_split s = axis_split_of(c->in[data], 1);

    if (c->in[data]->type == INLAY_F64) {
        const double *x = load_f64(c, data), *p[4];
        double *y = inlay_call_memory(c, n, sizeof *y);
        bool loaded = x && y;

        for (int i = 0; i < 4; i++)
            loaded = (p[i] = load_f64(c, i < data ? i : i + 1)) && loaded;
        return loaded && (batch_norm_f64(s, eps, p, x, y), store_f64(c, 0, y));
    }
    const float *x = load_f32(c, data), *p[4];
    float *y = inlay_call_memory(c, n, sizeof *y);
    bool loaded = x && y;

    for (int i = 0; i < 4; i++)
        loaded = (p[i] = load_f32(c, i < data ? i : i + 1)) && loaded;
    return loaded && (batch_norm_f32(s, (float)eps, p, x, y), store_f32(c, 0, y));
}

bool eval_batch_norm(inlay_call *c)
{
    return run_batch_norm(c, 0);
}

bool eval_batch_norm_1(inlay_call *c)
{
    return run_batch_norm(c, inlay_batch_norm_data(c->in[0]->rank, c->in[2]->rank));
}

/* Normalizations: BatchNormInference-1/-5, MVN-1/-6, NormalizeL2-1, LRN-1, GRN-1,
 * GroupNormalization-12. */
#include "interp/kernels/normalize.h"
#include "interp/call/share.h"
#include "interp/kernels/axes.h"
#include "interp/kernels/clones.h"
#include "interp/maths/maths.h"
#include "ir/shared.h"

#include <math.h>
#include <string.h>

/* The costs of an element, where adding one element costs 1. */
enum { FOLD_COST = 4, LRN_COST = 64 };

enum { LANES = NORMALIZE_LANES };

typedef struct mvn {
    double eps;
    bool variance, outside; /* divide by the deviation; eps is added to the root */
} mvn;

/* The parameter b of rows: whether to divide by the deviation, and where eps is added. */
enum { MVN_NOTHING, MVN_INSIDE, MVN_OUTSIDE };

/* What a call of MVN computes, as far as it is known before the run: LINES contiguous lines of
 * LENGTH elements, if AXES are the last ones. */
typedef struct mvn_frame {
    mvn p;
    bool axes[INLAY_MAX_RANK];
    int64_t lines, length;
} mvn_frame;

/* What the threads share. */
typedef struct mvn_work {
    const mvn *p;
    int64_t length;
    const void *x;
    void *y;
} mvn_work;

typedef struct l2 {
    double eps;
    bool add; /* eps is added to the sum; otherwise it is a lower bound of the sum */
} l2;

typedef struct lrn {
    const inlay_tensor *data;
    const void *x;
    void *y;
    bool axes[INLAY_MAX_RANK]; /* the axes over which the region extends */
    int64_t size;
    double alpha, beta, bias; /* alpha divided by the number of elements in the region */
} lrn;

typedef struct batch_norm {
    axis_split s; /* the axes around the channels */
    double eps;
    const void *p[4], *x; /* P: gamma, beta, mean, variance: one number for each channel */
    void *y;
} batch_norm;

/* Sets FROM and LENGTH on every axis to those of the region around AT. */
static void lrn_region(const lrn *p, const int64_t *at, int64_t *from, int64_t *length)
{
    for (int i = 0; i < p->data->rank; i++) {
        int64_t before = p->axes[i] ? p->size / 2 : 0, to = at[i] + before + 1;

        from[i] = at[i] > before ? at[i] - before : 0;
        length[i] = (to < p->data->dims[i] ? to : p->data->dims[i]) - from[i];
    }
}

/* The data is [batch, channel, after]; SCALE and BIAS have one number for each channel. */
typedef struct group_norm {
    axis_split s;
    int64_t groups;
    double eps;
    const void *scale, *bias, *x;
    void *y;
} group_norm;

/* A fold of N contiguous elements. */
#define LINE_OF(n)                                                                                 \
    {                                                                                              \
        .rank = 1, .dims = {n}, .from = {1}, .n_in = n                                             \
    }

/* Powers in double precision whose results become an element of the type. */
static double wide_power_f32(double x, double y)
{
    return maths_power_d(x, y);
}

static double wide_power_f64(double x, double y)
{
    return pow(x, y);
}

#define LOOP "interp/kernels/normalize_loop.h"
#include "interp/kernels/each_float.h"
#undef LOOP

/* Normalizes a part of a tensor from DATA to RESULT. FIRST and SECOND have a zero for each element
 * of the fold. */
typedef void normalize_fn(const void *params, const folding *f, const void *data, void *first,
                          void *second, void *result);

/* What the threads share if the first axis is not folded: each thread gets some positions on that
 * axis. */
struct work {
    normalize_fn *fn;
    const void *params;
    const folding *f;
    int64_t size; /* bytes of an element */
    const char *x;
    char *y, *first, *second;
};

static void normalize_part(void *ctx, int64_t from, int64_t to)
{
    const struct work *w = ctx;
    folding room;
    bool cut = w->f->strides[0] != 0;
    int64_t in = cut ? from * w->f->from[0] * w->size : 0;
    int64_t out = cut ? from * w->f->strides[0] * w->size : 0;

    w->fn(w->params, folding_part(w->f, cut ? 0 : -1, from, to, &room), w->x + in, w->first + out,
          w->second + out, w->y + in);
}

/* Normalizes operand 0 along AXES. */
static bool run_folded(inlay_call *c, const bool *axes, normalize_fn *f32, normalize_fn *f64,
                       const void *params)
{
    bool wide = c->in[0]->type == INLAY_F64;
    size_t size = wide ? sizeof(double) : sizeof(float);
    struct work w = {.fn = wide ? f64 : f32, .params = params, .size = (int64_t)size};
    int64_t n;
    folding f;

    folding_of(c->in[0], NULL, axes, &f);
    if (f.n_in == 0)
        return true;
    w.f = &f;
    w.x = wide ? (const char *)load_f64(c, 0) : (const char *)load_f32(c, 0);
    w.y = inlay_call_memory(c, f.n_in, size);
    w.first = inlay_call_memory(c, f.n_out, size);
    w.second = inlay_call_memory(c, f.n_out, size);
    if (!w.x || !w.y || !w.first || !w.second)
        return false;
    n = f.strides[0] != 0 ? f.dims[0] : 1;
    call_split(c, n, FOLD_COST * (double)f.n_in / (double)n, normalize_part, &w);
    return wide ? store_f64(c, 0, (const double *)(const void *)w.y)
                : store_f32(c, 0, (const float *)(const void *)w.y);
}

static bool mvn_of_lines(inlay_call *c, const void *frame)
{
    const mvn_frame *f = frame;
    bool wide = c->in[0]->type == INLAY_F64;
    mvn_work w = {.p = &f->p, .length = f->length};

    w.x = wide ? (const void *)load_f64(c, 0) : load_f32(c, 0);
    w.y = wide ? (void *)place_f64(c, 0) : place_f32(c, 0);
    if (!w.x || !w.y)
        return false;
    call_split(c, f->lines, FOLD_COST * (double)f->length, wide ? mvn_lines_f64 : mvn_lines_f32,
               &w);
    return wide ? store_f64(c, 0, w.y) : store_f32(c, 0, w.y);
}

static bool mvn_of_folds(inlay_call *c, const void *frame)
{
    const mvn_frame *f = frame;

    return run_folded(c, f->axes, mvn_f32, mvn_f64, &f->p);
}

int normalize_last_axes(const bool *axes, const inlay_tensor *x)
{
    int n = 0;

    while (n < x->rank && (axes[x->rank - 1 - n] || x->dims[x->rank - 1 - n] == 1))
        n++;
    for (int i = 0; i < x->rank - n; i++) {
        if (axes[i] && x->dims[i] != 1)
            return 0;
    }
    return n;
}

/* Announces that rows are normalized as lines. */
static void announce_lines(inlay_call *c, const mvn *p)
{
    const inlay_tensor *x = c->in[0];
    bool single = load_domain(x->type) == DOMAIN_F32;
    row_form f = {.run = single ? mvn_rows_f32 : mvn_rows_f64,
                  .a = p->eps,
                  .b = !p->variance ? MVN_NOTHING
                       : p->outside ? MVN_OUTSIDE
                                    : MVN_INSIDE,
                  .from = {single ? INLAY_F32 : INLAY_F64},
                  .to = single ? INLAY_F32 : INLAY_F64,
                  .n = 1,
                  .row_dims = 1,
                  .cost = FOLD_COST};

    memcpy(f.strides[0], x->strides, (size_t)x->rank * sizeof *f.strides[0]);
    call_form(c, &f);
}

static bool run_mvn(inlay_call *c, mvn_frame *f)
{
    const inlay_tensor *x = c->in[0];
    int n = inlay_tensor_count(x) > 0 ? normalize_last_axes(f->axes, x) : 0;

    f->lines = f->length = 1;
    for (int i = 0; i < x->rank && n > 0; i++)
        *(i < x->rank - n ? &f->lines : &f->length) *= x->dims[i];
    if (n == 1)
        announce_lines(c, &f->p);
    return call_rest(c, n > 0 ? mvn_of_lines : mvn_of_folds, f, sizeof *f);
}

bool eval_mvn(inlay_call *c)
{
    mvn_frame f = {.p = {inlay_node_float(c->node, "eps"),
                         inlay_node_bool(c->node, "normalize_variance"),
                         strcmp(inlay_node_string(c->node, "eps_mode"), "outside_sqrt") == 0}};

    return axes_of_operand(c, 1, c->in[0]->rank, f.axes) && run_mvn(c, &f);
}

/* MVN-1 takes its axes from attributes: a list, or all but the first one or two axes. */
bool eval_mvn_1(inlay_call *c)
{
    mvn_frame f = {.p = {inlay_node_float(c->node, "eps"),
                         inlay_node_bool(c->node, "normalize_variance"), false}};
    int n, first = inlay_node_bool(c->node, "across_channels") ? 1 : 2, axis;
    const int64_t *listed = inlay_node_ints(c->node, "reduction_axes", &n);

    for (int i = first; n == 0 && i < c->in[0]->rank; i++)
        f.axes[i] = true;
    for (int i = 0; i < n; i++) {
        if (!axis_checked(c, "reduction_axes", listed[i], c->in[0]->rank, &axis))
            return false;
        f.axes[axis] = true;
    }
    return run_mvn(c, &f);
}

/* Without axes there is no sum, and eps has no part in the result, which is 1; 0 stays 0. */
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

/* Divides each element by the root of the sum of the squares along AXES. EPS is added to that sum,
 * or is a lower bound of it. */
static bool run_l2(inlay_call *c, const bool *axes, double eps, bool add)
{
    const l2 p = {eps, add};

    return run_folded(c, axes, l2_f32, l2_f64, &p);
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
    bool wide = c->in[0]->type == INLAY_F64;
    group_norm g = {.s = axis_split_of(c->in[0], 1),
                    .groups = inlay_node_int(c->node, "num_groups"),
                    .eps = inlay_node_float(c->node, "epsilon")};
    int64_t n;

    g.x = wide ? (const void *)load_f64(c, 0) : load_f32(c, 0);
    g.scale = wide ? (const void *)load_f64(c, 1) : load_f32(c, 1);
    g.bias = wide ? (const void *)load_f64(c, 2) : load_f32(c, 2);
    g.y = inlay_call_memory(c, inlay_tensor_count(c->in[0]), wide ? sizeof(double) : sizeof(float));
    if (!g.x || !g.scale || !g.bias || !g.y)
        return false;
    n = g.s.length / g.groups * g.s.after;
    if (n > 0)
        call_split(c, g.s.before * g.groups, FOLD_COST * (double)n, wide ? groups_f64 : groups_f32,
                   &g);
    return wide ? store_f64(c, 0, g.y) : store_f32(c, 0, g.y);
}

bool eval_lrn(inlay_call *c)
{
    int64_t n = inlay_tensor_count(c->in[0]);
    double region = 1;
    bool wide = c->in[0]->type == INLAY_F64;
    lrn p = {.data = c->in[0],
             .size = inlay_node_int(c->node, "size"),
             .alpha = inlay_node_float(c->node, "alpha"),
             .beta = inlay_node_float(c->node, "beta"),
             .bias = inlay_node_float(c->node, "bias")};

    if (!axes_of_operand(c, 1, c->in[0]->rank, p.axes))
        return false;
    for (int i = 0; i < c->in[0]->rank; i++) {
        p.alpha /= p.axes[i] ? (double)p.size : 1;
        region *= p.axes[i] ? (double)p.size : 1;
    }
    p.x = wide ? (const void *)load_f64(c, 0) : load_f32(c, 0);
    p.y = inlay_call_memory(c, n, wide ? sizeof(double) : sizeof(float));
    if (!p.x || !p.y)
        return false;
    call_split(c, n, LRN_COST + region * FOLD_COST, wide ? lrn_f64 : lrn_f32, &p);
    return wide ? store_f64(c, 0, p.y) : store_f32(c, 0, p.y);
}

/* Normalizes operand DATA; the other operands are gamma, beta, mean and variance. */
static bool run_batch_norm(inlay_call *c, int data)
{
    bool wide = c->in[data]->type == INLAY_F64, loaded;
    batch_norm b = {.s = axis_split_of(c->in[data], 1),
                    .eps = inlay_node_float(c->node, "epsilon")};

    b.x = wide ? (const void *)load_f64(c, data) : load_f32(c, data);
    b.y = wide ? (void *)place_f64(c, 0) : place_f32(c, 0);
    loaded = b.x && b.y;
    for (int k = 0; k < 4; k++) {
        int i = k < data ? k : k + 1;

        b.p[k] = wide ? (const void *)load_f64(c, i) : load_f32(c, i);
        loaded = loaded && b.p[k];
    }
    if (!loaded)
        return false;
    call_split(c, b.s.before * b.s.length, FOLD_COST * (double)b.s.after,
               wide ? batch_norm_f64 : batch_norm_f32, &b);
    return wide ? store_f64(c, 0, b.y) : store_f32(c, 0, b.y);
}

bool eval_batch_norm(inlay_call *c)
{
    return run_batch_norm(c, 0);
}

bool eval_batch_norm_1(inlay_call *c)
{
    return run_batch_norm(c, inlay_batch_norm_data(c->in[0]->rank, c->in[2]->rank));
}

/* Squares summed along some axes of the data. */
typedef struct rms_sums {
    const inlay_tensor *data;
    const double *x;
    int64_t at[INLAY_MAX_RANK]; /* strides in these: */
    double *of, *unit;          /* a sum for each position on the other axes, in the square of its
                                   unit */
    int64_t kept, count;        /* number of sums, and elements in each */
    bool lines;                 /* these are contiguous */
} rms_sums;

static void sum_lines(const rms_sums *s)
{
    const double *x = s->x;

    for (int64_t k = 0; k < s->kept; k++) {
        double lane[LANES] = {0};

        for (int64_t i = 0; i < s->count; i++, x++)
            lane[i % LANES] += *x / s->unit[k] * (*x / s->unit[k]);
        s->of[k] = 0;
        for (int i = 0; i < LANES; i++)
            s->of[k] += lane[i];
    }
}

static void sum_squares(const rms_sums *s)
{
    const inlay_tensor *t = s->data;

    if (s->lines) {
        sum_lines(s);
        return;
    }
    for (int64_t k = 0; k < s->kept; k++)
        s->of[k] = 0;
    for (index_iter it = index_begin(t->rank, t->dims); index_valid(&it); index_next(&it)) {
        int64_t k = index_dot(it.rank, it.at, s->at);
        double x = s->x[it.linear] / s->unit[k];

        s->of[k] += x * x;
    }
}

/* If a root is doubtful, its unit becomes a power of two near the largest number in the sum; the
 * square of such a number need not fit into f64. */
static void choose_units(const rms_sums *s)
{
    const inlay_tensor *t = s->data;

    for (int64_t k = 0; k < s->kept; k++)
        s->unit[k] = is_doubtful_f64(0, s->of[k]) ? 0 : 1;
    for (index_iter it = index_begin(t->rank, t->dims); index_valid(&it); index_next(&it)) {
        int64_t k = index_dot(it.rank, it.at, s->at);

        if (is_doubtful_f64(0, s->of[k]))
            s->unit[k] = fmax(s->unit[k], fabs(s->x[it.linear]));
    }
    for (int64_t k = 0; k < s->kept; k++)
        s->unit[k] = isfinite(s->unit[k]) && s->unit[k] > 0 ? ldexp(1, ilogb(s->unit[k])) : 1;
}

/* Turns the sums into roots of EPSILON plus the mean, in their units. Returns whether one of them
 * is doubtful. */
static bool take_roots(const rms_sums *s, double epsilon)
{
    bool doubtful = false;

    for (int64_t k = 0; k < s->kept; k++) {
        s->of[k] = sqrt(s->of[k] / (double)s->count + epsilon / s->unit[k] / s->unit[k]);
        doubtful = doubtful || is_doubtful_f64(0, s->of[k]);
    }
    return doubtful;
}

static bool find_sums(inlay_call *c, const bool *axes, rms_sums *s)
{
    double epsilon = inlay_node_float(c->node, "epsilon");

    s->data = c->in[0];
    s->lines = normalize_last_axes(axes, s->data) > 0;
    s->kept = s->count = 1;
    for (int i = s->data->rank - 1; i >= 0; i--) {
        s->at[i] = axes[i] ? 0 : s->kept;
        *(axes[i] ? &s->count : &s->kept) *= s->data->dims[i];
    }
    s->of = inlay_call_memory(c, s->kept, sizeof *s->of);
    s->unit = inlay_call_memory(c, s->kept, sizeof *s->unit);
    s->x = load_f64(c, 0);
    if (!s->x || !s->of || !s->unit)
        return false;
    for (int64_t k = 0; k < s->kept; k++)
        s->unit[k] = 1;
    sum_squares(s);
    if (take_roots(s, epsilon)) {
        choose_units(s);
        sum_squares(s);
        take_roots(s, epsilon);
    }
    return true;
}

/* Divides each element by the root of EPSILON and the mean of the squares along AXES, which for
 * types narrower than f64 is a multiplication by the reciprocal, and multiplies it by operand
 * SCALE, which may be absent. */
static bool run_rms(inlay_call *c, const bool *axes, int scale)
{
    const inlay_tensor *data = c->in[0];
    int64_t scale_at[INLAY_MAX_RANK] = {0};
    const double *factor = call_has(c, scale) ? load_f64(c, scale) : NULL;
    double *y = inlay_call_memory(c, inlay_tensor_count(data), sizeof *y);
    bool wide = data->type == INLAY_F64;
    rms_sums s;

    if (!y || (call_has(c, scale) && !factor) || !find_sums(c, axes, &s))
        return false;
    if (factor)
        strides_broadcast(c->in[scale], data->rank, data->dims, scale_at);
    for (index_iter it = index_begin(data->rank, data->dims); index_valid(&it); index_next(&it)) {
        int64_t k = index_dot(it.rank, it.at, s.at);

        double x = s.x[it.linear] / s.unit[k];

        y[it.linear] = (wide ? x / s.of[k] : x * (1 / s.of[k])) *
                       (factor ? factor[index_dot(it.rank, it.at, scale_at)] : 1);
    }
    return store_f64(c, 0, y);
}

bool eval_rms(inlay_call *c)
{
    bool axes[INLAY_MAX_RANK] = {false};

    axes[c->in[0]->rank - 1] = true;
    return run_rms(c, axes, 1);
}

bool eval_rms_norm(inlay_call *c)
{
    bool axes[INLAY_MAX_RANK];

    return axes_of_operand(c, 1, c->in[0]->rank, axes) && run_rms(c, axes, 2);
}

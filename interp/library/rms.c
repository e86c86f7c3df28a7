/* RMS and RMSNorm along the last axes, line by line. */
#include "inlay_ops.h"
#include "interp/kernels/axes.h"
#include "interp/kernels/clones.h"
#include "interp/kernels/normalize.h"
#include "interp/library/doubles.h"
#include "interp/library/library.h"

#include <math.h>
#include <string.h>

enum { SLOTS = 16, /* rooms, each of which one thread uses at a time */ LANES = NORMALIZE_LANES };

typedef struct work {
    const inlay_tensor *in, *out; /* dense */
    double epsilon;
    const double *scale; /* NULL: there is none */
    const float *x;      /* the data and the result; NULL: lines are converted */
    float *y;
    int64_t lines, length, slots, each;
    double *rooms; /* a line each */
    bool *odd;     /* of each slot: a root may have lost bits */
} work;

/* Defines the sum of the squares of a line of T, in f64. */
#define DEFINE_SQUARES(T)                                                                          \
    static INLAY_CLONES double squares_of_##T(const T *x, int64_t n)                               \
    {                                                                                              \
        double lane[LANES] = {0}, sum = 0;                                                         \
                                                                                                   \
        for (int64_t i = 0; i + LANES <= n; i += LANES) {                                          \
            _Pragma("omp simd") for (int k = 0; k < LANES; k++) lane[k] +=                         \
                (double)x[i + k] * (double)x[i + k];                                               \
        }                                                                                          \
        for (int64_t i = n / LANES * LANES; i < n; i++)                                            \
            lane[i % LANES] += (double)x[i] * (double)x[i];                                        \
        for (int k = 0; k < LANES; k++)                                                            \
            sum += lane[k];                                                                        \
        return sum;                                                                                \
    }                                                                                              \
                                                                                                   \
    /* Sets Y, which may be X, to X times BY times SCALE (NULL: 1). */                             \
    static INLAY_CLONES void scale_##T(const T *x, T *y, double by, const double *scale,           \
                                       int64_t n)                                                  \
    {                                                                                              \
        if (scale) {                                                                               \
            _Pragma("omp simd") for (int64_t i = 0; i < n; i++) y[i] =                             \
                (T)((double)x[i] * by * scale[i]);                                                 \
        } else {                                                                                   \
            _Pragma("omp simd") for (int64_t i = 0; i < n; i++) y[i] = (T)((double)x[i] * by);     \
        }                                                                                          \
    }

DEFINE_SQUARES(float)
DEFINE_SQUARES(double)

static INLAY_CLONES void divide_line(double *x, double by, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        x[i] /= by;
}

static double root_of(const work *w, double squares, int64_t slot)
{
    double root = sqrt(squares / (double)w->length + w->epsilon);

    w->odd[slot] = w->odd[slot] || !(root >= 0x1p-480 && root <= 0x1p1000);
    return root;
}

static void normalize_line(const work *w, int64_t i, int64_t slot, double *x)
{
    bool wide = w->in->type == INLAY_F64;
    int64_t n = w->length;
    double root;

    if (w->x) {
        root = root_of(w, squares_of_float(w->x + i * n, n), slot);
        scale_float(w->x + i * n, w->y + i * n, 1 / root, w->scale, n);
        return;
    }
    doubles_load(x, w->in, i * n, n);
    root = root_of(w, squares_of_double(x, n), slot);
    if (wide)
        divide_line(x, root, n);
    scale_double(x, x, wide ? 1 : 1 / root, w->scale, n);
    doubles_store(w->out, i * n, n, x);
}

static void normalize_lines(void *ctx, int64_t from, int64_t to)
{
    const work *w = ctx;

    for (; from < to; from++) {
        for (int64_t i = from * w->each; i < (from + 1) * w->each && i < w->lines; i++)
            normalize_line(w, i, from, w->rooms ? w->rooms + from * w->length : NULL);
    }
}

/* Has operand I one number for each element of a line of the last AXES axes, the same for all? */
static bool fits_line(const inlay_call *c, int i, int axes, int64_t length)
{
    const inlay_tensor *t = c->in[i];

    for (int a = 0; a < t->rank - axes; a++) {
        if (t->dims[a] != 1)
            return false;
    }
    return inlay_tensor_count(t) == length;
}

static bool find_lines(inlay_call *c, work *w)
{
    bool axes[INLAY_MAX_RANK] = {false}, of_operand = c->node->op->kind == INLAY_OP_RMS_NORM;
    int scale = of_operand ? 2 : 1, n;

    axes[w->in->rank - 1] = true;
    if (of_operand && !axes_of_operand(c, 1, w->in->rank, axes))
        return false;
    n = normalize_last_axes(axes, w->in);
    w->length = n > 0 ? dims_product(w->in->dims + w->in->rank - n, n) : 0;
    if (w->length == 0 || inlay_tensor_count(w->in) == 0 || !inlay_tensor_is_dense(w->in) ||
        !inlay_tensor_is_dense(w->out) ||
        (call_has(c, scale) && !fits_line(c, scale, n, w->length)))
        return true;
    w->lines = inlay_tensor_count(w->in) / w->length;
    w->scale = call_has(c, scale) ? load_f64(c, scale) : NULL;
    return w->scale || !call_has(c, scale);
}

static bool takes(const inlay_call *c)
{
    return c->in[0]->rank > 0;
}

/* Lines whose squares leave the range of f64 are left to the plain kernel. */
static bool run(inlay_call *c, const void *packed)
{
    work w = {.in = c->in[0], .out = c->out[0], .epsilon = inlay_node_float(c->node, "epsilon")};

    (void)packed;
    if (!find_lines(c, &w))
        return false;
    if (w.lines == 0)
        return call_kernel_of(c->node->op)(c);
    w.slots = w.lines < SLOTS ? w.lines : SLOTS;
    w.each = (w.lines + w.slots - 1) / w.slots;
    if (w.in->type != INLAY_F32)
        w.rooms = inlay_call_memory(c, w.slots * w.length, sizeof *w.rooms);
    w.odd = inlay_call_memory(c, w.slots, sizeof *w.odd);
    w.x = w.in->type == INLAY_F32 ? load_f32(c, 0) : NULL;
    w.y = w.x ? place_f32(c, 0) : NULL;
    if (!w.odd || !(w.in->type == INLAY_F32 ? (void *)w.y : (void *)w.rooms))
        return false;
    call_split(c, w.slots, (double)w.each * (double)w.length, normalize_lines, &w);
    if (memchr(w.odd, 1, (size_t)w.slots))
        return call_kernel_of(c->node->op)(c);
    return !w.x || store_f32(c, 0, w.y);
}

const library_kernel
    library_rms = {.op = INLAY_OP_RMS, .name = "lines", .takes = takes, .packs = -1, .run = run},
    library_rms_norm = {
        .op = INLAY_OP_RMS_NORM, .name = "lines", .takes = takes, .packs = -1, .run = run};

/* MaxPool-1, -8, -14, AvgPool-1, -14, AdaptiveMaxPool-8, AdaptiveAvgPool-8 and ONNX LpPool-18: each
 * computes one number for every position of a sliding window in every channel. */
#include "interp/kernels/axes.h"
#include "interp/kernels/field.h"

#include <math.h>
#include <string.h>

/* The part of the window at one position that does not lie in the padding. */
typedef struct patch {
    int64_t from[FIELD_AXES], to[FIELD_AXES];
} patch;

/* Returns the patch at POSITION. A stride of 0 means an adaptive pool: position p has its own part
 * of the image, from floor(p * large / small) to ceil((p + 1) * large / small), and indices count
 * from the beginning of the image. Of 5 elements in 2 parts, the parts are 0 to 3 and 2 to 5. */
static patch patch_at(const field *w, const int64_t *position)
{
    patch p;

    for (int i = 0; i < FIELD_AXES; i++) {
        const field_axis *a = &w->axis[i];

        if (a->stride > 0) {
            field_inside(a, position[i], &p.from[i], &p.to[i]);
            continue;
        }
        p.from[i] = position[i] * a->large / a->small;
        p.to[i] = ((position[i] + 1) * a->large + a->small - 1) / a->small;
    }
    return p;
}

static int64_t patch_count(const patch *p)
{
    int64_t n = 1;

    for (int i = 0; i < FIELD_AXES; i++)
        n *= p->to[i] - p->from[i];
    return n;
}

/* Returns the element of the image at place K of the window at POSITION. */
static int64_t element_at(const field *w, const int64_t *position, int64_t k0, int64_t k1,
                          int64_t k2)
{
    const field_axis *a = w->axis;
    int64_t z = position[0] * a[0].stride - a[0].pad + k0 * a[0].dilation;
    int64_t y = position[1] * a[1].stride - a[1].pad + k1 * a[1].dilation;
    int64_t x = position[2] * a[2].stride - a[2].pad + k2 * a[2].dilation;

    return (z * a[1].large + y) * a[2].large + x;
}

/* Returns how many places of the window at POSITION lie in the image or its padding: with
 * rounding_type ceil the last window may reach beyond both. */
static int64_t padded_count(const field *w, const int64_t *position)
{
    int64_t n = 1;

    for (int i = 0; i < FIELD_AXES; i++) {
        const field_axis *a = &w->axis[i];
        int64_t start = position[i] * a->stride - a->pad, end = a->large + a->pad_end;
        int64_t room = end > start ? (end - start + a->dilation - 1) / a->dilation : 0;

        n *= room < a->kernel ? room : a->kernel;
    }
    return n;
}

/* What one call computes. */
typedef struct pooling {
    const field *w;
    int64_t dims[1 + FIELD_AXES]; /* planes, and positions of the field */
    const void *x;
    void *y;
    union {
        float f32;
        double f64;
        int64_t i64;
    } least;
    int64_t *index; /* of the element taken, counted within its plane; or NULL */
    bool inside;
    double p;                                      /* of LpPool */
    double (*power)(double base, double exponent); /* the same bits everywhere, but for f64 */
} pooling;

static index_iter places_from(const pooling *m, int64_t from)
{
    return index_from(1 + FIELD_AXES, m->dims, from);
}

#define T float
#define IS_NAN(x) isnan(x)
#define IS_FINITE(x) isfinite(x)
#define SUM float
#define NAME(name) name##_f32
#include "interp/kernels/pool_loop.h"
#undef T
#undef SUM
#undef IS_NAN
#undef IS_FINITE
#undef NAME

#define T double
#define IS_NAN(x) isnan(x)
#define IS_FINITE(x) isfinite(x)
#define SUM double
#define NAME(name) name##_f64
#include "interp/kernels/pool_loop.h"
#undef T
#undef SUM
#undef IS_NAN
#undef IS_FINITE
#undef NAME

#define T int64_t
#define IS_NAN(x) false
#define IS_FINITE(x) true
#define SUM uint64_t
#define NAME(name) name##_i64
#include "interp/kernels/pool_loop.h"
#undef T
#undef SUM
#undef IS_NAN
#undef IS_FINITE
#undef NAME

#define T uint64_t
#define IS_NAN(x) false
#define IS_FINITE(x) true
#define SUM uint64_t
#define NAME(name) name##_u64
#include "interp/kernels/pool_loop.h"
#include "interp/maths/maths.h"
#undef T
#undef SUM
#undef IS_NAN
#undef IS_FINITE
#undef NAME

static int64_t planes_of(const inlay_tensor *t)
{
    return t->dims[0] * t->dims[1];
}

static void read_pool(const inlay_call *c, field *w)
{
    int n;
    const int64_t *kernel = inlay_node_ints(c->node, "kernel", &n);

    field_of_node(c, c->in[0]->rank - 2, c->in[0]->dims + 2, c->out[0]->dims + 2, kernel, w);
}

static void read_adaptive(const inlay_call *c, field *w)
{
    static const int64_t one[FIELD_AXES] = {1, 1, 1};

    field_axes(c->in[0]->rank - 2, c->in[0]->dims + 2, c->out[0]->dims + 2, one, w);
    for (int i = 0; i < FIELD_AXES; i++)
        w->axis[i].stride = 0;
}

/* Loads the operand, and allocates the result, as numbers of DOMAIN. */
static bool load_pool(inlay_call *c, const field *w, inlay_domain domain, pooling *m)
{
    m->w = w;
    m->dims[0] = planes_of(c->in[0]);
    for (int i = 0; i < FIELD_AXES; i++)
        m->dims[1 + i] = w->axis[i].small;
    m->x = domain == DOMAIN_F32   ? (const void *)load_f32(c, 0)
           : domain == DOMAIN_F64 ? (const void *)load_f64(c, 0)
                                  : load_i64(c, 0);
    m->y = inlay_call_memory(c, inlay_tensor_count(c->out[0]),
                             domain == DOMAIN_F32 ? sizeof(float) : sizeof(double));
    return m->x && m->y;
}

/* Computes all elements of the result by FN, and stores them. */
static bool run_pool(inlay_call *c, inlay_domain domain, pooling *m, call_part_fn *fn)
{
    enum { PLACE_COST = 16, ELEMENT_COST = 4 };
    int64_t n = inlay_tensor_count(c->out[0]), kernel = m->w->kernel;

    if (kernel == 1 && n > 0) /* an adaptive pool: the part of a plane that it reads on average */
        kernel = m->w->large / m->w->small + 1;
    call_split(c, n, PLACE_COST + ELEMENT_COST * (double)kernel, fn, m);
    return domain == DOMAIN_F32   ? store_f32(c, 0, m->y)
           : domain == DOMAIN_F64 ? store_f64(c, 0, m->y)
                                  : store_i64(c, 0, m->y);
}

/* Computes a MaxPool. INDEX is that of struct pooling. */
static bool max_pool(inlay_call *c, const field *w, int64_t *index)
{
    inlay_domain domain = load_domain(c->in[0]->type);
    bool is_unsigned = c->in[0]->type == INLAY_U64;
    pooling m = {.index = index};

    if (domain == DOMAIN_F32)
        m.least.f32 = -INFINITY;
    else if (domain == DOMAIN_F64)
        m.least.f64 = -(double)INFINITY;
    else
        m.least.i64 = is_unsigned ? 0 : saturated_integer(c->in[0]->type, -INFINITY);
    return load_pool(c, w, domain, &m) && run_pool(c, domain, &m,
                                                   domain == DOMAIN_F32   ? max_f32
                                                   : domain == DOMAIN_F64 ? max_f64
                                                   : is_unsigned          ? max_u64
                                                                          : max_i64);
}

bool eval_max_pool(inlay_call *c)
{
    field w;

    read_pool(c, &w);
    return max_pool(c, &w, NULL);
}

/* The indices of MaxPool-8 count elements of the input flattened from attribute axis on. */
bool eval_max_pool_indices(inlay_call *c)
{
    const inlay_tensor *in = c->in[0];
    int64_t n = inlay_tensor_count(c->out[0]), planes = planes_of(in), plane = 1, above = 1;
    int64_t *index = inlay_call_memory(c, n, sizeof *index);
    field w;
    int axis;

    read_pool(c, &w);
    if (!index || !axis_checked(c, "axis", inlay_node_int(c->node, "axis"), in->rank, &axis) ||
        !max_pool(c, &w, index))
        return false;
    for (int i = 2; i < in->rank; i++)
        plane *= in->dims[i];
    for (int i = axis; i < in->rank; i++)
        above *= in->dims[i];
    /* An image without elements may have padding, and windows on it, whose index is 0. */
    for (int64_t i = 0; above > 0 && i < n; i++)
        index[i] = ((i / (n / planes)) * plane + index[i]) % above;
    return store_i64(c, 1, index);
}

bool eval_adaptive_max_pool(inlay_call *c)
{
    int64_t *index = inlay_call_memory(c, inlay_tensor_count(c->out[0]), sizeof *index);
    field w;

    read_adaptive(c, &w);
    return index && max_pool(c, &w, index) && store_i64(c, 1, index);
}

static bool avg_pool(inlay_call *c, const field *w, bool inside)
{
    inlay_domain domain = load_domain(c->in[0]->type);
    bool is_unsigned = c->in[0]->type == INLAY_U64;
    pooling m = {.inside = inside};

    return load_pool(c, w, domain, &m) && run_pool(c, domain, &m,
                                                   domain == DOMAIN_F32   ? average_f32
                                                   : domain == DOMAIN_F64 ? average_f64
                                                   : is_unsigned          ? average_u64
                                                                          : average_i64);
}

bool eval_avg_pool(inlay_call *c)
{
    field w;

    read_pool(c, &w);
    return avg_pool(c, &w, inlay_node_bool(c->node, "exclude-pad"));
}

bool eval_adaptive_avg_pool(inlay_call *c)
{
    field w;

    read_adaptive(c, &w);
    return avg_pool(c, &w, true);
}

/* Returns X to the power of p, which is rounded once for those that models have. */
static double lp_power(const pooling *m, double x)
{
    return m->p == 2 ? x * x : m->p == 1 ? x : m->power(x, m->p);
}

/* Returns the p-th root of the sum of |x|^p over the window of M at POSITION; the padding is zeros.
 * The terms are relative to the largest number, so that no power overflows. */
static double lp_norm(const pooling *m, const int64_t *position, const double *x)
{
    const field *w = m->w;
    patch inside = patch_at(w, position);
    int64_t dims[FIELD_AXES], *from = inside.from;
    double most = 0, sum = 0;

    for (int i = 0; i < FIELD_AXES; i++)
        dims[i] = inside.to[i] - from[i];
#define EACH for (index_iter it = index_begin(FIELD_AXES, dims); index_valid(&it); index_next(&it))
#define ELEMENT                                                                                    \
    x[element_at(w, position, from[0] + it.at[0], from[1] + it.at[1], from[2] + it.at[2])]
    EACH most = fmax(most, fabs(ELEMENT));
    if (most == 0 || isinf(most))
        most = 1;
    EACH sum += lp_power(m, fabs(ELEMENT) / most);
#undef EACH
#undef ELEMENT
    return most * (m->p == 2 ? sqrt(sum) : m->p == 1 ? sum : m->power(sum, 1 / m->p));
}

static void lp_norms(void *ctx, int64_t from, int64_t to)
{
    const pooling *m = ctx;
    const double *x = m->x;
    double *y = m->y;

    for (index_iter it = places_from(m, from); it.linear < to; index_next(&it))
        y[it.linear] = lp_norm(m, it.at + 1, x + it.at[0] * m->w->large);
}

bool eval_lp_pool(inlay_call *c)
{
    pooling m = {.p = (double)inlay_node_int(c->node, "p"),
                 .power = c->in[0]->type == INLAY_F64 ? pow : maths_power_d};
    field w;

    read_pool(c, &w);
    return load_pool(c, &w, DOMAIN_F64, &m) && run_pool(c, DOMAIN_F64, &m, lp_norms);
}

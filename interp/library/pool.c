/* MaxPool and AvgPool of f32, and MaxPool of f64 and of integers of 8 and 16 bits, which floats
 * hold. Most are computed from images (windows.c). MaxPool of f64 or whose indices are read, and
 * windows that are too large for that, are computed row by row (pool_rows.h): for one position in
 * the sliding window after another, all results of a row are compared with the elements at that
 * position. Each result is the maximum of the same numbers in the same order as in the plain
 * kernel: of equal ones the first, and a NaN before any number. */
#include "inlay_ops.h"
#include "interp/call/share.h"
#include "interp/kernels/axes.h"
#include "interp/kernels/clones.h"
#include "interp/kernels/field.h"
#include "interp/library/library.h"
#include "interp/library/windows.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 256 }; /* results of a row that are computed at a time */

struct work {
    const field *w;
    const field_place *places;
    const void *x;
    void *y;
    int64_t *index; /* of the elements taken, or NULL; counted from axis `axis` on, where an */
    int64_t above;  /* begins again after this many elements */
};

static bool reaches(const field_place *at, int axis, int64_t p)
{
    return p >= at->from[axis] && p < at->to[axis];
}

static int64_t element_at(const field_axis *a, int64_t p, int64_t k)
{
    return p * a->stride - a->pad + k * a->dilation;
}

#define T float
#define NAME(name) name##_f32
#include "interp/library/pool_rows.h"
#undef T
#undef NAME

#define T double
#define NAME(name) name##_f64
#include "interp/library/pool_rows.h"
#undef T
#undef NAME

/* Conversions of N integers to floats and back; what is below all of them is the least one. */
typedef struct narrow {
    void (*widen)(const void *from, float *to, int64_t n);
    void (*shorten)(const float *from, void *to, int64_t n);
} narrow;

#define DEFINE_NARROW(T, name, least)                                                              \
    static INLAY_CLONES void widen_##name(const void *from, float *restrict to, int64_t n)         \
    {                                                                                              \
        const T *restrict x = from;                                                                \
                                                                                                   \
        for (int64_t i = 0; i < n; i++)                                                            \
            to[i] = x[i];                                                                          \
    }                                                                                              \
                                                                                                   \
    static INLAY_CLONES void shorten_##name(const float *restrict from, void *to, int64_t n)       \
    {                                                                                              \
        T *restrict y = to;                                                                        \
                                                                                                   \
        for (int64_t i = 0; i < n; i++)                                                            \
            y[i] = (T)(int32_t)(from[i] > (least) ? from[i] : (least));                            \
    }

DEFINE_NARROW(int8_t, i8, INT8_MIN)
DEFINE_NARROW(uint8_t, u8, 0)
DEFINE_NARROW(int16_t, i16, INT16_MIN)
DEFINE_NARROW(uint16_t, u16, 0)

/* Returns the conversions of TYPE, or NULL. */
static const narrow *narrow_of(inlay_type type)
{
    static const narrow i8 = {widen_i8, shorten_i8}, u8 = {widen_u8, shorten_u8};
    static const narrow i16 = {widen_i16, shorten_i16}, u16 = {widen_u16, shorten_u16};

    return type == INLAY_I8    ? &i8
           : type == INLAY_U8  ? &u8
           : type == INLAY_I16 ? &i16
           : type == INLAY_U16 ? &u16
                               : NULL;
}

static void read_field(const inlay_call *c, field *w)
{
    int n;
    const int64_t *kernel = inlay_node_ints(c->node, "kernel", &n);

    field_of_node(c, c->in[0]->rank - 2, c->in[0]->dims + 2, c->out[0]->dims + 2, kernel, w);
}

/* Elements of a plane are counted with 32 bits. */
static bool takes(const inlay_call *c)
{
    int64_t plane = 1;

    for (int i = 2; i < c->in[0]->rank; i++)
        plane *= c->in[0]->dims[i];
    return (load_domain(c->in[0]->type) != DOMAIN_I64 || narrow_of(c->in[0]->type)) &&
           plane < INT32_MAX;
}

/* The indices count elements of the input, flattened from attribute axis on. */
static bool find_indices(inlay_call *c, struct work *m)
{
    const inlay_tensor *in = c->in[0];
    int axis;

    m->above = 1;
    if (c->n_out < 2)
        return true;
    m->index = place_i64(c, 1);
    if (!m->index || !axis_checked(c, "axis", inlay_node_int(c->node, "axis"), in->rank, &axis))
        return false;
    for (int i = axis; i < in->rank; i++)
        m->above *= in->dims[i];
    if (m->above == 0) /* all windows cover only padding, whose index is 0 */
        m->above = 1;
    return true;
}

/* Are the elements of the operand and of the result contiguous, and aligned? */
static bool is_dense(inlay_call *c)
{
    const inlay_tensor *x = c->in[0], *y = c->out[0];
    uintptr_t bytes = (uintptr_t)inlay_type_info_of(x->type)->bits / 8;

    return call_reads(c, 0) && inlay_tensor_is_dense(x) && inlay_tensor_is_dense(y) &&
           ((uintptr_t)x->data | (uintptr_t)y->data) % bytes == 0;
}

static bool max_of_narrow(inlay_call *c, const field *w)
{
    const narrow *t = narrow_of(c->in[0]->type);
    int64_t n = inlay_tensor_count(c->in[0]), m = inlay_tensor_count(c->out[0]);
    float *x = inlay_call_memory(c, n, sizeof *x), *y = inlay_call_memory(c, m, sizeof *y);

    if (!x || !y)
        return false;
    t->widen(c->in[0]->data, x, n);
    if (!windows_run(c, w, x, y, true, false))
        return false;
    t->shorten(y, c->out[0]->data, m);
    return true;
}

static bool run_max(inlay_call *c, const void *packed)
{
    const inlay_tensor *in = c->in[0];
    struct work m = {0};
    bool wide = load_domain(in->type) == DOMAIN_F64, alone;
    field w;

    (void)packed;
    read_field(c, &w);
    alone = c->n_out < 2 || !call_is_read(c, 1);
    if (narrow_of(in->type))
        return alone && windows_take(&w) && is_dense(c) ? max_of_narrow(c, &w)
                                                        : call_kernel_of(c->node->op)(c);
    if (alone && !wide && windows_take(&w))
        return windows_floats(c, &w, true, false);
    m.w = &w;
    m.x = wide ? (const void *)load_f64(c, 0) : load_f32(c, 0);
    m.y = wide ? (void *)place_f64(c, 0) : place_f32(c, 0);
    m.places = field_places(c, &w);
    if (!m.x || !m.y || !m.places || !find_indices(c, &m))
        return false;
    call_split(c, in->dims[0] * in->dims[1] * w.axis[0].small * w.axis[1].small,
               (double)w.axis[2].small * (double)w.kernel, wide ? pool_rows_f64 : pool_rows_f32,
               &m);
    return (wide ? store_f64(c, 0, m.y) : store_f32(c, 0, m.y)) &&
           (!m.index || store_i64(c, 1, m.index));
}

const library_kernel library_max_pool = {
    .op = INLAY_OP_MAX_POOL, .name = "rows", .takes = takes, .packs = -1, .run = run_max};

static bool takes_f32(const inlay_call *c)
{
    return load_domain(c->in[0]->type) == DOMAIN_F32;
}

static bool run_average(inlay_call *c, const void *packed)
{
    field w;

    (void)packed;
    read_field(c, &w);
    return windows_take(&w) ? windows_floats(c, &w, false, inlay_node_bool(c->node, "exclude-pad"))
                            : call_kernel_of(c->node->op)(c);
}

const library_kernel library_avg_pool = {.op = INLAY_OP_AVG_POOL,
                                         .name = "windows",
                                         .takes = takes_f32,
                                         .packs = -1,
                                         .run = run_average};

/* MaxPool and AvgPool of f32, and MaxPool of f64 and of integers of 8 and 16 bits. Those of f32 are
 * mostly computed from images (windows.c). MaxPool of f64 or whose indices are read, and
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

/* Integers have no NaN, so their maxima may be computed axis by axis: of planes with their padding,
 * which is the least integer, each as one run, of which the results are picked. What a window reads
 * across the end of a row is computed, too, and never picked. */
struct planes {
    const field *w;
    int64_t size[FIELD_AXES], step[FIELD_AXES]; /* of a plane with its padding */
    int64_t total;
    const void *x;
    void *y,
        *room; /* twice a plane for each: the first of those that are computed together has it */
};

typedef struct narrow {
    call_part_fn *run;
    size_t size;
} narrow;

#define DEFINE_NARROW(T, name, least)                                                              \
    static INLAY_CLONES void larger_##name(const T *x, const T *y, T *restrict to, int64_t n)      \
    {                                                                                              \
        for (int64_t i = 0; i < n; i++)                                                            \
            to[i] = x[i] > y[i] ? x[i] : y[i];                                                     \
    }                                                                                              \
                                                                                                   \
    static INLAY_CLONES void raise_##name(const T *restrict x, T *restrict to, int64_t n)          \
    {                                                                                              \
        for (int64_t i = 0; i < n; i++)                                                            \
            to[i] = x[i] > to[i] ? x[i] : to[i];                                                   \
    }                                                                                              \
                                                                                                   \
    static INLAY_CLONES void pick_##name(const T *restrict x, int64_t step, T *restrict to,        \
                                         int64_t n)                                                \
    {                                                                                              \
        for (int64_t i = 0; step == 2 && i < n; i++)                                               \
            to[i] = x[2 * i];                                                                      \
        for (int64_t i = 0; step != 2 && i < n; i++)                                               \
            to[i] = x[step * i];                                                                   \
    }                                                                                              \
                                                                                                   \
    static void pad_##name(const struct planes *p, const T *x, T *to)                              \
    {                                                                                              \
        const field_axis *a = p->w->axis;                                                          \
        int64_t n = p->size[2] - a[2].pad, total = p->total;                                       \
                                                                                                   \
        for (int64_t i = 0; i < total; i++)                                                        \
            to[i] = (T)(least);                                                                    \
        n = n < a[2].large ? n : a[2].large;                                                       \
        for (int64_t i = 0; i < a[0].large && i + a[0].pad < p->size[0]; i++) {                    \
            for (int64_t j = 0; n > 0 && j < a[1].large && j + a[1].pad < p->size[1]; j++)         \
                memcpy(to + (i + a[0].pad) * p->step[0] + (j + a[1].pad) * p->step[1] + a[2].pad,  \
                       x + (i * a[1].large + j) * a[2].large, (size_t)n * sizeof *x);              \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    static void plane_##name(const struct planes *p, const T *x, T *room, T *y)                    \
    {                                                                                              \
        const field_axis *a = p->w->axis;                                                          \
        T *to = room, *other = room + p->total;                                                    \
        int64_t n = p->total;                                                                      \
                                                                                                   \
        if (is_padded(p)) {                                                                        \
            pad_##name(p, x, other);                                                               \
            x = other;                                                                             \
        }                                                                                          \
        for (int i = 0; i < FIELD_AXES; i++) {                                                     \
            int64_t by = a[i].dilation * p->step[i];                                               \
                                                                                                   \
            if (a[i].kernel == 1)                                                                  \
                continue;                                                                          \
            n -= (a[i].kernel - 1) * by;                                                           \
            larger_##name(x, x + by, to, n);                                                       \
            for (int64_t k = 2; k < a[i].kernel; k++)                                              \
                raise_##name(x + k * by, to, n);                                                   \
            x = to;                                                                                \
            to = to == room ? room + p->total : room;                                              \
        }                                                                                          \
        for (int64_t i = 0; i < a[0].small; i++) {                                                 \
            for (int64_t j = 0; j < a[1].small; j++, y += a[2].small)                              \
                pick_##name(x + i * a[0].stride * p->step[0] + j * a[1].stride * p->step[1],       \
                            a[2].stride, y, a[2].small);                                           \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    static void planes_##name(void *ctx, int64_t from, int64_t to)                                 \
    {                                                                                              \
        const struct planes *p = ctx;                                                              \
                                                                                                   \
        for (int64_t i = from; i < to; i++)                                                        \
            plane_##name(p, (const T *)p->x + i * p->w->large, (T *)p->room + 2 * from * p->total, \
                         (T *)p->y + i * p->w->small);                                             \
    }

/* Does a plane have padding, or less than all of the data? */
static bool is_padded(const struct planes *p)
{
    for (int i = 0; i < FIELD_AXES; i++) {
        if (p->w->axis[i].pad != 0 || p->size[i] != p->w->axis[i].large)
            return true;
    }
    return false;
}

DEFINE_NARROW(int8_t, i8, INT8_MIN)
DEFINE_NARROW(uint8_t, u8, 0)
DEFINE_NARROW(int16_t, i16, INT16_MIN)
DEFINE_NARROW(uint16_t, u16, 0)

/* Returns how maxima of TYPE are computed, or NULL. */
static const narrow *narrow_of(inlay_type type)
{
    static const narrow i8 = {planes_i8, 1}, u8 = {planes_u8, 1};
    static const narrow i16 = {planes_i16, 2}, u16 = {planes_u16, 2};

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

/* Sets P to planes that windows read to their ends. False: most of them is padding that steps skip.
 */
static bool size_planes(const field *w, struct planes *p)
{
    enum { LARGER = 4, SMALL = 4096 };
    double total = 1;

    *p = (struct planes){.w = w, .total = 1};
    for (int i = 0; i < FIELD_AXES; i++) {
        const field_axis *a = &w->axis[i];

        p->size[i] = (a->small - 1) * a->stride + (a->kernel - 1) * a->dilation + 1;
        total *= (double)p->size[i];
    }
    if (w->small == 0 || total > SMALL + LARGER * ((double)w->large + (double)w->small))
        return false;
    for (int i = FIELD_AXES - 1; i >= 0; i--) {
        p->step[i] = p->total;
        p->total *= p->size[i];
    }
    return true;
}

static bool max_of_narrow(inlay_call *c, const field *w)
{
    enum { SOME = 32 /* of which the maxima take as long as what call_split counts as one */ };
    const narrow *t = narrow_of(c->in[0]->type);
    int64_t planes = c->in[0]->dims[0] * c->in[0]->dims[1], places = 0;
    struct planes p;

    if (!windows_take(w) || !is_dense(c) || !size_planes(w, &p))
        return call_kernel_of(c->node->op)(c);
    for (int i = 0; i < FIELD_AXES; i++)
        places += w->axis[i].kernel;
    p.room = inlay_call_memory(c, planes, 2 * (size_t)p.total * t->size);
    p.x = (const char *)c->in[0]->data + (size_t)c->in[0]->offset * t->size;
    p.y = (char *)c->out[0]->data + (size_t)c->out[0]->offset * t->size;
    if (!p.room)
        return false;
    call_split(c, planes, (double)p.total * (double)places / SOME, t->run, &p);
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
        return alone ? max_of_narrow(c, &w) : call_kernel_of(c->node->op)(c);
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

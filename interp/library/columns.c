/* Col2Im of floats: a plane of doubles, to which the elements of the blocks at one place are added
 * row by row. */
#include "inlay_ops.h"
#include "interp/kernels/block.h"
#include "interp/kernels/clones.h"
#include "interp/library/doubles.h"
#include "interp/library/library.h"

#include <string.h>

enum { SLOTS = 16 /* rooms, each of which one thread uses at a time */ };

typedef struct work {
    blocks b;
    const inlay_tensor *in;
    inlay_tensor out; /* dense */
    int64_t image, rows, row, kernel,
        slots;     /* elements of an image; rows of blocks; places of a block */
    double *rooms; /* for each slot an image and the blocks at one place */
} work;

typedef float any_float __attribute__((aligned(1), may_alias));

/* Rows of blocks, each of N elements, and where they go: rows and elements of the image with gaps.
 */
typedef struct lines {
    int64_t rows, n, pitch, to_pitch, step;
} lines;

/* Adds rows of numbers T to those of doubles. */
#define DEFINE_ADD(name, T)                                                                        \
    static INLAY_CLONES void name(double *restrict y, const void *from, const lines *l)            \
    {                                                                                              \
        const int64_t n = l->n, step = l->step;                                                    \
        const T *restrict x = from;                                                                \
                                                                                                   \
        for (int64_t row = 0; row < l->rows; row++, x += l->pitch, y += l->to_pitch) {             \
            for (int64_t i = 0; step == 1 && i < n; i++)                                           \
                y[i] += x[i];                                                                      \
            for (int64_t i = 0; step != 1 && i < n; i++)                                           \
                y[i * step] += x[i];                                                               \
        }                                                                                          \
    }

DEFINE_ADD(add_floats, any_float)
DEFINE_ADD(add_doubles, double)

/* Sets the first of the blocks whose place AT of axis I is in the image, and the one behind the
 * last. */
static void inside(const blocks *b, int i, int64_t at, int64_t *from, int64_t *to)
{
    int64_t first = at * b->dilation[i] - b->pad[i], step = b->stride[i];

    *from = first < 0 ? (-first + step - 1) / step : 0;
    *to = b->image[i] > first ? (b->image[i] - first + step - 1) / step : 0;
    *to = *to < b->count[i] ? *to : b->count[i];
}

/* Returns where in an image the rows of blocks at P begin at place K, all axes but the last two
 * being in P; -1: outside of it. */
static int64_t rows_of(const blocks *b, const int64_t *p, const int64_t *k)
{
    int64_t at = 0;

    for (int i = 0; i < b->axes - 2; i++) {
        int64_t x = p[i] * b->stride[i] - b->pad[i] + k[i] * b->dilation[i];

        if (x < 0 || x >= b->image[i])
            return -1;
        at = at * b->image[i] + x;
    }
    return at * dims_product(b->image + (b->axes < 2 ? 0 : b->axes - 2), b->axes < 2 ? 1 : 2);
}

/* Adds X, what all blocks have at place K, floats or doubles, to the image Y. */
static void add_place(const work *w, const int64_t *k, const char *x, double *y)
{
    const blocks *b = &w->b;
    bool floats = w->in->type == INLAY_F32;
    int64_t size = floats ? sizeof(float) : sizeof(double), row = 0, rows = 1, from, to, first = 0;
    int last = b->axes - 1, above = last > 0 ? last - 1 : 0;
    lines l = {.pitch = w->row};

    if (last > 0) {
        inside(b, above, k[above], &row, &rows);
        first = (row * b->stride[above] - b->pad[above] + k[above] * b->dilation[above]) *
                b->image[last];
    }
    inside(b, last, k[last], &from, &to);
    first += from * b->stride[last] - b->pad[last] + k[last] * b->dilation[last];
    l.rows = rows - row;
    l.to_pitch = l.rows > 1 ? b->stride[above] * b->image[last] : 0;
    l.n = to - from;
    l.step = b->stride[last];
    for (index_iter p = index_begin(above, b->count); l.n > 0 && l.rows > 0 && index_valid(&p);
         index_next(&p)) {
        int64_t at = rows_of(b, p.at, k);
        int64_t of = (p.linear * (last > 0 ? b->count[above] : 1) + row) * w->row + from;

        if (at >= 0)
            (floats ? add_floats : add_doubles)(y + at + first, x + of * size, &l);
    }
}

/* Slot I has the planes I, I + SLOTS, ... */
static void add_planes(void *ctx, int64_t from, int64_t to)
{
    const work *w = ctx;
    int64_t count = w->rows * w->row;

    for (; from < to; from++) {
        double *y = w->rooms + from * (w->image + count), *x = y + w->image;

        for (int64_t plane = from; plane < w->b.planes; plane += w->slots) {
            memset(y, 0, (size_t)w->image * sizeof *y);
            for (index_iter k = index_begin(w->b.axes, w->b.kernel); index_valid(&k);
                 index_next(&k)) {
                int64_t at = (plane * w->kernel + k.linear) * count;
                const char *columns = (const char *)x;

                if (w->in->type == INLAY_F32)
                    columns = (const char *)((const float *)w->in->data + w->in->offset + at);
                else
                    doubles_load(x, w->in, at, count);
                add_place(w, k.at, columns, y);
            }
            doubles_store(&w->out, plane * w->image, w->image, y);
        }
    }
}

static bool takes(const inlay_call *c)
{
    return load_domain(c->in[0]->type) != DOMAIN_I64;
}

static bool run(inlay_call *c, const void *packed)
{
    work w = {.in = c->in[0], .out = *c->out[0]};
    double cost;

    (void)packed;
    if (!inlay_tensor_is_dense(w.in) || !inlay_tensor_is_dense(&w.out) ||
        inlay_tensor_count(&w.out) == 0 || inlay_tensor_count(w.in) == 0)
        return call_kernel_of(c->node->op)(c);
    if (!blocks_read(c, &w.b))
        return false;
    w.image = dims_product(w.b.image, w.b.axes);
    w.kernel = dims_product(w.b.kernel, w.b.axes);
    w.row = w.b.count[w.b.axes - 1];
    w.rows = dims_product(w.b.count, w.b.axes - 1);
    w.slots = w.b.planes < SLOTS ? w.b.planes : SLOTS;
    w.rooms = inlay_call_memory(c, w.slots * (w.image + w.rows * w.row), sizeof *w.rooms);
    if (!w.rooms)
        return false;
    cost = (double)w.image + (double)w.kernel * (double)(w.rows * w.row);
    call_split(c, w.slots, cost * (double)w.b.planes / (double)w.slots, add_planes, &w);
    return true;
}

const library_kernel library_col2im = {.op = INLAY_OP_COL2_IM,
                                       .name = "columns",
                                       .takes = takes,
                                       .packs = -1,
                                       .run = run},
                     library_onnx_col2im = {.op = INLAY_OP_ONNX_COL2_IM,
                                            .name = "columns",
                                            .takes = takes,
                                            .packs = -1,
                                            .run = run};

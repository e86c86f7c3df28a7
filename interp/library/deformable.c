/* DeformableConvolution: what the filters read at some places is sampled for all channels at once,
 * and becomes the columns of a matrix, which the filters are multiplied with in tiles (panel.h). */
#include "inlay_ops.h"
#include "interp/kernels/sample.h"
#include "interp/library/library.h"
#include "interp/library/panel.h"
#include "interp/library/points.h"

#include <string.h>

enum {
    SLOTS = 16,        /* rooms, each of which one thread uses at a time */
    AT_ONCE = 16,      /* samples that are rounded together */
    BLOCK = 64,        /* places of the result that are computed together */
    SAMPLE_COST = 100, /* of the taps of a sample, as the number of products added */
    PRODUCTS = 8       /* as many of these products take the time that call_split counts for one */
};

typedef struct work {
    points p;
    deformable d;
    const float *f32; /* the filters */
    const double *f64;
    inlay_type type; /* of samples and sums */
    void *y;
    int64_t filters, each; /* of the node; channels of one */
    int64_t items, slots, some, blocks;
    int64_t rows, columns, room; /* bytes of a room, and where in it samples begin, and columns */
    char *rooms;
} work;

/* Samples the channels of a part under place T of the filters, at N places from FIRST on. */
static void sample_part(const work *w, int64_t image, int64_t part, int64_t t, int64_t first,
                        int64_t n, char *room)
{
    int64_t channels = w->d.channels / w->d.parts, kernel = w->d.w.kernel,
            width = w->d.w.axis[2].small;
    int64_t p = first / width, q = first % width;
    double *y = (double *)(void *)room;
    inlay_tensor columns = {.type = w->type, .data = room + w->columns};
    deformed s;

    for (int64_t i = 0, k = 0; i < n; i++, k = (k + 1) % AT_ONCE) {
        double *to = y + k * channels;

        deformable_sample(&w->d, image, part, t, p, q, &s);
        memset(to, 0, (size_t)channels * sizeof *to);
        points_fold(&w->p, image, part * channels, channels, s.at, s.n, POINTS_ADD, to);
        for (int64_t m = 0; m < channels && w->d.mask; m++)
            to[m] *= s.mask;
        if (k == AT_ONCE - 1 || i == n - 1)
            points_keep(w->type, y, channels, room + w->rows, i - k, k + 1);
        p += q + 1 == width;
        q = q + 1 == width ? 0 : q + 1;
    }
    points_turn(&columns, room + w->rows, n, channels, (part * channels * kernel + t) * BLOCK,
                kernel * BLOCK);
}

/* Multiplies the filters of a group with N columns, the result's places from FIRST on. */
static void multiply_group(const work *w, int64_t image, int64_t group, int64_t first, int64_t n,
                           const char *columns)
{
    int64_t depth = w->each * w->d.w.kernel, rows = w->filters / w->d.group;
    product p = {.a = {rows, depth, depth, 1, {0}},
                 .b = {depth, n, BLOCK, 1, {0}},
                 .rows = rows,
                 .cols = w->d.w.small,
                 .depth = depth};
    panels by = {&p, tile_set_best(), NULL};
    int64_t at = (image * w->filters + group * rows) * p.cols + first;

    if (w->f32)
        panel_multiply_f32(&by, w->f32 + group * rows * depth,
                           (const float *)(const void *)columns + group * depth * BLOCK, rows, 0, n,
                           (float *)w->y + at);
    else
        panel_multiply_f64(&by, w->f64 + group * rows * depth,
                           (const double *)(const void *)columns + group * depth * BLOCK, rows, 0,
                           n, (double *)w->y + at);
}

/* Slot I has the items I, I + SLOTS, ...: each is a block of places of an image. */
static void convolve_blocks(void *ctx, int64_t from, int64_t to)
{
    const work *w = ctx;

    for (; from < to; from++) {
        char *room = w->rooms + from * w->room;

        for (int64_t i = from; i < w->items; i += w->slots) {
            int64_t image = i / w->blocks, first = i % w->blocks * BLOCK;
            int64_t n = panel_smaller(BLOCK, w->d.w.small - first);

            for (int64_t k = 0; k < w->d.parts * w->d.w.kernel; k++)
                sample_part(w, image, k / w->d.w.kernel, k % w->d.w.kernel, first, n, room);
            for (int64_t g = 0; g < w->d.group; g++)
                multiply_group(w, image, g, first, n, room + w->columns);
        }
    }
}

static bool make_rooms(inlay_call *c, work *w)
{
    int64_t size = w->f32 ? sizeof(float) : sizeof(double), line = 64;
    int64_t numbers = w->d.channels / w->d.parts * (int64_t)sizeof(double) * AT_ONCE;

    w->blocks = (w->d.w.small + BLOCK - 1) / BLOCK;
    w->items = c->out[0]->dims[0] * w->blocks;
    w->slots = w->items < SLOTS ? w->items : SLOTS;
    w->some = (w->items + w->slots - 1) / w->slots;
    w->rows = (numbers + line - 1) / line * line;
    w->columns = w->rows + w->d.channels / w->d.parts * size * BLOCK;
    w->room = w->columns + w->d.channels * w->d.w.kernel * size * BLOCK;
    w->rooms = inlay_call_memory(c, w->slots, (size_t)w->room);
    return w->rooms != NULL;
}

static double cost_of(const work *w)
{
    double products = (double)w->filters * (double)w->each * (double)w->d.w.kernel / PRODUCTS;
    double samples = (double)w->d.parts * SAMPLE_COST + (double)w->d.channels;

    return (double)w->some * BLOCK * (products + samples * (double)w->d.w.kernel);
}

static bool convolve(inlay_call *c, work *w)
{
    bool single = w->type == INLAY_F32;

    w->f32 = single ? load_f32(c, 2) : NULL;
    w->f64 = single ? NULL : load_f64(c, 2);
    w->y = single ? (void *)place_f32(c, 0) : (void *)place_f64(c, 0);
    if (!(single ? (const void *)w->f32 : (const void *)w->f64) || !w->y || !make_rooms(c, w))
        return false;
    call_split(c, w->slots, cost_of(w), convolve_blocks, w);
    return single ? store_f32(c, 0, w->y) : store_f64(c, 0, w->y);
}

static bool run(inlay_call *c, const void *packed)
{
    bool single = load_domain(c->in[0]->type) == DOMAIN_F32;
    work w = {.type = single ? INLAY_F32 : INLAY_F64,
              .filters = c->out[0]->dims[1],
              .each = c->in[2]->dims[1]};

    (void)packed;
    if (inlay_tensor_count(c->out[0]) == 0 || inlay_tensor_count(c->in[0]) == 0 ||
        inlay_tensor_count(c->in[2]) == 0)
        return call_kernel_of(c->node->op)(c);
    if (!deformable_read(c, &w.d) ||
        !points_read(c, 0, (double)(w.d.w.small * w.d.w.kernel) * REGION_TAPS, &w.p))
        return false;
    return points_end(c, &w.p, convolve(c, &w));
}

const library_kernel library_deformable_convolution = {
    .op = INLAY_OP_DEFORMABLE_CONVOLUTION, .name = "samples", .packs = -1, .run = run};

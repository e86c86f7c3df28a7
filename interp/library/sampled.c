/* GridSample, ROIAlign, RoiAlign, ROIAlignRotated, ROIPooling and
 * ExperimentalDetectronROIFeatureExtractor: the taps of a point are found once for all
 * channels. */
#include "inlay_ops.h"
#include "interp/kernels/clones.h"
#include "interp/kernels/roi.h"
#include "interp/kernels/sample.h"
#include "interp/library/doubles.h"
#include "interp/library/library.h"
#include "interp/library/points.h"

#include <math.h>
#include <string.h>

enum {
    SLOT_COST = 1000000, /* that is worth another one of these: */
    FEW_SLOTS = 4,       /* that there are always, and more by what they cost: */
    SLOTS = 16,          /* rooms, each of which one thread uses at a time */
    AT_ONCE = 16,        /* places that are rounded together */
    CHUNK = SAMPLE_PLACES,
    LIST = 64,        /* taps that are folded together */
    POINT_COST = 200, /* of the taps of a place, as the number of elements written */
    TAPS_AT_ONCE = 4  /* taps of a channel that take as long as an element that is written */
};

typedef struct work {
    points p, *layers;          /* LAYERS: each region is on one of these */
    int64_t items, slots, each; /* each slot has some consecutive items */
    int64_t room, rows;         /* bytes of a room; where in it the rows begin */
    char *rooms;
    /* GridSample */
    grid_sampler s;
    const double *grid;
    int64_t places, chunks; /* of an image */
    /* ROIAlign */
    roi_align a;
    const region *regions;
    const int64_t *images; /* or layers */
    int64_t columns, bins; /* of a row, and of a region */
    /* ROIPooling */
    roi_pooling pool;
    const double *rois;
    bool most;
} work;

typedef void item_fn(const work *w, int64_t item, double *y, void *rows, region_tap *at);

/* Does ITEMS items by FN, which take COST in all, in rooms, each for the numbers of all channels,
 * ROWS rows of them, and TAPS taps. */
static bool run_items(inlay_call *c, work *w, int64_t items, int64_t rows, int64_t taps,
                      double cost, call_part_fn *fn)
{
    int64_t numbers = AT_ONCE * w->p.channels * (int64_t)sizeof(double);
    double worth = FEW_SLOTS + cost / SLOT_COST;

    w->items = items;
    w->slots = worth < SLOTS ? (int64_t)worth : SLOTS;
    w->slots = items < w->slots ? items : w->slots;
    w->each = (items + w->slots - 1) / w->slots;
    w->rows = numbers + taps * (int64_t)sizeof(region_tap);
    w->room = w->rows + (rows * w->p.channels * (int64_t)sizeof(double) + 63) / 64 * 64;
    w->rooms = inlay_call_memory(c, w->slots, (size_t)w->room);
    if (w->rooms)
        call_split(c, w->slots, cost / (double)w->slots, fn, w);
    return w->rooms != NULL;
}

static void each_item(const work *w, int64_t from, int64_t to, item_fn *fn)
{
    for (; from < to; from++) {
        char *room = w->rooms + from * w->room;
        double *y = (double *)(void *)room;
        region_tap *at = (region_tap *)(void *)(y + AT_ONCE * w->p.channels);

        for (int64_t i = from * w->each; i < (from + 1) * w->each && i < w->items; i++)
            fn(w, i, y, room + w->rows, at);
    }
}

/* GridSample */

/* Multiplies the products of N places by the WEIGHT of a tap on the next axis, of SIZE elements;
 * those that are no steps of the sum have weight 0. */
static INLAY_CLONES void multiply_axis(const double *index, const double *weight, double size,
                                       int64_t n, double *restrict at, double *restrict products)
{
    for (int64_t i = 0; i < n; i++) {
        products[i] = index[i] >= 0 ? products[i] * weight[i] : 0;
        at[i] = at[i] * size + (index[i] >= 0 ? index[i] : 0);
    }
}

/* Makes of the taps of N places on each axis tap number TAP of the places. */
static void multiply_taps(const grid_sampler *s, const double *index, const double *weight,
                          int64_t n, int64_t tap, int64_t *at, double *products)
{
    int64_t left = s->most;
    double place[CHUNK];

    for (int64_t i = 0; i < n; i++) {
        place[i] = 0;
        products[i] = 1;
    }
    for (int a = 0; a < s->axes; a++) {
        int64_t from;

        left /= s->taps;
        from = (a * s->taps + tap / left % s->taps) * n;
        multiply_axis(index + from, weight + from, (double)s->size[a], n, place, products);
    }
    for (int64_t i = 0; i < n; i++)
        at[i] = (int64_t)place[i];
}

/* Samples a chunk of the places of an image, channel by channel. */
static void sample_planes(const work *w, int64_t image, int64_t first, int64_t n,
                          const double *index, const double *weight, region_tap *room)
{
    const int64_t channels = w->p.channels, most = w->s.most;
    int64_t *at = (int64_t *)(void *)room;
    double *products = (double *)(void *)(at + most * CHUNK), y[CHUNK];

    for (int64_t t = 0; t < most; t++)
        multiply_taps(&w->s, index, weight, n, t, at + t * n, products + t * n);
    for (int64_t k = 0; k < channels; k++) {
        points_sum(&w->p, image, k, at, products, most, n, y);
        doubles_store(w->p.result, (image * channels + k) * w->places + first, n, y);
    }
}

/* Samples a chunk of the places of an image. */
static void sample_chunk(const work *w, int64_t item, double *y, void *rows, region_tap *at)
{
    const int64_t channels = w->p.channels;
    int64_t image = item / w->chunks, first = item % w->chunks * CHUNK;
    int64_t n = w->places - first < CHUNK ? w->places - first : CHUNK;
    const double *grid = w->grid + (image * w->places + first) * w->s.axes;
    double *index = (double *)(void *)(at + 2 * w->s.most * CHUNK);
    double *weight = index + w->s.axes * w->s.taps * CHUNK;

    sample_places(&w->s, grid, n, index, weight);
    if (!w->p.beside) {
        sample_planes(w, image, first, n, index, weight, at);
        return;
    }
    for (int64_t i = 0, k = 0; i < n; i++, k = (k + 1) % AT_ONCE) {
        int taps = sample_taps(&w->s, index, weight, n, i, at);

        memset(y + k * channels, 0, (size_t)channels * sizeof *y);
        points_fold(&w->p, image, 0, channels, at, taps, POINTS_ADD, y + k * channels);
        if (k == AT_ONCE - 1 || i == n - 1)
            points_keep(w->p.result->type, y, channels, rows, i - k, k + 1);
    }
    points_turn(w->p.result, rows, n, channels, image * channels * w->places + first, w->places);
}

static void sample_chunks(void *ctx, int64_t from, int64_t to)
{
    each_item(ctx, from, to, sample_chunk);
}

static bool run_grid(inlay_call *c, const void *packed)
{
    const inlay_tensor *out = c->out[0];
    work w = {.grid = load_f64(c, 1)};
    double taps;

    (void)packed;
    if (inlay_tensor_count(c->in[0]) == 0 || inlay_tensor_count(out) == 0)
        return call_kernel_of(c->node->op)(c);
    sample_read(c, &w.s);
    w.places = dims_product(out->dims + 2, out->rank - 2);
    w.chunks = (w.places + CHUNK - 1) / CHUNK;
    taps = (double)w.places * (double)w.s.most;
    if (!w.grid || !points_begin(c, 0, taps, &w.p))
        return false;
    return points_end(c, &w.p,
                      run_items(c, &w, out->dims[0] * w.chunks, w.p.beside ? CHUNK : 0,
                                (2 * w.s.most + w.s.axes * w.s.taps) * CHUNK,
                                (double)(out->dims[0] * w.places) *
                                    (POINT_COST + (double)(w.s.most * w.p.channels) / TAPS_AT_ONCE),
                                sample_chunks));
}

/* ROIAlign, RoiAlign, ROIAlignRotated */

/* Adds up the samples of bin (I, J) of a region of IMAGE. */
static void add_samples(const work *w, const region *r, int64_t image, int64_t i, int64_t j,
                        double *y, region_tap *at)
{
    const points *p = w->layers ? &w->layers[image] : &w->p;
    int n = 0;

    for (int64_t k = 0; k < r->rows * r->columns; k++) {
        n += region_sample(r, i, j, k / r->columns, k % r->columns, at + n) ? REGION_TAPS : 0;
        if (n < LIST && k < r->rows * r->columns - 1)
            continue;
        points_fold(p, w->layers ? 0 : image, 0, p->channels, at, n, POINTS_ADD, y);
        n = 0;
    }
}

/* Finds the greatest of them. */
static void find_greatest(const work *w, const region *r, int64_t image, int64_t i, int64_t j,
                          double *y, region_tap *at)
{
    points_way way = w->a.fold == ROI_MAX ? POINTS_GREATEST : POINTS_GREATEST_PART;

    for (int64_t n = 0; n < r->rows * r->columns; n++) {
        if (region_sample(r, i, j, n / r->columns, n % r->columns, at))
            points_fold(&w->p, image, 0, w->p.channels, at, REGION_TAPS, way, y);
        else
            for (int64_t k = 0; k < w->p.channels; k++)
                y[k] = region_greater(y[k], 0);
    }
}

static void align_region(const work *w, int64_t item, double *y, void *rows, region_tap *at)
{
    const int64_t channels = w->p.channels;
    const region *r = &w->regions[item];
    bool empty = r->rows * r->columns == 0, mean = w->a.fold == ROI_MEAN;
    double count = (double)(r->rows * r->columns);

    for (int64_t b = 0; b < w->bins; b++) {
        int64_t i = b / w->columns, j = b % w->columns;

        for (int64_t k = 0; k < channels; k++)
            y[k] = mean || empty ? 0 : -INFINITY;
        if (mean)
            add_samples(w, r, w->images[item], i, j, y, at);
        else
            find_greatest(w, r, w->images[item], i, j, y, at);
        for (int64_t k = 0; k < channels && mean && !empty; k++)
            y[k] /= count;
        points_keep(w->p.result->type, y, channels, rows, b, 1);
    }
    points_turn(w->p.result, rows, w->bins, channels, item * channels * w->bins, w->bins);
}

static void align_regions(void *ctx, int64_t from, int64_t to)
{
    each_item(ctx, from, to, align_region);
}

/* Reads all regions. Returns how many taps a channel has in them; negative: an error. */
static double read_regions(inlay_call *c, work *w)
{
    const double *rois = load_f64(c, 1);
    int64_t n = c->out[0]->dims[0];
    region *regions = inlay_call_memory(c, n, sizeof *regions);
    int64_t *images = inlay_call_memory(c, n, sizeof *images);
    double taps = 0;

    if (!rois || !regions || !images)
        return -1;
    roi_read(c, &w->a);
    for (int64_t i = 0; i < n; i++) {
        if (!roi_place(c, &w->a, i, rois, &regions[i], &images[i]))
            return -1;
        taps += (double)(regions[i].rows * regions[i].columns) * REGION_TAPS;
    }
    w->regions = regions;
    w->images = images;
    return taps * (double)w->bins;
}

static bool run_align(inlay_call *c, const void *packed)
{
    const inlay_tensor *out = c->out[0];
    work w = {.columns = out->dims[3], .bins = out->dims[2] * out->dims[3]};
    double taps, regions = (double)out->dims[0];

    (void)packed;
    if (inlay_tensor_count(c->in[0]) == 0 || inlay_tensor_count(out) == 0)
        return call_kernel_of(c->node->op)(c);
    taps = read_regions(c, &w);
    if (taps < 0 || !points_begin(c, 0, taps / (double)c->in[0]->dims[0], &w.p))
        return false;
    return points_end(c, &w.p,
                      run_items(c, &w, out->dims[0], w.bins, LIST,
                                regions * (double)w.bins * POINT_COST +
                                    taps * (double)w.p.channels / TAPS_AT_ONCE,
                                align_regions));
}

/* ExperimentalDetectronROIFeatureExtractor */

/* Reads the regions and their layers. Returns how many taps a channel has in them; negative: an
 * error.
 */
static double read_levels(inlay_call *c, const double *rois, work *w)
{
    int64_t n = c->in[0]->dims[0];
    region *regions = inlay_call_memory(c, n, sizeof *regions);
    int64_t *levels = inlay_call_memory(c, n, sizeof *levels);
    double taps = 0;
    int level;

    if (!rois || !regions || !levels)
        return -1;
    for (int64_t i = 0; i < n; i++) {
        if (!detectron_place(c, i, rois + 4 * i, &level, &regions[i]))
            return -1;
        levels[i] = level;
        taps += (double)(regions[i].rows * regions[i].columns) * REGION_TAPS;
    }
    w->regions = regions;
    w->images = levels;
    return taps * (double)w->bins;
}

static bool extract(inlay_call *c, work *w, double taps)
{
    int n = 0;
    bool ok = true;

    while (n < c->n_in - 1 && ok) {
        ok = points_begin(c, n + 1, taps, &w->layers[n]);
        n += ok;
    }
    w->p = w->layers[0];
    ok = ok && run_items(c, w, c->in[0]->dims[0], w->bins, LIST,
                         taps * (double)w->p.channels / TAPS_AT_ONCE, align_regions);
    while (n-- > 0)
        points_end(c, &w->layers[n], ok);
    return ok;
}

static bool run_extract(inlay_call *c, const void *packed)
{
    const inlay_tensor *out = c->out[0];
    const double *rois = load_f64(c, 0);
    work w = {.columns = out->dims[3], .bins = out->dims[2] * out->dims[3]};
    bool some = inlay_tensor_count(out) > 0 && inlay_tensor_is_dense(out);
    double taps;

    (void)packed;
    for (int i = 1; i < c->n_in; i++)
        some = some && inlay_tensor_count(c->in[i]) > 0;
    if (!some)
        return call_kernel_of(c->node->op)(c);
    w.layers = inlay_call_memory(c, c->n_in - 1, sizeof *w.layers);
    taps = read_levels(c, rois, &w);
    return w.layers && taps >= 0 && extract(c, &w, taps) && store_f64(c, 1, rois);
}

/* ROIPooling */

/* Finds the greatest elements in BOX of an image. */
static void find_most(const work *w, int64_t image, roi_box box, double *y, region_tap *at)
{
    int64_t wide = box.right - box.left, all = (box.bottom - box.top) * wide;
    int n = 0;

    for (int64_t k = 0; wide > 0 && k < all; k++) {
        at[n++] = (region_tap){(box.top + k / wide) * w->pool.in[3] + box.left + k % wide, 1};
        if (n < LIST && k < all - 1)
            continue;
        points_fold(&w->p, image, 0, w->p.channels, at, n, POINTS_GREATEST_PART, y);
        n = 0;
    }
    for (int64_t k = 0; k < w->p.channels; k++)
        y[k] = isinf(y[k]) && y[k] < 0 ? 0 : y[k];
}

static void pool_region(const work *w, int64_t item, double *y, void *rows, region_tap *at)
{
    const double *roi = w->rois + 5 * item + 1;
    int64_t channels = w->p.channels, image = w->images[item];

    for (int64_t b = 0; b < w->bins; b++) {
        int64_t i = b / w->columns, j = b % w->columns;

        for (int64_t k = 0; k < channels; k++)
            y[k] = w->most && image >= 0 ? -INFINITY : 0;
        if (image >= 0 && w->most)
            find_most(w, image, roi_box_of(&w->pool, roi, i, j), y, at);
        else if (image >= 0 && roi_spread(&w->pool, roi, i, j, at))
            points_fold(&w->p, image, 0, channels, at, REGION_TAPS, POINTS_ADD, y);
        points_keep(w->p.result->type, y, channels, rows, b, 1);
    }
    points_turn(w->p.result, rows, w->bins, channels, item * channels * w->bins, w->bins);
}

static void pool_regions(void *ctx, int64_t from, int64_t to)
{
    each_item(ctx, from, to, pool_region);
}

/* Reads the images of all regions: none for those behind the end of the list. */
static bool read_images(inlay_call *c, work *w)
{
    int64_t n = c->out[0]->dims[0], *images = inlay_call_memory(c, n, sizeof *images);

    w->rois = load_f64(c, 1);
    w->images = images;
    if (!w->rois || !images)
        return false;
    for (int64_t i = 0; i < n; i++) {
        images[i] = -1;
        if ((i == 0 || images[i - 1] >= 0) && !roi_pooling_image(c, i, w->rois, &images[i]))
            return false;
    }
    return true;
}

static bool run_pool(inlay_call *c, const void *packed)
{
    const inlay_tensor *out = c->out[0];
    work w = {.columns = out->dims[3],
              .bins = out->dims[2] * out->dims[3],
              .most = strcmp(inlay_node_string(c->node, "method"), "max") == 0};
    double taps = (double)(out->dims[0] * w.bins * REGION_TAPS);

    (void)packed;
    if (inlay_tensor_count(c->in[0]) == 0 || inlay_tensor_count(out) == 0)
        return call_kernel_of(c->node->op)(c);
    roi_pooling_read(c, &w.pool);
    if (w.most && taps < (double)w.pool.plane) /* a region may be all of the image */
        taps = (double)w.pool.plane;
    if (!read_images(c, &w) || !points_begin(c, 0, taps / (double)c->in[0]->dims[0], &w.p))
        return false;
    return points_end(c, &w.p,
                      run_items(c, &w, out->dims[0], w.bins, LIST,
                                (double)out->dims[0] * taps * (double)w.p.channels, pool_regions));
}

#define SAMPLES(row, takes_fn, run_fn)                                                             \
    {                                                                                              \
        .op = INLAY_OP_##row, .name = "samples", .takes = takes_fn, .packs = -1, .run = run_fn     \
    }

const library_kernel library_grid_sample = SAMPLES(GRID_SAMPLE, NULL, run_grid),
                     library_onnx_grid_sample = SAMPLES(ONNX_GRID_SAMPLE, NULL, run_grid),
                     library_roi_align = SAMPLES(ROI_ALIGN, NULL, run_align),
                     library_onnx_roi_align = SAMPLES(ONNX_ROI_ALIGN, NULL, run_align),
                     library_roi_align_rotated = SAMPLES(ROI_ALIGN_ROTATED, NULL, run_align),
                     library_roi_pooling = SAMPLES(ROI_POOLING, NULL, run_pool),
                     library_feature_extractor =
                         SAMPLES(EXPERIMENTAL_DETECTRON_ROI_FEATURE_EXTRACTOR, NULL, run_extract);

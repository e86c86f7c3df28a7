/* ROIAlign-3 and -9, ONNX RoiAlign-16, ROIAlignRotated-15, ROIPooling-1, PSROIPooling-1,
 * DeformablePSROIPooling-1: turn regions of images into planes of one size. Results are computed in
 * f64 and rounded once. */
#include "interp/kernels/roi.h"
#include "interp/maths/maths.h"

#include <math.h>
#include <string.h>

/* Sets *N to the number of the image that contains region I. */
static bool image_of(inlay_call *c, int64_t i, double given, int64_t *n)
{
    int64_t images = c->in[0]->dims[0];

    if (!(given >= 0 && given < (double)images))
        return inlay_call_fail(c, "region %lld is on image %g, there are %lld", (long long)i, given,
                               (long long)images);
    *n = (int64_t)given;
    return true;
}

/* ROIAlign, ROIAlignRotated */

static bool divide(inlay_call *c, int64_t i, double width, double height, region *r)
{
    r->height = c->in[0]->dims[2];
    r->width = c->in[0]->dims[3];
    return region_divide(c, i, width, height, c->out[0]->dims[3], c->out[0]->dims[2],
                         inlay_node_int(c->node, "sampling_ratio"), r);
}

/* Sets the coordinates of a region in the image, by attribute aligned_mode. */
static bool place_region(inlay_call *c, int64_t i, const double *roi, region *r)
{
    const inlay_attr *aligned = inlay_node_attr(c->node, "aligned_mode");
    const char *mode = aligned ? aligned->as.s : "asymmetric";
    double scale = inlay_node_float(c->node, "spatial_scale");
    double before = strcmp(mode, "half_pixel") == 0 ? 0.5 : 0;
    double after = strcmp(mode, "asymmetric") == 0 ? 0 : 0.5;
    double width = (roi[2] - roi[0]) * scale, height = (roi[3] - roi[1]) * scale;

    r->x = (roi[0] + before) * scale - after;
    r->y = (roi[1] + before) * scale - after;
    if (after == 0) {
        width = fmax(width, 1);
        height = fmax(height, 1);
    }
    return divide(c, i, width, height, r);
}

static bool place_turned_region(inlay_call *c, int64_t i, const double *roi, region *r)
{
    double scale = inlay_node_float(c->node, "spatial_scale");
    double width = roi[2] * scale, height = roi[3] * scale;
    double angle = inlay_node_bool(c->node, "clockwise_mode") ? -roi[4] : roi[4];

    *r = (region){.x = -width / 2,
                  .y = -height / 2,
                  .turned = true,
                  .center_x = roi[0] * scale - 0.5,
                  .center_y = roi[1] * scale - 0.5,
                  .cosine = maths_cos_f64(angle),
                  .sine = maths_sin_f64(angle)};
    return divide(c, i, width, height, r);
}

void roi_read(const inlay_call *c, roi_align *a)
{
    const char *mode = inlay_node_string(c->node, "mode");
    bool max = mode && strcmp(mode, "max") == 0;

    a->turned = c->node->op->version == 15; /* ROIAlignRotated; RoiAlign has 16 */
    a->fold = a->turned || !max            ? ROI_MEAN
              : c->node->op->version == 16 ? ROI_MAX_OF_PARTS
                                           : ROI_MAX;
}

bool roi_place(inlay_call *c, const roi_align *a, int64_t i, const double *rois, region *r,
               int64_t *image)
{
    const double *roi = rois + c->in[1]->dims[1] * i;

    *r = (region){0};
    return image_of(c, i, inlay_tensor_get_f64(c->in[2], i), image) &&
           (a->turned ? place_turned_region(c, i, roi, r) : place_region(c, i, roi, r));
}

static double folded(const region *r, const double *plane, const int64_t *at, roi_fold how)
{
    if (r->height * r->width == 0 || r->rows * r->columns == 0)
        return 0;
    return how == ROI_MEAN ? region_mean(r, plane, at[1], at[2])
                           : region_max(r, plane, at[1], at[2], how == ROI_MAX_OF_PARTS);
}

static bool align(inlay_call *c)
{
    const inlay_tensor *out = c->out[0];
    const double *x = load_f64(c, 0), *rois = load_f64(c, 1);
    double *y = inlay_call_memory(c, inlay_tensor_count(out), sizeof *y), *to = y;
    int64_t plane = c->in[0]->dims[2] * c->in[0]->dims[3];
    roi_align a;

    if (!x || !rois || !y)
        return false;
    roi_read(c, &a);
    for (int64_t i = 0; i < out->dims[0]; i++) {
        int64_t n = 0;
        region r;

        if (!roi_place(c, &a, i, rois, &r, &n))
            return false;
        for (index_iter it = index_begin(3, out->dims + 1); index_valid(&it); index_next(&it))
            *to++ = folded(&r, x + (n * out->dims[1] + it.at[0]) * plane, it.at, a.fold);
    }
    return store_f64(c, 0, y);
}

bool eval_roi_align(inlay_call *c)
{
    return align(c);
}

bool eval_onnx_roi_align(inlay_call *c)
{
    return align(c);
}

bool eval_roi_align_rotated(inlay_call *c)
{
    return align(c);
}

/* ROIPooling, PSROIPooling, DeformablePSROIPooling. A region is the number of its image and four
 * coordinates. */

/* Returns element AT (channel, row, column) of the result of region number I, whose four
 * coordinates are ROI; IMAGE has all channels. */
typedef double pool_fn(const roi_pooling *p, const double *image, const double *roi, int64_t i,
                       const int64_t *at);

void roi_pooling_read(const inlay_call *c, roi_pooling *p)
{
    p->in = c->in[0]->dims;
    p->out = c->out[0]->dims;
    p->plane = p->in[2] * p->in[3];
    p->scale = inlay_node_float(c->node, "spatial_scale");
}

bool roi_pooling_image(inlay_call *c, int64_t i, const double *rois, int64_t *image)
{
    *image = -1;
    return rois[5 * i] == -1 || image_of(c, i, rois[5 * i], image);
}

/* Pools all regions by FN. A region of image -1 ends the list: it and all after it give 0. */
static bool pool(inlay_call *c, roi_pooling *p, pool_fn *fn)
{
    const inlay_tensor *out = c->out[0];
    const double *x = load_f64(c, 0), *rois = load_f64(c, 1);
    double *y = inlay_call_memory(c, inlay_tensor_count(out), sizeof *y), *to = y;

    roi_pooling_read(c, p);
    if (!x || !rois || !y)
        return false;
    for (int64_t i = 0, n; i < out->dims[0]; i++) {
        if (!roi_pooling_image(c, i, rois, &n))
            return false;
        if (n < 0)
            break;
        for (index_iter it = index_begin(3, out->dims + 1); index_valid(&it); index_next(&it))
            *to++ =
                p->plane == 0 ? 0 : fn(p, x + n * p->in[1] * p->plane, rois + 5 * i + 1, i, it.at);
    }
    return store_f64(c, 0, y);
}

/* The rows or columns FROM to TO of a part of an image. */
typedef struct span {
    int64_t from, to;
} span;

static int64_t cut(double x, int64_t size)
{
    return !(x > 0) ? 0 : x > (double)size ? size : (int64_t)x;
}

/* Returns the part of an axis of SIZE elements that belongs to element I of OUT elements of a
 * region that is LENGTH long. It begins at WHOLE + START, of which WHOLE is not rounded again. */
static span part_of(double whole, double start, double length, int64_t i, int64_t out, int64_t size)
{
    double bin = length / (double)out;

    return (span){cut(floor((double)i * bin + start) + whole, size),
                  cut(ceil((double)(i + 1) * bin + start) + whole, size)};
}

roi_box roi_box_of(const roi_pooling *p, const double *roi, int64_t i, int64_t j)
{
    double x = round(roi[0] * p->scale), y = round(roi[1] * p->scale);
    double width = fmax(round(roi[2] * p->scale) - x + 1, 1);
    double height = fmax(round(roi[3] * p->scale) - y + 1, 1);
    span rows = part_of(y, 0, height, i, p->out[2], p->in[2]);
    span columns = part_of(x, 0, width, j, p->out[3], p->in[3]);

    return (roi_box){rows.from, rows.to, columns.from, columns.to};
}

/* Returns the greatest element of a part of a region; 0: the part has no element. */
static double greatest(const roi_pooling *p, const double *image, const double *roi, int64_t i,
                       const int64_t *at)
{
    const double *plane = image + at[0] * p->plane;
    roi_box box = roi_box_of(p, roi, at[1], at[2]);
    double most = -INFINITY;

    (void)i;
    for (int64_t v = box.top; v < box.bottom; v++) {
        for (int64_t u = box.left; u < box.right; u++)
            most = region_greater(most, plane[v * p->in[3] + u]);
    }
    return isinf(most) && most < 0 ? 0 : most;
}

/* Returns the I-th of OUT positions that are evenly spread from LOW to HIGH, both in [0, 1], on an
 * axis of SIZE elements. */
static double spread_place(double low, double high, int64_t i, int64_t out, int64_t size)
{
    double last = (double)size - 1, step = (high - low) * last / (double)(out - 1);

    return out > 1 ? (double)i * step + low * last : 0.5 * (low + high) * last;
}

/* Interpolates a plane at (Y, X). */
static double interpolated(const roi_pooling *p, const double *plane, double y, double x)
{
    region r = {.height = p->in[2], .width = p->in[3], .x = x, .y = y, .columns = 1, .rows = 1};

    return region_mean(&r, plane, 0, 0);
}

bool roi_spread(const roi_pooling *p, const double *roi, int64_t i, int64_t j, region_tap *at)
{
    region r = {.height = p->in[2],
                .width = p->in[3],
                .y = spread_place(roi[1], roi[3], i, p->out[2], p->in[2]),
                .x = spread_place(roi[0], roi[2], j, p->out[3], p->in[3]),
                .columns = 1,
                .rows = 1};

    return r.y >= 0 && r.y <= (double)(p->in[2] - 1) && r.x >= 0 && r.x <= (double)(p->in[3] - 1) &&
           region_sample(&r, 0, 0, 0, 0, at);
}

/* Interpolates the image at one of the positions that are spread over a region in [0, 1]. */
static double spread(const roi_pooling *p, const double *plane, const double *roi,
                     const int64_t *at)
{
    region_tap taps[REGION_TAPS];
    bool inside = roi_spread(p, roi, at[1], at[2], taps);
    double sum = 0;

    for (int k = 0; inside && k < REGION_TAPS; k++)
        sum += taps[k].weight * plane[taps[k].at];
    return sum;
}

static double bilinear(const roi_pooling *p, const double *image, const double *roi, int64_t i,
                       const int64_t *at)
{
    (void)i;
    return spread(p, image + at[0] * p->plane, roi, at);
}

bool eval_roi_pooling(inlay_call *c)
{
    bool max = strcmp(inlay_node_string(c->node, "method"), "max") == 0;
    roi_pooling p = {0};

    return pool(c, &p, max ? greatest : bilinear);
}

/* Returns the channel of the data for a position of the result: each position has its own channels.
 */
static int64_t own_channel(const roi_pooling *p, const int64_t *at)
{
    return (at[0] * p->out[2] + at[1]) * p->out[3] + at[2];
}

/* Returns the mean of a part of a region, whose corners are rounded before they are scaled; 0: the
 * part has no element. */
static double mean(const roi_pooling *p, const double *image, const double *roi, int64_t i,
                   const int64_t *at)
{
    const double *plane = image + own_channel(p, at) * p->plane;
    double x = round(roi[0]) * p->scale, y = round(roi[1]) * p->scale, sum = 0;
    double width = fmax((round(roi[2]) + 1) * p->scale - x, 0.1);
    double height = fmax((round(roi[3]) + 1) * p->scale - y, 0.1);
    span rows = part_of(0, y, height, at[1], p->out[2], p->in[2]);
    span columns = part_of(0, x, width, at[2], p->out[3], p->in[3]);

    (void)i;
    if (rows.from >= rows.to || columns.from >= columns.to)
        return 0;
    for (int64_t v = rows.from; v < rows.to; v++) {
        for (int64_t u = columns.from; u < columns.to; u++)
            sum += plane[v * p->in[3] + u];
    }
    return sum / (double)((rows.to - rows.from) * (columns.to - columns.from));
}

/* Returns the mean over the bins of a region, each of which has channels of its own. */
static double mean_of_bins(const roi_pooling *p, const double *image, const double *roi, int64_t i,
                           const int64_t *at)
{
    double width = (roi[2] - roi[0]) * p->scale / (double)p->columns, sum = 0;
    double height = (roi[3] - roi[1]) * p->scale / (double)p->rows;

    (void)i;
    for (int64_t v = 0; v < p->rows; v++) {
        for (int64_t u = 0; u < p->columns; u++) {
            double x = roi[0] * p->scale + (double)u * width;
            double y = roi[1] * p->scale + (double)v * height;
            int64_t channel = (v * p->columns + u) * p->out[1] + at[0];

            sum +=
                spread(p, image + channel * p->plane, (double[]){x, y, x + width, y + height}, at);
        }
    }
    return sum / (double)(p->columns * p->rows);
}

static void read_bins(const inlay_call *c, roi_pooling *p)
{
    p->columns = inlay_node_int(c->node, "spatial_bins_x");
    p->rows = inlay_node_int(c->node, "spatial_bins_y");
}

bool eval_psroi_pooling(inlay_call *c)
{
    bool average = strcmp(inlay_node_string(c->node, "mode"), "average") == 0;
    roi_pooling p = {0};

    read_bins(c, &p);
    return pool(c, &p, average ? mean : mean_of_bins);
}

/* Returns the offset of the part of region I at a position of the result along y (AXIS 1) or x. */
static double offset_of(const roi_pooling *p, int64_t i, const int64_t *at, int axis)
{
    int64_t k = at[0] / (p->out[1] / p->classes);
    int64_t v = at[1] * p->parts / p->out[2], u = at[2] * p->parts / p->out[3];
    int64_t plane = (i * p->classes + k) * 2 + axis;

    return p->offsets[(plane * p->parts + v) * p->parts + u] * p->spread;
}

/* Returns whether X, a position on an axis of SIZE elements, is at most half an element outside,
 * and moves it inside. */
static bool move_inside(double *x, int64_t size)
{
    double last = (double)(size - 1);
    bool near = *x >= -0.5 && *x <= last + 0.5;

    *x = *x < 0 ? 0 : *x > last ? last : *x;
    return near;
}

/* Returns the mean of the samples in a part of a region, without those that are outside. */
static double mean_of_samples(const roi_pooling *p, const double *image, const double *roi,
                              int64_t i, const int64_t *at)
{
    const double *plane = image + own_channel(p, at) * p->plane;
    double left = round(roi[0]) * p->scale - 0.5, top = round(roi[1]) * p->scale - 0.5;
    double width = fmax((round(roi[2]) + 1) * p->scale - 0.5 - left, 0.1);
    double height = fmax((round(roi[3]) + 1) * p->scale - 0.5 - top, 0.1);
    double wide = width / (double)p->out[3], high = height / (double)p->out[2];
    double x = left + (double)at[2] * wide, y = top + (double)at[1] * high, sum = 0;
    int64_t n = 0;

    if (p->offsets) {
        x += offset_of(p, i, at, 0) * width;
        y += offset_of(p, i, at, 1) * height;
    }
    for (int64_t v = 0; v < p->rows; v++) {
        for (int64_t u = 0; u < p->columns; u++) {
            double sx = x + (double)u * wide / (double)p->columns;
            double sy = y + (double)v * high / (double)p->rows;

            if (move_inside(&sx, p->in[3]) && move_inside(&sy, p->in[2])) {
                sum += interpolated(p, plane, sy, sx);
                n++;
            }
        }
    }
    return n > 0 ? sum / (double)n : 0;
}

bool eval_deformable_psroi_pooling(inlay_call *c)
{
    roi_pooling p = {.parts = inlay_node_int(c->node, "part_size"),
                     .spread = inlay_node_float(c->node, "trans_std")};

    read_bins(c, &p);
    if (call_has(c, 2)) {
        p.classes = c->in[2]->dims[1] / 2;
        if (!(p.offsets = load_f64(c, 2)))
            return false;
    }
    return pool(c, &p, mean_of_samples);
}

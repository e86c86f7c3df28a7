/* ExperimentalDetectronDetectionOutput-6, ExperimentalDetectronROIFeatureExtractor-6,
 * ExperimentalDetectronPriorGridGenerator-6 and ExperimentalDetectronTopKROIs-6, in double
 * precision. */
#include "interp/call/kernel.h"
#include "interp/kernels/boxes.h"
#include "interp/kernels/roi.h"
#include "interp/maths/maths.h"

#include <math.h>
#include <string.h>

typedef struct refinement {
    int64_t rois, classes;
    const double *boxes, *deltas, *weights;
    double max_log;
} refinement;

static double not_negative(double x)
{
    return x < 0 ? 0 : x;
}

static double clamp(double x, double limit)
{
    return x > limit ? limit : not_negative(x);
}

/* Steps 1 and 3: returns the box of ROI, moved and scaled by the deltas of a class, then clipped at
 * the image's beginning. The document also clips it at the image's end; OpenVINO does not. */
static box refine(const refinement *p, int64_t roi, int64_t label)
{
    const double *b = p->boxes + 4 * roi, *d = p->deltas + 4 * (roi * p->classes + label);
    double w = b[2] - b[0] + 1, h = b[3] - b[1] + 1;
    double x = b[0] + 0.5 * w, y = b[1] + 0.5 * h;
    double dx = d[0] / p->weights[0], dy = d[1] / p->weights[1];
    double half_w = 0.5 * maths_exp_f64(fmin(d[2] / p->weights[2], p->max_log));
    double half_h = 0.5 * maths_exp_f64(fmin(d[3] / p->weights[3], p->max_log));

    return (box){not_negative(x + (dx - half_w) * w), not_negative(y + (dy - half_h) * h),
                 not_negative(x + (dx + half_w) * w - 1), not_negative(y + (dy + half_h) * h - 1)};
}

/* OpenVINO makes no boxes of regions without an area. */
static bool has_area(const double *roi)
{
    return roi[2] > roi[0] && roi[3] > roi[1];
}

/* Steps 4 and 5. Class 0 is the background and never a detection: OpenVINO leaves it out whatever
 * class_agnostic_box_regression says. */
static int64_t detect(const inlay_call *c, const refinement *p, const double *scores, box *boxes,
                      detection *found, detection *spare)
{
    double score = inlay_node_float(c->node, "score_threshold");
    suppression rule = {
        .threshold = inlay_node_float(c->node, "nms_threshold"), .margin = 1, .eta = 1};
    int64_t most = inlay_node_int(c->node, "post_nms_count"), total = 0;

    for (int64_t k = 1; k < p->classes; k++) {
        detection *list = found + total;
        int64_t n = 0;

        for (int64_t i = 0; i < p->rois; i++) {
            boxes[i] = refine(p, i, k);
            if (scores[i * p->classes + k] > score && has_area(p->boxes + 4 * i))
                list[n++] = (detection){scores[i * p->classes + k], 0, k, i};
        }
        box_sort_detections(list, n, spare);
        total += box_suppress(&rule, boxes, list, n, most);
    }
    return total;
}

bool eval_detectron_detection_output(inlay_call *c)
{
    const double *scores = load_f64(c, 2);
    refinement p = {.rois = c->in[0]->dims[0],
                    .classes = inlay_node_int(c->node, "num_classes"),
                    .boxes = load_f64(c, 0),
                    .deltas = load_f64(c, 1),
                    .weights = inlay_node_attr(c->node, "deltas_weights")->as.floats,
                    .max_log = inlay_node_float(c->node, "max_delta_log_wh")};
    int64_t room = inlay_tensor_count(c->in[2]), n, most = c->out[1]->dims[0];
    detection *found = inlay_call_memory(c, room, sizeof *found);
    detection *spare = inlay_call_memory(c, room, sizeof *spare);
    box *all = inlay_call_memory(c, p.rois, sizeof *all);
    double *boxes = inlay_call_memory(c, 4 * most, sizeof *boxes);
    double *best = inlay_call_memory(c, most, sizeof *best);
    int64_t *labels = inlay_call_memory(c, most, sizeof *labels);

    if (!scores || !p.boxes || !p.deltas || !found || !spare || !all || !boxes || !best || !labels)
        return false;
    n = detect(c, &p, scores, all, found, spare);
    if (n > most) { /* step 6 */
        box_sort_detections(found, n, spare);
        n = most;
    }
    for (int64_t i = 0; i < n; i++) {
        box b = refine(&p, found[i].index, found[i].label);

        boxes[4 * i] = b.x0;
        boxes[4 * i + 1] = b.y0;
        boxes[4 * i + 2] = b.x1;
        boxes[4 * i + 3] = b.y1;
        best[i] = found[i].score;
        labels[i] = found[i].label;
    }
    return store_f64(c, 0, boxes) && store_i64(c, 1, labels) && store_f64(c, 2, best);
}

/* Returns 2 + logb(sqrt(w * h) / 224), within the LAYERS that there are. */
static int pyramid_level(const double *roi, int layers)
{
    double w = roi[2] - roi[0], h = roi[3] - roi[1];
    double level = w > 0 && h > 0 ? floor(2 + log2(sqrt(w * h) / 224)) : 0;

    return (int)clamp(level, layers - 1);
}

/* Sets R to the region of ROI number N on its layer. */
static bool place_region(inlay_call *c, int64_t n, const double *roi, double scale, int64_t size,
                         region *r)
{
    bool aligned = inlay_node_bool(c->node, "aligned");
    int64_t ratio = inlay_node_int(c->node, "sampling_ratio");
    double width = (roi[2] - roi[0]) * scale, height = (roi[3] - roi[1]) * scale;

    r->x = roi[0] * scale - (aligned ? 0.5 : 0);
    r->y = roi[1] * scale - (aligned ? 0.5 : 0);
    if (!aligned) {
        width = fmax(width, 1);
        height = fmax(height, 1);
    }
    return region_divide(c, n, width, height, size, size, ratio, r);
}

bool detectron_place(inlay_call *c, int64_t n, const double *roi, int *level, region *r)
{
    int n_scales;
    const int64_t *scales = inlay_node_ints(c->node, "pyramid_scales", &n_scales);
    const inlay_tensor *t;

    *level = pyramid_level(roi, c->n_in - 1);
    t = c->in[1 + *level];
    *r = (region){.height = t->dims[2], .width = t->dims[3]};
    return place_region(c, n, roi, 1 / (double)scales[*level], c->out[0]->dims[2], r);
}

static bool extract(inlay_call *c, int64_t n, const double *roi, const double *const *layers,
                    double *y)
{
    int level;
    int64_t size = c->out[0]->dims[2];
    region r;

    if (!detectron_place(c, n, roi, &level, &r))
        return false;
    for (int64_t k = 0; k < c->in[1 + level]->dims[1]; k++) {
        const double *plane = layers[level] + k * r.height * r.width;

        for (int64_t i = 0; i < size; i++) {
            for (int64_t j = 0; j < size; j++)
                *y++ = r.height > 0 && r.width > 0 ? region_mean(&r, plane, i, j) : 0;
        }
    }
    return true;
}

/* Output 0 is in the order of the regions, so output 1 gives them in that order, too. */
bool eval_detectron_roi_feature_extractor(inlay_call *c)
{
    const double *rois = load_f64(c, 0);
    const double **layers = inlay_call_memory(c, c->n_in - 1, sizeof *layers);
    int64_t n = c->in[0]->dims[0], count = inlay_tensor_count(c->out[0]);
    double *y = inlay_call_memory(c, count, sizeof *y);

    if (!rois || !layers || !y)
        return false;
    for (int i = 1; i < c->n_in; i++) {
        if (!(layers[i - 1] = load_f64(c, i)))
            return false;
    }
    for (int64_t i = 0; i < n; i++) {
        if (!extract(c, i, rois + 4 * i, layers, y + i * (count / n)))
            return false;
    }
    return store_f64(c, 0, y) && store_f64(c, 1, rois);
}

/* Sets N to the number of cells along an axis, and returns the distance between them. */
static double grid_step(const inlay_call *c, const char *count, const char *stride, int axis,
                        int64_t *n)
{
    int64_t given = inlay_node_int(c->node, count);
    double step = inlay_node_float(c->node, stride);

    *n = given > 0 ? given : c->in[1]->dims[axis];
    return step != 0 ? step : (double)c->in[2]->dims[axis] / (double)*n;
}

/* The priors are moved to the middle of each cell. If the result has more cells than the grid, the
 * others are zeros. */
bool eval_detectron_prior_grid_generator(inlay_call *c)
{
    const double *priors = load_f64(c, 0);
    double *y = inlay_call_memory(c, inlay_tensor_count(c->out[0]), sizeof *y), *to = y;
    int64_t dims[] = {0, 0, 4 * c->in[0]->dims[0]};
    double step_y = grid_step(c, "h", "stride_y", 2, &dims[0]);
    double step_x = grid_step(c, "w", "stride_x", 3, &dims[1]);

    if (!priors || !y)
        return false;
    for (index_iter it = index_begin(3, dims); index_valid(&it); index_next(&it)) {
        bool along_x = it.at[2] % 2 == 0;

        *to++ =
            priors[it.at[2]] + (along_x ? step_x : step_y) * ((double)it.at[along_x ? 1 : 0] + 0.5);
    }
    return store_f64(c, 0, y);
}

bool eval_detectron_top_k_rois(inlay_call *c)
{
    const double *rois = load_f64(c, 0), *scores = load_f64(c, 1);
    int64_t n = c->in[1]->dims[0], most = c->out[0]->dims[0];
    detection *list = inlay_call_memory(c, n, sizeof *list);
    detection *spare = inlay_call_memory(c, n, sizeof *spare);
    double *y = inlay_call_memory(c, 4 * most, sizeof *y);

    if (!rois || !scores || !list || !spare || !y)
        return false;
    for (int64_t i = 0; i < n; i++)
        list[i] = (detection){.score = scores[i], .index = i};
    box_sort_detections(list, n, spare);
    for (int64_t i = 0; i < n && i < most; i++)
        memcpy(y + 4 * i, rois + 4 * list[i].index, 4 * sizeof *y);
    return store_f64(c, 0, y);
}

/* DetectionOutput-1 and -8: makes detections from a network's boxes and scores for prior boxes, in
 * double precision. */
#include "interp/call/kernel.h"
#include "interp/kernels/boxes.h"
#include "interp/maths/maths.h"

#include <math.h>
#include <string.h>

/* The boxes of a class, and its scores, are contiguous: [classes, priors]. */
typedef struct heads {
    int64_t images, classes, priors;
    int64_t places;                           /* classes that have boxes of their own, or 1 */
    int64_t row;                              /* numbers for each prior; the last four are its box
                                                 */
    int64_t sets;                             /* one set of priors for each image, or one for all */
    const double *moves, *scores, *given;     /* [images, priors, places, 4] and so on */
    const double *first_scores, *first_moves; /* of an earlier network; or NULL */
    bool varied, centered, cut_before, cut_after;
    double width, height; /* by which priors are divided */
    int64_t background, top, keep;
    double threshold, objectness;
    suppression rule;
    box *boxes;
    double *score;
    detection *found, *spare;
} heads;

static double within(double x)
{
    return fmax(0, fmin(x, 1));
}

static box cut(box b)
{
    return (box){within(b.x0), within(b.y0), within(b.x1), within(b.y1)};
}

/* Returns PRIOR, moved by D times the variances V. */
static box move_box(const heads *h, const box *prior, const double *d, const double *v)
{
    const double m[] = {d[0] * v[0], d[1] * v[1], d[2] * v[2], d[3] * v[3]};
    box b = {prior->x0 + m[0], prior->y0 + m[1], prior->x1 + m[2], prior->y1 + m[3]};

    if (h->centered) {
        double w = prior->x1 - prior->x0, x = (prior->x0 + prior->x1) / 2 + m[0] * w;
        double t = prior->y1 - prior->y0, y = (prior->y0 + prior->y1) / 2 + m[1] * t;

        w *= maths_exp_f64(m[2]) / 2;
        t *= maths_exp_f64(m[3]) / 2;
        b = (box){x - w, y - t, x + w, y + t};
    }
    return h->cut_before ? cut(b) : b;
}

/* Returns the box of prior P of image N for the class with boxes number K. */
static box box_of(const heads *h, int64_t n, int64_t p, int64_t k)
{
    static const double ones[] = {1, 1, 1, 1};
    const double *set = h->given + (h->sets > 1 ? n : 0) * h->priors * h->row * (h->varied ? 2 : 1);
    const double *row = set + p * h->row + h->row - 4;
    const double *v = h->varied ? set + h->priors * h->row + 4 * p : ones;
    int64_t at = ((n * h->priors + p) * h->places + k) * 4;
    box b = {row[0] / h->width, row[1] / h->height, row[2] / h->width, row[3] / h->height};

    if (h->first_moves)
        b = move_box(h, &b, h->first_moves + at, v);
    return move_box(h, &b, h->moves + at, v);
}

/* Returns the score of class K at prior P of image N. If an earlier network found no object there,
 * everything is background. */
static double score_of(const heads *h, int64_t n, int64_t p, int64_t k)
{
    int64_t at = n * h->priors + p;

    if (h->first_scores && h->first_scores[2 * at + 1] < h->objectness)
        return k == h->background;
    return h->scores[at * h->classes + k];
}

/* Sets all boxes and scores of image N. */
static void decode(heads *h, int64_t n)
{
    for (int64_t k = 0; k < h->classes; k++) {
        for (int64_t p = 0; p < h->priors; p++) {
            h->boxes[k * h->priors + p] = box_of(h, n, p, h->places > 1 ? k : 0);
            h->score[k * h->priors + p] = score_of(h, n, p, k);
        }
    }
}

static detection candidate(const heads *h, int64_t n, int64_t k, int64_t p)
{
    int64_t at = k * h->priors + p;

    return (detection){.score = h->score[at], .batch = n, .label = k, .index = at};
}

/* Sorts the N candidates in LIST, and returns how many of them are considered. */
static int64_t take_best(const heads *h, detection *list, int64_t n)
{
    box_sort_detections(list, n, h->spare);
    return h->top >= 0 && n > h->top ? h->top : n;
}

/* Each class has candidates of its own. */
static int64_t detect_by_class(heads *h, int64_t n, detection *list)
{
    int64_t found = 0;

    for (int64_t k = 0; k < h->classes; k++) {
        int64_t left = 0;

        for (int64_t p = 0; p < h->priors && k != h->background; p++) {
            if (h->score[k * h->priors + p] > h->threshold)
                list[found + left++] = candidate(h, n, k, p);
        }
        left = take_best(h, list + found, left);
        found += box_suppress(&h->rule, h->boxes, list + found, left, left);
    }
    return found;
}

/* Returns the class, other than 0, with the best score at prior P; 0: all scores are below 0. */
static int64_t best_class(const heads *h, int64_t p)
{
    int64_t best = 0;
    double score = -1;

    for (int64_t k = 1; k < h->classes; k++) {
        if (k != h->background && h->score[k * h->priors + p] > score) {
            score = h->score[k * h->priors + p];
            best = k;
        }
    }
    return best;
}

/* Moves the detections of class K among the N in LIST to OUT, in their order. */
static int64_t gather_class(const detection *list, int64_t n, int64_t k, detection *out)
{
    int64_t to = 0;

    for (int64_t i = 0; i < n; i++) {
        if (list[i].label == k)
            out[to++] = list[i];
    }
    return to;
}

/* Each prior is a candidate for one class, its best one. */
static int64_t detect_by_prior(heads *h, int64_t n, detection *list)
{
    detection *all = list + h->priors; /* there is room: classes other than 0 exist */
    int64_t left = 0, found = 0;

    for (int64_t p = 0; p < h->priors && h->classes > 1; p++) {
        int64_t k = best_class(h, p);

        if (k > 0 && h->score[k * h->priors + p] >= h->threshold)
            all[left++] = candidate(h, n, k, p);
    }
    left = take_best(h, all, left);
    for (int64_t k = 1; k < h->classes; k++) {
        int64_t of_class = gather_class(all, left, k, list + found);

        found += box_suppress(&h->rule, h->boxes, list + found, of_class, of_class);
    }
    return found;
}

/* Keeps the best detections of an image, in the order of classes. */
static int64_t keep_best(const heads *h, detection *list, int64_t n)
{
    int64_t kept = 0;

    if (h->keep < 0 || n <= h->keep)
        return n;
    box_sort_detections(list, n, h->spare);
    memcpy(h->spare, list, (size_t)h->keep * sizeof *list);
    for (int64_t k = 0; k < h->classes; k++)
        kept += gather_class(h->spare, h->keep, k, list + kept);
    return kept;
}

static void write_rows(const heads *h, const detection *list, int64_t n, bool decrease, double *y)
{
    for (int64_t i = 0; i < n; i++) {
        box b = h->boxes[list[i].index];

        if (h->cut_after)
            b = cut(b);
        memcpy(y + 7 * i,
               (double[]){(double)list[i].batch, (double)(list[i].label - decrease), list[i].score,
                          b.x0, b.y0, b.x1, b.y1},
               7 * sizeof *y);
    }
}

static void read_attributes(const inlay_call *c, heads *h)
{
    bool normalized = inlay_node_bool(c->node, "normalized");
    int n_keep;

    h->row = normalized ? 4 : 5;
    h->varied = !inlay_node_bool(c->node, "variance_encoded_in_target");
    h->centered = strstr(inlay_node_string(c->node, "code_type"), "CENTER_SIZE") != NULL;
    h->cut_before = inlay_node_bool(c->node, "clip_before_nms");
    h->cut_after = inlay_node_bool(c->node, "clip_after_nms");
    h->width = normalized ? 1 : (double)inlay_node_int(c->node, "input_width");
    h->height = normalized ? 1 : (double)inlay_node_int(c->node, "input_height");
    h->background = inlay_node_int(c->node, "background_label_id");
    h->top = inlay_node_int(c->node, "top_k");
    h->keep = inlay_node_ints(c->node, "keep_top_k", &n_keep)[0];
    h->threshold = inlay_node_float(c->node, "confidence_threshold");
    h->objectness = inlay_node_float(c->node, "objectness_score");
    h->rule = (suppression){.threshold = inlay_node_float(c->node, "nms_threshold"), .eta = 1};
}

static bool read_heads(inlay_call *c, heads *h)
{
    int64_t room;

    read_attributes(c, h);
    h->images = c->in[0]->dims[0];
    h->priors = c->in[2]->dims[2] / h->row;
    h->classes = h->priors > 0 ? c->in[1]->dims[1] / h->priors : 0;
    h->places = inlay_node_bool(c->node, "share_location") ? 1 : h->classes;
    h->sets = c->in[2]->dims[0];
    h->moves = load_f64(c, 0);
    h->scores = load_f64(c, 1);
    h->given = load_f64(c, 2);
    h->first_scores = call_has(c, 3) ? load_f64(c, 3) : NULL;
    h->first_moves = call_has(c, 4) ? load_f64(c, 4) : NULL;
    room = h->classes * h->priors;
    h->boxes = inlay_call_memory(c, room, sizeof *h->boxes);
    h->score = inlay_call_memory(c, room, sizeof *h->score);
    h->found = inlay_call_memory(c, 2 * room, sizeof *h->found);
    h->spare = inlay_call_memory(c, room, sizeof *h->spare);
    return h->moves && h->scores && h->given && (!call_has(c, 3) || h->first_scores) &&
           (!call_has(c, 4) || h->first_moves) && h->boxes && h->score && h->found && h->spare;
}

bool eval_detection_output(inlay_call *c)
{
    bool by_prior = inlay_node_bool(c->node, "decrease_label_id");
    int64_t rows = c->out[0]->dims[2], n = 0;
    double *y = inlay_call_memory(c, rows * 7, sizeof *y);
    heads h = {0};

    if (!y || !read_heads(c, &h))
        return false;
    for (int64_t i = 0; i < h.images; i++) {
        int64_t found;

        decode(&h, i);
        found = (by_prior ? detect_by_prior : detect_by_class)(&h, i, h.found);
        found = keep_best(&h, h.found, found);
        if (found > rows - n)
            found = rows - n;
        write_rows(&h, h.found, found, by_prior, y + 7 * n);
        n += found;
    }
    if (n < rows)
        y[7 * n] = -1;
    return store_f64(c, 0, y);
}

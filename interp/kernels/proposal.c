/* Proposal-1 and -4, ExperimentalDetectronGenerateProposalsSingleImage-6, GenerateProposals-9:
 * region proposals from anchors shifted by deltas, in double precision. */
#include "interp/call/kernel.h"
#include "interp/kernels/boxes.h"
#include "interp/maths/maths.h"

#include <math.h>
#include <string.h>

/* What they have in common. Deltas are [anchors, 4, rows, columns], scores are [anchors, rows,
 * columns]. Proposals are numbered by rows, columns and anchors. */
typedef struct proposals {
    int64_t rows, columns, anchors, count; /* COUNT: of all proposals */
    const double *deltas, *scores;
    double height, width;    /* of the image */
    double least_h, least_w; /* smallest size of a proposal */
    double edge;             /* 1 if the last pixel belongs to a box, else 0 */
    double move, grow;       /* divisors of the deltas of positions and of sizes */
    double most_log;         /* the greatest delta of a size */
    bool clips, drops;       /* too small proposals are left out; otherwise their score is 0 */
    int64_t before, after;   /* how many are considered, and how many are wanted */
    suppression rule;
    box *boxes;
    detection *list, *spare;
} proposals;

static bool make_room(inlay_call *c, proposals *p)
{
    p->count = p->rows * p->columns * p->anchors;
    p->boxes = inlay_call_memory(c, p->count, sizeof *p->boxes);
    p->list = inlay_call_memory(c, p->count, sizeof *p->list);
    p->spare = inlay_call_memory(c, p->count, sizeof *p->spare);
    return p->boxes && p->list && p->spare;
}

static double within(double x, double limit)
{
    return fmax(0, fmin(x, limit));
}

static void clip(box *b, double width, double height)
{
    *b = (box){within(b->x0, width), within(b->y0, height), within(b->x1, width),
               within(b->y1, height)};
}

/* Returns ANCHOR, moved and scaled by the four deltas from D on, STEP apart. CUT is subtracted from
 * the size to get the far corner. */
static box move_anchor(const proposals *p, const box *anchor, const double *d, int64_t step,
                       double cut)
{
    double w = anchor->x1 - anchor->x0 + p->edge, h = anchor->y1 - anchor->y0 + p->edge;
    double x = anchor->x0 + 0.5 * w + d[0] / p->move * w;
    double y = anchor->y0 + 0.5 * h + d[step] / p->move * h;

    w *= 0.5 * maths_exp_f64(fmin(d[2 * step] / p->grow, p->most_log));
    h *= 0.5 * maths_exp_f64(fmin(d[3 * step] / p->grow, p->most_log));
    return (box){x - w, y - h, x + w - cut, y + h - cut};
}

/* Adds proposal number I from ANCHOR, number K at position PLACE of the map. */
static void propose(proposals *p, int64_t i, const box *anchor, int64_t k, int64_t place,
                    double cut)
{
    int64_t area = p->rows * p->columns;
    box b = move_anchor(p, anchor, p->deltas + 4 * k * area + place, area, cut);
    bool large;

    if (p->clips)
        clip(&b, p->width - p->edge, p->height - p->edge);
    large = b.x1 - b.x0 + p->edge >= p->least_w && b.y1 - b.y0 + p->edge >= p->least_h;
    p->boxes[i] = b;
    p->list[i] = (detection){.score = p->scores[k * area + place], .index = i, .label = large};
    if (!large && !p->drops)
        p->list[i].score = 0;
}

/* Selects proposals, the best first, and returns how many there are. */
static int64_t select_best(proposals *p)
{
    int64_t n = p->count < p->before ? p->count : p->before, left = 0;

    box_sort_detections(p->list, p->count, p->spare);
    for (int64_t i = 0; i < n; i++) {
        if (p->list[i].label || !p->drops)
            p->list[left++] = p->list[i];
    }
    return box_suppress(&p->rule, p->boxes, p->list, left, p->after);
}

/* Proposal */

/* Returns anchor number K at position 0: a square changed to a ratio, times a scale. */
static box make_anchor(const inlay_call *c, const proposals *p, bool rounds, int64_t k)
{
    const inlay_attr *ratios = inlay_node_attr(c->node, "ratio");
    const inlay_attr *scales = inlay_node_attr(c->node, "scale");
    double base = (double)inlay_node_int(c->node, "base_size");
    double ratio = ratios->as.floats[k / scales->n], scale = scales->as.floats[k % scales->n];
    double w = sqrt(base * base / ratio), h = (rounds ? round(w) : w) * ratio;
    double middle = 0.5 * (base - p->edge) - (rounds ? 0 : 0.5 * base);

    w = 0.5 * ((rounds ? round(w) : w) * scale - p->edge);
    h = 0.5 * ((rounds ? round(h) : h) * scale - p->edge);
    return (box){middle - w, middle - h, middle + w, middle + h};
}

/* Sets all proposals of an image. SWAPPED: the rows of the map count along x, and anchors are
 * clipped to the image. */
static void propose_anchors(const inlay_call *c, proposals *p, bool swapped)
{
    double stride = (double)inlay_node_int(c->node, "feat_stride");
    int64_t dims[] = {p->anchors, p->rows, p->columns};

    for (index_iter it = index_begin(3, dims); index_valid(&it); index_next(&it)) {
        int64_t k = it.at[0], place = it.at[1] * p->columns + it.at[2];
        double x = (double)it.at[swapped ? 1 : 2] * stride;
        double y = (double)it.at[swapped ? 2 : 1] * stride;
        box a = make_anchor(c, p, !swapped, k);

        a = (box){a.x0 + x, a.y0 + y, a.x1 + x, a.y1 + y};
        if (swapped)
            clip(&a, p->width, p->height);
        propose(p, place * p->anchors + k, &a, k, place, 0);
    }
}

static void write_proposals(const inlay_call *c, const proposals *p, int64_t image, int64_t n,
                            double *rois)
{
    bool clips = inlay_node_bool(c->node, "clip_after_nms");
    bool normalize = inlay_node_bool(c->node, "normalize");
    double w = normalize ? p->width : 1, h = normalize ? p->height : 1;

    for (int64_t i = 0; i < n; i++, rois += 5) {
        box b = p->boxes[p->list[i].index];

        if (clips)
            clip(&b, p->width, p->height);
        rois[0] = (double)image;
        rois[1] = b.x0 / w;
        rois[2] = b.y0 / h;
        rois[3] = b.x1 / w;
        rois[4] = b.y1 / h;
    }
    if (n < p->after)
        rois[0] = -1;
}

static bool read_proposal(inlay_call *c, proposals *p)
{
    const int64_t *dims = c->in[0]->dims;
    const double *image = load_f64(c, 2);
    double least = (double)inlay_node_int(c->node, "min_size");

    *p = (proposals){.rows = dims[2],
                     .columns = dims[3],
                     .anchors = dims[1] / 2,
                     .edge = *inlay_node_string(c->node, "framework") ? 0 : 1,
                     .move = inlay_node_float(c->node, "box_coordinate_scale"),
                     .grow = inlay_node_float(c->node, "box_size_scale"),
                     .most_log = INFINITY,
                     .clips = inlay_node_bool(c->node, "clip_before_nms"),
                     .before = inlay_node_int(c->node, "pre_nms_topn"),
                     .after = inlay_node_int(c->node, "post_nms_topn")};
    p->rule = (suppression){.threshold = inlay_node_float(c->node, "nms_thresh"),
                            .margin = p->edge,
                            .eta = 1,
                            .touching = true};
    if (!image)
        return false;
    p->height = image[0];
    p->width = image[1];
    p->least_h = least * image[2];
    p->least_w = least * image[c->in[2]->dims[0] - 1];
    return make_room(c, p);
}

bool eval_proposal(inlay_call *c)
{
    const double *scores = load_f64(c, 0), *deltas = load_f64(c, 1);
    int64_t images = c->in[0]->dims[0], rows = c->out[0]->dims[0];
    double *rois = inlay_call_memory(c, rows * 5, sizeof *rois);
    double *best = inlay_call_memory(c, rows, sizeof *best);
    proposals p;

    if (!scores || !deltas || !rois || !best || !read_proposal(c, &p))
        return false;
    for (int64_t n = 0; n < images; n++) {
        int64_t found;

        p.scores = scores + (2 * n + 1) * p.count; /* after those of the background */
        p.deltas = deltas + 4 * n * p.count;
        propose_anchors(c, &p, p.edge == 0);
        found = select_best(&p);
        write_proposals(c, &p, n, found, rois + n * p.after * 5);
        for (int64_t i = 0; i < found; i++)
            best[n * p.after + i] = p.list[i].score;
    }
    return store_f64(c, 0, rois) && (c->n_out < 2 || store_f64(c, 1, best));
}

/* Proposals from anchors that are an operand */

static void read_generate(const inlay_call *c, bool edge, proposals *p)
{
    const inlay_tensor *scores = c->in[3];
    const int64_t *dims = scores->dims + scores->rank - 3;

    *p = (proposals){.anchors = dims[0],
                     .rows = dims[1],
                     .columns = dims[2],
                     .edge = edge,
                     .move = 1,
                     .grow = 1,
                     .most_log = maths_log_f64(1000.0 / 16),
                     .clips = true,
                     .before = inlay_node_int(c->node, "pre_nms_count"),
                     .after = inlay_node_int(c->node, "post_nms_count")};
    p->rule = (suppression){
        .threshold = inlay_node_float(c->node, "nms_threshold"), .eta = 1, .touching = true};
}

static void propose_given(proposals *p, const double *anchors)
{
    for (int64_t i = 0; i < p->count; i++) {
        const double *a = anchors + 4 * i;
        box anchor = {a[0], a[1], a[2], a[3]};

        propose(p, i, &anchor, i % p->anchors, i / p->anchors, p->edge);
    }
}

static void write_rois(const proposals *p, int64_t n, double *rois, double *scores)
{
    for (int64_t i = 0; i < n; i++) {
        const box *b = &p->boxes[p->list[i].index];

        memcpy(rois + 4 * i, (double[]){b->x0, b->y0, b->x1, b->y1}, 4 * sizeof *rois);
        scores[i] = p->list[i].score;
    }
}

bool eval_detectron_generate_proposals(inlay_call *c)
{
    const double *image = load_f64(c, 0), *anchors = load_f64(c, 1);
    int64_t rows = c->out[1]->dims[0];
    double *rois = inlay_call_memory(c, rows * 4, sizeof *rois);
    double *scores = inlay_call_memory(c, rows, sizeof *scores);
    proposals p;

    read_generate(c, true, &p);
    p.deltas = load_f64(c, 2);
    p.scores = load_f64(c, 3);
    if (!image || !anchors || !rois || !scores || !p.deltas || !p.scores || !make_room(c, &p))
        return false;
    p.height = image[0];
    p.width = image[1];
    p.least_h = p.least_w = inlay_node_float(c->node, "min_size");
    propose_given(&p, anchors);
    write_rois(&p, select_best(&p), rois, scores);
    return store_f64(c, 0, rois) && store_f64(c, 1, scores);
}

/* Sets P to image N, whose sizes IMAGE gives. */
static void begin_image(const inlay_call *c, const double *image, int64_t n, proposals *p)
{
    int64_t numbers = c->in[0]->dims[1];
    double least = inlay_node_float(c->node, "min_size");

    image += n * numbers;
    p->height = image[0];
    p->width = image[1];
    p->least_h = least * image[2];
    p->least_w = least * image[numbers - 1];
}

/* Allocates the outputs of all images, and writes the COUNT proposals ROIS and SCORES. */
static bool write_counted(inlay_call *c, const double *rois, const double *scores, int64_t count,
                          const int64_t *counts)
{
    inlay_type type = c->in[0]->type;

    return call_sized_output(c, 0, type, 2, (const int64_t[]){count, 4}) &&
           call_sized_output(c, 1, type, 1, &count) && store_f64(c, 0, rois) &&
           store_f64(c, 1, scores) && store_i64(c, 2, counts);
}

bool eval_generate_proposals(inlay_call *c)
{
    const double *image = load_f64(c, 0), *anchors = load_f64(c, 1);
    const double *deltas = load_f64(c, 2), *given = load_f64(c, 3);
    int64_t images = c->in[3]->dims[0], most, count = 0;
    int64_t *counts = inlay_call_memory(c, images, sizeof *counts);
    double *rois, *scores;
    proposals p;

    read_generate(c, !inlay_node_bool(c->node, "normalized"), &p);
    p.drops = true;
    p.rule.margin = p.edge;
    p.rule.eta = inlay_node_float(c->node, "nms_eta");
    if (!image || !anchors || !deltas || !given || !counts || !make_room(c, &p))
        return false;
    most = p.count < p.after ? p.count : p.after;
    rois = inlay_call_memory(c, images * most * 4, sizeof *rois);
    scores = inlay_call_memory(c, images * most, sizeof *scores);
    if (!rois || !scores)
        return false;
    for (int64_t n = 0; n < images; n++) {
        p.deltas = deltas + 4 * n * p.count;
        p.scores = given + n * p.count;
        begin_image(c, image, n, &p);
        propose_given(&p, anchors);
        counts[n] = select_best(&p);
        write_rois(&p, counts[n], rois + 4 * count, scores + count);
        count += counts[n];
    }
    return write_counted(c, rois, scores, count, counts);
}

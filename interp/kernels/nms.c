/* NonMaxSuppression and NMSRotated: the best boxes of every class of every batch element, by the
 * steps of the specifications, except that a score must be above the threshold, as in OpenVINO,
 * while an overlap equal to its threshold is kept, as in the specifications. If func gives 0, the
 * box is dropped: it is not taken later, however low the score threshold is. */
#include "interp/kernels/nms.h"
#include "interp/maths/maths.h"

#include <math.h>
#include <string.h>

static box corner_box(const double *b)
{
    return (box){fmin(b[1], b[3]), fmin(b[0], b[2]), fmax(b[1], b[3]), fmax(b[0], b[2])};
}

static box center_box(const double *b)
{
    return (box){b[0] - b[2] / 2, b[1] - b[3] / 2, b[0] + b[2] / 2, b[1] + b[3] / 2};
}

static double overlap_straight(const nms *p, const double *a, const double *b)
{
    box one = p->box(a), other = p->box(b);

    return box_overlap(&one, &other, 0);
}

static double overlap_turned(const nms *p, const double *a, const double *b)
{
    turned_box one = {a[0], a[1], a[2], a[3], a[4] * p->turn};
    turned_box other = {b[0], b[1], b[2], b[3], b[4] * p->turn};

    return box_overlap_turned(&one, &other);
}

/* Returns what step 7 calls func: the factor by which a score is multiplied. */
static double decay(const nms *p, double iou)
{
    if (iou > p->iou && (p->sigma == 0 || p->drops))
        return 0;
    return p->sigma == 0 ? 1 : maths_exp_f64(-0.5 * iou * iou / p->sigma);
}

/* Step 4: returns the box with the highest score that is left; -1: none is left. */
static int64_t best_of(const double *score, const bool *left, int64_t n)
{
    int64_t best = -1;

    for (int64_t i = 0; i < n; i++) {
        if (left[i] && !isnan(score[i]) && (best < 0 || score[i] > score[best]))
            best = i;
    }
    return best;
}

/* Selects boxes of one class of one batch element, appends these boxes to FOUND, and returns how
 * many there are. SCORE is used up. */
static int64_t select_class(const nms *p, const double *boxes, double *score, bool *left,
                            detection at, detection *found)
{
    int64_t n = 0;

    for (int64_t i = 0; i < p->boxes; i++)
        left[i] = true;
    while (n < p->most) {
        int64_t best = best_of(score, left, p->boxes);

        if (best < 0 || score[best] <= p->score)
            break;
        left[best] = false;
        at.score = score[best];
        at.index = best;
        found[n++] = at;
        for (int64_t i = 0; i < p->boxes; i++) {
            const double *b = boxes + p->row * best, *other = boxes + p->row * i;
            double factor = left[i] ? decay(p, p->overlap(p, b, other)) : 0;

            left[i] = factor > 0;
            score[i] *= factor;
        }
    }
    return n;
}

static double number(const inlay_call *c, int i)
{
    return call_has(c, i) ? inlay_tensor_get_f64(c->in[i], 0) : 0;
}

void nms_read(const inlay_call *c, nms *p)
{
    int64_t most = call_has(c, 2) ? inlay_tensor_get_i64(c->in[2], 0) : 0;
    const inlay_attr *clockwise = inlay_node_attr(c->node, "clockwise");

    p->batches = c->in[0]->dims[0];
    p->boxes = c->in[0]->dims[1];
    p->row = c->in[0]->dims[2];
    p->classes = c->in[1]->dims[1];
    p->most = most < 0 ? 0 : most > p->boxes ? p->boxes : most;
    p->iou = number(c, 3);
    p->score = number(c, 4);
    p->sigma = number(c, 5);
    p->drops = c->node->op->version == 5;
    p->box = NULL;
    if (clockwise) {
        p->turn = clockwise->as.b ? 1 : -1;
        p->overlap = overlap_turned;
    } else {
        bool center = strcmp(inlay_node_string(c->node, "box_encoding"), "center") == 0;

        p->box = center ? center_box : corner_box;
        p->overlap = overlap_straight;
    }
}

static inlay_type score_type(const inlay_call *c)
{
    for (int i = 3; i < 6; i++) {
        if (call_has(c, i))
            return c->in[i]->type;
    }
    return INLAY_F32;
}

/* Returns the rows of output 0, ROWS of them, of which those behind the N that are FOUND are -1. */
static int64_t *list_indices(inlay_call *c, const detection *found, int64_t n, int64_t rows)
{
    static const detection none = {.batch = -1, .label = -1, .index = -1};
    int64_t *x = inlay_call_memory(c, 3 * rows, sizeof *x);

    for (int64_t i = 0; x && i < rows; i++) {
        const detection *d = i < n ? &found[i] : &none;

        x[3 * i] = d->batch;
        x[3 * i + 1] = d->label;
        x[3 * i + 2] = d->index;
    }
    return x;
}

static bool write_found(inlay_call *c, const detection *found, int64_t n)
{
    inlay_type type = inlay_node_type(c->node, "output_type");
    int64_t dims[] = {n, 3}, *x = list_indices(c, found, n, n);
    double *y = inlay_call_memory(c, 3 * n, sizeof *y);

    if (!x || !y || !call_sized_output(c, 0, type, 2, dims) ||
        !call_sized_output(c, 1, score_type(c), 2, dims))
        return false;
    for (int64_t i = 0; i < n; i++) {
        y[3 * i] = (double)found[i].batch;
        y[3 * i + 1] = (double)found[i].label;
        y[3 * i + 2] = found[i].score;
    }
    inlay_tensor_set_i64(c->out[2], 0, n);
    return store_i64(c, 0, x) && store_f64(c, 1, y);
}

/* Versions before 5 have room for a number of boxes that does not depend on data. */
static bool write_padded(inlay_call *c, const detection *found, int64_t n)
{
    int64_t *x = list_indices(c, found, n, c->out[0]->dims[0]);

    return x && store_i64(c, 0, x);
}

bool nms_write(inlay_call *c, detection *found, int64_t n, detection *spare)
{
    if (inlay_node_bool(c->node, "sort_result_descending"))
        box_sort_detections(found, n, spare);
    return c->n_out > 1 ? write_found(c, found, n) : write_padded(c, found, n);
}

bool eval_non_max_suppression(inlay_call *c)
{
    const double *boxes = load_f64(c, 0), *scores = load_f64(c, 1);
    detection *found, *spare;
    int64_t n = 0;
    double *score;
    bool *left;
    nms p;

    nms_read(c, &p);
    found = inlay_call_memory(c, p.batches * p.classes * p.most, sizeof *found);
    spare = inlay_call_memory(c, p.batches * p.classes * p.most, sizeof *spare);
    score = inlay_call_memory(c, p.boxes, sizeof *score);
    left = inlay_call_memory(c, p.boxes, sizeof *left);
    if (!boxes || !scores || !found || !spare || !score || !left)
        return false;
    for (int64_t b = 0; b < p.batches; b++) {
        for (int64_t k = 0; k < p.classes; k++) {
            for (int64_t i = 0; i < p.boxes; i++)
                score[i] = scores[(b * p.classes + k) * p.boxes + i];
            n += select_class(&p, boxes + b * p.boxes * p.row, score, left,
                              (detection){.batch = b, .label = k}, found + n);
        }
    }
    return nms_write(c, found, n, spare);
}

bool eval_padded_suppression(inlay_call *c)
{
    return eval_non_max_suppression(c);
}

/* MatrixNms-8, MulticlassNms-8 and -9: boxes of several classes that do not overlap too much, with
 * their class and score, in double precision. */
#include "interp/call/kernel.h"
#include "interp/kernels/boxes.h"
#include "interp/maths/maths.h"

#include <math.h>
#include <string.h>

typedef struct multiclass multiclass;

/* Reduces LIST, N detections of one class with the best first, and returns how many are left. */
typedef int64_t reduce_fn(const multiclass *m, detection *list, int64_t n);

/* The index of a detection is the number of its row in BOXES. Boxes are [images, boxes] for all
 * classes, or [classes, boxes] with those of all images one after the other. */
struct multiclass {
    bool own; /* each class has boxes of its own */
    int64_t images, classes, boxes;
    const double *scores;
    const int64_t *counts; /* the number of boxes of each image, if each class has its own */
    const box *box;
    int64_t top, keep, background; /* -1: all; none */
    double threshold, post, sigma, margin;
    bool at_least; /* a score may equal its threshold */
    bool gaussian;
    suppression rule;
    reduce_fn *reduce;
    double *most; /* scratch: a number for each box */
    detection *found, *spare;
    int64_t n; /* detections so far */
};

/* Scores are [images, classes, boxes] or [classes, boxes]. Adds the selected boxes of class K among
 * COUNT boxes of image N, whose first one is number FIRST. */
static void select_class(multiclass *m, int64_t n, int64_t k, int64_t first, int64_t count)
{
    int64_t row = m->own ? k * m->boxes + first : n * m->boxes, left = 0;
    const double *scores = m->scores + (m->own ? row : (n * m->classes + k) * m->boxes);
    detection *list = m->found + m->n;

    for (int64_t i = 0; i < count; i++) {
        if (scores[i] > m->threshold || (m->at_least && scores[i] == m->threshold))
            list[left++] = (detection){scores[i], n, k, row + i};
    }
    box_sort_detections(list, left, m->spare);
    if (m->top >= 0 && left > m->top)
        left = m->top;
    m->n += m->reduce(m, list, left);
}

/* Sorts N detections by class; those of one class keep their order. */
static void sort_by_class(const multiclass *m, detection *list, int64_t n)
{
    int64_t to = 0;

    for (int64_t k = 0; k < m->classes; k++) {
        for (int64_t i = 0; i < n; i++) {
            if (list[i].label == k)
                m->spare[to++] = list[i];
        }
    }
    if (n > 0)
        memcpy(list, m->spare, (size_t)n * sizeof *list);
}

/* Selects boxes of all classes of image N, whose first one is number FIRST, and returns how many
 * there are. */
static int64_t select_image(multiclass *m, int64_t n, int64_t first, int64_t count, bool by_class)
{
    int64_t begin = m->n, found;

    for (int64_t k = 0; k < m->classes; k++) {
        if (k != m->background)
            select_class(m, n, k, first, count);
    }
    found = m->n - begin;
    box_sort_detections(m->found + begin, found, m->spare);
    if (m->keep >= 0 && found > m->keep)
        found = m->keep;
    m->n = begin + found;
    if (by_class)
        sort_by_class(m, m->found + begin, found);
    return found;
}

static bool check_counts(inlay_call *c, const multiclass *m)
{
    int64_t sum = 0;

    for (int64_t n = 0; n < m->images; n++) {
        if (m->counts[n] < 0 || m->counts[n] > m->boxes - sum)
            return inlay_call_fail(c,
                                   "%s is %lld, there are %lld boxes, of which %lld were on "
                                   "others",
                                   call_element_name(c, 2, n), (long long)m->counts[n],
                                   (long long)m->boxes, (long long)sum);
        sum += m->counts[n];
    }
    return true;
}

/* The spellings of model files are tried before those of the documentation. */
static const char *sort_order(const inlay_call *c)
{
    const inlay_attr *type = inlay_node_attr(c->node, "sort_result_type");

    return type ? type->as.s : inlay_node_string(c->node, "sort_result");
}

/* Selects boxes of all images; COUNTS receives the number for each of them. */
static bool select_all(inlay_call *c, multiclass *m, int64_t *counts)
{
    bool across = inlay_node_bool(c->node, "sort_result_across_batch");
    bool by_class = strncmp(sort_order(c), "class", strlen("class")) == 0;
    int64_t first = 0;

    if (m->own && !check_counts(c, m))
        return false;
    for (int64_t n = 0; n < m->images; n++) {
        int64_t count = m->own ? m->counts[n] : m->boxes;

        counts[n] = select_image(m, n, first, count, by_class && !across);
        first += count;
    }
    if (across && by_class)
        sort_by_class(m, m->found, m->n);
    else if (across && strcmp(sort_order(c), "score") == 0)
        box_sort_detections(m->found, m->n, m->spare);
    return true;
}

static bool write_all(inlay_call *c, const multiclass *m, const int64_t *counts)
{
    inlay_type type = inlay_node_type(c->node, "output_type");
    inlay_tensor *rows, *indices;

    rows = call_sized_output(c, 0, c->in[0]->type, 2, (const int64_t[]){m->n, 6});
    indices = call_sized_output(c, 1, type, 2, (const int64_t[]){m->n, 1});
    if (!rows || !indices)
        return false;
    for (int64_t i = 0; i < m->n; i++) {
        const detection *d = &m->found[i];
        const box *b = &m->box[d->index];
        const double row[] = {(double)d->label, d->score, b->x0, b->y0, b->x1, b->y1};

        for (int k = 0; k < 6; k++)
            inlay_tensor_set_f64(rows, 6 * i + k, row[k]);
        inlay_tensor_set_i64(indices, i,
                             m->own ? (d->index - d->label * m->boxes) * m->classes + d->label
                                    : d->index);
    }
    return store_i64(c, 2, counts);
}

static bool read_boxes(inlay_call *c, multiclass *m)
{
    const double *rows = load_f64(c, 0);
    int64_t n = c->in[0]->dims[0] * c->in[0]->dims[1];
    box *boxes = inlay_call_memory(c, n, sizeof *boxes);

    for (int64_t i = 0; rows && boxes && i < n; i++, rows += 4)
        boxes[i] = (box){rows[0], rows[1], rows[2], rows[3]};
    m->box = boxes;
    return rows && boxes;
}

static bool read_multiclass(inlay_call *c, multiclass *m)
{
    const int64_t *scores = c->in[1]->dims;
    int64_t room = inlay_tensor_count(c->in[1]);

    m->own = c->in[1]->rank == 2;
    m->images = m->own ? c->in[2]->dims[0] : scores[0];
    m->classes = scores[m->own ? 0 : 1];
    m->boxes = c->in[0]->dims[1];
    m->top = inlay_node_int(c->node, "nms_top_k");
    m->keep = inlay_node_int(c->node, "keep_top_k");
    m->background = inlay_node_int(c->node, "background_class");
    m->threshold = inlay_node_float(c->node, "score_threshold");
    m->margin = inlay_node_bool(c->node, "normalized") ? 0 : 1;
    m->scores = load_f64(c, 1);
    m->counts = m->own ? load_i64(c, 2) : NULL;
    m->most = inlay_call_memory(c, m->boxes, sizeof *m->most);
    m->found = inlay_call_memory(c, room, sizeof *m->found);
    m->spare = inlay_call_memory(c, room, sizeof *m->spare);
    return m->scores && (!m->own || m->counts) && m->most && m->found && m->spare &&
           read_boxes(c, m);
}

static bool run(inlay_call *c, multiclass *m)
{
    int64_t *counts;

    if (!read_multiclass(c, m) || !(counts = inlay_call_memory(c, m->images, sizeof *counts)))
        return false;
    m->rule.margin = m->margin;
    return select_all(c, m, counts) && write_all(c, m, counts);
}

static int64_t suppress(const multiclass *m, detection *list, int64_t n)
{
    return box_suppress(&m->rule, m->box, list, n, n);
}

bool eval_multiclass_nms(inlay_call *c)
{
    multiclass m = {.at_least = true,
                    .reduce = suppress,
                    .rule = {.threshold = inlay_node_float(c->node, "iou_threshold"),
                             .eta = inlay_node_float(c->node, "nms_eta"),
                             .inclusive = true}};

    return run(c, &m);
}

static double overlap_of(const multiclass *m, const detection *a, const detection *b)
{
    const box *one = &m->box[a->index], *other = &m->box[b->index];

    return box_touches(one, other) ? box_overlap(one, other, m->margin) : 0;
}

/* Returns the factor for a score if a better box, whose own largest overlap with a better one is
 * MOST, overlaps by X. */
static double decay(const multiclass *m, double x, double most)
{
    return m->gaussian ? maths_exp_f64((most * most - x * x) * m->sigma)
                       : (1 - x) / (1 - most + 1e-10);
}

/* The score of each box decays under all better ones. */
static int64_t decay_scores(const multiclass *m, detection *list, int64_t n)
{
    int64_t left = 0;

    for (int64_t i = 0; i < n; i++) { /* first the largest overlap of each box with a better one */
        m->most[i] = 0;
        for (int64_t k = 0; k < i; k++)
            m->most[i] = fmax(m->most[i], overlap_of(m, &list[i], &list[k]));
    }
    for (int64_t i = 0; i < n; i++) {
        double least = 1;

        for (int64_t k = 0; k < i; k++)
            least = fmin(least, decay(m, overlap_of(m, &list[i], &list[k]), m->most[k]));
        list[i].score *= least;
    }
    for (int64_t i = 0; i < n; i++) {
        if (list[i].score > m->post)
            list[left++] = list[i];
    }
    return left;
}

bool eval_matrix_nms(inlay_call *c)
{
    multiclass m = {.reduce = decay_scores,
                    .post = inlay_node_float(c->node, "post_threshold"),
                    .sigma = inlay_node_float(c->node, "gaussian_sigma"),
                    .gaussian =
                        strcmp(inlay_node_string(c->node, "decay_function"), "gaussian") == 0};

    return run(c, &m);
}

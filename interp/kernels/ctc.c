/* CTCGreedyDecoder-1, CTCGreedyDecoderSeqLen-6, CTCLoss-4. A path is a class for each step. Its
 * sequence is the path without classes that repeat the one before, and then without blanks: a path
 * a a - a b, where - is blank, has the sequence a a b. */
#include "interp/call/kernel.h"
#include "interp/kernels/softmax.h"
#include "interp/maths/maths.h"

#include <inttypes.h>
#include <math.h>

/* Greedy decoding */

typedef struct decoder {
    int64_t classes, blank, step; /* STEP: how far the numbers of two steps are apart */
    bool merge;
} decoder;

static int64_t likeliest(const double *x, int64_t n)
{
    int64_t best = 0;

    for (int64_t i = 1; i < n; i++) {
        if (x[i] > x[best] || (isnan(x[best]) && !isnan(x[i])))
            best = i;
    }
    return best;
}

/* Puts the sequence of the likeliest path of STEPS steps into OUT, and returns its length. */
static int64_t decode(const decoder *d, const double *x, int64_t steps, double *out)
{
    int64_t n = 0, before = -1;

    for (int64_t t = 0; t < steps; t++) {
        int64_t k = likeliest(x + t * d->step, d->classes);

        if (k != d->blank && !(d->merge && k == before))
            out[n++] = (double)k;
        before = k;
    }
    return n;
}

/* Returns room for N classes, all of which are -1; NULL after recording the error. */
static double *no_classes(inlay_call *c, int64_t n)
{
    double *y = inlay_call_memory(c, n, sizeof *y);

    for (int64_t i = 0; y && i < n; i++)
        y[i] = -1;
    return y;
}

static bool check_classes(inlay_call *c, int64_t classes, int64_t sequences)
{
    return classes > 0 || sequences == 0 || inlay_call_fail(c, "there are no classes");
}

bool eval_ctc_greedy_decoder(inlay_call *c)
{
    const int64_t *dims = c->in[0]->dims, steps = dims[0], batch = dims[1];
    decoder d = {.classes = dims[2], .blank = dims[2] - 1, .step = batch * dims[2]};
    const double *x = load_f64(c, 0), *mask = load_f64(c, 1);
    double *y = no_classes(c, steps * batch);

    d.merge = inlay_node_bool(c->node, "ctc_merge_repeated");
    if (!x || !mask || !y || !check_classes(c, d.classes, steps * batch))
        return false;
    for (int64_t n = 0; n < batch; n++) {
        int64_t length = 0;

        while (length < steps && mask[length * batch + n] != 0)
            length++;
        decode(&d, x + n * d.classes, length, y + n * steps);
    }
    return store_f64(c, 0, y);
}

/* Returns whether element N of operand I, which is LENGTH, can be that of a sequence. */
static bool check_length(inlay_call *c, int i, int64_t n, int64_t length, int64_t most)
{
    return (length >= 0 && length <= most) ||
           inlay_call_fail(c, "%s is %" PRId64 ", it must be in [0, %" PRId64 "]",
                           call_element_name(c, i, n), length, most);
}

/* Reads the class that is blank: operand I, or the last one. */
static bool read_blank(inlay_call *c, int i, int64_t classes, int64_t *blank)
{
    *blank = classes - 1;
    return !call_has(c, i) || load_one_int(c, i, blank);
}

bool eval_ctc_greedy_decoder_seq_len(inlay_call *c)
{
    const int64_t *dims = c->in[0]->dims, batch = dims[0], steps = dims[1];
    const int64_t *length = load_i64(c, 1);
    decoder d = {.classes = dims[2], .step = dims[2]};
    const double *x = load_f64(c, 0);
    double *y = no_classes(c, batch * steps);
    int64_t *found = inlay_call_memory(c, batch, sizeof *found);

    d.merge = inlay_node_bool(c->node, "merge_repeated");
    if (!x || !length || !y || !found || !read_blank(c, 2, d.classes, &d.blank) ||
        !check_classes(c, d.classes, batch * steps))
        return false;
    for (int64_t n = 0; n < batch; n++) {
        if (!check_length(c, 1, n, length[n], steps))
            return false;
        found[n] = decode(&d, x + n * steps * d.step, length[n], y + n * steps);
    }
    return store_f64(c, 0, y) && store_i64(c, 1, found);
}

/* CTCLoss */

typedef struct loss {
    int64_t steps, classes, blank;
    bool collapse, merge, unique;
    int64_t *target; /* the labels that are left of one sequence */
    double *log_p;   /* [steps, classes]: the logarithms of the probabilities of one sequence */
    double *ways;    /* by place in the target: of all paths that lead there */
} loss;

/* Returns log(exp(a) + exp(b)). */
static double log_sum(double a, double b)
{
    double more = a > b ? a : b, less = a > b ? b : a;

    return less == -INFINITY ? more : more + maths_log1p_d(maths_exp_f64(less - more));
}

/* Returns whether a label is dropped before paths are looked for, after N labels that were kept. */
static bool is_dropped(const loss *p, int64_t label, int64_t n)
{
    if (!p->unique)
        return p->collapse && n > 0 && p->target[n - 1] == label;
    for (int64_t i = 0; i < n; i++) {
        if (p->target[i] == label)
            return true;
    }
    return false;
}

static int64_t read_target(const loss *p, const int64_t *labels, int64_t length)
{
    int64_t n = 0;

    for (int64_t i = 0; i < length; i++) {
        if (!is_dropped(p, labels[i], n))
            p->target[n++] = labels[i];
    }
    return n;
}

/* Returns the class at place K of a target with a blank before and behind each label. */
static int64_t class_at(const loss *p, int64_t k)
{
    return k % 2 == 0 ? p->blank : p->target[k / 2];
}

/* Returns the logarithm of the sum of all paths that have the sequence of N labels. A path stands
 * at a place of the target with blanks; each step it stays, or goes to the next place, or to the
 * next label, if that is another one. */
static double sum_merged(const loss *p, int64_t n, int64_t steps)
{
    int64_t places = 2 * n + 1;

    for (int64_t k = 0; k < places; k++)
        p->ways[k] = k == 0 ? 0 : -INFINITY; /* as if a blank stood before the first step */
    for (int64_t t = 0; t < steps; t++) {
        for (int64_t k = places - 1; k >= 0; k--) {
            double sum = p->ways[k];

            if (k > 0)
                sum = log_sum(sum, p->ways[k - 1]);
            if (k > 1 && k % 2 == 1 && class_at(p, k) != class_at(p, k - 2))
                sum = log_sum(sum, p->ways[k - 2]);
            p->ways[k] = sum + p->log_p[t * p->classes + class_at(p, k)];
        }
    }
    return n > 0 ? log_sum(p->ways[places - 1], p->ways[places - 2]) : p->ways[0];
}

/* The same where repeated classes are not merged: each step is a blank or the next label. */
static double sum_unmerged(const loss *p, int64_t n, int64_t steps)
{
    for (int64_t k = 0; k <= n; k++)
        p->ways[k] = k == 0 ? 0 : -INFINITY;
    for (int64_t t = 0; t < steps; t++) {
        const double *log_p = p->log_p + t * p->classes;

        for (int64_t k = n; k >= 0; k--) {
            double stay = p->ways[k] + log_p[p->blank];

            p->ways[k] = k == 0 ? stay : log_sum(stay, p->ways[k - 1] + log_p[p->target[k - 1]]);
        }
    }
    return p->ways[n];
}

static bool check_labels(inlay_call *c, const loss *p, const int64_t *labels, int64_t n,
                         int64_t length)
{
    for (int64_t at = n * p->steps; at < n * p->steps + length; at++) {
        if (labels[at] < 0 || labels[at] >= p->classes)
            return inlay_call_fail(c, "%s is %" PRId64 ", there are %" PRId64 " classes",
                                   call_element_name(c, 2, at), labels[at], p->classes);
    }
    return true;
}

/* Returns the loss of a sequence of STEPS steps, whose logits begin at X and whose target has
 * LENGTH labels. No path has a blank in its sequence. */
static double loss_of(const loss *p, const double *x, int64_t steps, const int64_t *labels,
                      int64_t length)
{
    int64_t n = read_target(p, labels, length);

    for (int64_t i = 0; i < n; i++) {
        if (p->target[i] == p->blank)
            return INFINITY;
    }
    for (int64_t t = 0; t < steps; t++)
        log_softmax_line_f64(x + t * p->classes, p->log_p + t * p->classes, p->classes, 1);
    return 0 - (p->merge ? sum_merged(p, n, steps) : sum_unmerged(p, n, steps));
}

static bool read_loss(inlay_call *c, loss *p)
{
    const inlay_tensor *logits = c->in[0];

    p->steps = logits->dims[1];
    p->classes = logits->dims[2];
    p->collapse = inlay_node_bool(c->node, "preprocess_collapse_repeated");
    p->merge = inlay_node_bool(c->node, "ctc_merge_repeated");
    p->unique = inlay_node_bool(c->node, "unique");
    if (!read_blank(c, 4, p->classes, &p->blank))
        return false;
    if ((p->blank < 0 || p->blank >= p->classes) && logits->dims[0] > 0)
        return inlay_call_fail(c, "blank_index is %" PRId64 ", there are %" PRId64 " classes",
                               p->blank, p->classes);
    p->target = inlay_call_memory(c, p->steps, sizeof *p->target);
    p->log_p = inlay_call_memory(c, p->steps * p->classes, sizeof *p->log_p);
    p->ways = inlay_call_memory(c, 2 * p->steps + 1, sizeof *p->ways);
    return p->target && p->log_p && p->ways;
}

bool eval_ctc_loss(inlay_call *c)
{
    const double *x = load_f64(c, 0);
    const int64_t *steps = load_i64(c, 1), *labels = load_i64(c, 2), *length = load_i64(c, 3);
    int64_t batch = c->in[0]->dims[0];
    double *y = inlay_call_memory(c, batch, sizeof *y);
    loss p;

    if (!x || !steps || !labels || !length || !y || !read_loss(c, &p))
        return false;
    for (int64_t n = 0; n < batch; n++) {
        if (!check_length(c, 1, n, steps[n], p.steps) ||
            !check_length(c, 3, n, length[n], p.steps) ||
            !check_labels(c, &p, labels, n, length[n]))
            return false;
        y[n] = loss_of(&p, x + n * p.steps * p.classes, steps[n], labels + n * p.steps, length[n]);
    }
    return store_f64(c, 0, y);
}

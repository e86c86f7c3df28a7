/* Computes the values of two graphs on the same inputs, and pairs those that are equal. */
#include "cli/match.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- tensors ---- */

/* A number from -1 to 1 for place I. */
static double weight(uint64_t i)
{
    uint64_t x = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);

    x ^= x >> 29;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    return (double)(int64_t)x / 9.3e18;
}

static match_print print_of_strings(const inlay_tensor *t)
{
    match_print p = {0, 1};
    int64_t n = inlay_tensor_count(t);

    for (int64_t i = 0; i < n; i++) {
        inlay_string s = inlay_tensor_get_string(t, i);

        for (size_t k = 0; k < s.length; k++)
            p.sum += weight((uint64_t)i * 997 + k) * (double)(unsigned char)s.bytes[k];
    }
    return p;
}

match_print match_print_of(const inlay_tensor *t)
{
    match_print p = {0, 0};
    int64_t n = inlay_tensor_count(t);

    if (t->type == INLAY_STRING)
        return print_of_strings(t);
    for (int64_t i = 0; i < n; i++) {
        double x = inlay_tensor_get_f64(t, i);

        if (!(fabs(x) < MATCH_HUGE))
            continue;
        p.sum += x * weight((uint64_t)i);
        p.size += x * x;
    }
    p.size = sqrt(p.size);
    return p;
}

static inlay_type_class class_of(const inlay_tensor *t)
{
    inlay_type_class c = inlay_type_info_of(t->type)->cls;

    return c == INLAY_CLASS_UNSIGNED ? INLAY_CLASS_SIGNED : c;
}

bool match_comparable(const inlay_tensor *x, const inlay_tensor *y)
{
    return class_of(x) == class_of(y) && class_of(x) != INLAY_CLASS_COMPLEX &&
           inlay_tensor_count(x) == inlay_tensor_count(y);
}

static bool same_string(const inlay_tensor *x, const inlay_tensor *y, int64_t i)
{
    inlay_string a = inlay_tensor_get_string(x, i), b = inlay_tensor_get_string(y, i);

    return a.length == b.length && (a.length == 0 || memcmp(a.bytes, b.bytes, a.length) == 0);
}

static bool same_elements(const match *m, const inlay_tensor *x, const inlay_tensor *y, double size)
{
    int64_t n = inlay_tensor_count(x);
    bool exact = !inlay_type_is_float(x->type);
    double usual = n > 0 ? size / sqrt((double)n) : 0;

    for (int64_t i = 0; i < n; i++) {
        double p, q;

        if (x->type == INLAY_STRING) {
            if (!same_string(x, y, i))
                return false;
            continue;
        }
        p = inlay_tensor_get_f64(x, i);
        q = inlay_tensor_get_f64(y, i);
        if (p == q || (isnan(p) && isnan(q)))
            continue;
        if (exact || !(fabs(p - q) <= m->atol + m->rtol * fmax(fabs(p), usual)))
            return false;
    }
    return true;
}

bool match_equal(const match *m, const inlay_tensor *x, const match_print *px,
                 const inlay_tensor *y, const match_print *py)
{
    double n, far;

    if (!x || !y || !match_comparable(x, y))
        return false;
    n = sqrt((double)inlay_tensor_count(x) + 1);
    far = m->atol * n * n + 2 * m->rtol * n * (px->size + py->size);
    return (!isfinite(px->size) || !isfinite(py->size) || fabs(px->sum - py->sum) <= far) &&
           same_elements(m, x, y, px->size);
}

double match_error(const inlay_tensor *x, const inlay_tensor *y)
{
    int64_t n = inlay_tensor_count(x);
    double own = 0, other = 0;

    if (x->type == INLAY_STRING)
        return 1;
    for (int64_t i = 0; i < n; i++) {
        double p = inlay_tensor_get_f64(x, i), q = inlay_tensor_get_f64(y, i);

        if (p == q || (isnan(p) && isnan(q)) || (fabs(p) > MATCH_HUGE && fabs(q) > MATCH_HUGE))
            continue;
        other += (p - q) * (p - q);
    }
    for (int64_t i = 0; i < n; i++) {
        double p = inlay_tensor_get_f64(x, i);

        own += fabs(p) < MATCH_HUGE ? p * p : 0;
    }
    return other == 0 ? 0 : own > 0 ? sqrt(other / own) : 1;
}

/* ---- the values of a graph ---- */

int match_index(const match_side *s, const inlay_value *v)
{
    return s->first[v->node->id] + v->index;
}

int match_output(const match_side *s, int i)
{
    return match_index(s, s->g->results[i]->in[0].value);
}

static bool list_values(match_side *s, inlay_diags *d)
{
    size_t n = 0;

    if (!inlay_order(s->g, false, &s->order, d))
        return false;
    for (size_t i = 0; i < s->order.n; i++)
        n += (size_t)s->order.nodes[i]->n_out;
    s->values = calloc(n + 1, sizeof *s->values);
    s->first = calloc((size_t)s->g->next_id + 1, sizeof *s->first);
    if (!s->values || !s->first)
        return inlay_fail_memory(d);
    for (size_t i = 0; i < s->order.n; i++) {
        const inlay_node *node = s->order.nodes[i];

        s->first[node->id] = s->n;
        for (int k = 0; k < node->n_out; k++)
            s->values[s->n++] = (match_value){.v = &node->out[k], .pair = -1, .repeats = -1};
    }
    return true;
}

/* Collects the operands of NODE in a draw. False: one is not computed. */
static bool operands(const match_side *s, const inlay_node *node, int draw, const inlay_tensor **in,
                     bool *varies)
{
    for (int i = 0; i < node->n_in; i++) {
        const inlay_value *v = node->in[i].value;
        const match_value *x = v ? &s->values[match_index(s, v)] : NULL;

        in[i] = x ? x->t[draw] : NULL;
        *varies = *varies || (x && x->varies);
        if (x && !in[i])
            return false;
    }
    return true;
}

static void fail_value(match_side *s, const inlay_diags *said)
{
    const inlay_diag *error = inlay_diags_error(said);

    if (!*s->failure)
        snprintf(s->failure, sizeof s->failure, "%s", error ? error->text : "out of memory");
}

static void keep_value(match *m, match_value *v, int draw, inlay_tensor *t)
{
    v->t[draw] = t;
    if (!t)
        return;
    m->held += inlay_tensor_bytes(t);
    v->print[draw] = match_print_of(t);
}

/* Computes the outputs of NODE. What cannot be computed stays NULL. */
static bool compute_node(match *m, match_side *s, const inlay_node *node, int draw, inlay_diags *d)
{
    match_value *own = &s->values[s->first[node->id]];
    size_t n = (size_t)(node->n_in + node->n_out) + 1;
    const inlay_tensor **in = calloc(n, sizeof *in);
    inlay_tensor **out = calloc(n, sizeof *out);
    inlay_diags *said = inlay_diags_new();
    bool varies = false, whole = in && out && said;

    if (whole && operands(s, node, draw, in, &varies)) {
        if (!m->ev.eval_node(m->ev.ctx, node, in, out, said))
            fail_value(s, said);
        for (int k = 0; k < node->n_out; k++)
            keep_value(m, &own[k], draw, out[k]);
    }
    for (int k = 0; k < node->n_out; k++)
        own[k].varies = varies;
    free(in);
    free(out);
    inlay_diags_free(said);
    if (!whole)
        return inlay_fail_memory(d);
    return !m->max_memory || m->held <= m->max_memory ||
           inlay_fail_resource(d, NULL,
                               "the values of both graphs take more than the memory limit");
}

static bool compute(match *m, match_side *s, const inlay_tensor *const *in, int draw,
                    inlay_diags *d)
{
    bool ok = true;

    for (int i = 0; i < s->g->n_params; i++) {
        match_value *x = &s->values[s->first[s->g->params[i]->id]];

        x->varies = true;
        x->t[draw] = inlay_tensor_retain(in[i]);
        x->print[draw] = match_print_of(in[i]);
    }
    for (size_t i = 0; ok && i < s->order.n; i++) {
        const inlay_node *node = s->order.nodes[i];

        if (!inlay_node_is(node, INLAY_OP_PARAMETER) && !inlay_node_is(node, INLAY_OP_RESULT))
            ok = compute_node(m, s, node, draw, d);
    }
    return ok;
}

static bool compute_both(match *m, inlay_tensor *const *in, int draw, inlay_diags *d)
{
    const inlay_tensor **other = calloc((size_t)m->b.g->n_params + 1, sizeof *other);
    const inlay_tensor *const *own = (const inlay_tensor *const *)in;
    const inlay_node *lost = other ? cli_order_inputs(m->a.g, own, m->b.g, other) : NULL;
    bool ok = other != NULL || inlay_fail_memory(d);

    if (lost)
        ok = inlay_fail_node(d, lost, "the first graph has no such input");
    ok = ok && compute(m, &m->a, own, draw, d) && compute(m, &m->b, other, draw, d);
    free(other);
    for (int i = 0; ok && i < m->a.g->n_results; i++) {
        if (!m->a.values[match_output(&m->a, i)].t[draw])
            ok = inlay_fail(
                d, NULL,
                "the first graph cannot be computed on the inputs, and -i gives others: %s",
                m->a.failure);
    }
    return ok;
}

/* ---- pairs ---- */

bool match_only_moves(const inlay_node *n)
{
    return (n->op->flags & (INLAY_MOVES | INLAY_VIEW | INLAY_RESHAPES | INLAY_CONVERTS)) != 0;
}

bool match_same_dims(const inlay_tensor *x, const inlay_tensor *y)
{
    return x->rank == y->rank && memcmp(x->dims, y->dims, (size_t)x->rank * sizeof *x->dims) == 0;
}

/* Returns the first draw in which X and Y differ; where they never do, the number of draws. */
static int differing_draw(const match *m, const match_value *x, const match_value *y)
{
    int k = 0;

    while (k < m->draws && match_equal(m, x->t[k], &x->print[k], y->t[k], &y->print[k]))
        k++;
    return k;
}

static bool equal_values(const match *m, const match_value *x, const match_value *y)
{
    return differing_draw(m, x, y) == m->draws;
}

/* Of several counterparts the one is best that has the same shape, has none yet, and is nearest. */
static double rank(const match *m, int a, int b)
{
    const match_value *x = &m->a.values[a], *y = &m->b.values[b];
    double away = fabs((double)a / m->a.n - (double)b / m->b.n);

    return away + (x->pair >= 0) + 2 * !match_same_dims(x->t[0], y->t[0]);
}

/* What computes something, and gives what it took, such as a sum over an axis of size 1, or what is
 * added to next to nothing, is no counterpart of that (nor is what
 * does so again). */
static bool only_repeats(const match *m, int a, int b)
{
    const match_value *y = &m->b.values[b];
    bool repeats = false;

    if (match_only_moves(y->v->node))
        return false;
    for (int k = 0; k < y->v->node->n_in && !repeats; k++) {
        const inlay_value *v = y->v->node->in[k].value;
        const match_value *x = v ? &m->b.values[match_index(&m->b, v)] : NULL;

        repeats = x && x->varies && (x->pair == a || x->repeats == a);
    }
    return repeats;
}

static void pair_value(match *m, int b)
{
    match_value *y = &m->b.values[b];
    int best = -1;

    if (!y->varies || !y->t[0])
        return;
    for (int a = 0; a < m->a.n; a++) {
        const match_value *x = &m->a.values[a];

        if (x->varies && y->repeats < 0 && only_repeats(m, a, b) && equal_values(m, x, y))
            y->repeats = a;
        else if (x->varies && x->t[0] && match_comparable(x->t[0], y->t[0]) &&
                 (best < 0 || rank(m, a, b) < rank(m, best, b)) && equal_values(m, x, y))
            best = a;
    }
    y->pair = best;
    if (best >= 0 && m->a.values[best].pair < 0)
        m->a.values[best].pair = b;
}

/* Is the root of the mean square of the difference of X and Y surely more than half of that of X, as
 * their fingerprints say? */
static bool is_far(const match_print *x, const match_print *y)
{
    return fabs(x->size - y->size) > 0.5 * x->size || fabs(x->sum - y->sum) > x->size;
}

/* Returns the value of A of the same name, if an operation of the same kind makes it; -1: none. */
static int namesake(const match *m, const match_value *y)
{
    const inlay_node *own = y->v->node, *named = inlay_graph_node(m->a.g, own->name);
    int a = named && named->op->kind == own->op->kind && named->n_out == own->n_out
                ? match_index(&m->a, &named->out[y->v->index])
                : -1;
    const match_value *x = a >= 0 ? &m->a.values[a] : NULL;

    return x && x->v->node == named && x->t[0] && match_comparable(x->t[0], y->t[0]) ? a : -1;
}

/* Returns the value of A that is nearest to B, the value of a float, if it is not too far away. -1:
 * there is none. */
static int nearest(const match *m, const match_value *y)
{
    double least = 0.5;
    int best = -1;

    for (int a = 0; a < m->a.n; a++) {
        const match_value *x = &m->a.values[a];
        double error;

        if (!x->varies || !x->t[0] || !match_comparable(x->t[0], y->t[0]) ||
            is_far(&x->print[0], &y->print[0]))
            continue;
        error = match_error(x->t[0], y->t[0]);
        if (error < least) {
            least = error;
            best = a;
        }
    }
    return best;
}

void match_pair_near(match *m)
{
    for (int b = 0; b < m->b.n; b++) {
        match_value *y = &m->b.values[b];

        if (y->pair < 0 && y->varies && y->t[0] && inlay_type_is_float(y->t[0]->type))
            y->pair = namesake(m, y) >= 0 ? namesake(m, y) : nearest(m, y);
    }
}

static void pair_all(match *m)
{
    for (int b = 0; b < m->b.n; b++)
        pair_value(m, b);
}

/* The outputs of two files have the same names, or else the same places. */
static bool pair_outputs(match *m, inlay_diags *d)
{
    const char *const *names_a = inlay_result_names(m->a.g, d);
    const char *const *names_b = inlay_result_names(m->b.g, d);
    int n = m->b.g->n_results;

    m->outputs = calloc((size_t)n + 1, sizeof *m->outputs);
    if (!m->outputs)
        return inlay_fail_memory(d);
    if (!names_a || !names_b)
        return false;
    if (n != m->a.g->n_results)
        return inlay_fail(d, NULL, "the first graph has %d output%s, the second %d",
                          m->a.g->n_results, inlay_plural(m->a.g->n_results, "", "s"), n);
    for (int i = 0; i < n; i++) {
        int found = strcmp(names_a[i], names_b[i]) == 0
                        ? i
                        : inlay_graph_find_output(m->a.g, names_a, names_b[i], strlen(names_b[i]));

        m->outputs[i] = found >= 0 ? found : i;
    }
    return true;
}

static int draw_of_output(const match *m, int i)
{
    return differing_draw(m, &m->a.values[match_output(&m->a, m->outputs[i])],
                          &m->b.values[match_output(&m->b, i)]);
}

bool match_output_differs(const match *m, int i)
{
    return draw_of_output(m, i) < m->draws;
}

int match_draw(const match *m)
{
    int draw = m->draws - 1;

    for (int i = 0; i < m->b.g->n_results; i++) {
        int own = draw_of_output(m, i);

        draw = own < draw ? own : draw;
    }
    return draw;
}

size_t match_differing(const match *m)
{
    size_t n = 0;

    for (int i = 0; i < m->b.g->n_results; i++)
        n += match_output_differs(m, i);
    return n;
}

bool match_graphs(match *m, inlay_tensor **const *in, inlay_diags *d)
{
    bool ok = list_values(&m->a, d) && list_values(&m->b, d) && pair_outputs(m, d);

    for (int k = 0; ok && k < m->draws; k++)
        ok = compute_both(m, in[k], k, d);
    if (ok)
        pair_all(m);
    return ok;
}

static void free_side(match_side *s)
{
    for (int i = 0; i < s->n; i++) {
        for (int k = 0; k < MATCH_DRAWS; k++)
            inlay_tensor_release(s->values[i].t[k]);
    }
    free(s->values);
    free(s->first);
    inlay_order_free(&s->order);
}

void match_free(match *m)
{
    free_side(&m->a);
    free_side(&m->b);
    free(m->outputs);
}

/* All elements that integer inputs of a small graph can have, one trial for each.
 *
 * An input of n integers has (2m + 2)^n points, where m is the largest size that a value of the
 * graph has: each element is from -m - 1, which is outside of every axis, to m, which is too. A
 * boolean has two values. Open sizes are 0, 1, 2 and 3, one after the other. Elements of floats are
 * made up. */
#include "ir/shared.h"
#include "passes/verify/verify.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { LIKELY_RANK = 1 };

struct space {
    const inlay_graph *a, *b;
    const inlay_evaluator *ea, *eb;
    inlay_verify_options o;
    inlay_tensor **inputs; /* one per Parameter of A; those that are counted through */
    inlay_shape *shapes;
    int64_t largest, points;
    inlay_verify_result *out;
    inlay_diags *d;
};

static int64_t largest_size(const inlay_graph *g)
{
    int64_t most = 1;

    for (const inlay_node *n = g->first; n; n = n->next) {
        for (int i = 0; i < n->n_out; i++) {
            const inlay_fact *f = &n->out[i].fact;

            for (int k = 0; k < f->rank; k++)
                most =
                    inlay_dim_is_static(f->dims[k]) && f->dims[k].lo > most ? f->dims[k].lo : most;
        }
    }
    return most;
}

/* A with the shapes that are set; NULL: it does not take them. */
static inlay_graph *shaped(const struct space *s)
{
    inlay_graph *g = inlay_graph_clone(s->a, NULL);
    bool ok = g != NULL;

    for (int i = 0; ok && i < g->n_params; i++)
        ok = inlay_node_set_shape(g->params[i], "shape", &s->shapes[i], NULL);
    if (ok && inlay_infer_graph(g, NULL))
        return g;
    inlay_graph_free(g);
    return NULL;
}

/* Elements go as far as the sizes do that are there when open ones are SIZE. */
static void set_largest(struct space *s, bool open, int64_t size)
{
    inlay_graph *g = shaped(s);

    s->largest = largest_size(g ? g : s->a);
    if (open && size > s->largest)
        s->largest = size;
    inlay_graph_free(g);
}

/* Sets the shapes of all Parameters, with open sizes of SIZE. *OPEN: there are such. */
static void set_shapes(struct space *s, int64_t size, bool *open)
{
    *open = false;
    for (int i = 0; i < s->a->n_params; i++) {
        const inlay_fact *f = &s->a->params[i]->out[0].fact;
        const inlay_shape *asked = s->o.shapes && s->o.shapes[i].rank >= 0 ? &s->o.shapes[i] : NULL;
        int rank = asked ? asked->rank : f->rank < 0 ? LIKELY_RANK : f->rank;

        inlay_shape_of_rank(&s->shapes[i], rank);
        for (int k = 0; k < rank; k++) {
            inlay_dim d = asked ? asked->dim[k] : f->rank < 0 ? inlay_dim_any() : f->dims[k];

            *open = *open || !inlay_dim_is_static(d);
            s->shapes[i].dim[k] = inlay_dim_of(inlay_dim_clamp(d, size));
        }
    }
}

/* How many values an element of Parameter I has; 0: it is not counted through. */
static int64_t radix_of(const struct space *s, int i)
{
    inlay_type type = s->a->params[i]->out[0].fact.type;

    if (s->o.inputs && s->o.inputs[i])
        return 0;
    return type == INLAY_BOOLEAN ? 2 : inlay_type_is_int(type) ? 2 * s->largest + 2 : 0;
}

static bool new_inputs(struct space *s)
{
    for (int i = 0; i < s->a->n_params; i++) {
        int64_t dims[INLAY_MAX_RANK];

        inlay_tensor_release(s->inputs[i]);
        s->inputs[i] = s->o.inputs ? inlay_tensor_retain(s->o.inputs[i]) : NULL;
        if (radix_of(s, i) == 0)
            continue;
        for (int k = 0; k < s->shapes[i].rank; k++)
            dims[k] = s->shapes[i].dim[k].lo;
        s->inputs[i] = inlay_tensor_new(s->a->params[i]->out[0].fact.type, s->shapes[i].rank, dims);
        if (!s->inputs[i])
            return inlay_fail_memory(s->d);
    }
    return true;
}

/* How many points there are; LIMIT + 1 if there are more than LIMIT. */
static int64_t count_points(const struct space *s, int64_t limit)
{
    int64_t points = 1;

    for (int i = 0; i < s->a->n_params; i++) {
        int64_t radix = radix_of(s, i), n = radix ? inlay_tensor_count(s->inputs[i]) : 0;

        for (int64_t k = 0; k < n; k++) {
            if (points > limit / radix)
                return limit + 1;
            points *= radix;
        }
    }
    return points;
}

/* Fills in the elements of point number POINT, whose digits they are. */
static void set_point(struct space *s, int64_t point)
{
    for (int i = 0; i < s->a->n_params; i++) {
        int64_t radix = radix_of(s, i), n = radix ? inlay_tensor_count(s->inputs[i]) : 0;
        int64_t first = radix == 2 ? 0 : -s->largest - 1;

        for (int64_t k = 0; k < n; k++) {
            inlay_tensor_set_i64(s->inputs[i], k, first + point % radix);
            point /= radix;
        }
    }
}

/* One trial, whose verdict becomes that of all when it is a difference. */
static bool try_point(struct space *s, int64_t point)
{
    inlay_verify_options o = s->o;
    inlay_verify_result result;

    set_point(s, point);
    o.trials = 1;
    o.inputs = s->inputs;
    o.shapes = s->shapes;
    o.progress = NULL;
    if (!inlay_verify(s->a, s->ea, s->b, s->eb, &o, &result, s->d))
        return false;
    s->out->trials++;
    s->out->counted += result.counted;
    if (result.verdict == INLAY_NOT_SAME) {
        int trials = s->out->trials, counted = s->out->counted;

        *s->out = result;
        s->out->trials = trials;
        s->out->counted = counted;
    }
    return true;
}

static bool try_size(struct space *s, int64_t limit)
{
    int64_t points;

    if (!new_inputs(s))
        return false;
    points = count_points(s, limit);
    if (points > limit)
        return inlay_fail(s->d, NULL,
                          "the integer inputs have more than %" PRId64
                          " points: give some of them, or smaller shapes",
                          limit);
    for (int64_t i = 0; i < points && s->out->verdict == INLAY_SAME; i++) {
        if (s->o.progress)
            s->o.progress(s->o.ctx, (int)i, (int)points);
        if (!try_point(s, i))
            return false;
    }
    return true;
}

static bool try_all(struct space *s, int64_t limit)
{
    bool open = true;

    for (int64_t size = 0;
         open && size <= INLAY_EXHAUSTIVE_LARGEST && s->out->verdict == INLAY_SAME; size++) {
        set_shapes(s, size, &open);
        set_largest(s, open, size);
        if (!try_size(s, limit))
            return false;
    }
    if (s->out->verdict == INLAY_SAME && s->out->counted == 0)
        s->out->verdict = INLAY_INCONCLUSIVE;
    return true;
}

bool inlay_verify_exhaustive(const inlay_graph *a, const inlay_evaluator *ea, const inlay_graph *b,
                             const inlay_evaluator *eb, const inlay_verify_options *o,
                             int64_t limit, inlay_verify_result *out, inlay_diags *d)
{
    static const inlay_verify_options none;
    struct space s = {.a = a, .b = b, .ea = ea, .eb = eb, .o = o ? *o : none, .out = out, .d = d};
    bool ok;

    *out = (inlay_verify_result){.verdict = INLAY_SAME};
    if (!inlay_graph_is_whole(a, d) || !inlay_params_are_whole(a, d))
        return false;
    s.inputs = calloc((size_t)a->n_params + 1, sizeof *s.inputs);
    s.shapes = calloc((size_t)a->n_params + 1, sizeof *s.shapes);
    ok = (s.inputs && s.shapes) || inlay_fail_memory(d);
    ok = ok && try_all(&s, limit);
    for (int i = 0; s.inputs && i < a->n_params; i++)
        inlay_tensor_release(s.inputs[i]);
    free(s.inputs);
    free(s.shapes);
    return ok;
}

/* All possible elements of a small graph's integer inputs, one trial for each.
 *
 * An element takes all numbers of its type if the combinations of all inputs stay within the limit;
 * u8[1] has 256. Otherwise it goes from -m - 1 to m, where m is the largest size of any value in
 * the graph: both ends are out of range for every axis. That covers only a part of the
 * possibilities, and finding no difference there does not prove two graphs equal. Open sizes are 0,
 * 1, 2 and 3 in turn. Elements of floats are random. */
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
    inlay_tensor **inputs; /* one per Parameter of A; those that are enumerated */
    inlay_shape *shapes;
    bool *whole; /* one per Parameter: its elements take all numbers of their type */
    int64_t largest;
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

/* A with the shapes that are set; NULL: it does not accept them. */
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

/* Elements reach as far as the largest size, with open sizes equal to SIZE. */
static void set_largest(struct space *s, bool open, int64_t size)
{
    inlay_graph *g = shaped(s);

    s->largest = largest_size(g ? g : s->a);
    if (open && size > s->largest)
        s->largest = size;
    inlay_graph_free(g);
}

/* Sets the shapes of all Parameters, with open sizes equal to SIZE. *OPEN: some could be larger. */
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

            *open = *open || (!inlay_dim_is_static(d) && d.hi > size);
            s->shapes[i].dim[k] = inlay_dim_of(inlay_dim_clamp(d, size));
        }
    }
}

/* The elements of Parameter I are to be enumerated. */
static bool is_counted(const struct space *s, int i)
{
    inlay_type type = s->a->params[i]->out[0].fact.type;

    return !(s->o.inputs && s->o.inputs[i]) && (type == INLAY_BOOLEAN || inlay_type_is_int(type));
}

/* The N numbers that an element takes, from FIRST on. ALL: these are all of its type. */
struct numbers {
    int64_t first, n;
    bool all;
};

static struct numbers numbers_of(const struct space *s, int i)
{
    enum { MAX_BITS = 32 };
    inlay_type type = s->a->params[i]->out[0].fact.type;
    const inlay_type_info *info = inlay_type_info_of(type);
    bool is_signed = info->cls == INLAY_CLASS_SIGNED, whole = s->whole[i];
    int64_t part = 2 * s->largest + 2, all = part + 1;

    if (info->bits <= MAX_BITS)
        all = type == INLAY_BOOLEAN ? 2 : INT64_C(1) << info->bits;
    whole = (whole && info->bits <= MAX_BITS) || all <= part;
    if (whole)
        return (struct numbers){is_signed ? -(all / 2) : 0, all, true};
    return (struct numbers){is_signed ? -s->largest - 1 : 0, part, false};
}

static bool new_inputs(struct space *s)
{
    for (int i = 0; i < s->a->n_params; i++) {
        int64_t dims[INLAY_MAX_RANK];

        inlay_tensor_release(s->inputs[i]);
        s->inputs[i] = s->o.inputs ? inlay_tensor_retain(s->o.inputs[i]) : NULL;
        if (!is_counted(s, i))
            continue;
        for (int k = 0; k < s->shapes[i].rank; k++)
            dims[k] = s->shapes[i].dim[k].lo;
        s->inputs[i] = inlay_tensor_in(inlay_graph_budget(s->a), s->a->params[i]->out[0].fact.type,
                                       s->shapes[i].rank, dims);
        if (!s->inputs[i])
            return inlay_fail_memory(s->d);
    }
    return true;
}

/* The number of elements of Parameter I that are enumerated. */
static int64_t n_counted(const struct space *s, int i)
{
    return is_counted(s, i) ? inlay_tensor_count(s->inputs[i]) : 0;
}

/* The number of combinations; LIMIT + 1 if there are more than LIMIT. */
static int64_t count_points(const struct space *s, int64_t limit)
{
    int64_t points = 1;

    for (int i = 0; i < s->a->n_params; i++) {
        int64_t n = n_counted(s, i), radix = n > 0 ? numbers_of(s, i).n : 1;

        for (int64_t k = 0; k < n; k++) {
            if (points > limit / radix)
                return limit + 1;
            points *= radix;
        }
    }
    return points;
}

/* As many inputs as LIMIT allows take all numbers of their type. */
static void widen(struct space *s, int64_t limit)
{
    for (int i = 0; i < s->a->n_params; i++)
        s->whole[i] = false;
    for (int i = 0; i < s->a->n_params; i++) {
        s->whole[i] = is_counted(s, i);
        s->whole[i] = s->whole[i] && count_points(s, limit) <= limit;
    }
}

/* Sets the elements for combination number POINT, whose digits they are. */
static void set_point(struct space *s, int64_t point)
{
    for (int i = 0; i < s->a->n_params; i++) {
        int64_t n = n_counted(s, i);
        struct numbers numbers = n > 0 ? numbers_of(s, i) : (struct numbers){0, 1, true};

        for (int64_t k = 0; k < n; k++) {
            inlay_tensor_set_i64(s->inputs[i], k, numbers.first + point % numbers.n);
            point /= numbers.n;
        }
    }
}

/* One trial; if it finds a difference, that is the verdict. */
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

/* All open sizes are equal in a trial, and only one rank is tried if it is open: reports that. */
static void tell_sizes(struct space *s, bool open)
{
    bool unequal = false, ranks = false;
    uint32_t id = 0;

    for (int i = 0; i < s->a->n_params; i++) {
        const inlay_fact *f = &s->a->params[i]->out[0].fact;
        bool asked = s->o.shapes && s->o.shapes[i].rank >= 0;

        ranks = ranks || (f->rank < 0 && !asked);
        for (int k = 0; !asked && k < f->rank; k++) {
            if (inlay_dim_is_static(f->dims[k]))
                continue;
            unequal = unequal || (id != 0 && f->dims[k].id != id);
            id = f->dims[k].id;
        }
    }
    if (open)
        verify_add_missed(s->out->missed, sizeof s->out->missed, "open sizes above %d",
                          INLAY_EXHAUSTIVE_LARGEST);
    if (unequal)
        verify_add_missed(s->out->missed, sizeof s->out->missed, "unequal open sizes");
    if (ranks)
        verify_add_missed(s->out->missed, sizeof s->out->missed, "ranks but %d", LIKELY_RANK);
}

/* Reports for each input which of its elements are not tried; for open sizes, those of the last one
 * tried. */
static void tell_parts(struct space *s)
{
    bool floats = false;

    *s->out->missed = '\0';
    for (int i = 0; i < s->a->n_params; i++) {
        const inlay_node *p = s->a->params[i];
        struct numbers numbers = numbers_of(s, i);

        floats = floats || (!is_counted(s, i) && !(s->o.inputs && s->o.inputs[i]));
        if (n_counted(s, i) > 0 && !numbers.all)
            verify_add_missed(s->out->missed, sizeof s->out->missed,
                              "elements of \"%.80s\" but those from %" PRId64 " to %" PRId64,
                              p->name, numbers.first, numbers.first + numbers.n - 1);
    }
    if (floats)
        verify_add_missed(s->out->missed, sizeof s->out->missed,
                          "elements of floats but those made up");
}

static bool try_size(struct space *s, int64_t limit)
{
    int64_t points;

    if (!new_inputs(s))
        return false;
    widen(s, limit);
    points = count_points(s, limit);
    if (points > limit)
        return inlay_fail(s->d, NULL,
                          "the integer inputs have more than %" PRId64
                          " points: give some of them, or smaller shapes",
                          limit);
    tell_parts(s);
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
    inlay_verify_result *r = s->out;
    bool open = true;

    for (int64_t size = 0; open && size <= INLAY_EXHAUSTIVE_LARGEST && r->verdict == INLAY_SAME;
         size++) {
        set_shapes(s, size, &open);
        set_largest(s, open, size);
        if (!try_size(s, limit))
            return false;
    }
    tell_sizes(s, open);
    if (s->a->n_variables > 0)
        verify_add_missed(s->out->missed, sizeof s->out->missed,
                          "steps of states but %d with the same inputs", VERIFY_STATE_STEPS);
    if (r->verdict == INLAY_SAME && (r->counted == 0 || *r->missed)) {
        r->verdict = INLAY_INCONCLUSIVE;
        if (r->counted > 0)
            snprintf(r->why, sizeof r->why, "no difference in this part of the space");
    }
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
    s.inputs = inlay_take(inlay_graph_budget(a), (size_t)a->n_params + 1, sizeof *s.inputs);
    s.shapes = inlay_take(inlay_graph_budget(a), (size_t)a->n_params + 1, sizeof *s.shapes);
    s.whole = inlay_take(inlay_graph_budget(a), (size_t)a->n_params + 1, sizeof *s.whole);
    ok = (s.inputs && s.shapes && s.whole) || inlay_fail_memory(d);
    ok = ok && try_all(&s, limit);
    for (int i = 0; s.inputs && i < a->n_params; i++)
        inlay_tensor_release(s.inputs[i]);
    inlay_give(s.inputs);
    inlay_give(s.shapes);
    inlay_give(s.whole);
    return inlay_budget_tell(inlay_graph_budget(a), ok, d);
}

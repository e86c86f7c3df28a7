/* The first value on which two graphs differ. Nodes are paired (ir/diff.h). Some values of each
 * graph are made its outputs, it runs once, and pairs are compared in canonical order. With
 * variables this is done for several steps, on the same inputs. */
#include "ir/shared.h"
#include "passes/verify/verify.h"

#include <stdio.h>
#include <stdlib.h>

struct side {
    const inlay_graph *g;
    const inlay_evaluator *ev;
    const inlay_tensor *const *in;
};

/* Output INDEX of both nodes of a pair. */
struct pair {
    const inlay_node *a, *b;
    int index;
};

struct search {
    struct side a, b;
    struct pair *pairs;
    size_t n;
    int step; /* the step that is compared: the graphs have run this often before */
    const inlay_compare_options *tolerance;
    inlay_value_difference *out;
    size_t bytes; /* of the values of A that the last run gave */
};

static const inlay_node *node_of(const struct pair *p, bool second)
{
    return second ? p->b : p->a;
}

/* G with the values of N pairs as its only outputs; NULL after an error. */
static inlay_graph *cut(const inlay_graph *g, const struct pair *pairs, size_t n, bool second,
                        inlay_diags *d)
{
    inlay_graph *copy = inlay_graph_clone(g, d);
    bool ok = copy != NULL;

    while (ok && copy->n_results > 0)
        ok = inlay_node_remove(copy->results[0], d);
    for (size_t i = 0; ok && i < n; i++) {
        inlay_node *same = inlay_graph_node(copy, node_of(&pairs[i], second)->name);

        ok = same && inlay_build_result(copy, "value", &same->out[pairs[i].index], d);
    }
    if (ok)
        return copy;
    inlay_graph_free(copy);
    return NULL;
}

static void drop(inlay_tensor **list, size_t n)
{
    for (size_t i = 0; list && i < n; i++) {
        inlay_tensor_release(list[i]);
        list[i] = NULL;
    }
}

/* Sets OUT to the values of N pairs in step STEP. False: some cannot be computed. */
static bool values_of(const struct side *s, const struct pair *pairs, size_t n, bool second,
                      int step, inlay_tensor **out)
{
    inlay_graph *g = cut(s->g, pairs, n, second, NULL);
    inlay_tensor **variables =
        inlay_take(inlay_graph_budget(g), (size_t)(g ? g->n_variables : 0) + 1, sizeof *variables);
    bool ok = g && variables;

    for (int k = 0; ok && k <= step; k++) {
        drop(out, n);
        ok = s->ev->eval_graph(s->ev->ctx, g, s->in, out, variables, NULL);
    }
    drop(variables, variables && g ? (size_t)g->n_variables : 0);
    inlay_give(variables);
    inlay_graph_free(g);
    return ok;
}

static bool same_value(const struct search *s, const struct pair *p, const inlay_tensor *x,
                       const inlay_tensor *y)
{
    char why[400];
    bool same = inlay_compare_tensors(x, y, s->tolerance, why, sizeof why);

    if (!same) {
        s->out->a = &p->a->out[p->index];
        s->out->b = &p->b->out[p->index];
        snprintf(s->out->why, sizeof s->out->why, "%s", why);
        if (s->step > 0)
            snprintf(s->out->why, sizeof s->out->why, "in step %d: %s", s->step + 1, why);
    }
    return same;
}

/* Compares N pairs in one run of each graph. False with *DONE: two differ; without: some value
 * cannot be computed. */
static bool same_at_once(struct search *s, const struct pair *pairs, size_t n, bool *done)
{
    inlay_tensor **x = inlay_take(inlay_graph_budget(s->a.g), 2 * n, sizeof *x),
                 **y = x ? x + n : NULL;
    bool same;

    *done = x && values_of(&s->a, pairs, n, false, s->step, x) &&
            values_of(&s->b, pairs, n, true, s->step, y);
    same = *done;
    s->bytes = 0;
    for (size_t i = 0; same && i < n; i++) {
        same = same_value(s, &pairs[i], x[i], y[i]);
        s->bytes += inlay_tensor_bytes(x[i]);
    }
    drop(x, 2 * n);
    inlay_give(x);
    return same;
}

/* The same; what cannot be computed together is tried in halves, and what cannot at all is no
 * difference. Recursive, as deep as the logarithm of N. */
static bool same_pairs(struct search *s, const struct pair *pairs, size_t n)
{
    bool done, same = same_at_once(s, pairs, n, &done);

    if (done || n == 1)
        return same || !done;
    return same_pairs(s, pairs, n / 2) && same_pairs(s, pairs + n / 2, n - n / 2);
}

/* No pair differs in the step that is compared. At most MOST are computed at once, and as many as
 * take a gigabyte if they are as large as those before. */
static bool same_step(struct search *s, size_t most)
{
    const size_t room = (size_t)1 << 30;
    size_t n = most < 64 ? most : 64;

    for (size_t i = 0; i < s->n; i += n) {
        if (i > 0)
            n = s->bytes / n > 0 ? room / (s->bytes / n) : most;
        n = n < 1 ? 1 : n > most ? most : n;
        n = n > s->n - i ? s->n - i : n;
        if (!same_pairs(s, s->pairs + i, n))
            return false;
    }
    return true;
}

/* Whether a pair of nodes is compared by itself. */
static bool is_compared(const struct search *s, const inlay_node_pair *p)
{
    return p->a && p->b && p->a->graph == s->a.g && p->b->graph == s->b.g &&
           !inlay_node_is(p->b, INLAY_OP_PARAMETER) && !inlay_node_is(p->b, INLAY_OP_CONST);
}

static bool list_pairs(struct search *s, const inlay_diff *diff, inlay_diags *d)
{
    size_t n = 0;

    for (size_t i = 0; i < diff->n; i++)
        n += is_compared(s, &diff->pairs[i]) ? (size_t)diff->pairs[i].b->n_out : 0;
    s->pairs = inlay_take(inlay_graph_budget(s->a.g), n + 1, sizeof *s->pairs);
    for (size_t i = 0; s->pairs && i < diff->n; i++) {
        const inlay_node_pair *p = &diff->pairs[i];

        for (int k = 0; is_compared(s, p) && k < p->b->n_out && k < p->a->n_out; k++)
            s->pairs[s->n++] = (struct pair){p->a, p->b, k};
    }
    s->out->compared = s->n;
    return s->pairs || inlay_fail_memory(d);
}

/* All steps. What notes say holds only while few values are outputs, so that a graph with notes is
 * searched once more for each value alone. */
static void search_steps(struct search *s)
{
    int steps = s->a.g->n_variables > 0 ? VERIFY_MOST_STEPS : 1;

    for (s->step = 0; s->step < steps && same_step(s, SIZE_MAX);)
        s->step++;
    if (s->out->b || !(s->a.g->has_notes || s->b.g->has_notes))
        return;
    for (s->step = 0; s->step < steps && same_step(s, 1);)
        s->step++;
}

/* The inputs IN of A in the order of B's Parameters. */
static bool order_inputs(const struct side *a, const inlay_graph *b, const inlay_tensor **in,
                         inlay_diags *d)
{
    verify_pairs pairs = {0};
    inlay_verify_result paired = {0};
    bool ok = verify_pair_up(a->g, b, &pairs, &paired, d);

    if (ok && paired.verdict == INLAY_NOT_SAME)
        ok = inlay_fail(d, NULL, "%s", paired.why);
    for (int i = 0; ok && i < a->g->n_params; i++)
        in[pairs.inputs[i]] = a->in[i];
    verify_pairs_free(&pairs);
    return ok;
}

bool inlay_find_difference(const inlay_graph *a, const inlay_evaluator *ea, const inlay_graph *b,
                           const inlay_evaluator *eb, const inlay_tensor *const *in,
                           const inlay_compare_options *tolerance, inlay_value_difference *out,
                           inlay_diags *d)
{
    static const inlay_compare_options exact;
    const inlay_tensor **in_b;
    struct search s = {.a = {a, ea, in},
                       .b = {b, eb, NULL},
                       .tolerance = tolerance ? tolerance : &exact,
                       .out = out};
    inlay_diff diff = {0};
    bool ok;

    *out = (inlay_value_difference){0};
    if (!inlay_graph_is_whole(a, d) || !inlay_graph_is_whole(b, d) ||
        !inlay_evaluator_is_sound(ea, d) || !inlay_evaluator_is_sound(eb, d) ||
        inlay_is_missing(in, "list of inputs", d))
        return false;
    in_b = inlay_take(inlay_graph_budget(a), (size_t)b->n_params + 1, sizeof *in_b);
    ok = in_b ? order_inputs(&s.a, b, in_b, d) && inlay_diff_graphs(a, b, &diff, d)
              : inlay_fail_memory(d);
    s.b.in = in_b;
    ok = ok && list_pairs(&s, &diff, d);
    if (ok)
        search_steps(&s);
    inlay_diff_free(&diff);
    inlay_give(s.pairs);
    inlay_give(in_b);
    return ok;
}

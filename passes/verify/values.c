/* The first value on which two graphs differ. Nodes are paired (ir/diff.h), and in canonical order
 * the value of each pair is computed on its own, as the only output of its graph. With variables
 * this is done for several steps, on the same inputs. */
#include "ir/shared.h"
#include "passes/verify/verify.h"

#include <stdio.h>
#include <stdlib.h>

struct side {
    const inlay_graph *g;
    const inlay_evaluator *ev;
    const inlay_tensor *const *in;
};

struct search {
    struct side a, b;
    int step; /* the step that is compared: the graphs have run this often before */
    const inlay_compare_options *tolerance;
    inlay_value_difference *out;
};

/* G with output I of N as its only output; NULL after an error. */
static inlay_graph *cut(const inlay_graph *g, const inlay_node *n, int i, inlay_diags *d)
{
    inlay_graph *copy = inlay_graph_clone(g, d);
    inlay_node *same = copy ? inlay_graph_node(copy, n->name) : NULL;
    bool ok = same != NULL;

    while (ok && copy->n_results > 0)
        ok = inlay_node_remove(copy->results[0], d);
    if (ok && inlay_build_result(copy, "value", &same->out[i], d))
        return copy;
    inlay_graph_free(copy);
    return NULL;
}

/* Output I of N in step STEP. NULL: it cannot be computed, which is no difference. */
static inlay_tensor *value_of(const struct side *s, const inlay_node *n, int i, int step)
{
    inlay_graph *g = cut(s->g, n, i, NULL);
    inlay_tensor **variables = calloc((size_t)(g ? g->n_variables : 0) + 1, sizeof *variables);
    inlay_tensor *out = NULL;
    bool ok = g && variables;

    for (int k = 0; ok && k <= step; k++) {
        inlay_tensor_release(out);
        out = NULL;
        ok = s->ev->eval_graph(s->ev->ctx, g, s->in, &out, variables, NULL);
    }
    for (int k = 0; variables && g && k < g->n_variables; k++)
        inlay_tensor_release(variables[k]);
    free(variables);
    inlay_graph_free(g);
    return ok ? out : NULL;
}

static bool same_value(const struct search *s, const inlay_node_pair *p, int i)
{
    inlay_tensor *x = value_of(&s->a, p->a, i, s->step), *y = value_of(&s->b, p->b, i, s->step);
    char why[400];
    bool same = !x || !y || inlay_compare_tensors(x, y, s->tolerance, why, sizeof why);

    if (!same) {
        s->out->a = &p->a->out[i];
        s->out->b = &p->b->out[i];
        snprintf(s->out->why, sizeof s->out->why, "%s", why);
        if (s->step > 0)
            snprintf(s->out->why, sizeof s->out->why, "in step %d: %s", s->step + 1, why);
    }
    inlay_tensor_release(x);
    inlay_tensor_release(y);
    return same;
}

static bool same_pair(const struct search *s, const inlay_node_pair *p)
{
    if (!p->a || !p->b || p->a->graph != s->a.g || p->b->graph != s->b.g ||
        inlay_node_is(p->b, INLAY_OP_PARAMETER) || inlay_node_is(p->b, INLAY_OP_CONST))
        return true;
    for (int i = 0; i < p->b->n_out && i < p->a->n_out; i++) {
        s->out->compared += s->step == 0;
        if (!same_value(s, p, i))
            return false;
    }
    return true;
}

/* No pair differs in the step that is compared. */
static bool same_step(const struct search *s, const inlay_diff *diff)
{
    for (size_t i = 0; i < diff->n; i++) {
        if (!same_pair(s, &diff->pairs[i]))
            return false;
    }
    return true;
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
    struct search s = {{a, ea, in}, {b, eb, NULL}, 0, tolerance ? tolerance : &exact, out};
    inlay_diff diff = {0};
    bool ok;

    *out = (inlay_value_difference){0};
    if (!inlay_graph_is_whole(a, d) || !inlay_graph_is_whole(b, d) ||
        !inlay_evaluator_is_sound(ea, d) || !inlay_evaluator_is_sound(eb, d) ||
        inlay_is_missing(in, "list of inputs", d))
        return false;
    in_b = calloc((size_t)b->n_params + 1, sizeof *in_b);
    ok = in_b ? order_inputs(&s.a, b, in_b, d) && inlay_diff_graphs(a, b, &diff, d)
              : inlay_fail_memory(d);
    s.b.in = in_b;
    while (ok && s.step < verify_steps(a) && same_step(&s, &diff))
        s.step++;
    inlay_diff_free(&diff);
    free(in_b);
    return ok;
}

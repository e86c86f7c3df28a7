/* On which value do two graphs first differ? Nodes are paired (ir/diff.h), and in canonical order
 * the value of each pair is computed by itself, as the only output of its graph. */
#include "ir/shared.h"
#include "passes/verify/verify.h"

#include <stdio.h>
#include <stdlib.h>

struct side {
    const inlay_graph *g;
    const inlay_evaluator *ev;
    const inlay_tensor *const *in;
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

/* NULL: it cannot be computed, which is no difference. */
static inlay_tensor *value_of(const struct side *s, const inlay_node *n, int i)
{
    inlay_graph *g = cut(s->g, n, i, NULL);
    inlay_tensor **variables = calloc((size_t)(g ? g->n_variables : 0) + 1, sizeof *variables);
    inlay_tensor *out = NULL;

    if (g && variables && !s->ev->eval_graph(s->ev->ctx, g, s->in, &out, variables, NULL))
        out = NULL;
    for (int k = 0; variables && g && k < g->n_variables; k++)
        inlay_tensor_release(variables[k]);
    free(variables);
    inlay_graph_free(g);
    return out;
}

static bool same_value(const struct side *a, const struct side *b, const inlay_node_pair *p, int i,
                       const inlay_compare_options *tolerance, inlay_value_difference *out)
{
    inlay_tensor *x = value_of(a, p->a, i), *y = value_of(b, p->b, i);
    bool same = !x || !y || inlay_compare_tensors(x, y, tolerance, out->why, sizeof out->why);

    if (!same) {
        out->a = &p->a->out[i];
        out->b = &p->b->out[i];
    }
    inlay_tensor_release(x);
    inlay_tensor_release(y);
    return same;
}

static bool same_pair(const struct side *a, const struct side *b, const inlay_node_pair *p,
                      const inlay_compare_options *tolerance, inlay_value_difference *out)
{
    if (!p->a || !p->b || p->a->graph != a->g || p->b->graph != b->g ||
        inlay_node_is(p->b, INLAY_OP_PARAMETER) || inlay_node_is(p->b, INLAY_OP_CONST))
        return true;
    for (int i = 0; i < p->b->n_out && i < p->a->n_out; i++) {
        out->compared++;
        if (!same_value(a, b, p, i, tolerance, out))
            return false;
    }
    return true;
}

/* IN of A in the order of B's Parameters. */
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
    struct side sa = {a, ea, in}, sb = {b, eb, NULL};
    inlay_diff diff = {0};
    bool ok;

    *out = (inlay_value_difference){0};
    if (!inlay_graph_is_whole(a, d) || !inlay_graph_is_whole(b, d) ||
        !inlay_evaluator_is_sound(ea, d) || !inlay_evaluator_is_sound(eb, d) ||
        inlay_is_missing(in, "list of inputs", d))
        return false;
    in_b = calloc((size_t)b->n_params + 1, sizeof *in_b);
    ok = in_b ? order_inputs(&sa, b, in_b, d) && inlay_diff_graphs(a, b, &diff, d)
              : inlay_fail_memory(d);
    sb.in = in_b;
    for (size_t i = 0; ok && i < diff.n; i++) {
        if (!same_pair(&sa, &sb, &diff.pairs[i], tolerance ? tolerance : &exact, out))
            break;
    }
    inlay_diff_free(&diff);
    free(in_b);
    return ok;
}

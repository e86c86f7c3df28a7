/* unpack-filters: filters of convolutions that are kept in few bits become floats once. No kernel
 * reads them as they are kept, so that each run would convert and pack them. The result may be
 * larger than what fold-constants makes:
 *
 *     codes, i8 -> Convert f32 -> Subtract(zero point) -> Multiply(scale) -> Reshape
 *         -> filters of a convolution
 *
 * Each of these nodes may be missing. */
#include "ir/shared.h"
#include "passes/fold/fold.h"

#include <string.h>

enum {
    MOST_STEPS = 6, /* from codes to filters */
    ROOM = 4        /* of what the budget leaves one in so many */
};

static bool is_constant(const inlay_value *v)
{
    return v->node->n_in == 0 && v->fact.content;
}

static bool unpacks(const inlay_node *n)
{
    const unsigned takes = INLAY_POINTWISE | INLAY_CONVERTS | INLAY_RESHAPES;

    return n->n_out == 1 && n->n_in > 0 && n->op->eval && (n->op->flags & takes) &&
           !(n->op->flags & (INLAY_EFFECT | INLAY_STAND_IN));
}

/* Is V made of constants alone, by at most MOST nodes that unpack? */
static bool is_packed(const inlay_value *v, int most)
{
    const inlay_node *n = v->node;

    if (is_constant(v))
        return true;
    if (most == 0 || !unpacks(n))
        return false;
    for (int i = 0; i < n->n_in; i++) {
        if (n->in[i].value && !is_packed(n->in[i].value, most - 1))
            return false;
    }
    return true;
}

static bool compute(const inlay_node *n, const pass_run *r, inlay_tensor **out);

/* Returns the elements of V, which is packed. NULL: they cannot be computed; r->diags says why. */
static inlay_tensor *elements_of(const inlay_value *v, const pass_run *r)
{
    inlay_tensor *out = NULL;

    if (is_constant(v))
        return inlay_tensor_retain(v->fact.content);
    return compute(v->node, r, &out) ? out : NULL;
}

/* Sets *OUT to the output of N. */
static bool compute(const inlay_node *n, const pass_run *r, inlay_tensor **out)
{
    const inlay_evaluator *e = r->options->evaluator;
    inlay_tensor **in = inlay_take(inlay_node_budget(n), (size_t)n->n_in, sizeof *in);
    bool ok = in || inlay_fail_memory(r->diags);

    for (int i = 0; ok && i < n->n_in; i++) {
        in[i] = n->in[i].value ? elements_of(n->in[i].value, r) : NULL;
        ok = in[i] || !n->in[i].value;
    }
    ok = ok && e->eval_node(e->ctx, n, (const inlay_tensor *const *)in, out, r->diags);
    for (int i = 0; in && i < n->n_in; i++)
        inlay_tensor_release(in[i]);
    inlay_give(in);
    return ok;
}

/* Would the elements of V take so much memory that others have none? */
static bool is_too_large(const inlay_value *v, const pass_run *r)
{
    size_t bytes;

    return !inlay_fact_bytes(&v->fact, &bytes) ||
           bytes > inlay_budget_left(inlay_node_budget(v->node)) / ROOM ||
           (r->options->max_memory && bytes + r->folded > r->options->max_memory);
}

/* Makes a constant of V, filters of N. */
static bool unpack(inlay_value *v, const inlay_node *n, pass_run *r)
{
    inlay_tensor *t;
    inlay_value *c;
    bool ok;

    if (!inlay_type_is_float(v->fact.type) || is_constant(v) || !is_packed(v, MOST_STEPS) ||
        is_too_large(v, r) || !inlay_pass_begin(r, n))
        return true;
    t = elements_of(v, r);
    c = t ? inlay_build_const(v->node->graph, v->node->name, t, r->diags) : NULL;
    ok = c && inlay_replace_by_new(v, c, r->diags) && inlay_pass_end(r, true);
    r->folded += ok ? inlay_tensor_bytes(t) : 0;
    inlay_tensor_release(t);
    return ok;
}

bool pass_unpack_filters(inlay_graph *g, pass_run *r)
{
    for (inlay_node *n = g->first, *next; n; n = next) {
        next = n->next;
        for (int i = 0; r->options->evaluator && i < n->n_in && i < n->op->n_in; i++) {
            if (n->in[i].value && strcmp(n->op->in[i].name, "filters") == 0 &&
                !unpack(n->in[i].value, n, r))
                return false;
        }
    }
    return true;
}

/* Deferred: the nodes that it stands for are made for the operands of this call, and run. */
#include "interp/call/body.h"
#include "ir/shared.h"

/* Makes the graph of C's node on its operands, which are constants in it. HAS, by output, receives
 * whether the graph has a Result for it. NULL after recording an error. */
static inlay_graph *make_graph(inlay_call *c, bool *has)
{
    inlay_value **in = inlay_call_memory(c, c->n_in, sizeof(inlay_value *));
    inlay_value **out = inlay_call_memory(c, c->n_out, sizeof(inlay_value *));
    inlay_graph *g = in && out ? inlay_graph_new_like(c->node->graph, c->diags) : NULL;
    inlay_asked asked = {.what = INLAY_ASKS_NOTHING};
    bool ok = g != NULL;

    for (int i = 0; ok && i < c->n_in; i++)
        ok = !c->in[i] || (in[i] = inlay_build_const(g, NULL, c->in[i], c->diags));
    ok = ok && inlay_node_expand(c->node, g, in, out, &asked, c->diags);
    if (asked.what != INLAY_ASKS_NOTHING)
        inlay_call_fail(c, "is not known to the end, though all its operands are");
    for (int i = 0; ok && i < c->n_out; i++) {
        has[i] = out[i] != NULL;
        ok = !has[i] || inlay_build_result(g, NULL, out[i], c->diags);
    }
    if (ok)
        return g;
    inlay_graph_free(g);
    return NULL;
}

/* T becomes output I. */
static bool give(inlay_call *c, int i, const inlay_tensor *t)
{
    inlay_tensor *out = call_sized_output(c, i, t->type, t->rank, t->dims);

    return out && (inlay_tensor_assign(out, t) ||
                   inlay_call_fail(c, "output %d came out with another shape than was known", i));
}

/* An output that the operator does not have is empty; nothing reads it. */
static bool give_none(inlay_call *c, int i)
{
    return c->out[i] || inlay_call_output(c, i, INLAY_F32, 1, (int64_t[]){0});
}

bool eval_deferred(inlay_call *c)
{
    bool *has = inlay_call_memory(c, c->n_out, sizeof *has);
    inlay_graph *g = has ? make_graph(c, has) : NULL;
    inlay_tensor **made = g ? inlay_call_memory(c, g->n_results, sizeof *made) : NULL;
    bool ok = made && call_graph(c, g, made);
    int next = 0;

    for (int i = 0; ok && i < c->n_out; i++)
        ok = has[i] ? give(c, i, made[next++]) : give_none(c, i);
    if (made)
        call_release(made, (size_t)g->n_results);
    inlay_graph_free(g);
    return ok;
}

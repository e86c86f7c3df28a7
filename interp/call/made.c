/* Graphs that replace deferred nodes in a run. See made.h. */
#include "interp/call/made.h"
#include "ir/shared.h"

#include <stdlib.h>

bool call_is_constant(const inlay_call *c, int i)
{
    const inlay_value *v = inlay_node_input(c->node, i);

    return v && inlay_node_is(v->node, INLAY_OP_CONST);
}

/* Operand I of C in G: a constant, which lives as long as G, or a Parameter. A constant of the
 * graph around it is not copied. */
static inlay_value *operand(const inlay_call *c, inlay_graph *g, int i, bool constant)
{
    const inlay_tensor *t = c->in[i];
    inlay_shape s = {.rank = t->rank};
    inlay_tensor *copy;
    inlay_value *v;

    for (int k = 0; k < t->rank; k++)
        s.dim[k] = inlay_dim_of(t->dims[k]);
    if (!constant)
        return inlay_build_parameter(g, NULL, t->type, &s, c->diags);
    copy = call_is_constant(c, i) ? inlay_tensor_retain(t) : inlay_tensor_copy(t);
    v = copy ? inlay_build_const(g, NULL, copy, c->diags) : NULL;
    if (!copy)
        inlay_fail_memory(c->diags);
    inlay_tensor_release(copy);
    return v;
}

/* Makes the nodes. They get the ids of the node's own graph, because random numbers depend on ids.
 */
static bool make_nodes(inlay_call *c, const bool *constant, call_made *m, inlay_asked *asked)
{
    inlay_value **in = inlay_call_memory(c, c->n_in, sizeof(inlay_value *));
    inlay_value **out = inlay_call_memory(c, c->n_out, sizeof(inlay_value *));
    bool ok = in && out && (m->graph = inlay_graph_new_like(c->node->graph, c->diags));

    if (ok)
        m->graph->next_id = c->node->id;
    for (int i = 0; ok && i < c->n_in; i++)
        ok = !c->in[i] || (in[i] = operand(c, m->graph, i, constant[i]));
    ok = ok && inlay_node_expand(c->node, m->graph, in, out, asked, c->diags);
    for (int i = 0; ok && i < c->n_out; i++) {
        m->has[i] = out[i] != NULL;
        ok = !m->has[i] || inlay_build_result(m->graph, NULL, out[i], c->diags);
    }
    return ok;
}

/* Marks the operands that were asked for. False: all are constants already, so asking again would
 * not help. */
static bool mark(const inlay_call *c, const inlay_asked *asked, bool *constant)
{
    bool any = false;

    for (int i = 0; i < c->n_in; i++) {
        bool more = asked->what != INLAY_ASKS_NOTHING && !constant[i] &&
                    (asked->input < 0 || asked->input == i);

        constant[i] = constant[i] || more;
        any = any || more;
    }
    return any;
}

bool call_made_begin(inlay_call *c, bool *constant, call_made *m)
{
    inlay_asked asked = {.what = INLAY_ASKS_NOTHING};
    bool ok;

    *m = (call_made){.n_out = c->n_out};
    m->has = inlay_take(inlay_node_budget(c->node), (size_t)c->n_out + 1, sizeof *m->has);
    m->out = inlay_take(inlay_node_budget(c->node), (size_t)c->n_out + 1, sizeof *m->out);
    if (!m->has || !m->out)
        return inlay_fail_memory(c->diags);
    while (!(ok = make_nodes(c, constant, m, &asked)) && mark(c, &asked, constant)) {
        inlay_graph_free(m->graph);
        m->graph = NULL;
    }
    if (!ok && asked.what != INLAY_ASKS_NOTHING)
        return inlay_call_fail(c, "is not known to the end, though all its operands are");
    return ok && (m->steps = steps_new(m->graph, c->diags));
}

void call_made_free(call_made *m)
{
    if (m->out)
        call_release(m->out, (size_t)m->n_out);
    steps_free(m->steps);
    inlay_graph_free(m->graph);
    inlay_give(m->has);
    inlay_give(m->out);
    *m = (call_made){0};
}

static bool give(inlay_call *c, int i, const inlay_tensor *t)
{
    inlay_tensor *out;

    if (!c->out[i] && inlay_tensor_is_sole(t) && inlay_tensor_is_dense(t))
        return call_adopt(c, i, t);
    if (t == c->out[i])
        return true;
    out = call_sized_output(c, i, t->type, t->rank, t->dims);

    return out && (inlay_tensor_assign(out, t) ||
                   inlay_call_fail(c, "output %d came out with another shape than was known", i));
}

/* An output that the operator does not have is empty, and is not read. */
static bool give_none(inlay_call *c, int i)
{
    return c->out[i] || inlay_call_output(c, i, INLAY_F32, 1, (int64_t[]){0});
}

bool call_made_give(inlay_call *c, call_made *m)
{
    bool ok = true;
    int next = 0;

    for (int i = 0; ok && i < c->n_out; i++)
        ok = m->has[i] ? give(c, i, m->out[next++]) : give_none(c, i);
    call_release(m->out, (size_t)m->n_out);
    return ok;
}

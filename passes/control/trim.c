/* trim-bodies: what enters a body and is known outside of it is not carried round.
 *
 *     y = Loop(n, go, x, 2, x)      body    p, k, q -> p + k, q      q comes back as q
 *
 *     q is no carried value, and what leaves as q is x; k is 2 inside; p and q stay two, for p
 *     changes. What nothing reads then goes: Parameters, Results, operands, outputs. */
#include "passes/control/control.h"

struct trimming {
    inlay_node *n;
    inlay_body *body; /* of N */
    bool changed;
    inlay_diags *diags;
};

static inlay_value *param_of(const struct trimming *t, int i)
{
    return &t->body->graph->params[i]->out[0];
}

/* What enters Parameter I as it is, in every iteration; NULL: something else does. */
static inlay_value *entering(const struct trimming *t, int i)
{
    int port = control_port_of(t->body, i);
    inlay_value *v;

    if (port < 0 || !inlay_port_is_plain(&t->body->in[port]) || control_is_carried(t->body, i))
        return NULL;
    v = inlay_node_input(t->n, t->body->in[port].outer);
    return v && control_admits(t->body->graph->params[i], &v->fact) ? v : NULL;
}

/* ---- carried values that do not change ---- */

/* The outputs that are Result number RESULT are BY, however often N iterates. An output of the
 * graph has a name that BY may not have. */
static bool replace_outputs(struct trimming *t, int result, inlay_value *by)
{
    for (int i = 0; i < t->body->n_out; i++) {
        const inlay_port *p = &t->body->out[i];
        inlay_value *old = p->outer >= 0 ? &t->n->out[p->outer] : NULL;

        if (p->inner != result || !old || p->has_axis || !old->uses || inlay_value_is_output(old) ||
            !inlay_fact_same_shape(&old->fact, &by->fact))
            continue;
        t->changed = true;
        if (!inlay_value_replace(old, by, t->diags))
            return false;
    }
    return true;
}

/* Without an iteration an output is what its back edge begins with, so the edge may go only if no
 * output needs it. */
static bool is_needed(const struct trimming *t, int result)
{
    for (int i = 0; i < t->body->n_out; i++) {
        const inlay_port *p = &t->body->out[i];

        if (p->inner == result && p->outer >= 0 && !p->has_axis && t->n->out[p->outer].uses)
            return !inlay_node_surely_iterates(t->n);
    }
    return false;
}

static bool drop_constant_edges(struct trimming *t)
{
    inlay_body *b = t->body;
    int to = 0;

    for (int i = 0; i < b->n_back; i++) {
        inlay_back_edge e = b->back[i];
        int port = control_port_of(b, e.to);
        inlay_value *v = port < 0 ? NULL : inlay_node_input(t->n, b->in[port].outer);
        bool unchanged = b->graph->results[e.from]->in[0].value == param_of(t, e.to) && v &&
                         control_admits(b->graph->params[e.to], &v->fact);

        if (unchanged && !replace_outputs(t, e.from, v))
            return false;
        if (unchanged && !is_needed(t, e.from))
            t->changed = true;
        else
            b->back[to++] = e;
    }
    b->n_back = to;
    return true;
}

/* ---- what enters twice, and constants ---- */

/* An earlier Parameter that the value V enters, as Parameter I does; -1: none. */
static int entered_before(const struct trimming *t, int i, const inlay_value *v)
{
    for (int k = 0; k < i; k++) {
        if (entering(t, k) == v &&
            inlay_fact_same_shape(&param_of(t, k)->fact, &param_of(t, i)->fact))
            return k;
    }
    return -1;
}

static inlay_value *make_constant(struct trimming *t, const inlay_value *v)
{
    return inlay_build_const(t->body->graph, v->node->name, v->fact.content, t->diags);
}

static bool merge_param(struct trimming *t, int i)
{
    inlay_value *v = entering(t, i), *p = param_of(t, i), *by;
    int before;

    if (!v || !p->uses || p->n_results > 0)
        return true;
    before = entered_before(t, i, v);
    if (before < 0 && !inlay_node_is(v->node, INLAY_OP_CONST))
        return true;
    by = before < 0 ? make_constant(t, v) : param_of(t, before);
    t->changed = true;
    return by && inlay_value_replace(p, by, t->diags);
}

/* ---- an If that hands the same value through in both branches ---- */

/* What Result number RESULT of B hands through; NULL: it is computed. */
static inlay_value *handed(const struct trimming *t, const inlay_body *b, int result)
{
    const inlay_value *v = b->graph->results[result]->in[0].value;

    for (int i = 0; i < b->n_in; i++) {
        if (v == &b->graph->params[b->in[i].inner]->out[0] && inlay_port_is_plain(&b->in[i]))
            return inlay_node_input(t->n, b->in[i].outer);
    }
    return NULL;
}

static inlay_value *handed_by_output(const struct trimming *t, const inlay_body *b, int output)
{
    for (int i = 0; i < b->n_out; i++) {
        if (b->out[i].outer == output)
            return handed(t, b, b->out[i].inner);
    }
    return NULL;
}

static bool replace_handed(struct trimming *t)
{
    for (int i = 0; i < t->n->n_out; i++) {
        inlay_value *old = &t->n->out[i], *v = handed_by_output(t, &t->n->bodies[0], i);

        if (!v || v != handed_by_output(t, &t->n->bodies[1], i) || !old->uses ||
            inlay_value_is_output(old) || !inlay_fact_same_shape(&old->fact, &v->fact))
            continue;
        t->changed = true;
        if (!inlay_value_replace(old, v, t->diags))
            return false;
    }
    return true;
}

/* ---- the pass ---- */

/* Where an output goes that nothing reads, the others lose their numbers; those that are outputs of
 * the graph keep the names that they have by them. */
static bool keep_names(inlay_node *n, inlay_diags *d)
{
    bool loses = false;

    for (int i = 0; i < n->n_out; i++)
        loses = loses || !n->out[i].uses;
    for (int i = 0; loses && i < n->n_out; i++) {
        if (!control_keep_name(&n->out[i], &n->out[i], d))
            return false;
    }
    return true;
}

static bool trim_body(struct trimming *t)
{
    bool ok = inlay_node_is(t->n, INLAY_OP_IF) || drop_constant_edges(t);

    for (int i = 0; ok && i < t->body->graph->n_params; i++)
        ok = merge_param(t, i);
    return ok;
}

/* There are fewer nodes, operands or outputs than before. */
static size_t parts_of(const inlay_node *n)
{
    size_t all = (size_t)n->n_in + (size_t)n->n_out;

    for (int i = 0; i < n->n_bodies; i++)
        all += n->bodies[i].graph->n_nodes;
    return all;
}

static bool trim(inlay_node *n, bool *done, inlay_diags *d)
{
    struct trimming t = {.n = n, .diags = d};
    size_t before = parts_of(n);
    bool ok = true;

    for (int i = 0; ok && i < n->n_bodies; i++) {
        t.body = &n->bodies[i];
        ok = trim_body(&t);
    }
    ok = ok && (!inlay_node_is(n, INLAY_OP_IF) || replace_handed(&t)) && keep_names(n, d) &&
         control_tidy(n, d);
    *done = t.changed || parts_of(n) != before;
    return ok;
}

static bool trim_all(inlay_graph *g, pass_run *r)
{
    for (inlay_node *n = inlay_graph_had_bodies(g) ? g->first : NULL; n; n = n->next) {
        bool done;

        if (n->n_bodies == 0)
            continue;
        if (!inlay_pass_begin(r, n)) {
            if (r->failed)
                return false;
            continue;
        }
        if (!trim(n, &done, r->diags) || !inlay_pass_end(r, done))
            return false;
    }
    return true;
}

bool pass_trim_bodies(inlay_graph *g, pass_run *r)
{
    return inlay_pass_each_graph(g, trim_all, r);
}

/* trim-bodies: values that enter a body and are known outside are not carried.
 *
 *     y = Loop(n, go, x, 2, x)      body    p, k, q -> p + k, q      q comes back as q
 *
 *     q is not carried, and the output q is x; k is 2 inside; p and q stay two values, because p
 *     changes. Then unused Parameters, Results, operands and outputs are removed. */
#include "ir/shared.h"
#include "passes/control/control.h"

#include <stdlib.h>

struct trimming {
    inlay_node *n;
    inlay_body *body; /* of N */
    struct control_ports ports;
    bool changed;
    inlay_diags *diags;
};

static inlay_value *param_of(const struct trimming *t, int i)
{
    return &t->body->graph->params[i]->out[0];
}

/* ---- carried values that do not change ---- */

/* Replaces the outputs that are Result number RESULT by BY, their value after any number of
 * iterations. False for an output of the graph, whose name BY may not take. */
static bool replace_outputs(struct trimming *t, int result, inlay_value *by)
{
    for (int i = t->ports.leaving[result]; i >= 0; i = t->ports.next[i]) {
        const inlay_port *p = &t->body->out[i];
        inlay_value *old = p->outer >= 0 ? &t->n->out[p->outer] : NULL;
        bool take;

        if (!old || p->has_axis || !old->uses || inlay_value_is_output(old) ||
            !inlay_fact_same_shape(&old->fact, &by->fact))
            continue;
        if (!pass_ask_readers(old, by, &take, t->diags))
            return false;
        if (!take)
            continue;
        t->changed = true;
        if (!inlay_value_replace(old, by, t->diags))
            return false;
    }
    return true;
}

/* If there is no iteration, an output is the initial value of its back edge: the edge may be
 * removed only if no output needs it. */
static bool is_needed(const struct trimming *t, int result)
{
    for (int i = t->ports.leaving[result]; i >= 0; i = t->ports.next[i]) {
        const inlay_port *p = &t->body->out[i];

        if (p->outer >= 0 && !p->has_axis && t->n->out[p->outer].uses)
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
        int port = t->ports.entry[e.to];
        inlay_value *v = port < 0 ? NULL : inlay_node_input(t->n, b->in[port].outer);
        bool unchanged = b->graph->results[e.from]->in[0].value == param_of(t, e.to) && v &&
                         control_admits(b->graph->params[e.to], &v->fact);

        if (unchanged && !replace_outputs(t, e.from, v))
            return false;
        if (unchanged && !is_needed(t, e.from)) {
            inlay_node_changes_ports(t->n);
            t->changed = true;
        } else {
            b->back[to++] = e;
        }
    }
    b->n_back = to;
    control_ports_go_back(&t->ports);
    return true;
}

/* ---- duplicate inputs, and constants ---- */

/* V enters Parameter number PARAM, and also the earlier Parameter number BEFORE; -1: there is none.
 */
struct entry {
    inlay_value *v;
    int param, before;
};

/* By value, then by Parameter. */
static int compare_entries(const void *x, const void *y)
{
    const struct entry *a = x, *b = y;

    if (a->v->node->id != b->v->node->id)
        return a->v->node->id < b->v->node->id ? -1 : 1;
    if (a->v->index != b->v->index)
        return a->v->index < b->v->index ? -1 : 1;
    return (a->param > b->param) - (a->param < b->param);
}

/* Entries of one value are adjacent: each is compared with the first of them. */
static void find_before(const struct trimming *t, struct entry *list, int n)
{
    for (int i = 1, first = 0; i < n; i++) {
        if (list[i].v != list[first].v)
            first = i;
        else if (inlay_fact_same_shape(&param_of(t, list[first].param)->fact,
                                       &param_of(t, list[i].param)->fact))
            list[i].before = list[first].param;
    }
}

/* Returns the number of entries, by value. */
static int list_entries(const struct trimming *t, struct entry *list)
{
    int n = 0;

    for (int i = 0; i < t->body->graph->n_params; i++) {
        inlay_value *v = control_entering(&t->ports, t->n, i);

        if (v)
            list[n++] = (struct entry){v, i, -1};
    }
    qsort(list, (size_t)n, sizeof *list, compare_entries);
    find_before(t, list, n);
    return n;
}

static inlay_value *make_constant(struct trimming *t, const inlay_value *v)
{
    return inlay_build_const(t->body->graph, v->node->name, v->fact.content, t->diags);
}

/* Replaces Parameter P by a constant, unless a reader, which may never run, refuses it. */
static bool put_constant(struct trimming *t, inlay_value *p, const inlay_value *v)
{
    inlay_value *by = make_constant(t, v);
    bool take;

    if (!by || !pass_ask_readers(p, by, &take, t->diags))
        return false;
    if (!take)
        return inlay_node_remove(by->node, t->diags);
    t->changed = true;
    return inlay_value_replace(p, by, t->diags);
}

static bool merge_param(struct trimming *t, const struct entry *e)
{
    inlay_value *p = param_of(t, e->param);
    bool take;

    if (!p->uses || p->n_results > 0)
        return true;
    if (e->before < 0)
        return !inlay_node_is(e->v->node, INLAY_OP_CONST) || put_constant(t, p, e->v);
    if (!pass_ask_readers(p, param_of(t, e->before), &take, t->diags))
        return false;
    if (!take)
        return true;
    t->changed = true;
    return inlay_value_replace(p, param_of(t, e->before), t->diags);
}

static bool merge_params(struct trimming *t)
{
    struct entry *list = inlay_take(inlay_graph_budget(t->body->graph),
                                    (size_t)t->body->graph->n_params + 1, sizeof *list);
    int n = list ? list_entries(t, list) : 0;
    bool ok = list || inlay_fail_memory(t->diags);

    for (int i = 0; ok && i < n; i++)
        ok = merge_param(t, &list[i]);
    inlay_give(list);
    return ok;
}

/* ---- an If that returns the same value in both branches ---- */

/* The Parameter that Result number RESULT of the body returns unchanged; NULL: it is computed. */
static inlay_value *handed(const struct trimming *t, int result)
{
    const inlay_value *v = t->body->graph->results[result]->in[0].value;
    int param = v ? t->ports.param[v->node->id] : -1;
    int port = param < 0 ? -1 : t->ports.entry[param];

    return port >= 0 && inlay_port_is_plain(&t->body->in[port])
               ? inlay_node_input(t->n, t->body->in[port].outer)
               : NULL;
}

/* OUT receives, for each output of the node, the value that the body returns unchanged. */
static bool list_handed(struct trimming *t, inlay_body *b, inlay_value **out)
{
    t->body = b;
    if (!control_ports_make(&t->ports, b, t->diags))
        return false;
    for (int i = b->n_out; i-- > 0;) {
        if (b->out[i].outer >= 0)
            out[b->out[i].outer] = handed(t, b->out[i].inner);
    }
    control_ports_free(&t->ports);
    return true;
}

static bool replace_by_handed(struct trimming *t, inlay_value *const *a, inlay_value *const *b)
{
    for (int i = 0; i < t->n->n_out; i++) {
        inlay_value *old = &t->n->out[i];
        bool take;

        if (!a[i] || a[i] != b[i] || !old->uses || inlay_value_is_output(old) ||
            !inlay_fact_same_shape(&old->fact, &a[i]->fact))
            continue;
        if (!pass_ask_readers(old, a[i], &take, t->diags))
            return false;
        if (!take)
            continue;
        t->changed = true;
        if (!inlay_value_replace(old, a[i], t->diags))
            return false;
    }
    return true;
}

static bool replace_handed(struct trimming *t)
{
    int n = t->n->n_out;
    inlay_value **both =
        inlay_take(inlay_graph_budget(t->body->graph), 2 * (size_t)n + 1, sizeof(inlay_value *));
    bool ok = both || inlay_fail_memory(t->diags);

    ok = ok && list_handed(t, &t->n->bodies[0], both) &&
         list_handed(t, &t->n->bodies[1], both + n) && replace_by_handed(t, both, both + n);
    inlay_give(both);
    return ok;
}

/* ---- the pass ---- */

/* Removing an output changes the numbers of those after it; outputs of the graph keep names that
 * contain the number. */
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
    bool ok = control_ports_make(&t->ports, t->body, t->diags) &&
              (inlay_node_is(t->n, INLAY_OP_IF) || drop_constant_edges(t)) && merge_params(t);

    control_ports_free(&t->ports);
    return ok;
}

/* The number of nodes, operands and outputs, which the pass reduces. */
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

bool pass_trim_bodies(inlay_graph *g, pass_run *r)
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

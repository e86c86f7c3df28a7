/* Replaces a node by the iterations of its body.
 *
 *     (y, all) = Loop(2, true, x)      body    p -> q = p + 1      p comes back as q
 *                                              q is y, and joined along axis 0 it is all
 *
 *     q = x + 1;  y = q + 1;  all = Concat(q, y)
 *
 * Meanwhile the graph has nodes without readers: if it turns out that the node cannot be replaced,
 * they are removed again. */
#include "ir/shared.h"
#include "passes/control/control.h"

#include <stdio.h>
#include <stdlib.h>

struct copying {
    inlay_node *n;
    const inlay_body *body;
    int64_t iterations;
    uint32_t first_id;    /* of the nodes that are made */
    inlay_value **params; /* by Parameter, in this iteration */
    inlay_value *
        *results;        /* by Result, in the newest iteration; before the first: initial values of
                            back edges */
    inlay_value **parts; /* by port of an output that joins and iteration */
    inlay_diags *diags;
};

static bool begin(struct copying *c)
{
    size_t parts = (size_t)c->body->n_out * (size_t)c->iterations;

    c->first_id = c->n->graph->next_id;
    c->params = inlay_take(inlay_graph_budget(c->body->graph), (size_t)c->body->graph->n_params + 1,
                           sizeof *c->params);
    c->results = inlay_take(inlay_graph_budget(c->body->graph),
                            (size_t)c->body->graph->n_results + 1, sizeof *c->results);
    c->parts = inlay_take(inlay_graph_budget(c->body->graph), parts + 1, sizeof *c->parts);
    return (c->params && c->results && c->parts) || inlay_fail_memory(c->diags);
}

static void end(struct copying *c)
{
    inlay_give(c->params);
    inlay_give(c->results);
    inlay_give(c->parts);
}

bool control_undo(inlay_graph *g, uint32_t first_id, inlay_diags *d)
{
    for (inlay_node *n = g->last, *before; n && n->id >= first_id; n = before) {
        before = n->prev;
        for (int i = 0; i < n->n_in; i++) {
            if (n->in[i].value && !inlay_node_set_input(n, i, NULL, d))
                return false;
        }
    }
    while (g->last && g->last->id >= first_id) {
        if (!inlay_node_remove(g->last, d))
            return false;
    }
    return true;
}

/* Facts are inferred anew, because sizes of the body have identities of their own. */
static bool infer_made(const struct copying *c, uint32_t from)
{
    inlay_order_list order;
    bool ok = inlay_order(c->n->graph, true, &order, c->diags);

    for (size_t i = 0; ok && i < order.n; i++)
        ok = order.nodes[i]->id < from || inlay_infer_node(order.nodes[i], c->diags);
    inlay_order_free(&order);
    return ok;
}

/* ---- what enters ---- */

static inlay_value *make_part(struct copying *c, const inlay_port *p, int64_t iteration)
{
    inlay_value *in[5] = {inlay_node_input(c->n, p->outer)};
    const inlay_fact *f = &in[0]->fact;
    int64_t axis = p->axis < 0 ? p->axis + f->rank : p->axis, first, n, numbers[3];
    inlay_node *slice;

    if (f->rank < 0 || axis < 0 || axis >= f->rank || !inlay_dim_is_static(f->dims[axis]) ||
        !inlay_port_parts(p, f->dims[axis].lo, &first, &n) || iteration >= n)
        return NULL;
    numbers[0] = first + iteration * p->stride;
    numbers[1] = numbers[0] + p->part_size;
    numbers[2] = 1;
    for (int i = 0; i < 4; i++) {
        in[i + 1] =
            inlay_build_i64_list(c->n->graph, NULL, i < 3 ? &numbers[i] : &axis, 1, c->diags);
        if (!in[i + 1])
            return NULL;
    }
    slice = inlay_build(c->n->graph, NULL, "Slice", in, 5, NULL, c->diags);
    return slice ? &slice->out[0] : NULL;
}

static inlay_value *make_number(struct copying *c, const inlay_port *p, int64_t iteration)
{
    const inlay_fact *f = &c->body->graph->params[p->inner]->out[0].fact;
    const int64_t one = 1;

    return inlay_build_ints(c->n->graph, NULL, f->type, f->rank == 1 ? 1 : 0, &one, &iteration,
                            c->diags);
}

/* Gives each Parameter its value, with the type and shape that the body declares. */
static bool enter(struct copying *c, int64_t iteration)
{
    const inlay_body *b = c->body;

    for (int i = 0; i < b->n_in; i++) {
        const inlay_port *p = &b->in[i];

        if (p->purpose == INLAY_PORT_ITERATION)
            c->params[p->inner] = make_number(c, p, iteration);
        else if (p->has_axis && p->outer >= 0)
            c->params[p->inner] = make_part(c, p, iteration);
        else if (iteration == 0)
            c->params[p->inner] = inlay_node_input(c->n, p->outer);
    }
    for (int i = 0; i < b->graph->n_params; i++) {
        if (!c->params[i] || !control_admits(b->graph->params[i], &c->params[i]->fact))
            return false;
    }
    return true;
}

/* ---- iterations ---- */

/* Follows all back edges at once. */
static void go_back(struct copying *c)
{
    for (int i = 0; i < c->body->n_back; i++)
        c->params[c->body->back[i].to] = c->results[c->body->back[i].from];
}

static bool iterate(struct copying *c, int64_t iteration)
{
    uint32_t from = c->n->graph->next_id;

    if (!enter(c, iteration) ||
        !inlay_graph_splice(c->n->graph, c->body->graph, c->params, c->results, c->diags) ||
        !infer_made(c, from))
        return false;
    for (int i = 0; i < c->body->n_out; i++)
        c->parts[(int64_t)i * c->iterations + iteration] = c->results[c->body->out[i].inner];
    go_back(c);
    return true;
}

/* If there is no iteration, an output is the initial value of its back edge. */
static bool begin_with(struct copying *c)
{
    struct control_ports ports;

    if (!control_ports_make(&ports, c->body, c->diags))
        return false;
    for (int i = c->body->n_back; i-- > 0;) {
        int port = ports.entry[c->body->back[i].to];

        c->results[c->body->back[i].from] = inlay_node_input(c->n, c->body->in[port].outer);
    }
    control_ports_free(&ports);
    return true;
}

/* ---- what leaves ---- */

static inlay_value *join(struct copying *c, int port)
{
    const inlay_port *p = &c->body->out[port];
    inlay_value **parts = c->parts + (int64_t)port * c->iterations;
    char attrs[40];
    inlay_node *n;

    if (c->iterations == 1)
        return parts[0];
    for (int64_t i = 0, k = c->iterations - 1; p->stride < 0 && i < k; i++, k--) {
        inlay_value *kept = parts[i];

        parts[i] = parts[k];
        parts[k] = kept;
    }
    snprintf(attrs, sizeof attrs, "axis=%lld", (long long)p->axis);
    n = inlay_build(c->n->graph, NULL, "Concat", parts, (int)c->iterations, attrs, c->diags);
    return n ? &n->out[0] : NULL;
}

bool control_may_replace(const inlay_value *old, const inlay_value *by, uint32_t first_id)
{
    const inlay_fact *f = &old->fact, *g = &by->fact;

    if (inlay_value_is_output(old) && (by->node->id < first_id || inlay_value_is_output(by)))
        return false;
    if (f->type != g->type || (f->rank >= 0 && f->rank != g->rank))
        return false;
    for (int i = 0; i < f->rank; i++) {
        if (g->dims[i].lo < f->dims[i].lo || g->dims[i].hi > f->dims[i].hi)
            return false;
    }
    return true;
}

/* OUT receives, for each output of the node, the value that replaces it. False: there is none for
 * some output. */
static bool leave(struct copying *c, inlay_value **out)
{
    for (int i = 0; i < c->body->n_out; i++) {
        const inlay_port *p = &c->body->out[i];

        if (p->outer < 0)
            continue;
        if (p->has_axis && c->iterations == 0)
            return false;
        out[p->outer] = p->has_axis ? join(c, i) : c->results[p->inner];
        if (!out[p->outer] ||
            !control_may_replace(&c->n->out[p->outer], out[p->outer], c->first_id))
            return false;
        for (int k = 0; k < c->n->n_out; k++) { /* no two outputs of the graph may be the same value
                                                   */
            if (k != p->outer && out[k] == out[p->outer] && inlay_value_is_output(&c->n->out[k]))
                return false;
        }
    }
    return true;
}

bool control_replace(inlay_node *n, inlay_value *const *out, inlay_diags *d)
{
    for (int i = 0; i < n->n_out; i++) {
        if (!control_keep_name(&n->out[i], out[i], d) ||
            !inlay_value_replace(&n->out[i], out[i], d))
            return false;
    }
    return inlay_node_remove(n, d);
}

bool control_inline(inlay_node *n, int body, int64_t iterations, bool *done, inlay_diags *d)
{
    inlay_diags *refused = inlay_diags_new(); /* what shape rules refuse is left to the run */
    struct copying c = {
        .n = n, .body = &n->bodies[body], .iterations = iterations, .diags = refused};
    inlay_value **out =
        inlay_take(inlay_node_budget(n), (size_t)n->n_out + 1, sizeof(inlay_value *));
    bool ok = refused && out && begin(&c) && (iterations > 0 || begin_with(&c));

    *done = ok;
    for (int64_t i = 0; *done && i < iterations; i++)
        *done = iterate(&c, i);
    *done = *done && leave(&c, out) && pass_readers_take_all(n, out, refused);
    if (ok && !*done)
        ok = control_undo(n->graph, c.first_id, refused) &&
             inlay_diags_status(refused) != INLAY_NO_RESOURCE;
    else if (ok)
        ok = control_replace(n, out, refused);
    end(&c);
    inlay_give(out);
    inlay_diags_free(refused);
    return ok || inlay_fail_memory(d);
}

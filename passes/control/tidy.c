/* Removes what a node and its bodies do not need: unused Parameters with the operands that enter
 * them, unused outputs with their Results.
 *
 *     (a, b) = If(c, x, y)      then    p -> p + 1, q      else    p -> p, q
 *
 *     when nothing reads b: its Results go, then q, then y */
#include "ir/shared.h"
#include "passes/control/control.h"

#include <stdlib.h>

/* ---- port maps after a removal ---- */

static void drop_ports(inlay_port *ports, int *n, int inner)
{
    int to = 0;

    for (int i = 0; i < *n; i++) {
        if (ports[i].inner == inner)
            continue;
        ports[to] = ports[i];
        ports[to].inner -= ports[i].inner > inner;
        to++;
    }
    *n = to;
}

static void drop_outer(inlay_port *ports, int n, int outer)
{
    for (int i = 0; i < n; i++) {
        if (ports[i].outer == outer)
            ports[i].outer = -1;
        ports[i].outer -= ports[i].outer > outer;
    }
}

/* Removes back edges to Parameter PARAM or from Result RESULT; -1: none. */
static void drop_back_edges(inlay_body *b, int param, int result)
{
    int to = 0;

    for (int i = 0; i < b->n_back; i++) {
        inlay_back_edge e = b->back[i];

        if (e.to == param || e.from == result)
            continue;
        e.to -= param >= 0 && e.to > param;
        e.from -= result >= 0 && e.from > result;
        b->back[to++] = e;
    }
    b->n_back = to;
}

/* ---- what nothing needs ---- */

/* What a body must keep although nothing reads it. */
struct kept {
    bool *param;  /* by Parameter */
    bool *result; /* by Result */
    bool *leaves; /* by Result: it is an output as a whole, not a part of one */
};

/* A sliced input determines the number of iterations. An input with a back edge is an output if
 * there is no iteration. */
static void mark_kept(const inlay_body *b, struct kept *k)
{
    for (int i = 0; i < b->n_out; i++) {
        const inlay_port *p = &b->out[i];

        k->leaves[p->inner] |= p->outer >= 0 && !p->has_axis;
        k->result[p->inner] |= p->outer >= 0 || p->purpose != INLAY_PORT_PLAIN;
    }
    for (int i = 0; i < b->n_in; i++)
        k->param[b->in[i].inner] |= b->in[i].has_axis;
    for (int i = 0; i < b->n_back; i++)
        k->param[b->back[i].to] |= k->leaves[b->back[i].from];
}

/* From the last one to the first, so that the numbers of the others stay. */
static bool drop_params(inlay_body *b, const struct kept *k, bool *dropped, inlay_diags *d)
{
    for (int i = b->graph->n_params; i-- > 0;) {
        if (k->param[i] || b->graph->params[i]->out[0].uses)
            continue;
        *dropped = true;
        drop_ports(b->in, &b->n_in, i);
        drop_back_edges(b, i, -1);
        if (!inlay_node_remove(b->graph->params[i], d))
            return false;
    }
    return true;
}

/* A Result with a back edge is kept as long as the edge is. */
static bool drop_results(inlay_body *b, const struct kept *k, bool *dropped, inlay_diags *d)
{
    for (int i = 0; i < b->n_back; i++)
        k->result[b->back[i].from] = true;
    for (int i = b->graph->n_results; i-- > 0;) {
        if (k->result[i])
            continue;
        *dropped = true;
        drop_ports(b->out, &b->n_out, i);
        drop_back_edges(b, -1, i);
        if (!inlay_node_remove(b->graph->results[i], d))
            return false;
    }
    return true;
}

static bool tidy_body(inlay_body *b, bool *dropped, inlay_diags *d)
{
    size_t params = (size_t)b->graph->n_params, results = (size_t)b->graph->n_results;
    bool *marks = inlay_take(inlay_graph_budget(b->graph), params + 2 * results + 1, sizeof(bool));
    struct kept k = {.param = marks, .result = marks + params, .leaves = marks + params + results};
    bool ok = marks || inlay_fail_memory(d);

    inlay_count_steps(b->graph, params + results + (size_t)b->n_in + (size_t)b->n_out);
    if (ok)
        mark_kept(b, &k);
    ok = ok && drop_params(b, &k, dropped, d) && drop_results(b, &k, dropped, d);
    inlay_give(marks);
    return ok;
}

/* Parts that P joins have the same shape except along its axis, and have that axis: joining cannot
 * fail. */
static bool surely_joins(const inlay_body *b, const inlay_port *p)
{
    const inlay_fact *f = &b->graph->results[p->inner]->in[0].value->fact;
    int64_t axis = p->axis < 0 ? p->axis + f->rank : p->axis;

    for (int i = 0; i < f->rank; i++) {
        if (i != axis && !inlay_dim_is_static(f->dims[i]))
            return false;
    }
    return axis >= 0 && axis < f->rank;
}

/* Marks outputs of N whose removal would lose an error of the run. */
static void mark_joins(const inlay_node *n, bool *stays)
{
    for (int k = 0; k < n->n_bodies; k++) {
        const inlay_body *b = &n->bodies[k];

        for (int j = 0; j < b->n_out; j++) {
            if (b->out[j].outer >= 0 && b->out[j].has_axis && !surely_joins(b, &b->out[j]))
                stays[b->out[j].outer] = true;
        }
    }
}

static bool drop_unread(inlay_node *n, const bool *stays, bool *dropped, inlay_diags *d)
{
    for (int i = n->n_out; i-- > 0 && n->n_out > 1;) {
        if (stays[i] || n->out[i].uses)
            continue;
        *dropped = true;
        for (int k = 0; k < n->n_bodies; k++)
            drop_outer(n->bodies[k].out, n->bodies[k].n_out, i);
        if (!inlay_node_drop_output(n, i, d))
            return false;
    }
    return true;
}

static bool drop_outputs(inlay_node *n, bool *dropped, inlay_diags *d)
{
    bool *stays = inlay_take(inlay_node_budget(n), (size_t)n->n_out + 1, sizeof(bool));
    bool ok = stays || inlay_fail_memory(d);

    if (ok)
        mark_joins(n, stays);
    ok = ok && drop_unread(n, stays, dropped, d);
    inlay_give(stays);
    return ok;
}

static void mark_entering(const inlay_node *n, bool *enters)
{
    for (int k = 0; k < n->n_bodies; k++) {
        for (int i = 0; i < n->bodies[k].n_in; i++) {
            if (n->bodies[k].in[i].outer >= 0)
                enters[n->bodies[k].in[i].outer] = true;
        }
    }
}

/* Removes operands that no body uses. Those before the list belong to the node itself. */
static bool drop_unused(inlay_node *n, const bool *enters, inlay_diags *d)
{
    for (int i = n->n_in - 1; i >= n->op->n_in - 1; i--) {
        if (enters[i])
            continue;
        for (int k = 0; k < n->n_bodies; k++)
            drop_outer(n->bodies[k].in, n->bodies[k].n_in, i);
        if (!inlay_node_drop_input(n, i, d))
            return false;
    }
    return true;
}

static bool drop_inputs(inlay_node *n, inlay_diags *d)
{
    bool *enters = inlay_take(inlay_node_budget(n), (size_t)n->n_in + 1, sizeof(bool));
    bool ok = enters || inlay_fail_memory(d);

    if (ok)
        mark_entering(n, enters);
    ok = ok && drop_unused(n, enters, d);
    inlay_give(enters);
    return ok;
}

bool control_tidy(inlay_node *n, inlay_diags *d)
{
    bool dropped = true, ok = true;

    while (ok && dropped) {
        dropped = false;
        ok = drop_outputs(n, &dropped, d);
        for (int i = 0; ok && i < n->n_bodies; i++)
            ok = tidy_body(&n->bodies[i], &dropped, d);
    }
    return ok && drop_inputs(n, d);
}

/* What a node and its bodies do not need goes: Parameters that nothing reads with the operands that
 * enter them, outputs that nothing reads with their Results.
 *
 *     (a, b) = If(c, x, y)      then    p -> p + 1, q      else    p -> p, q
 *
 *     when nothing reads b: its Results go, then q, then y */
#include "passes/control/control.h"

/* ---- what a port map says after something went ---- */

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

/* Back edges to Parameter PARAM or from Result RESULT go; -1: none. */
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

/* A port that cuts its operand says how many iterations there are. */
static bool is_cut(const inlay_body *b, int param)
{
    for (int i = 0; i < b->n_in; i++) {
        if (b->in[i].inner == param && b->in[i].has_axis)
            return true;
    }
    return false;
}

static bool leaves_plainly(const inlay_body *b, int result)
{
    for (int i = 0; i < b->n_out; i++) {
        if (b->out[i].inner == result && b->out[i].outer >= 0 && !b->out[i].has_axis)
            return true;
    }
    return false;
}

/* What enters a Parameter is an output when there is no iteration, though nothing reads the
 * Parameter. */
static bool is_initial(const inlay_body *b, int param)
{
    for (int i = 0; i < b->n_back; i++) {
        if (b->back[i].to == param && leaves_plainly(b, b->back[i].from))
            return true;
    }
    return false;
}

static bool drop_param(inlay_body *b, bool *dropped, inlay_diags *d)
{
    for (int i = 0; i < b->graph->n_params; i++) {
        if (b->graph->params[i]->out[0].uses || is_cut(b, i) || is_initial(b, i))
            continue;
        *dropped = true;
        drop_ports(b->in, &b->n_in, i);
        drop_back_edges(b, i, -1);
        return inlay_node_remove(b->graph->params[i], d);
    }
    return true;
}

static bool is_mapped(const inlay_body *b, int result)
{
    for (int i = 0; i < b->n_out; i++) {
        if (b->out[i].inner == result &&
            (b->out[i].outer >= 0 || b->out[i].purpose != INLAY_PORT_PLAIN))
            return true;
    }
    for (int i = 0; i < b->n_back; i++) {
        if (b->back[i].from == result)
            return true;
    }
    return false;
}

static bool drop_result(inlay_body *b, bool *dropped, inlay_diags *d)
{
    for (int i = 0; i < b->graph->n_results; i++) {
        if (is_mapped(b, i))
            continue;
        *dropped = true;
        drop_ports(b->out, &b->n_out, i);
        drop_back_edges(b, -1, i);
        return inlay_node_remove(b->graph->results[i], d);
    }
    return true;
}

/* Parts that P joins are of one shape beside its axis, which they have: joining is no error. */
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

/* Nothing reads output I of N, and no error of the run goes with it. */
static bool may_go(const inlay_node *n, int i)
{
    for (int k = 0; k < n->n_bodies; k++) {
        const inlay_body *b = &n->bodies[k];

        for (int j = 0; j < b->n_out; j++) {
            if (b->out[j].outer == i && b->out[j].has_axis && !surely_joins(b, &b->out[j]))
                return false;
        }
    }
    return !n->out[i].uses;
}

static bool drop_outputs(inlay_node *n, bool *dropped, inlay_diags *d)
{
    for (int i = n->n_out - 1; i >= 0 && n->n_out > 1; i--) {
        if (!may_go(n, i))
            continue;
        *dropped = true;
        for (int k = 0; k < n->n_bodies; k++)
            drop_outer(n->bodies[k].out, n->bodies[k].n_out, i);
        if (!inlay_node_drop_output(n, i, d))
            return false;
    }
    return true;
}

static bool enters(const inlay_node *n, int input)
{
    for (int k = 0; k < n->n_bodies; k++) {
        for (int i = 0; i < n->bodies[k].n_in; i++) {
            if (n->bodies[k].in[i].outer == input)
                return true;
        }
    }
    return false;
}

/* Operands that no body has. Those in front of the list are the node's own. */
static bool drop_inputs(inlay_node *n, inlay_diags *d)
{
    for (int i = n->n_in - 1; i >= n->op->n_in - 1; i--) {
        if (enters(n, i))
            continue;
        for (int k = 0; k < n->n_bodies; k++)
            drop_outer(n->bodies[k].in, n->bodies[k].n_in, i);
        if (!inlay_node_drop_input(n, i, d))
            return false;
    }
    return true;
}

bool control_tidy(inlay_node *n, inlay_diags *d)
{
    bool dropped = true, ok = true;

    while (ok && dropped) {
        dropped = false;
        ok = drop_outputs(n, &dropped, d);
        for (int i = 0; ok && i < n->n_bodies; i++)
            ok = drop_param(&n->bodies[i], &dropped, d) && drop_result(&n->bodies[i], &dropped, d);
    }
    return ok && drop_inputs(n, d);
}

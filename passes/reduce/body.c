/* Bodies: a node's body takes the node's place, and what bodies do not need goes.
 *
 *     (a, b) = If(c, x, y)      then    p -> p + 1, q      else    p -> p, q
 *
 *     inline    a is x + 1, and b is y: the body stands where the node stood, once
 *     tidied    when nothing reads b: its Results go, then q, then y */
#include "passes/reduce/change.h"

#include <stdlib.h>

/* ---- inline ---- */

static int bodies(const inlay_node *n)
{
    return n->n_bodies;
}

/* What enters Parameter number I of B in its first iteration; NULL: a part of something. */
static inlay_value *entering(const inlay_node *n, const inlay_body *b, int i, inlay_diags *d)
{
    static const int64_t one = 1;
    const inlay_fact *f = &b->graph->params[i]->out[0].fact;

    for (int k = 0; k < b->n_in; k++) {
        const inlay_port *p = &b->in[k];

        if (p->inner != i)
            continue;
        if (inlay_port_is_plain(p))
            return inlay_node_input(n, p->outer);
        if (p->purpose == INLAY_PORT_ITERATION && inlay_type_is_int(f->type) && f->rank <= 1)
            return inlay_build_ints(n->graph, "iteration", f->type, f->rank, &one, &(int64_t){0},
                                    d);
        return NULL;
    }
    return NULL;
}

static bool replace_outputs(inlay_node *n, const inlay_body *b, inlay_value *const *results,
                            inlay_diags *d)
{
    for (int i = 0; i < b->n_out; i++) {
        if (b->out[i].outer >= 0 &&
            !inlay_value_replace(&n->out[b->out[i].outer], results[b->out[i].inner], d))
            return false;
    }
    return inlay_node_remove(n, d);
}

static bool put_body(inlay_node *n, int part, inlay_diags *d)
{
    const inlay_body *b = &n->bodies[part];
    inlay_value **params = calloc((size_t)b->graph->n_params + 1, sizeof *params);
    inlay_value **results = calloc((size_t)b->graph->n_results + 1, sizeof *results);
    bool ok = (params && results) || inlay_fail_memory(d);

    for (int i = 0; ok && i < b->graph->n_params; i++)
        ok = (params[i] = entering(n, b, i, d)) != NULL;
    ok = ok && inlay_graph_splice(n->graph, b->graph, params, results, d) &&
         replace_outputs(n, b, results, d);
    free(params);
    free(results);
    return ok;
}

const reduce_change reduce_inline = {bodies, NULL, put_body, false, false};

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

static bool drop_param(inlay_body *b, bool *dropped, inlay_diags *d)
{
    for (int i = 0; i < b->graph->n_params; i++) {
        if (b->graph->params[i]->out[0].uses || is_cut(b, i))
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

static bool drop_outputs(inlay_node *n, bool *dropped, inlay_diags *d)
{
    for (int i = n->n_out - 1; i >= 0 && n->n_out > 1; i--) {
        if (n->out[i].uses)
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

static bool tidy_node(inlay_node *n, inlay_diags *d)
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

bool reduce_tidy_bodies(inlay_graph *g, inlay_diags *d)
{
    for (inlay_node *n = g->first; n; n = n->next) {
        if (n->n_bodies > 0 && !tidy_node(n, d))
            return false;
        for (int i = 0; i < n->n_bodies; i++) { /* bodies nest INLAY_MAX_BODY_DEPTH deep at most */
            if (!reduce_tidy_bodies(n->bodies[i].graph, d))
                return false;
        }
    }
    return true;
}

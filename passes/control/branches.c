/* inline-bodies, unroll-loops: nodes of which it is known which body runs, and how often. */
#include "passes/control/control.h"

enum { UNROLLED = 64 /* nodes that unroll-loops may make of one Loop or TensorIterator */ };

/* ---- If ---- */

static bool same_ports(const inlay_port *a, int n_a, const inlay_port *b, int n_b)
{
    for (int i = 0; n_a == n_b && i < n_a; i++) {
        if (a[i].outer != b[i].outer || a[i].inner != b[i].inner)
            return false;
    }
    return n_a == n_b;
}

static bool branches_are_equal(const inlay_node *n)
{
    const inlay_body *a = &n->bodies[0], *b = &n->bodies[1];
    char why[200];

    return same_ports(a->in, a->n_in, b->in, b->n_in) &&
           same_ports(a->out, a->n_out, b->out, b->n_out) &&
           inlay_graph_equal(a->graph, b->graph, why, sizeof why);
}

/* The condition has one element; otherwise the If is an error. */
static bool is_sound_condition(const inlay_fact *f)
{
    return f->rank == 0 || (f->rank == 1 && f->dims[0].lo == 1 && f->dims[0].hi == 1);
}

/* The body that N, an If, runs; -1: not known. */
static int branch_of(const inlay_node *n)
{
    const inlay_value *cond = inlay_node_input(n, 0);
    int64_t x;

    if (control_constant(cond, &x))
        return x ? 0 : 1;
    return is_sound_condition(&cond->fact) && branches_are_equal(n) ? 0 : -1;
}

/* ---- Loop and TensorIterator ---- */

/* Returns the operand of N that is V in each iteration, if V is such a Parameter of B; else V. */
static const inlay_value *outside(const inlay_node *n, const inlay_body *b, const inlay_value *v)
{
    const inlay_value *found = v;

    for (int i = 0; i < b->n_in; i++) {
        if (&b->graph->params[b->in[i].inner]->out[0] == v && inlay_port_is_plain(&b->in[i]))
            found = inlay_node_input(n, b->in[i].outer);
    }
    for (int i = 0; i < b->n_back; i++) {
        if (&b->graph->params[b->back[i].to]->out[0] == v &&
            inlay_body_result(b, b->back[i].from) != v)
            return v;
    }
    return found;
}

/* Whether the body of N, a Loop, asks for another iteration: 1 always, 0 never, -1 not known. */
static int goes_on(const inlay_node *n)
{
    const inlay_body *b = n->bodies;
    int64_t x;

    for (int i = 0; i < b->n_out; i++) {
        if (b->out[i].purpose == INLAY_PORT_CONDITION)
            return control_constant(outside(n, b, inlay_body_result(b, b->out[i].inner)), &x)
                       ? x != 0
                       : -1;
    }
    return -1;
}

static int64_t loop_iterations(const inlay_node *n)
{
    int64_t trips, cond;
    int on = goes_on(n);

    if (!control_constant(inlay_node_input(n, 0), &trips) || trips < -1 ||
        !control_constant(inlay_node_input(n, 1), &cond))
        return -1;
    if (!cond || trips == 0)
        return 0;
    if (trips == 1 || on == 0)
        return 1;
    return on == 1 ? trips : -1;
}

/* The number of parts of the sliced inputs, all of which have the same number. */
static int64_t parts_of(const inlay_node *n)
{
    const inlay_body *b = n->bodies;
    int64_t all = -1, first, parts;

    for (int i = 0; i < b->n_in; i++) {
        const inlay_port *p = &b->in[i];
        const inlay_fact *f = p->outer >= 0 ? &inlay_node_input(n, p->outer)->fact : NULL;
        int64_t axis = f && p->axis < 0 ? p->axis + f->rank : p->axis;

        if (!f || !p->has_axis)
            continue;
        if (f->rank < 0 || axis < 0 || axis >= f->rank || !inlay_dim_is_static(f->dims[axis]) ||
            !inlay_port_parts(p, f->dims[axis].lo, &first, &parts) || (all >= 0 && parts != all))
            return -1;
        all = parts;
    }
    return all < 0 ? 1 : all;
}

int64_t control_iterations(const inlay_node *n)
{
    return inlay_node_is(n, INLAY_OP_LOOP) ? loop_iterations(n) : parts_of(n);
}

int64_t inlay_node_runs(const inlay_node *n)
{
    int64_t runs = 1;

    for (const inlay_node *o = n ? n->graph->owner : NULL; o; o = o->graph->owner) {
        int64_t times = inlay_node_is(o, INLAY_OP_IF) ? 1 : control_iterations(o);

        if (times <= 0 || times > INT64_MAX / runs)
            return 0;
        runs *= times;
    }
    return runs;
}

/* ---- the passes ---- */

static bool inline_node(inlay_node *n, int body, int64_t iterations, pass_run *r)
{
    bool done;

    if (!inlay_pass_begin(r, n))
        return !r->failed;
    return control_inline(n, body, iterations, &done, r->diags) && inlay_pass_end(r, done);
}

/* New nodes are added at the end of the list, so bodies within bodies are visited, too. */
static bool inline_all(inlay_graph *g, pass_run *r, int64_t most)
{
    for (inlay_node *n = inlay_graph_had_bodies(g) ? g->first : NULL, *next; n; n = next) {
        int64_t iterations = 1;
        int body = 0;

        next = n->next;
        if (n->n_bodies == 0 || control_has_effect(n))
            continue;
        if (inlay_node_is(n, INLAY_OP_IF))
            body = branch_of(n);
        else
            iterations = control_iterations(n);
        if (body < 0 || iterations < 0 || iterations > most ||
            (iterations > 1 && (int64_t)n->bodies[0].graph->n_nodes > UNROLLED / iterations))
            continue;
        if (!inline_node(n, body, iterations, r))
            return false;
    }
    return true;
}

bool pass_inline_bodies(inlay_graph *g, pass_run *r)
{
    return inline_all(g, r, 1);
}

bool pass_unroll_loops(inlay_graph *g, pass_run *r)
{
    return inline_all(g, r, UNROLLED);
}

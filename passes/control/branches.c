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

static bool compare_branches(const inlay_node *n, bool *equal, inlay_diags *d)
{
    const inlay_body *a = &n->bodies[0], *b = &n->bodies[1];

    *equal = same_ports(a->in, a->n_in, b->in, b->n_in) &&
             same_ports(a->out, a->n_out, b->out, b->n_out);
    return !*equal || inlay_graph_compare(a->graph, b->graph, equal, NULL, 0, d);
}

/* The condition has one element; otherwise the If is an error. */
static bool is_sound_condition(const inlay_fact *f)
{
    return f->rank == 0 || (f->rank == 1 && f->dims[0].lo == 1 && f->dims[0].hi == 1);
}

/* *BODY: the one that N, an If, runs; -1: not known. */
static bool find_branch(const inlay_node *n, int *body, inlay_diags *d)
{
    const inlay_value *cond = inlay_node_input(n, 0);
    bool equal = false, ok = true;
    int64_t x;

    if (inlay_value_integer(cond, &x)) {
        *body = x ? 0 : 1;
        return true;
    }
    if (is_sound_condition(&cond->fact))
        ok = compare_branches(n, &equal, d);
    *body = equal ? 0 : -1;
    return ok;
}

/* ---- Loop and TensorIterator ---- */

int64_t inlay_node_runs(const inlay_node *n)
{
    int64_t runs = 1;

    for (const inlay_node *o = n ? n->graph->owner : NULL; o; o = o->graph->owner) {
        int64_t times = inlay_node_is(o, INLAY_OP_IF) ? 1 : inlay_node_iterations(o);

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
        if (!inlay_node_is(n, INLAY_OP_IF))
            iterations = inlay_node_iterations(n);
        else if (!find_branch(n, &body, r->diags))
            return false;
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

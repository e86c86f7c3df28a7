/* Errors in the use of variables: an Assign without a ReadValue of the same variable in its graph,
 * or two Assigns of one variable (parser/openvino/README.md 5). The second rule is Inlay's own:
 * which of two Assigns takes effect last would depend on the order of execution. */
#include "parser/openvino/read.h"

struct variables {
    const ov_reader *r;
    const inlay_graph **read_in;    /* by the variable's index: the last graph with a ReadValue */
    const inlay_node **assigned_by; /* and the Assign */
};

static inlay_variable *variable_of(const inlay_node *n)
{
    const inlay_attr *a = inlay_node_attr(n, "variable_id");

    return a ? a->as.variable : NULL;
}

static bool check_assign(const struct variables *s, const inlay_node *n)
{
    const inlay_variable *v = variable_of(n);
    const inlay_node *other = v ? s->assigned_by[v->index] : NULL;

    if (!v)
        return true;
    if (s->read_in[v->index] != n->graph)
        return inlay_fail_node(s->r->a.d, n,
                               "variable \"%.100s\" has no ReadValue in the same graph", v->name);
    if (other)
        return inlay_fail_node(s->r->a.d, n,
                               "variable \"%.100s\" is assigned by layer %lld \"%.100s\" already",
                               v->name, (long long)other->place, other->name);
    s->assigned_by[v->index] = n;
    return true;
}

/* Checks G and its bodies. Recursive, down to INLAY_MAX_BODY_DEPTH. */
static bool check_graph(const struct variables *s, const inlay_graph *g)
{
    for (const inlay_node *n = g->first; n; n = n->next) {
        for (int i = 0; i < n->n_bodies; i++) {
            if (!check_graph(s, n->bodies[i].graph))
                return false;
        }
    }
    for (const inlay_node *n = g->first; n; n = n->next) {
        if (inlay_node_is(n, INLAY_OP_READ_VALUE) && variable_of(n))
            s->read_in[variable_of(n)->index] = g;
    }
    for (const inlay_node *n = g->first; n; n = n->next) {
        if (inlay_node_is(n, INLAY_OP_ASSIGN) && !check_assign(s, n))
            return false;
    }
    return true;
}

bool ov_check_variables(const ov_reader *r)
{
    struct variables s = {.r = r};
    size_t n = (size_t)r->a.graph->n_variables;

    if (n == 0)
        return true;
    s.read_in = inlay_arena_array(r->a.scratch, n, sizeof *s.read_in);
    s.assigned_by = inlay_arena_array(r->a.scratch, n, sizeof *s.assigned_by);
    if (!s.read_in || !s.assigned_by)
        return inlay_fail_memory(r->a.d);
    return check_graph(&s, r->a.graph);
}

/* Bodies: replaces a node by its body, and removes what bodies do not need.
 *
 *     (a, b) = If(c, x, y)      then    p -> p + 1, q      else    p -> p, q
 *
 *     inline    a is x + 1, and b is y: the body stands where the node stood, once */
#include "ir/shared.h"
#include "passes/control/control.h"
#include "passes/reduce/change.h"

#include <stdlib.h>

/* ---- inline ---- */

static int bodies(const inlay_node *n)
{
    return n->n_bodies;
}

/* The initial value of Parameter number I of B; NULL: a part of an input. */
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
    inlay_value **params =
        inlay_take(inlay_node_budget(n), (size_t)b->graph->n_params + 1, sizeof *params);
    inlay_value **results =
        inlay_take(inlay_node_budget(n), (size_t)b->graph->n_results + 1, sizeof *results);
    bool ok = (params && results) || inlay_fail_memory(d);

    for (int i = 0; ok && i < b->graph->n_params; i++)
        ok = (params[i] = entering(n, b, i, d)) != NULL;
    ok = ok && inlay_graph_splice(n->graph, b->graph, params, results, d) &&
         replace_outputs(n, b, results, d);
    inlay_give(params);
    inlay_give(results);
    return ok;
}

const reduce_change reduce_inline = {bodies, NULL, put_body, false, false};

bool reduce_tidy_bodies(inlay_graph *g, inlay_diags *d)
{
    for (inlay_node *n = inlay_graph_walk(g, NULL); n; n = inlay_graph_walk(g, n)) {
        if (n->n_bodies > 0 && !control_tidy(n, d))
            return false;
    }
    return true;
}

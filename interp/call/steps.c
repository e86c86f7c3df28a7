/* Makes the list of steps of steps.h. */
#include "interp/call/steps.h"
#include "interp/call/kernel.h"
#include "ir/shared.h"

#include <stdlib.h>
#include <string.h>

/* A run asks for these slots in each iteration of a loop, and nodes lie far from one another. */
static bool number_ports(graph_steps *s)
{
    const inlay_graph *g = s->graph;

    s->params =
        inlay_take_raw(inlay_graph_budget(g), ((size_t)g->n_params + 1) * sizeof *s->params);
    s->results =
        inlay_take_raw(inlay_graph_budget(g), ((size_t)g->n_results + 1) * sizeof *s->results);
    if (!s->params || !s->results)
        return false;
    for (int i = 0; i < g->n_params; i++)
        s->params[i] = steps_slot(s, &g->params[i]->out[0]);
    for (int i = 0; i < g->n_results; i++)
        s->results[i] = steps_slot(s, g->results[i]->in[0].value);
    return true;
}

static bool number_values(graph_steps *s, inlay_diags *d)
{
    size_t ids = (size_t)s->graph->next_id + 1;

    s->first_slot = inlay_take_raw(inlay_graph_budget(s->graph), ids * sizeof *s->first_slot);
    if (!s->first_slot)
        return inlay_fail_memory(d);
    for (size_t i = 0; i < ids; i++)
        s->first_slot[i] = SIZE_MAX;
    for (size_t i = 0; i < s->n; i++) {
        s->first_slot[s->list[i].node->id] = s->n_slots;
        s->n_slots += (size_t)s->list[i].node->n_out;
    }
    s->uses = inlay_take(inlay_graph_budget(s->graph), s->n_slots + 1, sizeof *s->uses);
    s->initial = inlay_take(inlay_graph_budget(s->graph), s->n_slots + 1, sizeof *s->initial);
    return (s->uses && s->initial && number_ports(s)) || inlay_fail_memory(d);
}

static void count_uses(graph_steps *s)
{
    for (size_t i = 0; i < s->n; i++) {
        const inlay_node *n = s->list[i].node;

        s->most_in = n->n_in > s->most_in ? n->n_in : s->most_in;
        s->most_out = n->n_out > s->most_out ? n->n_out : s->most_out;
        for (int k = 0; k < n->n_in; k++) {
            if (n->in[k].value)
                s->uses[steps_slot(s, n->in[k].value)]++;
        }
    }
}

static int count_variables(const inlay_graph *g)
{
    while (g->owner)
        g = g->owner->graph;
    return g->n_variables;
}

static bool check_assign(const inlay_node *n, const inlay_node **assigned, inlay_diags *d)
{
    const inlay_variable *v = inlay_node_attr(n, "variable_id")->as.variable;

    if (assigned[v->index])
        return inlay_fail_node(
            d, n, "variable \"%s\" is assigned a second time, \"%s\" assigns it already", v->name,
            assigned[v->index]->name);
    assigned[v->index] = n;
    return true;
}

/* An Assign takes effect when the invocation ends, so two Assigns of one variable would contradict
 * each other. */
static bool check_assigns(const graph_steps *s, inlay_diags *d)
{
    const inlay_node **assigned = inlay_take(
        inlay_graph_budget(s->graph), (size_t)count_variables(s->graph) + 1, sizeof *assigned);
    bool ok = assigned || inlay_fail_memory(d);

    for (size_t i = 0; ok && i < s->n; i++) {
        if (inlay_node_is(s->list[i].node, INLAY_OP_ASSIGN))
            ok = check_assign(s->list[i].node, assigned, d);
    }
    inlay_give(assigned);
    return ok;
}

bool steps_check_node(const inlay_node *n, inlay_diags *d)
{
    if (!n->op->eval)
        return inlay_fail_node(d, n, "%s", call_no_kernel(n->op));
    if (!inlay_check_node(n, d))
        return false;
    return !(n->op->flags & INLAY_HAS_BODY) || inlay_check_bodies(n, d);
}

static bool take_steps(graph_steps *s, const inlay_order_list *order, inlay_diags *d)
{
    s->list = inlay_take(inlay_graph_budget(s->graph), order->n + 1, sizeof *s->list);
    if (!s->list)
        return inlay_fail_memory(d);
    s->n = order->n;
    for (size_t i = 0; i < order->n; i++)
        s->list[i].node = order->nodes[i];
    for (size_t i = 0; i < order->n; i++) {
        if (!steps_check_node(order->nodes[i], d) ||
            !steps_of_bodies(order->nodes[i], &s->list[i].bodies, d))
            return false;
    }
    return true;
}

graph_steps *steps_new(const inlay_graph *g, inlay_diags *d)
{
    inlay_order_list order = {NULL, 0};
    graph_steps *s =
        inlay_is_missing(g, "graph", d) ? NULL : inlay_take(inlay_graph_budget(g), 1, sizeof *s);
    bool ok;

    if (!g)
        return NULL;
    if (!s) {
        inlay_fail_memory(d);
        return NULL;
    }
    s->graph = g;
    ok = inlay_order(g, false, &order, d) && take_steps(s, &order, d) && number_values(s, d) &&
         check_assigns(s, d) && equal_sizes_find(g, &s->sizes, d);
    inlay_order_free(&order);
    if (!ok) {
        steps_free(s);
        return NULL;
    }
    count_uses(s);
    steps_mark_initial(s);
    return s;
}

/* Bodies are nested no deeper than INLAY_MAX_BODY_DEPTH. */
bool steps_of_bodies(const inlay_node *n, graph_steps ***out, inlay_diags *d)
{
    *out = NULL;
    if (n->n_bodies == 0)
        return true;
    *out = inlay_take(inlay_node_budget(n), (size_t)n->n_bodies, sizeof **out);
    if (!*out)
        return inlay_fail_memory(d);
    for (int i = 0; i < n->n_bodies; i++) {
        (*out)[i] = steps_new(n->bodies[i].graph, d);
        if (!(*out)[i])
            return false;
    }
    return true;
}

void steps_free_bodies(const inlay_node *n, graph_steps **bodies)
{
    for (int i = 0; bodies && i < n->n_bodies; i++)
        steps_free(bodies[i]);
    inlay_give(bodies);
}

void steps_free(graph_steps *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->n; i++)
        steps_free_bodies(s->list[i].node, s->list[i].bodies);
    inlay_give(s->list);
    inlay_give(s->first_slot);
    inlay_give(s->params);
    inlay_give(s->results);
    inlay_give(s->uses);
    inlay_give(s->initial);
    inlay_give(s->keep);
    inlay_give(s->sizes.list);
    inlay_give(s);
}

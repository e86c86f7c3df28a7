/* A graph made ready to run: canonical order, a slot for every value, how often each is used. */
#include "interp/run.h"
#include "ir/argument.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t plan_count_nodes(const inlay_graph *g)
{
    uint64_t n = g->n_nodes;

    for (const inlay_node *node = g->first; node; node = node->next) {
        for (int i = 0; i < node->n_bodies && node->bodies[i].graph; i++)
            n += plan_count_nodes(node->bodies[i].graph);
    }
    return n;
}

static bool number_values(inlay_plan *p, inlay_diags *d)
{
    size_t ids = (size_t)p->graph->next_id + 1;

    p->first_slot = malloc(ids * sizeof *p->first_slot);
    if (!p->first_slot)
        return inlay_fail_memory(d);
    for (size_t i = 0; i < ids; i++)
        p->first_slot[i] = SIZE_MAX;
    for (size_t i = 0; i < p->n_steps; i++) {
        p->first_slot[p->steps[i].node->id] = p->n_slots;
        p->n_slots += (size_t)p->steps[i].node->n_out;
    }
    p->uses = calloc(p->n_slots + 1, sizeof *p->uses);
    return p->uses || inlay_fail_memory(d);
}

static void count_uses(inlay_plan *p)
{
    for (size_t i = 0; i < p->n_steps; i++) {
        const inlay_node *n = p->steps[i].node;

        p->most_in = n->n_in > p->most_in ? n->n_in : p->most_in;
        p->most_out = n->n_out > p->most_out ? n->n_out : p->most_out;
        for (int k = 0; k < n->n_in; k++) {
            if (n->in[k].value)
                p->uses[plan_slot(p, n->in[k].value)]++;
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

/* Assign takes effect at the end, so two of one variable would contradict each other. */
static bool check_assigns(const inlay_plan *p, inlay_diags *d)
{
    const inlay_node **assigned = calloc((size_t)count_variables(p->graph) + 1, sizeof *assigned);
    bool ok = assigned || inlay_fail_memory(d);

    for (size_t i = 0; ok && i < p->n_steps; i++) {
        if (inlay_node_is(p->steps[i].node, INLAY_OP_ASSIGN))
            ok = check_assign(p->steps[i].node, assigned, d);
    }
    free(assigned);
    return ok;
}

bool plan_check_node(const inlay_node *n, inlay_diags *d)
{
    if (n->op->flags & INLAY_STAND_IN)
        return inlay_fail_node(d, n, "%s", call_stand_in(n->op));
    if (!inlay_check_node(n, d))
        return false;
    return !(n->op->flags & INLAY_HAS_BODY) || inlay_check_bodies(n, d);
}

static bool take_steps(inlay_plan *p, const inlay_order_list *order, inlay_diags *d)
{
    p->steps = calloc(order->n + 1, sizeof *p->steps);
    if (!p->steps)
        return inlay_fail_memory(d);
    p->n_steps = order->n;
    for (size_t i = 0; i < order->n; i++)
        p->steps[i].node = order->nodes[i];
    for (size_t i = 0; i < order->n; i++) {
        if (!plan_check_node(order->nodes[i], d) ||
            !plan_bodies(order->nodes[i], &p->steps[i].bodies, d))
            return false;
    }
    return true;
}

inlay_plan *plan_new(const inlay_graph *g, inlay_diags *d)
{
    inlay_order_list order = {NULL, 0};
    inlay_plan *p = is_missing(g, "graph", d) ? NULL : calloc(1, sizeof *p);
    bool ok;

    if (!g)
        return NULL;
    if (!p) {
        inlay_fail_memory(d);
        return NULL;
    }
    p->graph = g;
    ok = inlay_order(g, false, &order, d) && take_steps(p, &order, d) && number_values(p, d) &&
         check_assigns(p, d);
    inlay_order_free(&order);
    if (!ok) {
        plan_free(p);
        return NULL;
    }
    count_uses(p);
    return p;
}

/* Nesting is bounded by INLAY_MAX_BODY_DEPTH. */
bool plan_bodies(const inlay_node *n, inlay_plan ***out, inlay_diags *d)
{
    *out = NULL;
    if (n->n_bodies == 0)
        return true;
    *out = calloc((size_t)n->n_bodies, sizeof **out);
    if (!*out)
        return inlay_fail_memory(d);
    for (int i = 0; i < n->n_bodies; i++) {
        (*out)[i] = plan_new(n->bodies[i].graph, d);
        if (!(*out)[i])
            return false;
    }
    return true;
}

void plan_free_bodies(const inlay_node *n, inlay_plan **bodies)
{
    for (int i = 0; bodies && i < n->n_bodies; i++)
        plan_free(bodies[i]);
    free(bodies);
}

void plan_free(inlay_plan *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->n_steps; i++)
        plan_free_bodies(p->steps[i].node, p->steps[i].bodies);
    free(p->steps);
    free(p->first_slot);
    free(p->uses);
    free(p->places);
    free(p->keep);
    free(p);
}

static bool has_name(const inlay_value *v, const char *name)
{
    for (int i = 0; i < v->n_names; i++) {
        if (strcmp(v->names[i], name) == 0)
            return true;
    }
    return false;
}

/* What N makes under this name, or NULL. *RANK: a tensor name (3) wins over a node's (2), that over
 * one with ".port" (1); what is not above it is no better. */
static const inlay_value *named_output(const inlay_node *n, const char *name, int *rank)
{
    const inlay_value *found = NULL;
    size_t len = strlen(n->name);
    bool starts = strncmp(name, n->name, len) == 0;

    for (int k = 0; k < n->n_out; k++) {
        char port[16];
        int fits;

        snprintf(port, sizeof port, ".%d", k);
        fits = has_name(&n->out[k], name)                ? 3
               : starts && !name[len] && k == 0          ? 2
               : starts && strcmp(name + len, port) == 0 ? 1
                                                         : 0;
        if (fits > *rank) {
            *rank = fits;
            found = &n->out[k];
        }
    }
    return found;
}

static const inlay_value *find_value(const inlay_plan *p, const char *name)
{
    const inlay_value *best = NULL;
    int rank = 0;

    for (size_t i = 0; i < p->n_steps; i++) {
        const inlay_value *v = named_output(p->steps[i].node, name, &rank);

        best = v ? v : best;
    }
    return best;
}

/* A node below G, whose bodies are nested no deeper than INLAY_MAX_BODY_DEPTH, that makes such a
 * value; or NULL. */
static const inlay_node *find_below(const inlay_graph *g, const char *name)
{
    const inlay_node *found = NULL;

    for (const inlay_node *n = g->first; n && !found; n = n->next) {
        int rank = 0;

        if (named_output(n, name, &rank))
            return n;
        for (int i = 0; i < n->n_bodies && !found; i++)
            found = find_below(n->bodies[i].graph, name);
    }
    return found;
}

static bool fail_keep(const inlay_plan *p, const char *name, inlay_diags *d)
{
    const inlay_node *n = find_below(p->graph, name);
    inlay_pos pos = {p->graph->file, 0};

    if (n && n->graph->owner)
        return inlay_fail(
            d, &pos,
            "value \"%s\" stands in the body of \"%s\", which may run many times: only "
            "values of the outermost graph can be kept",
            name, n->graph->owner->name);
    return inlay_fail(d, &pos,
                      "there is no value \"%s\" to keep among those that are computed; a pass may "
                      "have removed it (--passes none)",
                      name);
}

bool plan_keep(inlay_plan *p, const char *name, inlay_diags *d)
{
    const inlay_value *v = find_value(p, name);
    size_t *grown;

    if (!v)
        return fail_keep(p, name, d);
    grown = realloc(p->keep, ((size_t)p->n_keep + 1) * sizeof *grown);
    if (!grown)
        return inlay_fail_memory(d);
    p->keep = grown;
    p->keep[p->n_keep++] = plan_slot(p, v);
    p->uses[plan_slot(p, v)]++;
    return true;
}

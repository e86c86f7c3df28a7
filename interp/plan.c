/* A graph made ready to run: canonical order, a slot for every value, how often each is used. */
#include "interp/run.h"
#include "ir/base/argument.h"
#include "ir/base/work.h"

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

/* Why a value has the name that is asked for: "node.0", "node", a tensor name. */
enum fit { NO_FIT, FITS_PORT, FITS_NODE, FITS_TENSOR };

/* Of several values the one that fits best has the name, of equals the first. */
struct wanted {
    const char *name;
    const inlay_value *best;
    enum fit fit;
};

/* The list is sorted by name; of equal names the same one is found each time. */
struct search {
    struct wanted *list;
    size_t n;
    inlay_strbuf text;
};

static int by_name(const void *a, const void *b)
{
    const struct wanted *x = a, *y = b;

    return strcmp(x->name, y->name);
}

static struct wanted *find_wanted(const struct search *s, const char *name)
{
    struct wanted key = {.name = name};

    return bsearch(&key, s->list, s->n, sizeof key, by_name);
}

static void offer(const struct search *s, const inlay_value *v, const char *name, enum fit fit)
{
    struct wanted *w = find_wanted(s, name);

    inlay_count_steps(v->node->graph, 1);
    if (w && fit > w->fit) {
        w->best = v;
        w->fit = fit;
    }
}

static void offer_outputs(struct search *s, const inlay_node *n)
{
    for (int k = 0; k < n->n_out; k++) {
        const inlay_value *v = &n->out[k];

        for (int i = 0; i < v->n_names; i++)
            offer(s, v, v->names[i], FITS_TENSOR);
        if (k == 0)
            offer(s, v, n->name, FITS_NODE);
        s->text.n = 0;
        inlay_strbuf_printf(&s->text, "%s.%d", n->name, k);
        if (!s->text.failed)
            offer(s, v, s->text.bytes, FITS_PORT);
    }
}

/* A node below G, whose bodies are nested no deeper than INLAY_MAX_BODY_DEPTH, that makes the only
 * value wanted; or NULL. */
static const inlay_node *find_below(const inlay_graph *g, struct search *s)
{
    const inlay_node *found = NULL;

    for (const inlay_node *n = g->first; n && !found; n = n->next) {
        offer_outputs(s, n);
        if (s->list->best)
            return n;
        for (int i = 0; i < n->n_bodies && !found; i++)
            found = find_below(n->bodies[i].graph, s);
    }
    return found;
}

static bool fail_keep(const inlay_plan *p, const char *name, inlay_diags *d)
{
    struct wanted w = {.name = name};
    struct search s = {.list = &w, .n = 1};
    const inlay_node *n = find_below(p->graph, &s);
    inlay_pos pos = {p->graph->file, 0};

    inlay_strbuf_free(&s.text);
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

static bool keep_found(inlay_plan *p, const struct search *s, const char *const *names,
                       inlay_diags *d)
{
    for (int i = 0; i < p->n_keep; i++) {
        const struct wanted *w = find_wanted(s, names[i]);

        if (!w->best)
            return fail_keep(p, names[i], d);
        p->keep[i] = plan_slot(p, w->best);
        p->uses[p->keep[i]]++;
    }
    return true;
}

bool plan_keep(inlay_plan *p, const char *const *names, int n, inlay_diags *d)
{
    struct search s = {.list = calloc((size_t)n + 1, sizeof *s.list), .n = (size_t)n};
    bool ok;

    p->n_keep = n;
    p->keep = calloc((size_t)n + 1, sizeof *p->keep);
    ok = (s.list && p->keep) || inlay_fail_memory(d);
    for (int i = 0; ok && i < n; i++)
        s.list[i].name = names[i];
    if (ok)
        qsort(s.list, s.n, sizeof *s.list, by_name);
    for (size_t i = 0; ok && n > 0 && i < p->n_steps; i++)
        offer_outputs(&s, p->steps[i].node);
    ok = ok && (!s.text.failed || inlay_fail_memory(d)) && keep_found(p, &s, names, d);
    inlay_strbuf_free(&s.text);
    free(s.list);
    return ok;
}

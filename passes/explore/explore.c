/* Which graphs can rules make of one? A breadth-first search: the places of a graph where a rule
 * matches are numbered in the order in which the pass offers them; number K is applied, and all
 * others are vetoed. */
#include "ir/shared.h"
#include "passes/passes.h"

#include <stdlib.h>
#include <string.h>

enum { LIMIT = 100 };

struct search {
    const inlay_explore_options *o;
    inlay_exploration *out;
    uint64_t *hashes; /* of out->graphs */
    inlay_diags *d;
};

/* The one application that is wanted in this run of the pass. */
struct choice {
    uint64_t wanted, offered; /* from 1 */
    bool made;
    inlay_explored *into;
};

static bool receive(void *ctx, const inlay_event *e, inlay_diags *d)
{
    struct choice *c = ctx;
    const inlay_rule_info *rule;

    (void)d;
    if (e->kind == INLAY_EVENT_WILL_APPLY && e->as.application->rule)
        return ++c->offered == c->wanted;
    if (e->kind == INLAY_EVENT_APPLIED && e->as.application->rule) {
        c->made = true;
        rule = e->as.application->rule;
        c->into->rule = rule->name;
        c->into->approximate = c->into->approximate || rule->exactness == INLAY_APPROX;
        c->into->at = e->as.application->at->name;
    }
    return true;
}

/* Hashes what equal graphs have in common: operations, attributes, and which nodes are read. */
static uint64_t hash_graph(const inlay_order_list *order, size_t *place)
{
    uint64_t h = order->n;

    for (size_t i = 0; i < order->n; i++) {
        const inlay_node *n = order->nodes[i];

        inlay_count_node(n);
        place[n->id] = i;
        h = inlay_hash_join(h, inlay_hash(n->op->name, strlen(n->op->name)));
        for (int k = 0; k < n->n_in; k++)
            h = inlay_hash_join(h, n->in[k].value ? place[n->in[k].value->node->id] : UINT64_MAX);
        for (int k = 0; k < n->op->n_attrs; k++)
            h = inlay_hash_join(h, inlay_attr_hash(n->op->attrs[k].kind, inlay_node_attr_at(n, k)));
    }
    return h;
}

static bool hash_of(const inlay_graph *g, uint64_t *hash, inlay_diags *d)
{
    size_t *place = inlay_take(inlay_graph_budget(g), (size_t)g->next_id + 1, sizeof *place);
    inlay_order_list order = {0};
    bool ok = (place || inlay_fail_memory(d)) && inlay_order(g, true, &order, d);

    if (ok)
        *hash = hash_graph(&order, place);
    inlay_order_free(&order);
    inlay_give(place);
    return ok;
}

static bool is_known(const struct search *s, const inlay_graph *g, uint64_t hash, bool *known)
{
    *known = false;
    for (size_t i = 0; i < s->out->n && !*known; i++) {
        if (s->hashes[i] == hash &&
            !inlay_graph_compare(s->out->graphs[i].graph, g, known, NULL, 0, s->d))
            return false;
    }
    return true;
}

/* Adds E, whose graph OUT owns from now on, or frees the graph if there is an equal one. */
static bool add(struct search *s, inlay_explored *e)
{
    uint64_t hash;
    bool known = false, ok = hash_of(e->graph, &hash, s->d) &&
                             inlay_measure_graph(e->graph, &e->measure, s->d) &&
                             is_known(s, e->graph, hash, &known);

    if (ok && !known) {
        s->hashes[s->out->n] = hash;
        s->out->graphs[s->out->n++] = *e;
    } else {
        inlay_graph_free(e->graph);
    }
    return ok;
}

/* Makes the graph that results from place number WANTED of graph FROM. *MORE: there is such a
 * place. */
static bool follow(struct search *s, size_t from, uint64_t wanted, bool *more)
{
    inlay_explored e = {.graph = inlay_graph_clone(s->out->graphs[from].graph, s->d),
                        .from = from,
                        .depth = s->out->graphs[from].depth + 1,
                        .approximate = s->out->graphs[from].approximate};
    struct choice choice = {.wanted = wanted, .into = &e};
    const inlay_pass_options o = {.passes = "rules,eliminate-dead",
                                  .rules = s->o->rules,
                                  .n_rules = s->o->n_rules,
                                  .events = {receive, &choice, false}};
    bool ok = e.graph && inlay_run_passes(e.graph, &o, s->d);

    *more = choice.offered >= wanted;
    if (ok && choice.made)
        return add(s, &e);
    inlay_graph_free(e.graph);
    return ok;
}

static bool follow_all(struct search *s, size_t from, size_t limit)
{
    bool more = true;

    for (uint64_t k = 1; more && s->out->n < limit; k++) {
        if (!follow(s, from, k, &more))
            return false;
    }
    return true;
}

static bool search(struct search *s, const inlay_graph *g, size_t limit)
{
    inlay_explored first = {.graph = inlay_graph_clone(g, s->d)};
    size_t next = 0;

    if (!first.graph || !add(s, &first))
        return false;
    while (next < s->out->n && s->out->n < limit) {
        if (!follow_all(s, next++, limit))
            return false;
    }
    s->out->complete = s->out->n < limit;
    return true;
}

bool inlay_explore(const inlay_graph *g, const inlay_explore_options *o, inlay_exploration *out,
                   inlay_diags *d)
{
    struct search s = {.o = o, .out = out, .d = d};
    size_t limit = o && o->limit > 0 ? o->limit : LIMIT;
    bool ok;

    *out = (inlay_exploration){0};
    if (!inlay_graph_is_whole(g, d) || inlay_is_missing(o, "list of options", d))
        return false;
    s.hashes = inlay_take(inlay_graph_budget(g), limit, sizeof *s.hashes);
    out->graphs = inlay_take(inlay_graph_budget(g), limit, sizeof *out->graphs);
    ok = (s.hashes && out->graphs) || inlay_fail_memory(d);
    ok = ok && search(&s, g, limit);
    inlay_give(s.hashes);
    if (!ok)
        inlay_exploration_free(out);
    return inlay_budget_tell(inlay_graph_budget(g), ok, d);
}

void inlay_exploration_free(inlay_exploration *x)
{
    for (size_t i = 0; x && i < x->n; i++)
        inlay_graph_free(x->graphs[i].graph);
    if (x) {
        inlay_give(x->graphs);
        *x = (inlay_exploration){0};
    }
}

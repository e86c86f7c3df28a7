/* Reduces a graph while it keeps a property that the caller tests (delta debugging).
 *
 * A change (change.h) is one of a few kinds at one place. It is made in a copy; dead nodes are
 * removed, shapes are inferred, and the caller says whether the copy still has the property. If so
 * it replaces the graph. Kinds are tried from the one that removes most, and all of them again
 * until none helps. */
#include "ir/shared.h"
#include "passes/passes.h"
#include "passes/reduce/change.h"

#include <stdlib.h>

enum { TRIES = 5000 };

static const reduce_change *const changes[] = {
    &reduce_output,  &reduce_drop,      &reduce_inline,     &reduce_cut,  &reduce_bypass,
    &reduce_zero,    &reduce_leaf,      &reduce_fewer,      &reduce_size, &reduce_number,
    &reduce_content, &reduce_attribute, &reduce_known_size,
};

enum { CHANGES = sizeof changes / sizeof *changes };

/* The nodes of a graph and of all bodies in it, in document order. */
struct nodes {
    inlay_node **list;
    size_t n;
};

struct reduction {
    inlay_graph *best;
    struct nodes nodes; /* of the best graph */
    const inlay_reduce_options *o;
    bool keeps_dead; /* nothing helped as long as dead nodes were removed: the property may depend
                        on them */
    int tried, kept, tries;
    inlay_diags *d;
};

static bool list_nodes(inlay_graph *g, struct nodes *out, inlay_diags *d)
{
    *out = (struct nodes){.list = inlay_take(inlay_graph_budget(g), inlay_graph_count_nodes(g) + 1,
                                             sizeof *out->list)};
    if (!out->list)
        return inlay_fail_memory(d);
    for (inlay_node *n = inlay_graph_walk(g, NULL); n; n = inlay_graph_walk(g, n))
        out->list[out->n++] = n;
    return true;
}

/* Removes inputs that nothing reads. */
static bool drop_inputs(inlay_graph *g, inlay_diags *d)
{
    for (int i = g->n_params - 1; i >= 0; i--) {
        if (!g->params[i]->out[0].uses && !inlay_node_remove(g->params[i], d))
            return false;
    }
    return true;
}

/* Dead nodes are removed in bodies first, since that may leave inputs unused, and then nodes around
 * the body. */
static bool drop_dead(inlay_graph *g, inlay_diags *d)
{
    const inlay_pass_options dead = {.passes = "eliminate-dead"};

    return inlay_run_passes(g, &dead, d) && reduce_tidy_bodies(g, d) &&
           inlay_run_passes(g, &dead, d);
}

static bool settle(const struct reduction *r, inlay_graph *g, inlay_diags *d)
{
    return (r->keeps_dead ? reduce_tidy_bodies(g, d) : drop_dead(g, d)) && drop_inputs(g, d) &&
           inlay_infer_graph(g, d) && inlay_check_graph(g, d);
}

/* Makes the copy G the best graph. */
static bool keep(struct reduction *r, inlay_graph *g)
{
    inlay_give(r->nodes.list);
    inlay_graph_free(r->best);
    r->best = g;
    r->kept++;
    return list_nodes(g, &r->nodes, r->d);
}

/* Tries change K at a part of node number I in a copy. Messages are dropped: if the result is not a
 * valid graph, the change is not made. *KEPT: the copy is the best graph now. False: out of memory.
 */
static bool try_change(struct reduction *r, const reduce_change *k, size_t i, int part, bool *kept)
{
    inlay_graph *g = inlay_graph_clone(r->best, r->d);
    struct nodes copies;

    *kept = false;
    if (!g || !list_nodes(g, &copies, r->d)) {
        inlay_graph_free(g);
        return false;
    }
    if (k->make(copies.list[i], part, NULL) && settle(r, g, NULL) &&
        (!k->by_nodes || inlay_graph_count_nodes(g) < r->nodes.n)) {
        r->tried++;
        *kept = r->o->keeps(r->o->ctx, g);
    }
    inlay_give(copies.list);
    if (*kept)
        return keep(r, g);
    inlay_graph_free(g);
    return true;
}

/* Tries K at all parts of node number I; after a successful change another node may have this
 * number. */
static bool try_node(struct reduction *r, const reduce_change *k, size_t i, bool *kept)
{
    const int parts = k->parts(r->nodes.list[i]);

    *kept = false;
    for (int p = 0; p < parts && !*kept && r->tried < r->tries; p++) {
        if ((!k->fits || k->fits(r->nodes.list[i], p)) && !try_change(r, k, i, p, kept))
            return false;
    }
    return true;
}

/* Tries all changes of kind K, again at the same place if one helped. Kinds that rely on dead nodes
 * being removed are skipped if these are kept, because they and cuts would undo each other. */
static bool try_kind(struct reduction *r, const reduce_change *k, bool *helped)
{
    if (r->keeps_dead && k->by_nodes)
        return true;
    for (size_t done = 0; done < r->nodes.n && r->tried < r->tries;) {
        bool kept;

        if (!try_node(r, k, k->backwards ? r->nodes.n - 1 - done : done, &kept))
            return false;
        *helped = *helped || kept;
        done += kept ? 0 : 1;
    }
    return true;
}

/* Tries all kinds until none of them helps any more. */
static bool shrink(struct reduction *r)
{
    bool helped = true, ok = true;

    while (ok && helped && r->tried < r->tries) {
        helped = false;
        for (int k = 0; ok && k < CHANGES; k++)
            ok = try_kind(r, changes[k], &helped);
    }
    return ok;
}

static bool has_dead(const inlay_graph *g)
{
    inlay_graph *copy = inlay_graph_clone(g, NULL);
    bool has =
        copy && drop_dead(copy, NULL) && inlay_graph_count_nodes(copy) < inlay_graph_count_nodes(g);

    inlay_graph_free(copy);
    return has;
}

bool inlay_reduce(const inlay_graph *g, const inlay_reduce_options *o, inlay_reduce_result *out,
                  inlay_diags *d)
{
    struct reduction r = {.o = o, .d = d};
    bool ok;

    *out = (inlay_reduce_result){0};
    if (inlay_is_missing(g, "graph", d) || inlay_is_missing(o, "list of options", d))
        return false;
    if (!o->keeps)
        return inlay_fail(d, NULL, "it is not said what a graph is to keep");
    r.tries = o->tries > 0 ? o->tries : TRIES;
    out->before = g->n_nodes;
    r.best = inlay_graph_clone(g, d);
    ok = r.best && list_nodes(r.best, &r.nodes, d) && shrink(&r);
    r.keeps_dead = ok && r.kept == 0 && has_dead(r.best);
    if (r.keeps_dead)
        ok = shrink(&r);
    inlay_give(r.nodes.list);
    if (!ok) {
        inlay_graph_free(r.best);
        return false;
    }
    out->graph = r.best;
    out->tried = r.tried;
    out->kept = r.kept;
    out->exhausted = r.tried >= r.tries;
    return true;
}

/* The canonical order: parameters, then an iterative depth-first walk from the roots. A root that
 * another root needs (an Assign whose output is used) is visited only as an operand of that one: so
 * a graph whose document order is its canonical order keeps exactly that order, and printing it
 * after reading gives the same text. */

#include "ir/base/argument.h"
#include "ir/graph/graph.h"
#include "ir/graph/memory.h"
#include "ir/graph/work.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum mark { NEW = 0, OPEN, DONE };
enum role { ROOT = 1, NEEDED = 2 };

/* A node that is being visited; the next operand, and then the next order edge, to look at. */
struct frame {
    inlay_node *node;
    int input;
    size_t edge;
};

/* Order edges sorted by `after`, so that a node finds its own; those of one node keep the order in
 * which they were added. */
struct walk {
    const inlay_graph *g;
    unsigned char *mark; /* by node id */
    unsigned char *role; /* by node id */
    inlay_node **roots;  /* in document order */
    size_t n_roots;
    bool root_needed; /* some root is needed by another */
    size_t n_live;    /* number of nodes that a root needs, which come first */
    struct frame *stack;
    size_t depth, cap;
    const inlay_order_edge **edges;
    inlay_order_list *out;
    inlay_diags *diags;
};

static int by_after(const void *a, const void *b)
{
    const inlay_order_edge *x = *(const inlay_order_edge *const *)a;
    const inlay_order_edge *y = *(const inlay_order_edge *const *)b;

    if (x->after->id != y->after->id)
        return x->after->id < y->after->id ? -1 : 1;
    return (x > y) - (x < y);
}

static size_t first_edge(const struct walk *w, const inlay_node *n)
{
    size_t lo = 0, hi = w->g->n_order_edges;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;

        if (w->edges[mid]->after->id < n->id)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static bool push(struct walk *w, inlay_node *n)
{
    if (w->depth == w->cap) {
        size_t cap = w->cap ? w->cap * 2 : 64;
        struct frame *grown = inlay_retake(inlay_node_budget(n), w->stack, cap * sizeof *grown);

        if (!grown)
            return inlay_fail_memory(w->diags);
        w->stack = grown;
        w->cap = cap;
    }
    w->mark[n->id] = OPEN;
    w->stack[w->depth++] = (struct frame){n, 0, w->edges ? first_edge(w, n) : 0};
    return true;
}

/* The next predecessor of the frame's node that may still have to be visited, or NULL. */
static inlay_node *next_before(const struct walk *w, struct frame *f)
{
    while (f->input < f->node->n_in) {
        inlay_value *v = f->node->in[f->input++].value;

        if (v)
            return v->node;
    }
    if (w->edges && f->edge < w->g->n_order_edges && w->edges[f->edge]->after == f->node)
        return w->edges[f->edge++]->before;
    return NULL;
}

static bool visit(struct walk *w, inlay_node *root)
{
    if (w->mark[root->id] == DONE)
        return true;
    if (!push(w, root))
        return false;
    while (w->depth > 0) {
        struct frame *f = &w->stack[w->depth - 1];
        inlay_node *before = next_before(w, f);

        inlay_count_steps(w->g, 1);
        if (!before) {
            w->mark[f->node->id] = DONE;
            w->out->nodes[w->out->n++] = f->node;
            w->depth--;
            continue;
        }
        w->role[before->id] |= NEEDED;
        w->root_needed |= (w->role[before->id] & ROOT) != 0;
        if (w->mark[before->id] == OPEN)
            return inlay_fail_node(w->diags, before, "the node depends on itself (a cycle)");
        if (w->mark[before->id] == NEW && !push(w, before))
            return false;
    }
    return true;
}

bool graph_is_root(const inlay_node *n)
{
    if (n->op->flags & INLAY_SINK)
        return true;
    for (int i = 0; i < n->n_bodies; i++) {
        const inlay_graph *body = n->bodies[i].graph;

        for (const inlay_node *b = body ? body->first : NULL; b; b = b->next) {
            inlay_count_steps(body, 1);
            if (!inlay_node_is(b, INLAY_OP_RESULT) && graph_is_root(b))
                return true;
        }
    }
    return false;
}

static bool walk_roots(struct walk *w)
{
    for (int i = 0; i < w->g->n_params; i++) {
        if (!visit(w, w->g->params[i]))
            return false;
    }
    for (size_t i = 0; i < w->n_roots; i++) {
        if (w->role[w->roots[i]->id] == ROOT && !visit(w, w->roots[i]))
            return false;
    }
    return true;
}

static void find_roots(struct walk *w)
{
    for (inlay_node *n = w->g->first; n; n = n->next) {
        inlay_count_steps(w->g, 1);
        if (graph_is_root(n)) {
            w->role[n->id] = ROOT;
            w->roots[w->n_roots++] = n;
        }
    }
}

static bool walk_all(struct walk *w, bool all)
{
    find_roots(w);
    if (!walk_roots(w))
        return false;
    if (w->root_needed) { /* now it is known which roots others need, so the walk is repeated
                             without them */
        memset(w->mark, NEW, w->g->next_id);
        w->out->n = 0;
        if (!walk_roots(w))
            return false;
    }
    w->n_live = w->out->n;
    for (inlay_node *n = all ? w->g->first : NULL; n && w->out->n < w->g->n_nodes; n = n->next) {
        if (!visit(w, n))
            return false;
    }
    return true;
}

static bool prepare(struct walk *w)
{
    size_t edges = w->g->n_order_edges;

    w->out->nodes = inlay_take(inlay_graph_budget(w->g), w->g->n_nodes + 1, sizeof(inlay_node *));
    w->mark = inlay_take(inlay_graph_budget(w->g), (size_t)w->g->next_id + 1, 1);
    w->role = inlay_take(inlay_graph_budget(w->g), (size_t)w->g->next_id + 1, 1);
    w->roots = inlay_take_raw(inlay_graph_budget(w->g), (w->g->n_nodes + 1) * sizeof *w->roots);
    if (edges)
        w->edges = inlay_take_raw(inlay_graph_budget(w->g), edges * sizeof *w->edges);
    if (!w->out->nodes || !w->mark || !w->role || !w->roots || (edges && !w->edges))
        return inlay_fail_memory(w->diags);
    for (size_t i = 0; i < edges; i++)
        w->edges[i] = &w->g->order_edges[i];
    if (edges)
        qsort(w->edges, edges, sizeof *w->edges, by_after);
    return true;
}

/* The order that was found last, followed by its nodes. It is valid until the graph is edited. */
struct kept_order {
    size_t n, n_live;
    inlay_node *nodes[];
};

/* Caches O. Without memory for it the order is found again later. Two threads that read the same
 * graph may do this at once: the first copy is kept. */
static void keep(const inlay_graph *g, const inlay_order_list *o, size_t n_live)
{
    struct kept_order *kept = inlay_take_raw(inlay_graph_budget(g),
                                             sizeof *kept + o->n * sizeof *kept->nodes),
                      *none = NULL;

    if (!kept)
        return;
    kept->n = o->n;
    kept->n_live = n_live;
    memcpy(kept->nodes, o->nodes, o->n * sizeof *kept->nodes);
    if (!atomic_compare_exchange_strong(&g->priv->order, &none, kept))
        inlay_give(kept);
}

void graph_forget_order(inlay_graph *g)
{
    struct kept_order *kept = atomic_load_explicit(&g->priv->order, memory_order_relaxed);

    if (kept) { /* whoever edits a graph is alone with it */
        atomic_store_explicit(&g->priv->order, NULL, memory_order_relaxed);
        inlay_give(kept);
    }
}

/* Returns the cached order if it covers all wanted nodes and no order edge has changed: passes that
 * decide on notes add and remove many of them. */
static const struct kept_order *kept_order(const inlay_graph *g, bool all)
{
    const struct kept_order *kept = g->n_order_edges ? NULL : atomic_load(&g->priv->order);

    return kept && (!all || kept->n == g->n_nodes) ? kept : NULL;
}

static bool copy_order(const struct kept_order *kept, const inlay_graph *g, bool all,
                       inlay_order_list *out, inlay_diags *d)
{
    size_t n = all ? kept->n : kept->n_live;

    out->nodes = inlay_take_raw(inlay_graph_budget(g), (n + 1) * sizeof(inlay_node *));
    if (!out->nodes)
        return inlay_fail_memory(d);
    inlay_count_steps(g, n);
    memcpy(out->nodes, kept->nodes, n * sizeof(inlay_node *));
    out->n = n;
    return true;
}

bool inlay_order(const inlay_graph *g, bool all, inlay_order_list *out, inlay_diags *d)
{
    const struct kept_order *kept;
    size_t n_live;

    *out = (inlay_order_list){NULL, 0};
    if (inlay_is_missing(g, "graph", d))
        return false;
    if ((kept = kept_order(g, all)))
        return copy_order(kept, g, all, out, d);
    if (!graph_order(g, all, out, &n_live, d))
        return false;
    if (g->n_order_edges == 0)
        keep(g, out, n_live);
    return true;
}

bool graph_order(const inlay_graph *g, bool all, inlay_order_list *out, size_t *n_live,
                 inlay_diags *d)
{
    struct walk w = {.g = g, .out = out, .diags = d};
    bool ok;

    *out = (inlay_order_list){NULL, 0};
    ok = prepare(&w) && walk_all(&w, all);
    inlay_give(w.mark);
    inlay_give(w.role);
    inlay_give(w.roots);
    inlay_give(w.stack);
    inlay_give(w.edges);
    *n_live = w.n_live;
    if (!ok)
        inlay_order_free(out);
    return ok;
}

void inlay_order_free(inlay_order_list *o)
{
    inlay_give(o->nodes);
    *o = (inlay_order_list){NULL, 0};
}

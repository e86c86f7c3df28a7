/* The order of the nodes and the search for what depends on what. See order.h. */
#include "passes/inplace/order.h"
#include "ir/shared.h"

#include <stdlib.h>

bool inplace_order_begin(inplace_order *o, inlay_graph *g, uint64_t *steps, inlay_diags *d)
{
    size_t ids = (size_t)g->next_id + 1;

    *o = (inplace_order){.g = g, .diags = d, .steps = steps};
    o->moment = inlay_take(inlay_graph_budget(g), ids, sizeof *o->moment);
    o->first_edge = inlay_take(inlay_graph_budget(g), ids, sizeof *o->first_edge);
    o->seen = inlay_take(inlay_graph_budget(g), ids, sizeof *o->seen);
    o->heap = inlay_take(inlay_graph_budget(g), g->n_nodes + 1, sizeof(inlay_node *));
    if (!o->moment || !o->first_edge || !o->seen || !o->heap)
        return inlay_fail_memory(d);
    return inplace_order_sort(o);
}

void inplace_order_end(inplace_order *o)
{
    inlay_order_free(&o->list);
    inlay_give(o->moment);
    inlay_give(o->first_edge);
    inlay_give(o->next_edge);
    inlay_give(o->seen);
    inlay_give(o->heap);
}

bool inplace_order_sort(inplace_order *o)
{
    inlay_order_list list;

    if (!inlay_order(o->g, false, &list, o->diags))
        return false;
    inlay_order_free(&o->list);
    o->list = list;
    o->from = NULL;
    for (uint32_t i = 0; i < o->g->next_id; i++)
        o->moment[i] = 0;
    for (size_t i = 0; i < list.n; i++)
        o->moment[list.nodes[i]->id] = i + 1;
    return true;
}

/* The heap of nodes that the search has not visited yet */

static bool runs_later(inplace_order *o, const inlay_node *a, const inlay_node *b)
{
    ++*o->steps;
    return inplace_moment(o, a) > inplace_moment(o, b);
}

/* Adds N to the heap, unless the search has seen it before. */
static void meet(inplace_order *o, inlay_node *n)
{
    size_t i = o->n_heap;

    if (o->seen[n->id] == o->search)
        return;
    o->seen[n->id] = o->search;
    for (o->n_heap++; i > 0 && runs_later(o, n, o->heap[(i - 1) / 2]); i = (i - 1) / 2)
        o->heap[i] = o->heap[(i - 1) / 2];
    o->heap[i] = n;
}

static inlay_node *take_latest(inplace_order *o)
{
    inlay_node *top = o->heap[0], *last = o->heap[--o->n_heap];
    size_t i = 0, k;

    while ((k = 2 * i + 1) < o->n_heap) {
        k += k + 1 < o->n_heap && runs_later(o, o->heap[k + 1], o->heap[k]);
        if (!runs_later(o, o->heap[k], last))
            break;
        o->heap[i] = o->heap[k];
        i = k;
    }
    o->heap[i] = last;
    return top;
}

/* Dependence and order edges */

/* Does N depend on OTHER? Searches backwards from N along inputs and order edges, the nodes that
 * run last first. A node that runs before OTHER cannot depend on it, so the search stops when such
 * a node is on top of the heap; a question about an earlier node continues it. */
bool inplace_order_depends(inplace_order *o, inlay_node *n, const inlay_node *other)
{
    if (o->from != n) {
        o->from = n;
        o->search++;
        o->n_heap = 0;
        meet(o, n);
    }
    while (o->seen[other->id] != o->search && o->n_heap > 0 &&
           inplace_moment(o, o->heap[0]) >= inplace_moment(o, other)) {
        inlay_node *m = take_latest(o);

        *o->steps += 1 + (uint64_t)m->n_in;
        for (int i = 0; i < m->n_in; i++) {
            if (m->in[i].value)
                meet(o, m->in[i].value->node);
        }
        for (size_t e = o->first_edge[m->id]; e != 0; e = o->next_edge[e - 1])
            meet(o, o->g->order_edges[e - 1].before);
    }
    return o->seen[other->id] == o->search;
}

/* Adds the graph's order edge number EDGE to the list of the node that it leads to. */
static bool list_edge(inplace_order *o, size_t edge)
{
    size_t after = o->g->order_edges[edge].after->id;

    if (edge >= o->cap_edges) {
        size_t cap = o->cap_edges ? o->cap_edges * 2 : 64;
        size_t *grown = inlay_retake(inlay_graph_budget(o->g), o->next_edge, cap * sizeof *grown);

        if (!grown)
            return inlay_fail_memory(o->diags);
        o->next_edge = grown;
        o->cap_edges = cap;
    }
    o->next_edge[edge] = o->first_edge[after];
    o->first_edge[after] = edge + 1;
    return true;
}

bool inplace_order_add_edge(inplace_order *o, inlay_node *before, inlay_node *after)
{
    if (!inlay_graph_add_order_edge(o->g, before, after, o->diags) ||
        !list_edge(o, o->g->n_order_edges - 1))
        return false;
    if (o->from && o->seen[after->id] == o->search)
        meet(o, before);
    return true;
}

void inplace_order_drop_edges(inplace_order *o, size_t n)
{
    while (o->g->n_order_edges > n) { /* the newest edge of a node is first in its list */
        size_t edge = --o->g->n_order_edges;

        o->first_edge[o->g->order_edges[edge].after->id] = o->next_edge[edge];
    }
}

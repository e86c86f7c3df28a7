/* The order in which nodes run, and which of them must run before which others.
 *
 *     moment 1    %d = Abs(%data)
 *     moment 2    %z = Exp(%d)                   reads d
 *     moment 3    %r = SliceScatter(%d, ...)     writes over d: a later reader would see the write
 *     moment 4    %t = Add(%z, %r)
 *
 * The *moment* of a node is its position in the order, counted from 1; moment 0 is before the run.
 * A node *depends* on all nodes from which a path of inputs and order edges leads to it: t depends
 * on all others. Neither of z and r depends on the other, so another order could run r first. The
 * order edge "z before r" makes r depend on z: then z reads the old data in every order.
 */
#ifndef INLAY_PASSES_INPLACE_ORDER_H
#define INLAY_PASSES_INPLACE_ORDER_H

#include "ir/ir.h"

typedef struct inplace_order {
    inlay_graph *g;
    inlay_diags *diags;
    uint64_t *steps;
    inlay_order_list
        list;       /* the nodes that run; an order edge from a dead node would make it run */
    size_t *moment; /* by node id; 0: it does not run */
    /* Linked lists of the order edges to each node: first_edge[node id] is the number of the latest
     * edge, next_edge[edge] that of the one before. Edges are numbered from 1; 0 ends a list. */
    size_t *first_edge, *next_edge, cap_edges;
    /* The last search for what a node depends on; the next question about the same node continues
     * it. seen[node id] is the number of the search that last met the node. Nodes that were met but
     * not searched yet are in a heap with the one that runs last on top. */
    const inlay_node *from;
    uint32_t *seen, search;
    inlay_node **heap;
    size_t n_heap;
} inplace_order;

/* Finds the order of G. STEPS counts the work. False: out of memory; inplace_order_end is called in
 * any case. */
bool inplace_order_begin(inplace_order *o, inlay_graph *g, uint64_t *steps, inlay_diags *d);
void inplace_order_end(inplace_order *o);
/* Finds the order again after order edges were added or removed. */
bool inplace_order_sort(inplace_order *o);
/* Makes AFTER depend on BEFORE, but keeps the order as it is. */
bool inplace_order_add_edge(inplace_order *o, inlay_node *before, inlay_node *after);
/* Removes all order edges of the graph but the first N. */
void inplace_order_drop_edges(inplace_order *o, size_t n);
/* Does N depend on OTHER? A node depends on itself. */
bool inplace_order_depends(inplace_order *o, inlay_node *n, const inlay_node *other);

static inline size_t inplace_moment(const inplace_order *o, const inlay_node *n)
{
    return o->moment[n->id];
}
static inline bool inplace_runs(const inplace_order *o, const inlay_node *n)
{
    return o->moment[n->id] != 0;
}

#endif

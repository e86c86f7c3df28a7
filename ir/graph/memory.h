/* Where memory for work on a graph counts. */
#ifndef INLAY_IR_GRAPH_MEMORY_H
#define INLAY_IR_GRAPH_MEMORY_H

#include "ir/base/arena.h"
#include "ir/base/memory.h"
#include "ir/graph.h"

/* The budget of the graph of N, which may be NULL. */
static inline inlay_budget *inlay_node_budget(const inlay_node *n)
{
    return n ? inlay_graph_budget(n->graph) : NULL;
}

/* inlay_graph_new_of, with a BUDGET from the beginning. */
inlay_graph *inlay_graph_new_in(inlay_budget *budget, const inlay_op_set *ops, const char *name,
                                inlay_diags *d);

#endif

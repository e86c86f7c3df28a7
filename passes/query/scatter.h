/* The operands of a scatter. Private to passes/. */
#ifndef INLAY_PASSES_SCATTER_H
#define INLAY_PASSES_SCATTER_H

#include "ir/ir.h"

/* Is N a SliceScatter, a ScatterUpdate, ...: is its result the data with some elements replaced? */
static inline bool query_is_scatter(const inlay_node *n)
{
    return (n->op->flags & INLAY_SCATTER) != 0;
}
/* Returns the operand whose elements are replaced, and whose buffer the result may overwrite. */
static inline inlay_value *query_scatter_data(const inlay_node *n)
{
    return inlay_node_input(n, n->op->overwrites);
}
/* Returns the operand with the new elements; NULL: N has none, or is no scatter. */
static inline inlay_value *query_scatter_updates(const inlay_node *n)
{
    return inlay_node_operand(n, INLAY_ROLE_UPDATES);
}

#endif

/* The operands of a scatter that passes ask for again and again. Private to passes/. */
#ifndef INLAY_PASSES_SCATTER_H
#define INLAY_PASSES_SCATTER_H

#include "ir/ir.h"

/* Whether N is a SliceScatter, a ScatterUpdate, ...: its result is data with some elements
 * replaced. */
static inline bool query_is_scatter(const inlay_node *n)
{
    return (n->op->flags & INLAY_SCATTER) != 0;
}
/* The operand whose elements are replaced, and whose buffer the result may take. */
static inline inlay_value *query_scatter_data(const inlay_node *n)
{
    return inlay_node_input(n, n->op->overwrites);
}
/* The operand with the new elements; NULL: N has no such operand, or is no scatter. */
static inline inlay_value *query_scatter_updates(const inlay_node *n)
{
    return inlay_node_operand(n, INLAY_ROLE_UPDATES);
}

#endif

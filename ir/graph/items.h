/* What is known of the items of sequences and optionals without running the graph. */
#ifndef INLAY_IR_GRAPH_ITEMS_H
#define INLAY_IR_GRAPH_ITEMS_H

#include "ir/graph.h"

/* Returns the value that is item I of V, which counts from the end where it is negative; NULL: it
 * is not known. It is of the graph of V. */
inlay_value *inlay_item_at(const inlay_value *v, int64_t i);
/* The number of items of V, a sequence; -1: it is not known. */
int64_t inlay_item_count(const inlay_value *v);
/* Sets *X to the only element of operand I of N, an integer, if that is known. */
bool inlay_item_position(const inlay_node *n, int i, int64_t *x);

#endif

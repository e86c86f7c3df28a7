/* The table of constants, which finds the first one that holds the same elements. Private to
 * passes/eliminate/.
 *
 * Weights are large: to read them all, only to see that they differ, would cost more than the rest
 * of the pass. So the table reads as little as tells constants apart. It first compares where they
 * lie in memory. Elements count only among constants of one type and shape: a few of them at first,
 * and all of them only where those few agree. No constant is read more than twice. */
#ifndef INLAY_PASSES_CONSTANT_TABLE_H
#define INLAY_PASSES_CONSTANT_TABLE_H

#include "ir/ir.h"

typedef struct constant_table {
    const inlay_graph *g;
    struct constant_entry
        *slots; /* a hash table with open addressing; its size is a power of two */
    size_t size;
} constant_table;

/* Room for N constants of G. False when out of memory. */
bool constants_begin(constant_table *t, const inlay_graph *g, size_t n);
/* Returns the first constant whose elements are those of VALUE, the value of N. NULL: there is
 * none, and N is entered as the first. */
inlay_node *constants_find(constant_table *t, inlay_node *n, const inlay_tensor *value);
void constants_free(constant_table *t);

#endif

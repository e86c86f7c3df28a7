/* Which constant came before that holds the same? Private to passes/.
 *
 * Weights are large, and reading them only to see that they differ would cost more than all else.
 * So as little is read as tells constants apart: where they lie is compared first; elements count
 * only among constants of one type and shape, at first a few of them, and all of them only where
 * those few agree. No constant is read more than twice, however many there are. */
#ifndef INLAY_PASSES_CONSTANT_TABLE_H
#define INLAY_PASSES_CONSTANT_TABLE_H

#include "ir/ir.h"

typedef struct constant_table {
    const inlay_graph *g;
    struct constant_entry *slots; /* open addressing, a power of two large */
    size_t size;
} constant_table;

/* Room for N constants of G. False when out of memory. */
bool constants_begin(constant_table *t, const inlay_graph *g, size_t n);
/* The first constant that T, the value of N, equals; NULL, and N is remembered, when it is the
 * first. */
inlay_node *constants_find(constant_table *t, inlay_node *n, const inlay_tensor *value);
void constants_free(constant_table *t);

#endif

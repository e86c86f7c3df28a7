/* Pairs the nodes of two graphs that correspond to each other. Private to ir/graph. */
#ifndef INLAY_IR_GRAPH_PAIR_H
#define INLAY_IR_GRAPH_PAIR_H

#include "ir/graph.h"

struct pairing {
    const inlay_graph *a, *b;
    inlay_order_list order_a, order_b;
    const inlay_node **of_a, **of_b; /* by id of a node of A (B): its partner, or NULL */
};

/* Pairs nodes, not those of bodies. The caller frees P, also after an error. */
bool pairing_make(const inlay_graph *a, const inlay_graph *b, struct pairing *p, inlay_diags *d);
void pairing_free(struct pairing *p);
/* Are A and B both absent, or the same output of paired nodes? */
bool pairing_same_value(const struct pairing *p, const inlay_value *a, const inlay_value *b);

#endif

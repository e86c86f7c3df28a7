/* Which errors of a run would be lost with nodes that a rewrite leaves without readers. Private to
 * passes/. */
#ifndef INLAY_PASSES_LOST_H
#define INLAY_PASSES_LOST_H

#include "ir/ir.h"
#include "ir/shared.h"

enum { LOST_NODES = 128 }; /* of which more is not known */

/* What a rewrite is about to leave without readers. */
typedef struct lost_nodes {
    inlay_node *const *kept; /* nodes whose results it still needs */
    int n_kept;
    inlay_node *node[LOST_NODES]; /* the first is the one that is replaced */
    int n;
    bool many; /* there are more */
} lost_nodes;

/* Can no input make N fail? False: some may, or it is not known. */
bool query_never_fails(const inlay_node *n);

/* Lists in L the nodes that have no readers once ROOT is replaced by what reads only L->KEPT. */
void query_lost_nodes(lost_nodes *l, inlay_node *root);

#endif

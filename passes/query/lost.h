/* Which errors of a run would be lost with nodes that a rewrite leaves without readers. Private to
 * passes/. */
#ifndef INLAY_PASSES_LOST_H
#define INLAY_PASSES_LOST_H

#include "ir/ir.h"
#include "ir/shared.h"

/* The nodes whose results a rewrite still needs, and those that it is about to leave without
 * readers. Zeros: none yet. */
typedef struct lost_nodes {
    struct lost_node *all;          /* by node */
    struct lost_node *first, *last; /* of those without readers; the first is the one replaced */
    bool no_memory;                 /* there was none: the answer says nothing */
} lost_nodes;

/* Can no input make N fail? False: some may, or it is not known. */
bool query_never_fails(const inlay_node *n);

/* Says that the result of N is still needed. */
void query_keep(lost_nodes *l, inlay_node *n);
/* Returns a node that has no readers once ROOT is replaced, and is not ROOT and not IS_HARMLESS: an
 * error of it would be lost. NULL: there is none, or no memory. Then forgets what L holds. */
typedef bool lost_fn(const inlay_node *n, const void *ctx);
const inlay_node *query_lost(lost_nodes *l, inlay_node *root, lost_fn *is_harmless,
                             const void *ctx);

#endif

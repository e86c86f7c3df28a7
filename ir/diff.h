/* The differences between two graphs, node by node. */
#ifndef INLAY_DIFF_H
#define INLAY_DIFF_H

#include "ir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a node changed, as bits. */
typedef enum inlay_change {
    INLAY_REMOVED = 1,     /* the second graph has none for it */
    INLAY_ADDED = 2,       /* the first graph has none for it */
    INLAY_CHANGED = 4,     /* its operation, an attribute, elements of a constant, or a port map */
    INLAY_RECONNECTED = 8, /* it reads other values */
    INLAY_RETYPED = 16     /* the type or shape of an output */
} inlay_change;

/* One node, or two that correspond to each other. */
typedef struct inlay_node_pair {
    const inlay_node *a, *b; /* NULL in the graph that has none */
    unsigned changes;        /* inlay_change; 0: they are the same */
} inlay_node_pair;

typedef struct inlay_diff {
    inlay_node_pair *pairs; /* in the canonical order of B; nodes removed from A precede what
                               followed them there. Nodes of bodies follow their node, if that is
                               paired. */
    size_t n;
} inlay_diff;

/* graph/pair.c, graph/diff.c: pairs the nodes of A and B: those of one name and operation; those
 * with one origin in the file (inlay_node_provenance) and one operation; then those that compute
 * the same from paired nodes, and those that paired nodes read at the same input; the rest by name,
 * even if the operation differs. Names, opsets, metadata, storage notes and everything else that
 * inlay_graph_equal ignores make no difference. The graphs must outlive OUT, which the caller frees
 * by inlay_diff_free. */
INLAY_API bool inlay_diff_graphs(const inlay_graph *a, const inlay_graph *b, inlay_diff *out,
                                 inlay_diags *d);
INLAY_API void inlay_diff_free(inlay_diff *diff);

#ifdef __cplusplus
}
#endif

#endif

/* Infers a whole graph: each node by itself, then the facts of variables from all their nodes, then
 * deferred nodes that can be expanded now. */
#include "ir/base/argument.h"
#include "ir/graph/deferred.h"
#include "ir/graph/graph.h"
#include "ir/graph/node.h"

bool inlay_infer_graph(inlay_graph *g, inlay_diags *d)
{
    return !inlay_is_missing(g, "graph", d) && infer_nodes(g, d) &&
           (g->owner || inlay_settle_variables(g, d)) && inlay_expand_graph(g, NULL, d);
}

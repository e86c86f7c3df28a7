/* What public functions ask of graphs, types and shapes that they are handed. For the folders of
 * this project, not installed. */
#ifndef INLAY_IR_GRAPH_ARGUMENT_H
#define INLAY_IR_GRAPH_ARGUMENT_H

#include "ir/base/argument.h"
#include "ir/graph.h"

/* A graph is there, and the bodies of its nodes are: graph, role, and port maps that lead to places
 * that exist. Else an error. For who follows port maps of nodes that nobody checked. */
bool inlay_graph_is_whole(const inlay_graph *g, inlay_diags *d);
/* Each Parameter has its value. Else an error. */
bool inlay_params_are_whole(const inlay_graph *g, inlay_diags *d);
/* One of the enum, INLAY_DYNAMIC included; else an error at NODE, which may be NULL. */
bool inlay_type_is_sound(inlay_type type, const inlay_node *node, inlay_diags *d);
/* A rank from -1 to INLAY_MAX_RANK, and sizes from 0 <= lo <= hi; else an error at NODE. */
bool inlay_shape_is_sound(int rank, const inlay_dim *dims, const inlay_node *node, inlay_diags *d);
/* It has both functions; else an error. */
bool inlay_evaluator_is_sound(const inlay_evaluator *e, inlay_diags *d);

#endif

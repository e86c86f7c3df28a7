/* Checks of graphs, types and shapes that are arguments of public functions. For the folders of
 * this project, not installed. */
#ifndef INLAY_IR_GRAPH_ARGUMENT_H
#define INLAY_IR_GRAPH_ARGUMENT_H

#include "ir/base/argument.h"
#include "ir/graph.h"

/* Checks that G and the bodies of its nodes are complete: graph, role, and port maps with valid
 * indices; else an error. For functions that follow port maps of unchecked nodes. */
bool inlay_graph_is_whole(const inlay_graph *g, inlay_diags *d);
/* Checks that each Parameter has its value; else records an error. */
bool inlay_params_are_whole(const inlay_graph *g, inlay_diags *d);
/* Is TYPE one of the enum, INLAY_DYNAMIC included? If not, an error at NODE (may be NULL). */
bool inlay_type_is_sound(inlay_type type, const inlay_node *node, inlay_diags *d);
/* Are RANK from -1 to INLAY_MAX_RANK and 0 <= lo <= hi for all sizes? If not, an error at NODE. */
bool inlay_shape_is_sound(int rank, const inlay_dim *dims, const inlay_node *node, inlay_diags *d);
/* Checks that E has both functions; else records an error. */
bool inlay_evaluator_is_sound(const inlay_evaluator *e, inlay_diags *d);

#endif

/* The shape rule of one node, and shape rules on operands given from outside. For the folders of
 * this project, not installed. */
#ifndef INLAY_IR_INFER_FACTS_H
#define INLAY_IR_INFER_FACTS_H

#include "ir/base/arena.h"
#include "ir/graph.h"

/* As inlay_infer_graph for one node. That the node is as its row says (inlay_check_node) is taken
 * on trust. */
bool inlay_infer_node(inlay_node *n, inlay_diags *d);
/* The rule of N on operands given from outside: an executor's exact ones. The node is taken on
 * trust. IN has n->n_in entries (NULL: absent), OUT n->n_out; dims of OUT live in ARENA. */
bool inlay_infer_facts(const inlay_node *n, const inlay_fact *const *in, inlay_arena *arena,
                       inlay_fact *out, inlay_diags *d);
/* The same for a node with bodies, which are inferred again with these operands; the graph stays as
 * it is. */
bool inlay_infer_bodies(const inlay_node *n, const inlay_fact *const *in, inlay_arena *arena,
                        inlay_fact *out, inlay_diags *d);
/* normalize.c: which input of a BatchNormInference-1 is the data, by the ranks of inputs 0 and 2
 * (-1: not known): 2 in the order of files, 0 in that of the page; -1: not known. */
int inlay_batch_norm_data(int rank_0, int rank_2);

#endif

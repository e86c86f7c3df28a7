/* The shape rule of one node, and shape rules on operands given from outside. This header is for
 * the folders of this project, and is not installed. */
#ifndef INLAY_IR_INFER_FACTS_H
#define INLAY_IR_INFER_FACTS_H

#include "ir/base/arena.h"
#include "ir/graph.h"

/* Does what inlay_infer_graph does for one node. The node must be as its row says, which
 * inlay_check_node checks. */
bool inlay_infer_node(inlay_node *n, inlay_diags *d);
/* Calls the shape rule of N on the facts IN, for example the exact ones of an executor. The node
 * must be as its row says. IN has n->n_in entries (NULL: absent), and OUT has n->n_out; the dims of
 * OUT live in ARENA. */
bool inlay_infer_facts(const inlay_node *n, const inlay_fact *const *in, inlay_arena *arena,
                       inlay_fact *out, inlay_diags *d);
/* Does the same for a node with bodies: copies of its bodies are inferred with these operands, and
 * the graph stays as it is. */
bool inlay_infer_bodies(const inlay_node *n, const inlay_fact *const *in, inlay_arena *arena,
                        inlay_fact *out, inlay_diags *d);
/* normalize.c: says by the ranks of inputs 0 and 2 (-1: not known) which input of a
 * BatchNormInference-1 is the data. Files have it as input 2, the page has it as input 0; -1: not
 * known. */
int inlay_batch_norm_data(int rank_0, int rank_2);
/* prior.c: says whether a PriorBox with these aspect ratios makes boxes for number I of them: not
 * for 1 and not for one that it has already. With FLIP it has 1 / x beside each x. */
bool inlay_prior_is_new(const double *ratios, int i, bool flip);

#endif

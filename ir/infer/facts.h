/* The shape rule of one node, and shape rules on operands of the caller's. For the folders of this
 * project, not installed. */
#ifndef INLAY_IR_INFER_FACTS_H
#define INLAY_IR_INFER_FACTS_H

#include "ir/base/arena.h"
#include "ir/graph.h"

/* inlay_infer_graph for one node, which must be as its row says (inlay_check_node). */
bool inlay_infer_node(inlay_node *n, inlay_diags *d);
/* Calls the shape rule of N on the facts IN, such as the exact ones of an executor. The node must
 * be as its row says. IN has n->n_in entries (NULL: absent), and OUT has n->n_out; the dims of OUT
 * live in ARENA. */
bool inlay_infer_facts(const inlay_node *n, const inlay_fact *const *in, inlay_arena *arena,
                       inlay_fact *out, inlay_diags *d);
/* The same for a node with bodies: infers copies of its bodies with these operands; the graph does
 * not change. */
bool inlay_infer_bodies(const inlay_node *n, const inlay_fact *const *in, inlay_arena *arena,
                        inlay_fact *out, inlay_diags *d);
/* normalize.c: returns which input of a BatchNormInference-1 is the data, by the ranks of inputs 0
 * and 2 (-1: unknown): input 2 in files, input 0 in the specification; -1: unknown. */
int inlay_batch_norm_data(int rank_0, int rank_2);
/* prior.c: does a PriorBox with these aspect ratios make boxes for ratio I? Not for 1, nor for one
 * that it has already. FLIP adds 1 / x beside each x. */
bool inlay_prior_is_new(const double *ratios, int i, bool flip);

#endif

/* How large values will be, also of steps that are still to come. */
#ifndef INLAY_EXEC_BUILD_SHAPES_H
#define INLAY_EXEC_BUILD_SHAPES_H

#include "interp/exec/build/builder.h"

/* Returns whether no step is made of N in this run. */
bool build_skips(const exec_builder *b, const inlay_node *n);
/* Finds the outputs of N by its rule. FACTS has those of its operands, by slot, and receives those
 * of its outputs. *KNOWN: they are exact, and agree with what was known when the graph was
 * compiled. *REFUSED is set where the rule refuses what is known, or it does not agree: N will
 * fail. False, here and below: out of memory. */
bool build_infer(exec_builder *b, const inlay_node *n, const inlay_fact **facts, bool *known,
                 bool *refused);
/* The same of a node with bodies, where the graph does not say what they give. */
bool build_infer_bodies(exec_builder *b, const inlay_node *n, const inlay_fact **facts);
/* Did the graph know all operands and outputs of N when it was compiled? */
bool build_graph_knows(const inlay_node *n);
/* Finds b->ahead: what the steps behind the one that is made will make, as far as sizes tell. */
bool build_look_ahead(exec_builder *b);
/* What is known of V then, for inlay_node_part_by; OF is the builder. */
const inlay_fact *build_fact_ahead(const void *of, const inlay_value *v);

#endif

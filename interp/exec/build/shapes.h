/* The sizes of values, also of later steps. */
#ifndef INLAY_EXEC_BUILD_SHAPES_H
#define INLAY_EXEC_BUILD_SHAPES_H

#include "interp/exec/build/builder.h"

/* Returns whether N is not run at all. */
bool build_skips(const exec_builder *b, const inlay_node *n);
/* Infers the outputs of N. FACTS has the facts of its operands, by slot, and receives those of its
 * outputs. *KNOWN: they are exact, and agree with what was known when the graph was compiled.
 * *REFUSED: the shape rule refuses what is known, or the result does not agree, so that N will
 * fail. False, here and below: out of memory. */
bool build_infer(exec_builder *b, const inlay_node *n, const inlay_fact **facts, bool *known,
                 bool *refused);
/* Does the same for a node with bodies, if the graph does not tell the types and shapes of their
 * results. */
bool build_infer_bodies(exec_builder *b, const inlay_node *n, const inlay_fact **facts);
/* Whether the graph knew the shapes of all operands and outputs of N when it was compiled. */
bool build_graph_knows(const inlay_node *n);
/* Fills in b->ahead: the types and shapes of what later steps make, as far as they follow from
 * sizes. */
bool build_look_ahead(exec_builder *b);
/* Returns the fact of V in b->ahead, for inlay_node_part_by; OF is the builder. */
const inlay_fact *build_fact_ahead(const void *of, const inlay_value *v);

#endif

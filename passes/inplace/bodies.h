/* What the bodies of a node do with what the node is given. Bodies are decided on before the graph
 * around them, so that their notes are there.
 *
 *     %i = If(%cond, %d)           then_body: %p = Parameter     else_body: %p = Parameter
 *                                             %q = Exp(%p)                  Result(%p)
 *                                             Result(%q)
 *
 * The output i may be d itself, for the second branch hands it through: whoever reads i may look at
 * d. */
#ifndef INLAY_PASSES_INPLACE_BODIES_H
#define INLAY_PASSES_INPLACE_BODIES_H

#include "ir/shared.h"

/* Sets HANDED[i] for each input i of N which an output of N, but for output EXCEPT, may be. An
 * output that is written over a Parameter is not the input. False: out of memory. */
bool inplace_list_handed(const inlay_node *n, int except, bool *handed);
/* Sets WRITTEN[i] for each input i of N whose Parameter a body writes over. False: out of memory.
 */
bool inplace_list_written(const inlay_node *n, bool *written);
/* The output of N whose value stands, in each of the bodies, in the Parameter that input INPUT
 * enters, all of it; -1: there is none. */
int inplace_body_heir(const inlay_node *n, int input);

#endif

/* What the bodies of a node do with what the node is given. Bodies are decided on before the graph
 * around them, so that their notes are there. */
#ifndef INLAY_PASSES_INPLACE_BODIES_H
#define INLAY_PASSES_INPLACE_BODIES_H

#include "ir/shared.h"

/* Sets WRITTEN[i] for each input i of N whose Parameter a body writes over. False: out of memory.
 */
bool inplace_list_written(const inlay_node *n, bool *written);
/* The output of N whose value stands, in each of the bodies, in the Parameter that input INPUT
 * enters, all of it; -1: there is none. */
int inplace_body_successor(const inlay_node *n, int input);
/* Is there none only because carried values change places as often as only the run can tell? */
bool inplace_is_exchanged(const inlay_node *n, int input);

#endif

/* Decision I for operands that a node holds: each is computed in its part of the result. Private to
 * this room. */
#ifndef INLAY_PASSES_INPLACE_HELD_H
#define INLAY_PASSES_INPLACE_HELD_H

#include "passes/inplace/decide.h"

/* Lists these operands in P->held. */
bool inplace_list_held(inplace_pass *p);
/* Decides on all of them, in the order of P->turns. */
bool inplace_decide_held(inplace_pass *p);
/* How many bytes need not be copied in G, by its notes. */
uint64_t inplace_saved_bytes(const inlay_graph *g);

#endif

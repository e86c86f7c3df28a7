/* Decision I: the updates of a scatter are computed in its window. Private to this room. */
#ifndef INLAY_PASSES_INPLACE_INTO_H
#define INLAY_PASSES_INPLACE_INTO_H

#include "passes/inplace/chain.h"

/* I for the links of the chain C of SCATTER, the updates first. */
bool inplace_decide_into(inplace_pass *p, inlay_node *scatter, const inplace_chain *c,
                         inlay_in_place *what);
/* Makes SCATTER's data, and the operands that say where its window is, run before NODE, which
 * computes into the window. *LATE receives the operand that can only be made after NODE, or NULL.
 */
bool inplace_window_first(inplace_pass *p, const inlay_node *scatter, inlay_node *node,
                          const inlay_node **late, inlay_in_place *what);
/* The condition that LATE, which makes an operand of SCATTER, breaks. */
inlay_condition inplace_late_condition(const inlay_node *scatter, const inlay_node *late);
/* If V is computed into R's buffer: a node that can fail after it has written what is visible after
 * the error. It is the node of V, or one that computes into V's buffer. NULL: there is none. */
const inlay_node *inplace_find_trap(inplace_pass *p, const inlay_value *v, const inlay_value *r);
/* V is made by a node with bodies: refuses D if what they make may also be another output, or
 * cannot be made in the window or part of R. */
bool inplace_check_made(inplace_pass *p, const inlay_value *v, const inlay_value *r,
                        inlay_decision *d);
/* Adds a remark to D, which computes V in its place, if a body of V's node may pass V through. */
bool inplace_remark_made(inplace_pass *p, const inlay_value *v, inlay_decision *d);

#endif

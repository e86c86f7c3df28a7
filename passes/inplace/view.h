/* Decision V: which slices, parts, reshapes and transposes are views. Private to this room. */
#ifndef INLAY_PASSES_INPLACE_VIEW_H
#define INLAY_PASSES_INPLACE_VIEW_H

#include "passes/inplace/chain.h"

/* V for the slices of SCATTER's data that its chain C reads. */
bool inplace_decide_views(inplace_pass *p, const inlay_node *scatter, const inplace_chain *c,
                          inlay_in_place *what);
/* V for what a Gather picks of SCATTER's data by a list of rows, once I is decided. No strides show
 * these rows: what is computed into them reads them one at a time, or they are copied. */
bool inplace_decide_listed_views(inplace_pass *p, const inlay_node *scatter, const inplace_chain *c,
                                 inlay_in_place *what);
/* Does N, a reader of X, copy X, unless X is computed in its part of N? */
bool inplace_moves_on(const inlay_node *n, const inlay_value *x);
/* V for X, an output of a node that can make views, all of whose readers take any strides. */
bool inplace_decide_view(inplace_pass *p, inlay_value *x, inlay_in_place *what, inlay_decision *d);
/* V for X, a reshape of what is, or will be, in the window of a scatter, where strides surely show
 * it. */
bool inplace_view_reshape(inplace_pass *p, inlay_value *x, inlay_in_place *what, inlay_decision *d);
/* V for nodes that repeat elements, if no reader copies the view. Comes before the decisions on
 * held operands, because the operand of such a view needs no part of a result. */
bool inplace_view_repeated(inplace_pass *p);
/* V for all nodes that can make views and were not asked before. */
bool inplace_view_the_rest(inplace_pass *p);
/* Elements smaller than a byte: does a row of the window of SLICE (or SliceScatter) begin or end
 * within a byte? */
bool inplace_splits_bytes(const inlay_node *slice);

#endif

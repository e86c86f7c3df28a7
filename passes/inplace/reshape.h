/* Reshapes between a window and what is computed or read there. Private to this room. */
#ifndef INLAY_PASSES_INPLACE_RESHAPE_H
#define INLAY_PASSES_INPLACE_RESHAPE_H

#include "passes/inplace/decide.h"

/* The value that V reshapes; V if it is no reshape. */
inlay_value *inplace_unshaped(const inlay_value *v);
/* X is a reshape of V. Does it only join neighbouring axes of V, apart from axes of size 1? Then X
 * can be shown at any strides that its own axes may have, and V in the same place. */
bool inplace_only_joins_axes(const inlay_value *v, const inlay_value *x);
/* Are the elements of window W contiguous in R? */
bool inplace_window_follows(const inlay_value *r, const inlay_window *w);
/* The window of N has the axes of X, a reshape of V. Do strides surely show it with V's axes? */
bool inplace_window_shows(const inlay_node *n, const inlay_value *v, const inlay_value *x);
/* A reshape, other than SHOWN, of V or its views that strides may not show any more if V is moved;
 * or NULL. */
const inlay_node *inplace_relies_on(inplace_pass *p, inlay_value *v, const inlay_value *shown);

#endif

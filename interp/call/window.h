/* Finds which window the operands of a slice say in this run. */
#ifndef INLAY_INTERP_WINDOW_H
#define INLAY_INTERP_WINDOW_H

#include "interp/call/kernel.h"

/* Finds what the call of a Slice or SliceScatter selects of operand 0, with an entry for each axis.
 * The operands that say so are found by their roles; the row of the node has one for start, stop,
 * step and axes each. False after recording what is wrong with these operands. */
bool call_windows(inlay_call *c, inlay_window *w);
/* Returns a tensor on T's buffer that shows the elements which W, with an entry for each axis,
 * selects. NULL: out of memory. */
inlay_tensor *call_window_of(const inlay_tensor *t, const inlay_window *w);

#endif

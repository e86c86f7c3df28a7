/* Finds which window the operands of a slice say in this run. */
#ifndef INLAY_INTERP_WINDOW_H
#define INLAY_INTERP_WINDOW_H

#include "interp/call/kernel.h"

/* Finds what the call of a Slice or SliceScatter selects of operand 0, with an entry for each axis.
 * The operands that say so are found by their roles; the row of the node has one for start, stop,
 * step and axes each. False after recording what is wrong with these operands. */
bool call_windows(inlay_call *c, inlay_window *w);
/* Finds the window that the call, of a node that has one (inlay_node_has_window), selects of
 * operand 0, before anything is done there: it is no error, and nothing is recorded, if there is no
 * such window, because a number is wrong. A row that a scatter would refuse is such a number. */
bool call_windows_ahead(inlay_call *c, inlay_window *w);
/* Returns whether index X, of TYPE, which N has for a row, names one of SIZE, and sets *AT to it.
 */
bool call_find_row(const inlay_node *n, inlay_type type, int64_t x, int64_t size, int64_t *at);
/* A tensor that shows part of another one, and is not counted among its holders: it is there as
 * long as that one, and nobody retains it. */
typedef struct call_shown {
    inlay_tensor t;
    int64_t dims[INLAY_MAX_RANK], strides[INLAY_MAX_RANK];
} call_shown;
/* Makes OUT show the elements of T which W, with an entry for each axis, selects. */
void call_show_window(const inlay_tensor *t, const inlay_window *w, call_shown *out);
/* Returns a tensor on T's buffer that shows the elements which W, with an entry for each axis,
 * selects. NULL: out of memory. */
inlay_tensor *call_window_of(const inlay_tensor *t, const inlay_window *w);

#endif

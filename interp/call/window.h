/* Reads the window of a slice from its operands in the run. */
#ifndef INLAY_INTERP_WINDOW_H
#define INLAY_INTERP_WINDOW_H

#include "interp/call/kernel.h"

/* Sets W, with an entry for each axis, to what the call of a Slice or SliceScatter selects of
 * operand 0. The operands are found by their roles start, stop, step and axes. False after
 * recording what is wrong with them. */
bool call_windows(inlay_call *c, inlay_window *w);
/* Sets W to the window that the call, of a node that has one (inlay_node_has_window), selects of
 * operand 0, before the node runs. False, without an error, if a number is wrong and there is no
 * such window, or a row is one that the scatter would refuse. */
bool call_windows_ahead(inlay_call *c, inlay_window *w);
/* Does X, of TYPE, as an index of N name one of SIZE rows? Sets *AT to that row. */
bool call_find_row(const inlay_node *n, inlay_type type, int64_t x, int64_t size, int64_t *at);
/* A view of part of another tensor that holds no reference: it is valid as long as that tensor, and
 * must not be retained. */
typedef struct call_shown {
    inlay_tensor t;
    int64_t dims[INLAY_MAX_RANK], strides[INLAY_MAX_RANK];
} call_shown;
/* Makes OUT, whose dims and strides are set, a view of T that begins OFFSET elements behind T. */
void call_show_part(const inlay_tensor *t, int rank, int64_t offset, call_shown *out);
/* Makes OUT a view of the elements of T that W, with an entry for each axis, selects. */
void call_show_window(const inlay_tensor *t, const inlay_window *w, call_shown *out);
/* Returns such a view with a reference to T's buffer, in A as inlay_tensor_window_in makes it.
 * NULL: out of memory. */
inlay_tensor *call_window_of(inlay_arena *a, const inlay_tensor *t, const inlay_window *w);

#endif

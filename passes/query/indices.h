/* What the indices in a constant have in common: they are a progression, all positions of a box, or
 * the same list all over a tensor. Private to passes/; the fold of scatters and the rules ask it.
 *
 * A position is an index that lies in [0, size) of its axis, after a negative one was counted from
 * the end (FROM_END) where the operation does that.
 */
#ifndef INLAY_PASSES_INDICES_H
#define INLAY_PASSES_INDICES_H

#include "ir/ir.h"
#include "ir/shared.h"

/* Element I of T as a position of an axis of SIZE, or -1. */
int64_t index_position(const inlay_tensor *t, int64_t i, int64_t size, bool from_end);

/* All elements of T as positions: OUT has room for them. False when one is out of range. */
bool index_list(const inlay_tensor *t, int64_t size, bool from_end, int64_t *out);

/* The elements along AXIS of T, which are the same wherever on the other axes: OUT has room for
 * dims[AXIS] of them. False too when T has no elements. */
bool index_line(const inlay_tensor *t, int axis, int64_t size, bool from_end, int64_t *out);

/* The N positions X are begin, begin + step, ...: W is that window. */
bool index_progression(const int64_t *x, int64_t n, inlay_window *w);

/* The tuples of T (its last axis) are, in row-major order, all positions of a box on the first K
 * axes, whose sizes are DIMS: a window for each. */
bool index_box(const inlay_tensor *t, const inlay_dim *dims, bool from_end, inlay_window *w);

/* The updates of the scatter N take the place of what was there; it does not reduce. */
bool scatter_replaces(const inlay_node *n);

/* The updates of N, a ScatterUpdate, ScatterElementsUpdate or ScatterNDUpdate, are proven to have
 * the sizes that they must have. Where they are not, N may be an error of the run. */
bool scatter_updates_fit(const inlay_node *n);

#endif

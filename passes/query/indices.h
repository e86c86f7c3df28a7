/* What the indices in a constant have in common: they are a progression, all positions of a box, or
 * the same list all over a tensor. The fold of scatters and the rules ask for that. This header is
 * private to passes/.
 *
 * A position is an index that lies in [0, size) of its axis, after a negative one was counted from
 * the end (FROM_END) where the operation does that. */
#ifndef INLAY_PASSES_INDICES_H
#define INLAY_PASSES_INDICES_H

#include "ir/ir.h"
#include "ir/shared.h"

/* Returns element I of T as a position of an axis of SIZE elements, or -1 where it is none. */
int64_t index_position(const inlay_tensor *t, int64_t i, int64_t size, bool from_end);

/* OUT, which has room for all elements of T, receives them as positions. False: one of them is out
 * of range. */
bool index_list(const inlay_tensor *t, int64_t size, bool from_end, int64_t *out);

/* OUT, which has room for dims[AXIS] positions, receives the elements along AXIS of T. False: these
 * are not the same everywhere on the other axes, one of them is out of range, or T has no
 * elements. */
bool index_line(const inlay_tensor *t, int axis, int64_t size, bool from_end, int64_t *out);

/* Whether the N positions X are begin, begin + step, begin + 2 step, ...; then W receives that
 * window. */
bool index_progression(const int64_t *x, int64_t n, inlay_window *w);

/* Whether the tuples of T, which stand along its last axis, are all positions of a box in row-major
 * order; then W receives a window for each of the first axes, whose sizes are DIMS. The tuples
 * (0,4) (0,6) (1,4) (1,6) are the box of rows 0, 1 and columns 4, 6. */
bool index_box(const inlay_tensor *t, const inlay_dim *dims, bool from_end, inlay_window *w);

/* Whether the updates of the scatter N take the place of what was there: N does not reduce. */
bool scatter_replaces(const inlay_node *n);

/* Whether the updates of N, a ScatterUpdate, ScatterElementsUpdate or ScatterNDUpdate, are proven
 * to have the sizes that they must have. Where that is not proven, running N may be an error. */
bool scatter_updates_fit(const inlay_node *n);

#endif

/* Patterns in constant indices: they are a progression, all positions of a box, or the same list
 * throughout a tensor. Used by the folding of scatters and by rules. Private to passes/.
 *
 * A position is an index in [0, size) of its axis, after a negative one was counted from the end
 * (FROM_END) where the operation does that. */
#ifndef INLAY_PASSES_INDICES_H
#define INLAY_PASSES_INDICES_H

#include "ir/ir.h"
#include "ir/shared.h"

/* Returns element I of T as a position of an axis of SIZE elements; -1: it is out of range. */
int64_t index_position(const inlay_tensor *t, int64_t i, int64_t size, bool from_end);

/* Writes all elements of T as positions to OUT. False: one of them is out of range. */
bool index_list(const inlay_tensor *t, int64_t size, bool from_end, int64_t *out);

/* Writes the elements along AXIS of T as positions to OUT[dims[AXIS]]. False: they differ along the
 * other axes, one of them is out of range, or T has no elements. */
bool index_line(const inlay_tensor *t, int axis, int64_t size, bool from_end, int64_t *out);

/* Are the N positions X begin, begin + step, begin + 2 step, ...? Then sets W to that window. */
bool index_progression(const int64_t *x, int64_t n, inlay_window *w);

/* Are the tuples of T, along its last axis, all positions of a box in row-major order? Then sets W
 * to a window for each of the first axes, whose sizes are DIMS. The tuples (0,4) (0,6) (1,4) (1,6)
 * are the box of rows 0, 1 and columns 4, 6. */
bool index_box(const inlay_tensor *t, const inlay_dim *dims, bool from_end, inlay_window *w);

/* Do the updates of the scatter N replace the old elements, without a reduction? */
bool scatter_replaces(const inlay_node *n);

/* Have the updates of N, a ScatterUpdate, ScatterElementsUpdate or ScatterNDUpdate, surely the
 * required sizes? If not, running N may be an error. */
bool scatter_updates_fit(const inlay_node *n);

/* Is no element of V negative? 1: by its type, by what is known of it, or because it comes from a
 * Range, ShapeOf, NonZero or TopK; 0: some are; -1: not known. */
int index_never_negative(const inlay_value *v);

#endif

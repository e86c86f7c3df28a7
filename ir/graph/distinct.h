/* Are the positions that a list of indices names pairwise distinct, in every run? If not, a row
 * that is read, changed and written back in place would be changed twice. This is known for
 * constants, which are examined, and for outputs of operations whose rows say `distinct` (positions
 * found by NonZero and TopK, and so an argsort; what Unique gives), also after these were reshaped,
 * sliced, converted, or shifted by one number. */
#ifndef INLAY_IR_GRAPH_DISTINCT_H
#define INLAY_IR_GRAPH_DISTINCT_H

#include "ir/graph.h"

/* V is a list of integers; each TUPLE consecutive ones name a position on TUPLE axes of DIMS
 * elements (below 0: unknown). FROM_END: negative numbers count from the end of the axis; else they
 * name no position, and the run fails. */
bool inlay_value_is_distinct(const inlay_value *v, int tuple, const int64_t *dims, bool from_end);
/* Are the positions of each line of V along AXIS distinct, on an axis of SIZE? */
bool inlay_value_lines_are_distinct(const inlay_value *v, int axis, int64_t size, bool from_end);

#endif

/* Are the places that a list of numbers names pairwise distinct, in every run? What is computed of
 * rows and put back where they were, row by row, would be computed twice of a row that is named
 * twice. It is known of constants that are looked through, and of outputs of operations whose rows
 * say `distinct` (positions found by NonZero and TopK, and so an argsort; what Unique gives), also
 * when they were put into other axes, cut, converted, or moved by one number.
 */
#ifndef INLAY_IR_GRAPH_DISTINCT_H
#define INLAY_IR_GRAPH_DISTINCT_H

#include "ir/graph.h"

/* V is a list of integers, TUPLE of which follow each other and name one place: a position of each
 * of TUPLE axes of DIMS elements (below 0: not known). FROM_END: numbers below 0 count from the end
 * of the axis; else they name no place, and the run fails. */
bool inlay_value_is_distinct(const inlay_value *v, int tuple, const int64_t *dims, bool from_end);

#endif

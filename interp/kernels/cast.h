/* Row functions that convert between element types. Private to interp/kernels/. */
#ifndef INLAY_KERNELS_CAST_H
#define INLAY_KERNELS_CAST_H

#include "interp/call/share.h"

/* Returns the function that converts a row of FROM to a row of TO like Convert; NULL: there is none
 * for this pair. */
row_fn *cast_row(inlay_type from, inlay_type to);
/* Returns what that function is among operations on floats (call/stages.h), if it is one: a
 * conversion to floats from small integers and halves, or from floats to these. */
row_op cast_op(inlay_type from, inlay_type to);
/* Returns X, rounded toward zero, modulo 2^64; 0 for infinity and NaN. Its lowest bits are the
 * result for a narrower type. */
uint64_t cast_wrapped(double x);
/* Does integer TYPE hold all numbers from LEAST to MOST? */
bool cast_holds(inlay_type type, float least, float most);

#endif

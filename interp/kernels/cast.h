/* Row functions that convert between element types. Private to interp/kernels/. */
#ifndef INLAY_KERNELS_CAST_H
#define INLAY_KERNELS_CAST_H

#include "interp/call/share.h"

/* Returns the function that converts a row of FROM to a row of TO like Convert; NULL: there is none
 * for this pair. */
row_fn *cast_row(inlay_type from, inlay_type to);

#endif

/* Conversions between element types as rows. Private to interp/kernels/. */
#ifndef INLAY_KERNELS_CAST_H
#define INLAY_KERNELS_CAST_H

#include "interp/call/share.h"

/* Returns the function that makes a row of TO of a row of FROM, as Convert does; or NULL: there is
 * none for these two. */
row_fn *cast_row(inlay_type from, inlay_type to);

#endif

/* Elements laid out in blocks that are filled up. */
#ifndef INLAY_ONEDNN_PACK_H
#define INLAY_ONEDNN_PACK_H

#include "interp/onednn/api.h"

/* Returns whether L has elements that only fill up blocks. */
bool pack_fills_up(api_layout l);
/* Copies what lies at X, at any address, to Y; zeros fill up its blocks. False: out of memory, or
 * layouts that are not made of blocks. */
bool pack(const void *x, api_layout from, void *y, api_layout to);

#endif

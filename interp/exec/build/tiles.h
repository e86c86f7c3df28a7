#ifndef INLAY_EXEC_BUILD_TILES_H
#define INLAY_EXEC_BUILD_TILES_H

#include "interp/exec/build/group.h"

/* Merges dims that are contiguous in all lanes, and divides the dims into tiles. */
bool group_tiles(struct gather *g);
/* Divides the dims of F anew, into tiles of MOST bytes of the largest element, unless rows of F are
 * longer. */
void group_cut(exec_fused *f, int64_t most);

#endif

/* A layout assigns offsets in an arena to blocks of bytes, each of which is alive from one time to
 * another. */
#ifndef INLAY_EXEC_BUILD_LAYOUT_H
#define INLAY_EXEC_BUILD_LAYOUT_H

#include "ir/shared.h"

enum { LAYOUT_LINE = 64 };

typedef struct layout_block {
    uint64_t bytes;     /* the layout rounds it up to whole cache lines */
    size_t first, last; /* alive from FIRST to LAST, both included */
    uint64_t offset;    /* found by the layout, unless it is FIXED */
    bool fixed;         /* OFFSET is given, at a cache line; FIRST is 0 */
    bool idle;          /* nothing is stored there, but it must not overlap either; it does not
                           count for BOUND */
} layout_block;

typedef struct layout {
    uint64_t bytes; /* of the arena */
    uint64_t bound; /* the largest sum of the blocks that are alive at one time */
    size_t at;      /* the time of that sum */
} layout;

/* Gives each of the N blocks that are not fixed an offset, so that no two blocks overlap that are
 * alive at the same time; takes memory of SCRATCH meanwhile. The fixed ones must not overlap.
 * False: out of memory, or the sizes do not fit 64 bits. */
bool layout_make(layout_block *list, size_t n, inlay_arena *scratch, layout *out);

#endif

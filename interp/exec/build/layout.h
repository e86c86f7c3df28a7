/* A layout says where in an arena blocks of bytes lie; each block is alive from one time to
 * another. */
#ifndef INLAY_EXEC_BUILD_LAYOUT_H
#define INLAY_EXEC_BUILD_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LAYOUT_LINE = 64 };

typedef struct layout_block {
    uint64_t bytes;     /* rounded up to whole lines by the layout */
    size_t first, last; /* it is alive at both */
    uint64_t offset;    /* found by the layout, unless it is FIXED */
    bool fixed;         /* it lies at OFFSET already, in whole lines; FIRST is 0 */
    bool idle;          /* nothing is there, and nothing may come there: the sums leave it out */
} layout_block;

typedef struct layout {
    uint64_t bytes; /* of the arena */
    uint64_t bound; /* the largest sum of what is alive at one time */
    size_t at;      /* that time */
} layout;

/* Gives each of the N blocks that are not fixed an offset, so that no two blocks that are alive at
 * one time overlap. The fixed ones do not overlap. False: out of memory, or the sizes do not fit 64
 * bits. */
bool layout_make(layout_block *list, size_t n, layout *out);

#endif

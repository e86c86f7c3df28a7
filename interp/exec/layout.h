/* Where in an arena blocks of bytes lie, each from one time to another. */
#ifndef INLAY_INTERP_EXEC_LAYOUT_H
#define INLAY_INTERP_EXEC_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LAYOUT_LINE = 64 };

typedef struct layout_block {
    uint64_t bytes;     /* rounded up to whole lines by the layout */
    size_t first, last; /* it is alive at both */
    uint64_t offset;    /* found by the layout */
} layout_block;

typedef struct layout {
    uint64_t bytes; /* of the arena */
    uint64_t bound; /* the largest sum of what is alive at one time */
    size_t at;      /* that time */
} layout;

/* Gives each of the N blocks an offset, so that no two of them that are alive at one time overlap.
 * False: out of memory, or the sizes do not fit 64 bits. */
bool layout_make(layout_block *list, size_t n, layout *out);

#endif

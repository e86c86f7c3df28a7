/* For kernels that compute their output part by part, and can hand each part over at once: whoever
 * reads it finds it in a near cache, and computes on the same thread. */
#ifndef INLAY_INTERP_PARTS_H
#define INLAY_INTERP_PARTS_H

#include "interp/kernel.h"

/* ROWS rows of output 0 from row ROW on, and of each the LENGTH elements from FIRST on. A row is
 * all elements of some last axes, and rows are counted over all axes before these. */
typedef struct call_rows {
    const char *data; /* the first element; rows are PITCH bytes apart, their elements adjacent */
    ptrdiff_t pitch;
    int64_t row, rows, first, length;
} call_rows;

typedef struct call_reader {
    /* Reads P, on the calling thread; several threads may call it at once. */
    void (*read)(const struct call_reader *r, const call_rows *p);
} call_reader;

/* Returns who reads output 0 part by part; NULL: nobody does. The kernel then hands every element
 * over exactly once, before it returns, and need not write it to the output. */
const call_reader *call_reader_of(inlay_call *c);

#endif

/* For kernels that compute their output part by part, and can hand each part over at once: whoever
 * reads it finds it in a near cache, and computes on the same thread. */
#ifndef INLAY_INTERP_PARTS_H
#define INLAY_INTERP_PARTS_H

#include "interp/call/stages.h"
#include "interp/kernel.h"

/* ROWS rows of output 0 from row ROW on, and of each the LENGTH elements from FIRST on. A row is
 * all elements of some last axes, and rows are counted over all axes before these. */
typedef struct call_rows {
    const char *data; /* the first element; rows are PITCH bytes apart, their elements adjacent */
    ptrdiff_t pitch;
    int64_t row, rows, first, length;
    bool begun; /* the kernel has done what it may do for the reader */
} call_rows;

/* Floats side by side in rows that are PITCH bytes apart, from row 0 on; or NULL. */
typedef struct call_beside {
    const char *data;
    ptrdiff_t pitch;
} call_beside;

/* Who reads an output, and what a kernel may do for the reader with its numbers before it hands
 * them over: add a number to each row, then another tensor, and then clamp, or make 0 of what is
 * not positive. It does all of this or nothing. */
typedef struct call_reader {
    /* Reads P, on the calling thread; several threads may call it at once. */
    void (*read)(const struct call_reader *r, const call_rows *p);
    const void *add; /* row R adds number R % ADD_ROWS, a float, or a half where that is handed
                        over; NULL: nothing is added */
    int64_t add_rows;
    call_beside sum;    /* rows that are added element by element. What becomes of the output may
                        stand in their place */
    row_stage then;     /* ROW_RELU, ROW_CLAMP, or ROW_OTHER: nothing. Its HALF is that of what is
                           handed over, to which all is rounded */
    char *to;           /* where row 0 of what becomes of it belongs, if then nothing is left to
                              do; the kernel stores it there, and hands nothing over. Or NULL */
    ptrdiff_t to_pitch; /* from row to row */
    call_beside beside, becomes; /* what is read with that which is handed over, element by element,
                                    and where the result is then written, so that kernels can ask
                                    for both ahead */
} call_reader;

/* Is there anything that a kernel may do for R? */
static inline bool call_begins(const call_reader *r)
{
    return r && (r->add || r->sum.data || r->then.op != ROW_OTHER);
}

/* Returns who reads output 0 part by part, or only WHOLE rows; NULL: nobody does. The kernel then hands every element
 * over exactly once, before it returns, and need not write it to the output. */
const call_reader *call_reader_of(inlay_call *c, bool whole);

#endif

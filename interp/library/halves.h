/* Kernels of floats on f16 and bf16: operands are widened before a kernel reads them, constants when
 * they are packed, and what a kernel computes is narrowed part by part, in a near cache. */
#ifndef INLAY_LIBRARY_HALVES_H
#define INLAY_LIBRARY_HALVES_H

#include "interp/call/halves.h"
#include "interp/call/parts.h"

/* Writes the N halves at X as floats to TO. */
static inline void halves_widen(inlay_type half, const char *x, int64_t n, float *to)
{
    inlay_load_f32_row(half, x, 0, 1, n, to);
}

/* Returns operand I of C, which is dense, as floats: as load_f32, by all threads. */
const float *halves_load(inlay_call *c, int i);
/* Stores the floats X to output O as store_f32, by all threads. */
bool halves_store(inlay_call *c, int o, const float *x);
/* Returns the address of element AT of operand I of C, which is dense and has halves. */
const char *halves_at(const inlay_call *c, int i, int64_t at);

enum { HALVES_HANDED = 4096 /* elements that are narrowed at a time */ };

/* Takes floats from a kernel, and hands them on as halves, or stores them. */
typedef struct halves_reader {
    call_reader reader;
    const call_reader *next; /* or NULL */
    inlay_type half;
    char *y;         /* output 0, which is dense, if there is no NEXT; else where NEXT wants it */
    ptrdiff_t pitch; /* from row to row of Y */
} halves_reader;

/* Sets R to the reader of floats of output 0 of C, whose rows have SMALL elements; WHOLE: parts
 * are whole rows. False: the output has gaps, and must be stored otherwise. */
bool halves_reader_of(inlay_call *c, bool whole, int64_t small, halves_reader *r);

/* panel_pack_f32 for halves: columns of DEPTH rows of T, from element AT on. Returns whether all of
 * them are finite. */
bool halves_pack(const inlay_tensor *t, int64_t at, int64_t row, int64_t col, int64_t depth,
                 int64_t n, int64_t cols, float *to);

#endif

/* Row functions of floats on f16 and bf16, which are computed in f32 and rounded once: a piece of
 * the operands is widened in the first cache, and what becomes of it is narrowed. */
#ifndef INLAY_CALL_HALVES_H
#define INLAY_CALL_HALVES_H

#include "interp/call/share.h"

enum { HALVES_ROW = 2048 }; /* the longest row that may be needed as a whole */

/* Which of lanes 0 (the output), 1, ... of a row function of floats are of type HALF. */
typedef struct call_halves {
    row_fn *run;
    const void *with; /* the other data of RUN */
    inlay_type half;
    unsigned lanes; /* a bit by lane */
    bool whole;     /* RUN needs whole rows */
    bool folds;     /* and makes one element of each */
} call_halves;

static inline bool call_is_half(inlay_type type)
{
    return type == INLAY_F16 || type == INLAY_BF16;
}

/* Narrows N floats of each of ROWS rows at X, FROM bytes apart, to rows PITCH bytes apart at TO. */
void call_halves_narrow(inlay_type half, const char *x, ptrdiff_t from, int64_t rows, int64_t n,
                        char *to, ptrdiff_t pitch);
/* Makes F, which computes floats, compute the elements of C's operands and its output as they are
 * in memory, if some of these are halves. H is kept as long as F is used. False: F stays as it is.
 */
bool call_halves_form(const inlay_call *c, row_form *f, call_halves *h);
/* Computes K, whose rows each have a number of their own: its `single` operand has one for each. */
void call_halves_each(const row_block *k);
/* Computes x times RUN of x, each rounded, where K computes RUN: row_gate_f32 of halves. */
void call_halves_gate(const row_block *k);
/* Returns what makes K compute halves; NULL: it does not. */
static inline const call_halves *call_halves_of(const row_block *k)
{
    return call_is_half(k->half) ? k->with : NULL;
}

#endif

/* Decision O for all scatters: which of several scatters of the same data overwrites it. Private to
 * this room. */
#ifndef INLAY_PASSES_INPLACE_HEIRS_H
#define INLAY_PASSES_INPLACE_HEIRS_H

#include "passes/inplace/decide.h"

/* Decides O for the N scatters of LIST, the last one first, but of those that share their data the
 * largest first. */
bool inplace_decide_overwrites(inplace_pass *p, inlay_in_place *list, size_t n);
/* The rank of the candidate that N makes. */
static inline int inplace_rank(const inplace_pass *p, const inlay_node *n)
{
    return p->turns.rank ? p->turns.rank[n->id] : 0;
}
/* Of candidates of one rank that compete for a buffer the larger is tried first. */
static inline bool inplace_prefers_large(const inplace_pass *p)
{
    return p->turns.turn == INPLACE_LAST_THEN_LARGEST || p->turns.turn == INPLACE_LARGEST_FIRST;
}

#endif

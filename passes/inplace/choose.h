/* Chooses the order in which candidates are tried, where that makes a difference. Private to this
 * room. */
#ifndef INLAY_PASSES_INPLACE_CHOOSE_H
#define INLAY_PASSES_INPLACE_CHOOSE_H

#include "passes/inplace/decide.h"

/* The result of one order. */
typedef struct inplace_outcome {
    uint64_t saved; /* bytes that are not copied */
    bool contested; /* something was refused that another order might allow */
    uint32_t *ids;  /* of the nodes of all candidates; the caller's to free */
    size_t n;
} inplace_outcome;

/* Decides on all of G in the order TURNS and tells nobody. OUT receives the result. */
typedef bool inplace_decide_fn(inlay_graph *g, pass_run *r, const inplace_priority *turns,
                               inplace_outcome *out);
/* Searches for an order that saves more bytes than FIRST, the result of the first order. BEST
 * receives it, or the first order; its ranks are the caller's to free. */
bool inplace_choose(inlay_graph *g, pass_run *r, inplace_decide_fn *decide,
                    const inplace_outcome *first, inplace_priority *best);

#endif

/* Whole values as terms. Private to this folder. */
#ifndef INLAY_PASSES_SYMBOLIC_WHOLE_H
#define INLAY_PASSES_SYMBOLIC_WHOLE_H

#include "passes/symbolic/term.h"
#include "passes/verify/verify.h"

/* Do the inputs of both graphs accept the same shapes: the same bounds, and the same sizes are
 * equal? */
bool symbolic_same_inputs(const inlay_graph *a, const inlay_graph *b, const verify_pairs *pairs);
/* Do N's results depend on its operands alone, and do its bodies change nothing else? */
bool symbolic_is_function(const inlay_node *n);
/* Are A and B, whose inputs and outputs are PAIRS, the same function for all sizes and all values?
 * False: unknown, and WHY[SIZE] says why; or out of memory. */
bool symbolic_same_wholes(const inlay_graph *a, const inlay_graph *b, const verify_pairs *pairs,
                          char *why, size_t size, inlay_diags *d);

#endif

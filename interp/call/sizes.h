/* Checks sizes of inputs that must be equal: two Parameters whose shapes have one identity, named
 * or not. Rules and passes rely on the identity, so every executor begins a run with this check. */
#ifndef INLAY_INTERP_SIZES_H
#define INLAY_INTERP_SIZES_H

#include "ir/ir.h"

/* Dim AXIS of input PARAM must equal dim FIRST_AXIS of input FIRST, which has it first. */
typedef struct equal_size {
    int param, axis, first, first_axis;
} equal_size;

typedef struct equal_sizes {
    equal_size *list;
    size_t n;
} equal_sizes;

/* Finds the equal sizes of the inputs of G, an outermost graph; bodies have none, because their
 * inputs are computed. The caller frees list. */
bool equal_sizes_find(const inlay_graph *g, equal_sizes *out, inlay_diags *d);
/* Checks the sizes of the tensors IN, one for each Parameter. A missing tensor, or one of another
 * rank than its Parameter, is left to the check of each input by itself. */
bool equal_sizes_hold(const equal_sizes *s, const inlay_graph *g, const inlay_tensor *const *in,
                      inlay_diags *d);

#endif

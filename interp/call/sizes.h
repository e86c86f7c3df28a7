/* Sizes of inputs that must be the same number: two Parameters whose shapes have one identity,
 * whether it has a name or not. What rules and passes concluded from the identity holds only then,
 * so a run begins with this check, whichever executor makes the run. */
#ifndef INLAY_INTERP_SIZES_H
#define INLAY_INTERP_SIZES_H

#include "ir/ir.h"

/* Dim AXIS of input PARAM must be dim FIRST_AXIS of input FIRST, where the size stands first. */
typedef struct equal_size {
    int param, axis, first, first_axis;
} equal_size;

typedef struct equal_sizes {
    equal_size *list;
    size_t n;
} equal_sizes;

/* Finds the equal sizes of G's inputs, where G is an outermost graph; a body has none, since what
 * enters a body was computed. The caller frees list. */
bool equal_sizes_find(const inlay_graph *g, equal_sizes *out, inlay_diags *d);
/* Checks that the sizes hold for the tensors IN, one for each Parameter. A tensor that is missing,
 * or has another rank than its Parameter, is left to the check of each input by itself. */
bool equal_sizes_hold(const equal_sizes *s, const inlay_graph *g, const inlay_tensor *const *in,
                      inlay_diags *d);

#endif

/* The two halves of fold-scatter-update. Private to passes/fold_scatter*.c. */
#ifndef INLAY_PASSES_FOLD_SCATTER_H
#define INLAY_PASSES_FOLD_SCATTER_H

#include "passes/pass.h"

/* What a scatter turns into: a value that is there, or a new one; both NULL when it stays. */
typedef struct simpler {
    inlay_value *old, *new;
} simpler;

/* fold_scatter_indices.c: N is a ScatterUpdate, ScatterElementsUpdate or ScatterNDUpdate. False is
 * an error. */
bool fold_scatter_indices(const inlay_node *n, simpler *out, inlay_diags *d);
/* All indices of N are constants in range, or there are none: it cannot fail for them. */
bool fold_indices_are_good(const inlay_node *n);

#endif

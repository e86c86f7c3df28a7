/* What the files of fold-constants and fold-scatter-update share. Private to passes/fold/. */
#ifndef INLAY_PASSES_FOLD_H
#define INLAY_PASSES_FOLD_H

#include "passes/pass.h"

/* constants.c: N becomes constants if all it needs is known, within the budgets; then it is gone
 * and r->changes has grown. */
bool fold_node(inlay_node *n, pass_run *r);

/* What a scatter turns into, or a gather or Concat that goes with one: a value that is there, or a
 * new one; both NULL when it stays. */
typedef struct simpler {
    inlay_value *old, *new;
} simpler;

/* scatter_indices.c: N is a ScatterUpdate, ScatterElementsUpdate or ScatterNDUpdate. False is an
 * error. */
bool fold_scatter_indices(const inlay_node *n, simpler *out, inlay_diags *d);
/* scatter_places.c: N is a ScatterNDUpdate or a SliceScatter, whose numbers are constants but for
 * one. False is an error. */
bool fold_scatter_places(const inlay_node *n, simpler *out, inlay_diags *d);
/* raise.c: N puts back a layer that it was computed of. False is an error. */
bool fold_scatter_layer(const inlay_node *n, simpler *out, inlay_diags *d);
/* gather_tuples.c: N gathers by tuples. False is an error. */
bool fold_gather_tuples(const inlay_node *n, simpler *out, inlay_diags *d);
/* put_back.c: N may be a Concat. False is an error. */
bool fold_put_back(const inlay_node *n, simpler *out, inlay_diags *d);
/* scatter_indices.c: all indices of N are constants in range, or there are none. N cannot fail
 * because of an index then. */
bool fold_indices_are_good(const inlay_node *n);

#endif

/* What the files of fold-constants and fold-scatter-update share. Private to passes/fold/. */
#ifndef INLAY_PASSES_FOLD_H
#define INLAY_PASSES_FOLD_H

#include "passes/pass.h"

/* constants.c: replaces N by constants if all that it needs is known, within the budgets; then N is
 * removed and r->changes has grown. */
bool fold_node(inlay_node *n, pass_run *r);

/* The replacement of a scatter, or of a gather or Concat that belongs to one: an existing value, or
 * a new one; both NULL: no replacement. */
typedef struct simpler {
    inlay_value *old, *new;
} simpler;

/* scatter_indices.c: for a ScatterUpdate, ScatterElementsUpdate or ScatterNDUpdate N. False is an
 * error. */
bool fold_scatter_indices(const inlay_node *n, simpler *out, inlay_diags *d);
/* scatter_places.c: for a ScatterNDUpdate or a SliceScatter N whose indices are constants except
 * for one. False is an error. */
bool fold_scatter_places(const inlay_node *n, simpler *out, inlay_diags *d);
/* raise.c: for an N that puts back a layer from which its updates were computed. False is an error.
 */
bool fold_scatter_layer(const inlay_node *n, simpler *out, inlay_diags *d);
/* surrounded.c: for a SliceScatter N whose updates are computed from what stands beside their
 * window. False is an error. */
bool fold_surround(const inlay_node *n, simpler *out, inlay_diags *d);
/* gather_tuples.c: for an N that gathers by tuples. False is an error. */
bool fold_gather_tuples(const inlay_node *n, simpler *out, inlay_diags *d);
/* gather_columns.c: for an N that gathers by tuples that are partly constant. False is an error. */
bool fold_gather_columns(const inlay_node *n, simpler *out, inlay_diags *d);
/* put_back.c: for an N that may be a Concat. False is an error. */
bool fold_put_back(const inlay_node *n, simpler *out, inlay_diags *d);
/* Returns the tensor of which V is a part that begins at AT along AXIS; NULL: V is no such part. */
inlay_value *fold_whole_of(const inlay_value *v, int axis, int64_t at);
/* grown.c: lets states grow whose parts grow each for itself and are stacked again. False is an
 * error. */
bool fold_grown(inlay_graph *g, pass_run *r);
/* parted.c: for an N that may be a pointwise node of which an operand is put together. False is an
 * error. */
bool fold_parted(const inlay_node *n, simpler *out, inlay_diags *d);
/* scatter_indices.c: are all indices of N constants in range, or are there none? Then N cannot fail
 * because of an index. */
bool fold_indices_are_good(const inlay_node *n);

#endif

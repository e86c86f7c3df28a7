/* Questions that other folders ask about an instance. */
#ifndef INLAY_EXEC_BUILD_QUERY_H
#define INLAY_EXEC_BUILD_QUERY_H

#include "interp/exec/build/instance.h"

/* Returns whether the value of SLOT is a slice (exec_place.sliced) that is by its note a view of an
 * input, which X, an instance of P, must not overwrite. Such a slice is copied. */
bool exec_slice_is_copied(const exec_plan *p, const exec_instance *x, size_t slot);
/* Returns whether the value of SLOT, which a kernel returns, has its place in another value: in one
 * that it overwrites, or in one in which it is made. */
bool exec_is_placed(const exec_plan *p, const exec_instance *x, size_t slot);
/* Returns the same for a value that is made in another one. */
bool exec_is_made_in(const exec_plan *p, const exec_instance *x, size_t slot);
/* Returns the type and dims of Result R, if it can be made in a place that the caller chooses; or
 * NULL. */
const inlay_tensor *exec_result_form(const exec_instance *x, int r);

#endif

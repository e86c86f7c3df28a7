/* What others ask of an instance. */
#ifndef INLAY_EXEC_BUILD_QUERY_H
#define INLAY_EXEC_BUILD_QUERY_H

#include "interp/exec/build/instance.h"

/* Is the value of SLOT such a slice, noted as a view of an input that X, an instance of P, must not
 * write over? Then it is copied. */
bool exec_slice_is_copied(const exec_plan *p, const exec_instance *x, size_t slot);
/* Returns whether the value of SLOT, which a kernel hands over, has a place in another value: in
 * what it is written over, or what it is made in. */
bool exec_is_placed(const exec_plan *p, const exec_instance *x, size_t slot);
/* Returns the same of a value that is made in another one. */
bool exec_is_made_in(const exec_plan *p, const exec_instance *x, size_t slot);
/* Returns what the value of Result R will be, if it can be made wherever it is wanted; or NULL. */
const inlay_tensor *exec_result_form(const exec_instance *x, int r);

#endif

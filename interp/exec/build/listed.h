/* Rows that are named by a list of indices, and that a scatter puts back. */
#ifndef INLAY_EXEC_BUILD_LISTED_H
#define INLAY_EXEC_BUILD_LISTED_H

#include "interp/exec/build/builder.h"

/* Returns the slot of the updates of step I if it is a scatter that writes them over rows of its
 * data, with a list of indices that are all different, and whose kernel has the group compute them;
 * else SIZE_MAX. */
size_t build_updates(const exec_builder *b, size_t i);
/* Returns the step before BEFORE that gathers the value of SLOT, if it gathers the rows that
 * SCATTER, such a step, writes, and from the same data; or NULL. */
exec_step *build_gathered(const exec_builder *b, size_t slot, size_t before, size_t scatter);

#endif

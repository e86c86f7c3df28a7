/* Rows of a list, which a scatter puts back. */
#ifndef INLAY_EXEC_BUILD_LISTED_H
#define INLAY_EXEC_BUILD_LISTED_H

#include "interp/exec/build/builder.h"

/* Returns the updates of step I if it is a scatter that writes them over rows of its data, by a
 * list of which no row is named twice, and that calls its kernel for that; else SIZE_MAX. */
size_t build_updates(const exec_builder *b, size_t i);
/* Returns the step before BEFORE that gathers the value of SLOT, if it names the rows that the
 * scatter, such a step, writes, of the same data; or NULL. */
exec_step *build_gathered(const exec_builder *b, size_t slot, size_t before, size_t scatter);

#endif

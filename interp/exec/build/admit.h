/* Which steps may be in a group. */
#ifndef INLAY_EXEC_BUILD_ADMIT_H
#define INLAY_EXEC_BUILD_ADMIT_H

#include "interp/exec/build/group.h"

/* Returns whether step I may be computed together with those that are gathered. */
bool group_admits(const struct gather *g, size_t i);
/* Returns whether operand K of step I, which the group makes or picks, is read element by element,
 * or, if it is narrow and the step is not, one element for each row. */
bool group_reads_elements(const struct gather *g, size_t i, int k);
/* Returns whether step K reads and writes bytes where the output OUT of another one stands only as
 * the elements that OUT has there. */
bool group_keeps_apart(const struct gather *g, size_t k, size_t out);

#endif

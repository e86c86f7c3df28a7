/* Which steps may be in a group. */
#ifndef INLAY_EXEC_BUILD_ADMIT_H
#define INLAY_EXEC_BUILD_ADMIT_H

#include "interp/exec/build/group.h"

/* Returns whether step I may be computed together with those that are gathered. */
bool group_admits(const struct gather *g, size_t i);
/* Returns whether operand K of step I, which the group makes or picks, is read one element at a
 * time; or, if the operand is narrow and the step is not, one element per row. */
bool group_reads_elements(const struct gather *g, size_t i, int k);
/* Returns whether step K reads and writes none of the bytes of OUT, an output of another step,
 * except as the elements that OUT has at these bytes. */
bool group_keeps_apart(const struct gather *g, size_t k, size_t out);

#endif

/* Where operations of a group find their operands. */
#ifndef INLAY_EXEC_BUILD_LANES_H
#define INLAY_EXEC_BUILD_LANES_H

#include "interp/exec/build/group.h"

/* Returns whether SLOT is the updates that the group computes where they belong. */
bool group_puts(const struct gather *g, size_t slot);
/* Returns the step that gathers the value of SLOT, if the group alone reads it, of the rows that
 * its scatter writes; or NULL. */
exec_step *group_gathers(const struct gather *g, size_t slot);
/* Gives the values between the steps registers, as long as there are some: REG is by operation, -1:
 * the value is in memory. A register is free for the output of the operation that reads it last, if
 * the elements of both are of one size. */
void group_registers(const struct gather *g, int *reg);
/* Makes the block and the lanes of operation I. False, here and below: out of memory. */
bool group_lanes(const struct gather *g, int i, const int *reg);

#endif

/* Where operations of a group find their operands. */
#ifndef INLAY_EXEC_BUILD_LANES_H
#define INLAY_EXEC_BUILD_LANES_H

#include "interp/exec/build/group.h"

/* Returns whether SLOT is the updates of the group's scatter, which the group computes where they
 * belong. */
bool group_puts(const struct gather *g, size_t slot);
/* Returns the step that gathers the value of SLOT, if only the group reads the value and it
 * consists of the rows that the group's scatter writes; or NULL. */
exec_step *group_gathers(const struct gather *g, size_t slot);
/* Assigns registers to the values between the steps, as long as there are some. REG is by
 * operation; -1: the value is in memory. The register of an operand that is read for the last time
 * is free for the output, if their elements have the same size. */
void group_registers(const struct gather *g, int *reg);
/* Makes the block and the lanes of operation I. False, also in the other functions of this file:
 * out of memory. */
bool group_lanes(const struct gather *g, int i, const int *reg);

#endif

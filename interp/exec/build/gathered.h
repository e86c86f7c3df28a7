/* Rows that are picked by an index and that a group reads in place. */
#ifndef INLAY_EXEC_BUILD_GATHERED_H
#define INLAY_EXEC_BUILD_GATHERED_H

#include "interp/exec/build/group.h"

/* Returns whether step I picks rows that a later group may read in place. */
bool group_is_picked(const exec_builder *b, size_t i);
/* Adds those steps right before the group to it whose picked rows it can read in place. */
void group_picks(const struct gather *g);
/* Returns the number of the list of rows of which the value of SLOT consists; -1: it is no such
 * value. */
int group_list(const struct gather *g, size_t slot);
/* Lists the strides of what step I picks from, along the dims of its output; 0 for dims that count
 * rows. */
void group_row_strides(const struct gather *g, size_t i, int64_t *strides);

#endif

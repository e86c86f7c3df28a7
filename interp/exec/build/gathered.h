/* Rows that an index picks, which a group reads where they are. */
#ifndef INLAY_EXEC_BUILD_GATHERED_H
#define INLAY_EXEC_BUILD_GATHERED_H

#include "interp/exec/build/group.h"

/* Returns whether step I picks rows, which a group behind it may read where they are. */
bool group_is_picked(const exec_builder *b, size_t i);
/* Makes those steps right before the group a part of it whose rows it can read. */
void group_picks(const struct gather *g);
/* Returns the number of the list of rows that are the value of SLOT; -1: it is no such value. */
int group_list(const struct gather *g, size_t slot);
/* Lists the strides of what step I picks from, along the dims of its output; 0 where these count
 * rows. */
void group_row_strides(const struct gather *g, size_t i, int64_t *strides);

#endif

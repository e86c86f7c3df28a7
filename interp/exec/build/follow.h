/* Groups that read the output of a kernel part by part. */
#ifndef INLAY_EXEC_BUILD_FOLLOW_H
#define INLAY_EXEC_BUILD_FOLLOW_H

#include "interp/exec/build/group.h"

/* Sets follow in the group of G to the step right before it whose output only the group reads, and
 * may read part by part. */
void group_follow(struct gather *g);
/* Makes that step hand its output over, if tiles are parts of its rows; else the group reads it
 * when it is complete. False: out of
 * memory. */
bool group_take_parts(struct gather *g);

#endif

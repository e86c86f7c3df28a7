/* Where an instance ends because only the run can tell sizes. */
#ifndef INLAY_EXEC_BUILD_SEGMENTS_H
#define INLAY_EXEC_BUILD_SEGMENTS_H

#include "interp/exec/build/builder.h"

/* The time until which a value is read: its last use, or that of what may stand in its bytes. */
typedef struct build_reach {
    size_t last; /* the last time somebody reads it, or what may stand in its bytes */
    bool escapes;
} build_reach;

/* Returns whether the instance ends before the step B->now, because the size of an operand is known
 * only when the steps before it have run. */
bool build_ends(const exec_builder *b);
/* Returns whether it ends behind the last step that it has, because that one is refused. */
bool build_is_refused(const exec_builder *b);
/* Returns whether the value of SLOT stands in another one by its note, which something writes over,
 * but has an allocation of its own: that of a row which the run finds, or around a tensor that came
 * over a border. Allocations do not tell that the two have bytes in common. */
bool build_floats(const exec_builder *b, size_t slot);
/* Takes over what is alive behind the segment before. */
bool build_take_over(exec_builder *b);
/* Lists what the next segment will take over; REACH is by slot. */
bool build_hand_over(exec_builder *b, const build_reach *reach);

#endif

/* Where an instance ends, because sizes after that are only known in the run. */
#ifndef INLAY_EXEC_BUILD_SEGMENTS_H
#define INLAY_EXEC_BUILD_SEGMENTS_H

#include "interp/exec/build/builder.h"

/* Until when a value is read. */
typedef struct build_reach {
    size_t last; /* the last time that it, or a value that may be in its bytes, is read */
    bool escapes;
} build_reach;

/* Returns whether the instance ends before the step B->now, because the size of an operand is only
 * known when the earlier steps have run. */
bool build_ends(const exec_builder *b);
/* Returns whether the instance ends after its last step, because that one will be refused. */
bool build_is_refused(const exec_builder *b);
/* Returns whether the value of SLOT is by its note in another one, which is overwritten later, but
 * has an allocation of its own (that of a row that only the run can tell, or of a tensor taken over
 * from another segment). Allocations do not show that the two have bytes in common. */
bool build_floats(const exec_builder *b, size_t slot);
/* Takes over the values that are alive after the segment before. */
bool build_take_over(exec_builder *b);
/* Lists what the next segment will take over. REACH is by slot. */
bool build_hand_over(exec_builder *b, const build_reach *reach);

#endif

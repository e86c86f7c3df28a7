/* What the notes cost in memory. Private to this room. */
#ifndef INLAY_PASSES_INPLACE_PEAK_H
#define INLAY_PASSES_INPLACE_PEAK_H

#include "passes/inplace/decide.h"

/* The notes are made. If a run would hold more at its fullest than one in which every value has a
 * buffer of its own, marks in COSTLY, by node id, whose outputs must not be views or computed into
 * others, for that. *MORE: some were marked now, and it is worth deciding again without them.
 * Values whose sizes are not known count nothing. */
bool inplace_find_costly(inplace_pass *p, bool *costly, bool *more);

#endif

/* What the caller is told: the decisions, and how many bytes are copied. Private to this room. */
#ifndef INLAY_PASSES_INPLACE_COPIES_H
#define INLAY_PASSES_INPLACE_COPIES_H

#include "passes/inplace/decide.h"

/* The remark of a decision. */
#define INPLACE_STANDING "the updates are written where they belong"

/* Sets in WHAT how many bytes each refusal copies. */
void inplace_count_bytes(const inplace_pass *p, inlay_in_place *what);
/* Keeps WHAT, as it is now, to be told later. False: out of memory. */
bool inplace_record(inplace_pass *p, const inlay_in_place *what);
/* Removes the notes on rows of a list that inplace_check_rows refuses. That is known only when all
 * views and the order are decided. */
bool inplace_give_up_rows(inplace_pass *p);
/* Marks the scatters whose updates turn out to be in their window, now that all views are decided.
 */
void inplace_find_standing(inplace_pass *p);
/* Tells the caller all that was recorded; for each other node that only moves elements, whether it
 * makes views and what it copies; and which operands are copied because a kernel needs them dense.
 * False: the caller stops the run, or memory ran out. */
bool inplace_tell(inplace_pass *p);

#endif

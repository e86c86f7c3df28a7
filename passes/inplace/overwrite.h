/* Decision O: the result of a scatter overwrites its data. Private to this room. */
#ifndef INLAY_PASSES_INPLACE_OVERWRITE_H
#define INLAY_PASSES_INPLACE_OVERWRITE_H

#include "passes/inplace/decide.h"

/* Decides O for the scatter of WHAT. */
bool inplace_decide_overwrite(inplace_pass *p, inlay_in_place *what);
/* The condition that a body breaks if it writes over ROOT's buffer, because loop invariants are
 * read again in each iteration; INLAY_NO_CONDITION: none, or ROOT is not in a body. */
inlay_condition inplace_body_condition(const inlay_value *root);
/* The conditions on DATA itself if R is to overwrite it. inplace_try_note judges its readers. */
bool inplace_may_overwrite(inplace_pass *p, inlay_value *r, inlay_value *data, inlay_decision *d);
/* The condition that a reader of the old data breaks when ROOT's buffer, which may hold the result
 * of the previous iteration, is written over. */
inlay_condition inplace_reader_condition(const inlay_node *root);
/* A sentence about what is copied nevertheless when ROOT's buffer is written; or NULL. */
const char *inplace_remark_on(const inlay_node *root);

#endif

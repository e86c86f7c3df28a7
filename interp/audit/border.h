/* What a segment finds at its beginning. Private to interp/audit. */
#ifndef INLAY_INTERP_AUDIT_BORDER_H
#define INLAY_INTERP_AUDIT_BORDER_H

#include "interp/audit/tags.h"

/* Sets T, the tags of a segment before its first step, to those of WAS, the segment before at its
 * end. NULL, or what is wrong there; *VALUE is the value. */
const char *border_cross(audit_tags *t, const audit_tags *was, size_t *value);
/* Are the steps of X those of its graph from the end of the segment before, and does no value cross
 * the end of a region? NULL, or what is wrong. */
const char *border_frame(const exec_instance *x);
/* Has X lost the address that the value of SLOT had in the segment before? */
bool border_lost(const exec_instance *x, size_t slot);

#endif

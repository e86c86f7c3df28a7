/* What a segment finds when it begins. Private to interp/audit. */
#ifndef INLAY_INTERP_AUDIT_BORDER_H
#define INLAY_INTERP_AUDIT_BORDER_H

#include "interp/audit/tags.h"

/* T, the tags of a segment that has made no step, become those of WAS, the segment before at its
 * end. NULL, or what is wrong at the border; *VALUE is where. */
const char *border_cross(audit_tags *t, const audit_tags *was, size_t *value);
/* Whether the steps of X are those of its graph from where the segment before has ended, and no
 * value lies across the end of a region. NULL, or what is wrong. */
const char *border_frame(const exec_instance *x);
/* Whether X has lost the place of the value of SLOT, which the segment before had. */
bool border_lost(const exec_instance *x, size_t slot);

#endif

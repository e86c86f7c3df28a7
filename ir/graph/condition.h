/* The names of the conditions of writing in place. For the folders of this project, not installed.
 */
#ifndef INLAY_IR_GRAPH_CONDITION_H
#define INLAY_IR_GRAPH_CONDITION_H

typedef enum inlay_condition {
    INLAY_NO_CONDITION,
#define CONDITION(id, name, text) INLAY_##id,
#include "ir/graph/conditions.def"
#undef CONDITION
    INLAY_CONDITIONS
} inlay_condition;

/* "O3 last-read"; NULL for INLAY_NO_CONDITION. */
const char *inlay_condition_name(inlay_condition c);
/* How a node breaks it, as the end of a sentence that begins with the node; or "". */
const char *inlay_condition_text(inlay_condition c);
/* The condition that is called NAME (may be NULL), or INLAY_NO_CONDITION. */
inlay_condition inlay_condition_named(const char *name);

#endif

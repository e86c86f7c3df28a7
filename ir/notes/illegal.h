/* Notes that a file claims. For the folders of this project, not installed. */
#ifndef INLAY_IR_NOTES_ILLEGAL_H
#define INLAY_IR_NOTES_ILLEGAL_H

#include "ir/graph.h"

/* Notes of G and its bodies that are illegal in the order of inlay_order(g, false) become fresh,
 * with a warning each, until the rest is legal. False only when checking itself failed. */
bool inlay_drop_illegal_notes(inlay_graph *g, inlay_diags *d);

#endif

/* Are the storage notes right? For the folders of this project, not installed. */
#ifndef INLAY_IR_NOTES_ILLEGAL_H
#define INLAY_IR_NOTES_ILLEGAL_H

#include "ir/graph.h"

/* Judges all notes of G, for a run in exactly this order (and of what it leaves out, what can be
 * said without an order). False and an error that names the note, and mostly who reads what after
 * which write, when one is illegal; *BAD (may be NULL) is then its value, NULL when checking itself
 * failed. G may be a body; those of its nodes are not looked at. */
bool inlay_check_notes(const inlay_graph *g, const inlay_order_list *order, const inlay_value **bad,
                       inlay_diags *d);

/* Notes that a file claims: those of G, the outermost graph, and its bodies that are illegal in the
 * order of inlay_order(g, false) become fresh, with a warning each, until the rest is legal. False
 * only when checking itself failed. */
bool inlay_drop_illegal_notes(inlay_graph *g, inlay_diags *d);

#endif

/* Are the storage notes right? For the folders of this project, not installed. */
#ifndef INLAY_IR_NOTES_ILLEGAL_H
#define INLAY_IR_NOTES_ILLEGAL_H

#include "ir/graph.h"

/* Judges all notes of G for a run in exactly this order; notes of nodes that are not in ORDER are
 * judged as far as that needs no order. If one is illegal: false, an error that names the note and,
 * in most cases, which read comes after which write, and its value in *BAD (which may be NULL).
 * *BAD is NULL if the check itself failed. G may be a body; bodies of its nodes are not judged. */
bool inlay_check_notes(const inlay_graph *g, const inlay_order_list *order, const inlay_value **bad,
                       inlay_diags *d);

/* Removes notes that a file claims and that are illegal in the order of inlay_order(g, false), with
 * a warning for each, until the rest is legal: in G, the outermost graph, and in its bodies. False
 * only if the check itself failed. */
bool inlay_drop_illegal_notes(inlay_graph *g, inlay_diags *d);

#endif

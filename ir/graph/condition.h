/* The conditions of writing in place, and the grounds of a storage note, which are named by them.
 * For the folders of this project, not installed. */
#ifndef INLAY_IR_GRAPH_CONDITION_H
#define INLAY_IR_GRAPH_CONDITION_H

#include "ir/graph.h"

typedef enum inlay_condition {
    INLAY_NO_CONDITION,
#define CONDITION(id, name, broken) INLAY_##id,
#define KEPT(id, name, broken, kept) INLAY_##id,
#include "ir/graph/conditions.def"
#undef CONDITION
#undef KEPT
    INLAY_CONDITIONS
} inlay_condition;

/* "O3 no-later-read"; NULL for INLAY_NO_CONDITION. */
const char *inlay_condition_name(inlay_condition c);
/* How a node breaks it, as the end of a sentence that begins with the node; or "". */
const char *inlay_condition_text(inlay_condition c);
/* How a node keeps it, in the same form; "": no note can rely on that. */
const char *inlay_condition_kept(inlay_condition c);
/* The condition that is called NAME (may be NULL), or INLAY_NO_CONDITION. */
inlay_condition inlay_condition_named(const char *name);
/* The condition on which a note can rely and whose name begins with the word of N letters at WORD,
 * "O3"; or INLAY_NO_CONDITION. */
inlay_condition inlay_condition_of_word(const char *word, size_t n);

/* ground.c: what a note relies on. A note that states nothing is bare: then it is for who checks it
 * to find out. inlay_value_set_note leaves it bare. */

/* The note of V, which is bare, states its grounds; so far it relies on nothing. */
bool inlay_value_state_grounds(inlay_value *v, inlay_diags *d);
/* The note of V, which states its grounds, relies on NODE, which keeps CONDITION. */
bool inlay_value_add_ground(inlay_value *v, inlay_condition condition, const inlay_node *node,
                            inlay_diags *d);
/* All notes of G are bare from now on. */
void inlay_graph_forget_grounds(inlay_graph *g);

#endif

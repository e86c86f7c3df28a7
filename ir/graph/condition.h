/* The conditions of writing in place, and the grounds of a storage note, each of which names a
 * condition. For the folders of this project, not installed. */
#ifndef INLAY_IR_GRAPH_CONDITION_H
#define INLAY_IR_GRAPH_CONDITION_H

#include "ir/graph.h"

typedef enum inlay_condition {
    INLAY_NO_CONDITION,
#define CONDITION(id, name, broken, remedy) INLAY_##id,
#define KEPT(id, name, broken, kept, remedy) INLAY_##id,
#include "ir/graph/conditions.def"
#undef CONDITION
#undef KEPT
    INLAY_CONDITIONS
} inlay_condition;

/* Returns "O3 no-later-read"; NULL for INLAY_NO_CONDITION. */
const char *inlay_condition_name(inlay_condition c);
/* Says how a node violates C, as the end of a sentence that begins with the node; or "". */
const char *inlay_condition_text(inlay_condition c);
/* Says how a node fulfils C, in the same form; "": no note can rely on C. */
const char *inlay_condition_kept(inlay_condition c);
/* Says what who wrote the graph can do where C is violated, as the end of a sentence; or "". */
const char *inlay_condition_remedy(inlay_condition c);
/* Returns the condition called NAME (may be NULL), or INLAY_NO_CONDITION. */
inlay_condition inlay_condition_named(const char *name);
/* Returns the condition on which a note can rely and whose name begins with the N letters at WORD,
 * "O3"; or INLAY_NO_CONDITION. */
inlay_condition inlay_condition_of_word(const char *word, size_t n);

/* ground.c: what a note relies on. A note without stated grounds is bare: a checker must find them
 * by itself. inlay_value_set_note makes bare notes. */

/* Gives the bare note of V an empty list of grounds. */
bool inlay_value_state_grounds(inlay_value *v, inlay_diags *d);
/* Adds to the grounds of V's note that NODE fulfils CONDITION. */
bool inlay_value_add_ground(inlay_value *v, inlay_condition condition, const inlay_node *node,
                            inlay_diags *d);
/* Makes all notes of G bare. */
void inlay_graph_forget_grounds(inlay_graph *g);

#endif

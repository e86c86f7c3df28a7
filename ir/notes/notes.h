/* What the files of the checker of storage notes share. Private to this room; README.md says how
 * the checker works. */
#ifndef INLAY_IR_NOTES_H
#define INLAY_IR_NOTES_H

#include "ir/graph.h"
#include "ir/graph/condition.h"
#include "ir/graph/fail.h"

/* complaint.c */

/* Why a note is illegal. */
typedef struct note_complaint {
    const inlay_value *bad; /* the value that has the note */
    char text[600];         /* a sentence, with the name of the condition that is broken */
    char words[2][120];
    unsigned turn; /* of words */
} note_complaint;

/* N and V in words, for a complaint. At most two of these texts are valid at a time. */
static inline const char *note_node_words(note_complaint *c, const inlay_node *n)
{
    return inlay_node_words(n, c->words[c->turn++ % 2], sizeof c->words[0]);
}
static inline const char *note_value_words(note_complaint *c, const inlay_value *v)
{
    return inlay_value_words(v, c->words[c->turn++ % 2], sizeof c->words[0]);
}

/* Records the complaint FMT about the note of V, which breaks condition BROKEN (INLAY_NO_CONDITION:
 * the note makes no sense at all). Always returns false. */
bool note_complain(note_complaint *c, const inlay_value *v, inlay_condition broken, const char *fmt,
                   ...) INLAY_PRINTF(4, 5);

/* local.c: what can be judged without the order of the nodes */

/* Can the operation of V have such a note, and does the target fit? */
bool note_check_local(const inlay_value *v, note_complaint *c);

/* bodies.c: can V, an output of a node with bodies, be written over its target, an input? */
bool note_check_given(const inlay_value *v, note_complaint *c);

/* walk.c */

/* Judges all notes of G together, for a run in ORDER. False: c->bad has an illegal note, or, if it
 * is NULL, an error is in D. */
bool note_walk(const inlay_graph *g, const inlay_order_list *order, note_complaint *c,
               inlay_diags *d);

#endif

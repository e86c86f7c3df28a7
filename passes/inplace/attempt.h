/* Tries one note, moves readers out of its way, and names the condition that forbids it. Private to
 * this room. */
#ifndef INLAY_PASSES_INPLACE_ATTEMPT_H
#define INLAY_PASSES_INPLACE_ATTEMPT_H

#include "passes/inplace/decide.h"

/* Which condition a conflict breaks, depending on who reads. */
typedef struct inplace_names {
    inlay_condition reader;    /* a later reader */
    inlay_condition observer;  /* an output or an Assign, at the end of the run */
    inlay_condition same_node; /* the writer itself, which reads other positions of the buffer */
    inlay_condition broadcast; /* the writer itself, which reads each position several times */
} inplace_names;

/* Of this and the other headers of the room: functions that return bool and take a decision D or a
 * record WHAT return false when they fail, and have recorded the error. WHAT counts the order edges
 * that are added. */

/* Notes V as KIND of TARGET, unless a reader would see a write that it must not see; readers that
 * come too late are moved before the write if possible. D receives the decision; if it is no, with
 * a condition out of NAMES. */
bool inplace_try_note(inplace_pass *p, inlay_value *v, inlay_note_kind kind, inlay_value *target,
                      const inplace_names *names, inlay_in_place *what, inlay_decision *d);
/* Makes BEFORE run before NODE. *LATE becomes BEFORE if it can only run after NODE. */
bool inplace_comes_first(inplace_pass *p, inlay_node *before, inlay_node *node,
                         const inlay_node **late, inlay_in_place *what);
/* Refuses D: BY breaks CONDITION. */
void inplace_refuse(inlay_decision *d, inlay_condition condition, const inlay_node *by);
/* Can N fail half way? What is in its bodies is unknown, so a node with bodies can. */
bool inplace_may_fail(const inlay_node *n);
/* A node that computes into a window of X's buffer and can fail half way; or NULL. */
const inlay_node *inplace_failing_writer(inplace_pass *p, inlay_value *x);
/* Does V have a whole buffer: its own, or that of another value? */
bool inplace_fills_buffer(const inlay_value *v);
/* The bytes of V if its shape is static, else 0. */
uint64_t inplace_bytes_of(const inlay_value *v);

#endif

/* What the iterations of a loop do to memory. A run makes tensors and moves their elements
 * (repeat.c). Before a run the same iterations are followed with tensors behind which no elements
 * are (rehearse.c), so that what is told of a loop, and the places that are found for it, are what
 * the run does. */
#ifndef INLAY_INTERP_EXEC_HANDS_H
#define INLAY_INTERP_EXEC_HANDS_H

#include "interp/call/run.h"

/* Returns the operand of the call C that output O is written over, by its note; -1: none. */
typedef int exec_given_fn(const inlay_call *c, int o);

typedef struct exec_hands {
    /* Returns a new dense tensor of the type and dims of FORM. NULL after recording an error. */
    inlay_tensor *(*like)(inlay_call *c, const inlay_tensor *form);
    /* Gives TO the elements of FROM. False after recording an error. */
    bool (*assign)(inlay_call *c, inlay_tensor *to, const inlay_tensor *from);
    /* Returns where output O should stand, if that place has the type and dims of FORM, or NULL. */
    inlay_tensor *(*room)(inlay_call *c, int o, const inlay_tensor *form);
    exec_given_fn *given;
} exec_hands;

/* body.c: sets OURS for the Parameters of B, a body of the call C, that B may write over, because
 * an output is written over what enters them. Returns whether there are any. */
bool exec_find_ours(const inlay_call *c, const inlay_body *b, exec_given_fn *given, bool *ours);

/* Returns a copy of T, and counts it. NULL after recording an error. */
static inline inlay_tensor *hands_copy(const exec_hands *h, inlay_call *c, const inlay_tensor *t)
{
    inlay_tensor *copy = h->like(c, t);

    if (copy && h->assign(c, copy, t)) {
        call_copied(c, inlay_tensor_bytes(copy));
        return copy;
    }
    inlay_tensor_release(copy);
    return NULL;
}

#endif

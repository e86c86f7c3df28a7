/* What the iterations of a loop do to memory. A run makes tensors and moves their elements
 * (repeat.c). Before a run the same iterations are followed with tensors behind which no elements
 * are (rehearse.c), so that what is told of a loop, and the places that are found for it, are what
 * the run does. */
#ifndef INLAY_EXEC_LOOP_BACKEND_H
#define INLAY_EXEC_LOOP_BACKEND_H

#include "interp/kernel.h"

/* Returns the operand of the call C that output O is written over, by its note; -1: none. */
typedef int exec_given_fn(const inlay_call *c, int o);
struct exec_instance;

typedef struct exec_loop_backend {
    /* Returns a new dense tensor of the type and dims of FORM. NULL after recording an error. */
    inlay_tensor *(*like)(inlay_call *c, const inlay_tensor *form);
    /* Gives TO the elements of FROM. False after recording an error. */
    bool (*assign)(inlay_call *c, inlay_tensor *to, const inlay_tensor *from);
    /* Returns where output O should stand, if that place has the type and dims of FORM, or NULL. */
    inlay_tensor *(*room)(inlay_call *c, int o, const inlay_tensor *form);
    exec_given_fn *given;
    /* Returns what Result R of the body, of whose invocation X is the instance, will be, if it can
     * be made wherever it is wanted; or NULL. */
    const inlay_tensor *(*result)(const struct exec_instance *x, int r);
} exec_loop_backend;

/* Sets OURS for the Parameters of B, a body of the call C, that B may write over, because
 * an output is written over what enters them. Returns whether there are any. */
bool exec_find_ours(const inlay_call *c, const inlay_body *b, exec_given_fn *given, bool *ours);
/* Returns a copy of T, and counts it. NULL after recording an error. */
inlay_tensor *backend_copy(const exec_loop_backend *h, inlay_call *c, const inlay_tensor *t);

#endif

/* What the iterations of a loop do to memory. A run makes tensors and copies elements (repeat.c).
 * Before a run, the same iterations are rehearsed with tensors that have no elements (rehearse.c).
 * As both use the same code, the report on a loop, and the places chosen for its values, are what
 * the run does. */
#ifndef INLAY_EXEC_LOOP_BACKEND_H
#define INLAY_EXEC_LOOP_BACKEND_H

#include "interp/kernel.h"

/* Returns the operand of the call C that output O overwrites by its note; -1: none. */
typedef int exec_given_fn(const inlay_call *c, int o);
struct exec_instance;

typedef struct exec_loop_backend {
    /* Returns a new dense tensor with the type and dims of FORM. NULL after recording an error. */
    inlay_tensor *(*like)(inlay_call *c, const inlay_tensor *form);
    /* Copies the elements of FROM to TO. False after recording an error. */
    bool (*assign)(inlay_call *c, inlay_tensor *to, const inlay_tensor *from);
    /* Says that a body will overwrite all of T. False after recording an error. */
    bool (*spoils)(inlay_call *c, const inlay_tensor *t);
    /* Returns the place that output O should get, if it has the type and dims of FORM; or NULL. */
    inlay_tensor *(*room)(inlay_call *c, int o, const inlay_tensor *form);
    exec_given_fn *given;
    /* Returns the type and dims of Result R of the body, whose instance is X, if it can be made in
     * a place that the caller chooses; or NULL. */
    const inlay_tensor *(*result)(const struct exec_instance *x, int r);
} exec_loop_backend;

/* Sets OURS for the Parameters of B, a body of the call C, that B may overwrite, because an output
 * overwrites by its note the operand that enters there. Returns whether there are any. */
bool exec_find_ours(const inlay_call *c, const inlay_body *b, exec_given_fn *given, bool *ours);
/* Copies T and counts the bytes. NULL after recording an error. */
inlay_tensor *backend_copy(const exec_loop_backend *h, inlay_call *c, const inlay_tensor *t);

#endif

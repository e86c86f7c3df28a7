/* Checks of tensors against what a graph says of them, and facts of tensors for shape rules. */
#ifndef INLAY_INTERP_CHECK_H
#define INLAY_INTERP_CHECK_H

#include "ir/ir.h"
#include "ir/shared.h"

/* Returns whether T has the type of F, and a shape within the shape of F. If not, WHY (SIZE bytes)
 * says what T has and what is wanted: "type f16, f32 is wanted". */
bool fact_accepts(const inlay_fact *f, const inlay_tensor *t, char *why, size_t size);
bool variable_accepts(const inlay_variable *v, const inlay_tensor *t, char *why, size_t size);
/* Returns whether T can be the value of Parameter N. False after recording an error, also when T is
 * NULL. */
bool param_accepts(const inlay_node *n, const inlay_tensor *t, inlay_diags *d);
/* Returns whether the operands IN of N have types that its row allows. This is asked when the types
 * were not known before the run. False after recording an error. */
bool operands_accept(const inlay_node *n, const inlay_tensor *const *in, inlay_diags *d);
/* Writes T's shape as text into BUF and returns BUF. */
char *tensor_shape_text(const inlay_tensor *t, char *buf, size_t size);
/* Returns what is known of C's operands when they are there: exact shapes, and the elements of
 * small ones, unless C is followed before the run, when there are none. The facts live in C's
 * scratch; that of an absent operand is NULL. NULL: out of memory. */
const inlay_fact *const *exact_facts(const inlay_call *c);

#endif

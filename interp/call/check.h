/* Compares tensors with the facts of a graph, and makes facts of tensors for shape rules. */
#ifndef INLAY_INTERP_CHECK_H
#define INLAY_INTERP_CHECK_H

#include "ir/ir.h"
#include "ir/shared.h"

/* Has T the type of F, and a shape within the shape of F? If not, WHY (SIZE bytes) says what T has
 * and what is wanted: "type f16, f32 is wanted". */
bool fact_accepts(const inlay_fact *f, const inlay_tensor *t, char *why, size_t size);
bool variable_accepts(const inlay_variable *v, const inlay_tensor *t, char *why, size_t size);
/* Can T be the value of Parameter N? False after recording an error, also when T is NULL. */
bool param_accepts(const inlay_node *n, const inlay_tensor *t, inlay_diags *d);
/* Have the operands IN of N types that its row allows? To be asked when the types were unknown
 * before the run. False after recording an error. */
bool operands_accept(const inlay_node *n, const inlay_tensor *const *in, inlay_diags *d);
/* Writes T's shape as text into BUF and returns BUF. */
char *tensor_shape_text(const inlay_tensor *t, char *buf, size_t size);
/* Returns exact facts of C's operands: shapes, and the elements of small tensors, unless the call
 * is only traced before the run, when there are no elements. The facts live in C's scratch; that of
 * an absent operand is NULL. NULL: out of memory. */
const inlay_fact *const *exact_facts(const inlay_call *c);

#endif

/* Tensors against what a graph says of them, and tensors as facts for shape rules. */
#ifndef INLAY_INTERP_CHECK_H
#define INLAY_INTERP_CHECK_H

#include "ir/ir.h"
#include "ir/shared.h"

/* Whether T has the type and a shape within the shape of F; WHY (SIZE bytes) says what it has and
 * what is wanted when not: "type f16, f32 is wanted". */
bool fact_accepts(const inlay_fact *f, const inlay_tensor *t, char *why, size_t size);
bool variable_accepts(const inlay_variable *v, const inlay_tensor *t, char *why, size_t size);
/* Whether T can be what Parameter N stands for. T may be missing. */
bool param_accepts(const inlay_node *n, const inlay_tensor *t, inlay_diags *d);
/* Whether the types of N's operands are those of its row, as they turn out: for operands of which
 * no type was known. */
bool operands_accept(const inlay_node *n, const inlay_tensor *const *in, inlay_diags *d);
/* T's shape as text. */
char *tensor_shape_text(const inlay_tensor *t, char *buf, size_t size);
/* Facts of exact operands; memory in ARENA. NULL entry: absent. */
const inlay_fact *const *exact_facts(const inlay_tensor *const *in, int n, inlay_arena *arena);

#endif

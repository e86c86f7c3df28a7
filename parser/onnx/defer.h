/* Deferred nodes: imports that need facts not known yet. Private to parser/onnx. */
#ifndef INLAY_PARSER_ONNX_DEFER_H
#define INLAY_PARSER_ONNX_DEFER_H

#include "parser/onnx/import.h"

/* Handles an import of N that asked for an unknown fact: removes the nodes that it made behind
 * LAST, and makes a deferred node for N. If N is itself the content of a deferred node, tells the
 * reader what was asked for instead, and returns false without an error. */
bool onnx_defer(onnx_node *n, inlay_node *last);

/* Returns the model of one node that deferred node N keeps, in A; NULL: an error is recorded. */
const Onnx__ModelProto *onnx_deferred_model(const inlay_node *n, inlay_arena *a, inlay_diags *d);
/* Does operator NAME of DOMAIN mean the same in versions A and B of it? */
bool onnx_deferred_means(const char *domain, const char *name, int64_t a, int64_t b);

#endif

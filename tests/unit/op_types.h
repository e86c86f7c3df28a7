/* The cases of tests/ops with their operands in every type that the rows allow. */
#ifndef INLAY_TESTS_OP_TYPES_H
#define INLAY_TESTS_OP_TYPES_H

#include "op_case.h"

/* Tries G: a graph of constants, the node N that a case is about, and Results. False: that could
 * not be done. */
typedef bool op_types_fn(const char *path, inlay_graph *g, inlay_node *n, void *ctx);

/* Calls TRY for cases of ROW (a dozen, where it has more; three with INLAY_SLOW) that expect no
 * error: for each of the first two type variables of the row, with its operands as each type of
 * numbers that the row and its shape rule allow. Returns the number of calls; -1: the operation has
 * no cases in tests/ops, but some in C. */
int op_types_each(const inlay_op *row, op_types_fn *try, void *ctx);

#endif

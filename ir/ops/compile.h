/* Compiles a caller's row into one of the table. Private to ir/ops/. */
#ifndef INLAY_OPS_COMPILE_H
#define INLAY_OPS_COMPILE_H

#include "ir/base/arena.h"
#include "ir/op.h"

/* Compiles DEF as row number ROW of a set, in ARENA; NULL and an error that names it when it is
 * malformed. */
const inlay_op *op_compile(const inlay_op_def *def, int row, inlay_arena *arena, inlay_diags *d);
/* Records what is wrong with DEF; always false. */
bool op_refuse(const inlay_op_def *def, inlay_diags *d, const char *what);

#endif

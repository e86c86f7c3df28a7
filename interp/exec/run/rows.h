/* What kernels say of rows that a group reads or writes. */
#ifndef INLAY_EXEC_RUN_ROWS_H
#define INLAY_EXEC_RUN_ROWS_H

#include "interp/kernel.h"

/* Does what call_computes asks for. */
bool exec_computes(inlay_call *c, int64_t n, int64_t length, const int64_t *to);
/* Calls the kernel of C to check its operands. */
bool exec_check(inlay_call *c);
/* Does what call_picked asks for. */
void exec_note_rows(inlay_call *c, int64_t n, const int64_t *to);

#endif

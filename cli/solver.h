/* The solver that `inlay prove` asks. */
#ifndef INLAY_CLI_SOLVER_H
#define INLAY_CLI_SOLVER_H

#include "cli/cli.h"

/* An inlay_solver's ask: runs z3 on TEXT. CTX is not used. */
bool cli_ask_solver(void *ctx, const char *text, size_t n, inlay_strbuf *answer, inlay_diags *d);

#endif

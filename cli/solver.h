/* The solver that `inlay prove` asks. */
#ifndef INLAY_CLI_SOLVER_H
#define INLAY_CLI_SOLVER_H

#include "cli/cli.h"

/* Runs z3 on TEXT, for SECONDS of the clock at most: a budget by its rlimit ends each question long
 * before, so that one that takes so long hangs. False: it cannot be started, was late, ended as z3
 * does not, or left a question without an answer, and did not say that its time was over. */
bool cli_ask_solver(int seconds, const char *text, size_t n, inlay_strbuf *answer, inlay_diags *d);

#endif

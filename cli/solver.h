/* The solver that `inlay prove` uses. */
#ifndef INLAY_CLI_SOLVER_H
#define INLAY_CLI_SOLVER_H

#include "cli/cli.h"

/* Runs z3 on TEXT, for at most SECONDS of real time: z3's own rlimit ends each question long
 * before, so a run that takes so long hangs. False: it could not be started, was killed, ended with
 * an unexpected status, left a question unanswered without saying that its time was over, or took
 * longer, which sets *LATE. */
bool cli_ask_solver(int seconds, const char *text, size_t n, inlay_strbuf *answer, bool *late,
                    inlay_diags *d);

#endif

/* A time limit: a case that hangs becomes a failed test with the name of the case. */
#ifndef INLAY_TESTS_BUDGET_H
#define INLAY_TESTS_BUDGET_H

/* Starts the limit, in seconds of processor time, so that a busy machine does not matter. After it
 * the process prints that WHAT does not end, and exits. WHAT is copied. */
void budget_start(const char *what);
/* Ends the limit. */
void budget_end(void);

#endif

/* A budget for what must end: a case that hangs is a failed test that says which case it was. */
#ifndef INLAY_TESTS_BUDGET_H
#define INLAY_TESTS_BUDGET_H

/* From here the process may compute for some seconds (of its own time, so that a busy machine does
 * not count); then it says that WHAT does not end, and exits. WHAT is copied. */
void budget_start(const char *what);
/* Ends the limit. */
void budget_end(void);

#endif

/* The measure of rules (inlay_measure), for tests. */
#ifndef TESTS_UNIT_RULE_MEASURE_H
#define TESTS_UNIT_RULE_MEASURE_H

#include "passes/passes.h"

/* The test fails when it cannot be had. */
inlay_measure measure_of(const inlay_graph *g);
/* Does B come before A? */
bool measure_is_lower(const inlay_measure *a, const inlay_measure *b);
/* Writes the measure to standard error, behind WHEN. */
void measure_print(const char *when, const inlay_measure *m);

#endif

/* The measure of rules (inlay_measure), for tests. */
#ifndef TESTS_UNIT_RULE_MEASURE_H
#define TESTS_UNIT_RULE_MEASURE_H

#include "passes/passes.h"

/* The test fails when it cannot be had. */
inlay_measure measure_of(const inlay_graph *g);
/* Does B come before A? */
bool measure_is_lower(const inlay_measure *a, const inlay_measure *b);
/* What rules of canonicalize and relax lower, where what is computed from constants alone does not
 * count: */
typedef struct late_measure {
    int64_t written;  /* elements, where a view writes none and a scatter its updates */
    int64_t nodes;    /* that depend on a run */
    int64_t slow;     /* Divides among them, and Powers, each of which counts as two */
    int64_t in_front; /* constants in front of an operand that is none */
    int64_t elements; /* of all values */
} late_measure;

late_measure late_measure_of(const inlay_graph *g);
/* Does B come before A, the parts compared in order? */
bool late_measure_is_lower(const late_measure *a, const late_measure *b);
/* Writes the measure to standard error, behind WHEN. */
void measure_print(const char *when, const inlay_measure *m);

#endif

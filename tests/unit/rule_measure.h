/* The measure that passes/rules/simplify.rules states, and that each rule of that set lowers. A
 * size that is not known counts as a number that is likely. */
#ifndef TESTS_UNIT_RULE_MEASURE_H
#define TESTS_UNIT_RULE_MEASURE_H

#include "ir/ir.h"

/* FOREIGN is the number of operations that are not OpenVINO's: the part that lower-dialects lowers.
 */
enum { FOREIGN, WRITTEN, NODES, ELEMENTS, TRANSPOSES, WAYS, OPERANDS, N_PARTS };

typedef struct measure {
    int64_t part[N_PARTS];
} measure;

measure measure_of(const inlay_graph *g);
/* Does B come before A, the parts compared in order? */
bool measure_is_lower(const measure *a, const measure *b);
/* Writes the measure to standard error, behind WHEN. */
void measure_print(const char *when, const measure *m);

#endif

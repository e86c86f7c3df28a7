/* Instances of small graphs, for tests of groups: which steps are computed together. */
#ifndef INLAY_TESTS_GROUPED_H
#define INLAY_TESTS_GROUPED_H

#include "interp/exec/build/instance.h"

typedef struct grouped {
    inlay_graph *graph;
    inlay_diags *diags;
    graph_steps *steps;
    exec_plan *plan;
    exec_instance *x;
} grouped;

/* Returns the instance of `graph "t" { BODY }`, which the audit has accepted. */
grouped grouped_of(const char *body, inlay_kernels kernels);
void grouped_free(grouped *s);
/* Returns the step of the node NAME. */
exec_step *grouped_step(const grouped *s, const char *name);
/* Returns whether what that step makes has no memory. */
bool in_register(const grouped *s, const char *name);

#endif

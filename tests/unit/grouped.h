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

/* Runs G, which messages show as TEXT, on IN, with all work split that can be. The test fails when
 * the run does. */
void grouped_run(const inlay_graph *g, const inlay_exec_options *o, inlay_tensor *const *in,
                 const char *text, inlay_tensor **out);
/* Returns whether A and B have the same bits; one NaN is as good as another. */
bool grouped_same(const inlay_tensor *a, const inlay_tensor *b);

#endif

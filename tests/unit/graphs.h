/* What unit tests of whole graphs share: a graph is written in the text form (ir/text/TEXT.md), a
 * tensor as in support.h. Each function that cannot do its job fails the test with the message that
 * was recorded. */
#ifndef INLAY_TESTS_GRAPHS_H
#define INLAY_TESTS_GRAPHS_H

#include "interp/interp.h"
#include "support.h"

/* Returns the graph of `graph "t" { BODY }`. */
inlay_graph *graph_of(const char *body);
/* Checks that reading BODY fails with a message that has TEXT in it. */
void check_graph_fails(const char *body, const char *text);
/* Checks that T is the tensor that TEXT describes, bit for bit. */
void check_tensor(const inlay_tensor *t, const char *text);
/* Checks that the first error in D has STATUS, and TEXT in it. */
void check_error(const inlay_diags *d, inlay_status status, const char *text);

/* A graph being run; tensors are made for each run and released after it. */
typedef struct runner {
    inlay_graph *graph;
    inlay_diags *diags;
    inlay_program *program;
    inlay_session *session;
    /* The same graph in the other executor, which must say the same; or NULL: it may need more
     * memory than O allows, or O counts what one of them does. */
    inlay_program *other_program;
    inlay_session *other;
} runner;

/* Compiles BODY; O may be NULL. Freed tensors are poisoned in any case. */
runner runner_of(const char *body, const inlay_exec_options *o);
/* Compiles a graph that was made otherwise; the graph becomes the runner's. */
runner runner_on(inlay_graph *g, const inlay_exec_options *o);
/* Compiles a model of OpenVINO's own tests; the running test is skipped without the shared
 * material. */
runner runner_of_corpus(const char *name);
/* Compiles BODY for the planned executor. */
runner planned_of(const char *body);
void runner_free(runner *r);
inlay_exec_stats stats_of(const runner *r);
/* Runs with the tensors IN, which stay the caller's. */
void run_with(runner *r, const inlay_tensor *const *in, const bool *donated, inlay_tensor **out);
/* Makes a runner of the graph of BODY, planned with the notes of in-place-windows. */
runner runner_of_noted(const char *body);
/* Runs both executors, from the same states of variables to the same ones. IN and OUT are lists
 * with NULL at the end (OPERANDS), with one entry for each Parameter and Result. */
void check_run(runner *r, const char *const *in, const char *const *out);
/* Does so, and checks how many bytes the run copied. */
void check_noted(runner *r, const char *const *in, const char *const *out, uint64_t copied);
void check_run_fails(runner *r, const char *const *in, inlay_status status, const char *text);
/* Does both at once: compiles, runs once, frees. */
void check_graph(const char *body, const char *const *in, const char *const *out);
void check_graph_run_fails(const char *body, const char *const *in, const char *text);

#endif

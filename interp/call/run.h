/* What stands behind a call, whichever executor makes it: the run with its limits and counts, one
 * invocation of a graph with the states of variables, and how a node's call is prepared and judged.
 *
 * An executor is a walk over the steps of a graph (steps.h). For each node it makes the outputs and
 * calls the kernel; what kernels ask of it meanwhile stands in its call_executor.
 */
#ifndef INLAY_INTERP_RUN_H
#define INLAY_INTERP_RUN_H

#include "interp/call/kernel.h"
#include "interp/call/meter.h"
#include "interp/call/share.h"
#include "interp/call/steps.h"
#include "interp/interp.h"
#include "ir/shared.h"

/* What an executor does for the kernels that it calls. All but the first serve writing in place: an
 * executor that gives every output a buffer of its own leaves them NULL. */
typedef struct call_executor {
    bool (*run_body)(inlay_call *c, int body, const inlay_tensor *const *in, inlay_tensor **out);
    bool (*show)(inlay_call *c, int o, const inlay_tensor *t, bool *done); /* call_show */
    bool (*block)(inlay_call *c, const row_block *k);                      /* call_block */
    void (*settle)(inlay_call *c);                                         /* call_settle */
    /* N runs of LENGTH elements at the row-major positions TO of T, which is output 0 or part of
     * it and stands in the storage of an operand, are about to be written; N below 0: all of T */
    bool (*overwrites)(inlay_call *c, const inlay_tensor *t, int64_t n, int64_t length,
                       const int64_t *to);
} call_executor;

/* What all invocations of one run share. */
typedef struct run_env {
    inlay_meter *meter;
    inlay_exec_stats *stats;
    const inlay_tensor **variables; /* the newest state; the end of an invocation changes it */
    int n_variables;
    const inlay_tensor **kept; /* one per value to keep of the outermost graph, or NULL */
    uint64_t max_iterations;   /* 0: no limit */
    inlay_step_fn *progress;   /* or NULL */
    void *progress_ctx;
} run_env;

/* One invocation of one graph. Executors may have more behind it. */
struct inlay_run {
    const call_executor *executor;
    run_env *env;
    graph_steps *const *bodies;   /* of the node being run, one per body */
    const inlay_tensor **state;   /* one per variable, as this invocation began; NULL: reset */
    const inlay_tensor **pending; /* what Assign of this invocation stored; NULL: nothing */
    inlay_arena *scratch;         /* of the node being run; empty between two */
    uint64_t scratch_taken;       /* bytes of it that the meter counts */
};

/* The states of variables as they are now. False: out of memory; run_end is due all the same. */
bool run_begin(struct inlay_run *r, const call_executor *executor, run_env *env, inlay_diags *d);
void run_end(struct inlay_run *r);
/* The invocation went well: variables have what was assigned. */
void run_commit(struct inlay_run *r);
/* Tells who follows the run that N comes next. */
void run_announce(const run_env *env, const inlay_node *n);
/* The environment of a body, which is run within ENV: nothing of it is kept. */
run_env run_env_of_body(const run_env *env);

/* The call of one node. */
typedef struct call_step {
    inlay_call call;
    const inlay_fact *promise; /* n_out facts: what inference says of the outputs */
    inlay_tensor **copies;     /* n_in dense copies of strided operands, or NULL */
} call_step;

/* N's call on the operands IN; OUT (n_out) becomes all NULL. The bodies of N are BODIES. */
void call_begin(call_step *s, const inlay_node *n, graph_steps *const *bodies,
                struct inlay_run *run, const inlay_tensor *const *in, inlay_tensor **out,
                inlay_diags *d);
/* Checks the operands, makes those dense that must be, and finds out what the outputs will be. */
bool call_operands(call_step *s);
/* Output I gets a buffer of its own, where the kernel does not make it. */
bool call_fresh_output(call_step *s, int i);
/* Calls the kernel and judges what it made of the outputs. */
bool call_kernel(call_step *s);
/* The end of the call; all outputs are released unless it went well (OK). */
void call_end(call_step *s, bool ok);

#endif

/* The data behind a call, for every executor. A *run* is what a caller asks for: it has limits and
 * counts (run_env). An *invocation* is one walk over one graph: a run begins with one of the
 * outermost graph, and each time that an If or a loop runs a body is an invocation of the body
 * (inlay_run). A *step* is the call of one node (call_step).
 *
 * An executor walks over the steps of a graph (steps.h). For each node it prepares the call, makes
 * the outputs and calls the kernel. The kernel calls the helpers of share.h and body.h, and these
 * call the functions of the executor (call_executor). */
#ifndef INLAY_INTERP_RUN_H
#define INLAY_INTERP_RUN_H

#include "interp/call/kernel.h"
#include "interp/call/meter.h"
#include "interp/call/parts.h"
#include "interp/call/share.h"
#include "interp/call/split.h"
#include "interp/call/steps.h"
#include "interp/interp.h"
#include "ir/shared.h"

#include <stdatomic.h>

/* The functions of an executor for the kernels that it calls. An executor that gives every output a
 * buffer of its own leaves all but the first two NULL. */
typedef struct call_executor {
    bool (*run_body)(inlay_call *c, int body, const inlay_tensor *const *in, inlay_tensor **out);
    bool (*run_deferred)(inlay_call *c);                                   /* call_deferred */
    bool (*repeat)(inlay_call *c, int64_t most);                           /* call_repeat */
    bool (*show)(inlay_call *c, int o, const inlay_tensor *t, bool *done); /* call_show */
    bool (*copies)(inlay_call *c, const inlay_tensor *to, inlay_tensor *dst,
                   const inlay_tensor *from, const inlay_tensor *src); /* call_copy_part */
    bool (*block)(inlay_call *c, row_block *k);                        /* call_block */
    void (*form)(inlay_call *c, const row_form *f);                    /* call_form */
    bool (*settle)(inlay_call *c);                                     /* call_settle */
    bool (*rest)(inlay_call *c, call_rest_fn *rest, const void *frame, size_t size); /* call_rest */
    bool (*reads)(const inlay_call *c, int i); /* call_reads */
    void (*split)(inlay_call *c, int64_t n, double cost, call_part_fn *fn,
                  void *ctx); /* call_split */
    void (*rounds)(inlay_call *c, int64_t rounds, int64_t n, double cost, call_round_fn *fn,
                   void *ctx); /* call_rounds */
    /* Announces that the kernel is about to write over the storage of an operand. T is output 0 or
     * part of it. N < 0: all of T; else N runs of LENGTH elements at the row-major positions TO of
     * T. */
    bool (*overwrites)(inlay_call *c, const inlay_tensor *t, int64_t n, int64_t length,
                       const int64_t *to);
    bool (*computes)(inlay_call *c, int64_t n, int64_t length,
                     const int64_t *to);                         /* call_computes */
    void (*picked)(inlay_call *c, int64_t n, const int64_t *to); /* call_picked */
    const call_reader *(*reader)(inlay_call *c, bool whole);     /* call_reader_of */
} call_executor;

/* What all invocations of one run share. */
typedef struct run_env {
    inlay_meter *meter;
    inlay_exec_stats *stats;
    const inlay_tensor **variables; /* their newest states, which successful invocations change */
    int n_variables;
    const inlay_tensor **kept;  /* one for each value to keep; NULL: none, as in bodies */
    inlay_tensor *const *bound; /* by Result: where the caller wants it, or NULL; NULL: none */
    atomic_bool *cancelled;     /* the caller's wish to stop the run; NULL: none */
    uint64_t max_iterations;    /* 0: no limit */
    inlay_step_fn *progress;    /* or NULL */
    void *progress_ctx;
} run_env;

/* One invocation of one graph. An executor may embed it in a larger structure. */
struct inlay_run {
    const call_executor *executor;
    run_env *env;
    graph_steps *const *bodies;   /* of the current node, one for each body */
    const inlay_tensor **state;   /* one for each variable: as it was at the beginning; NULL:
                                     reset */
    const inlay_tensor **pending; /* one for each variable: what was assigned; NULL: nothing */
    inlay_arena *scratch;         /* of the current node; empty between nodes */
    uint64_t scratch_taken;       /* bytes of it that are counted by the meter */
    bool scratch_refused;         /* the node asked for more than the limit */
    bool only_checks;             /* call_only_checks */
};

/* Begins an invocation with the present states of variables. False: out of memory; run_end must be
 * called nevertheless. */
bool run_begin(struct inlay_run *r, const call_executor *executor, run_env *env, inlay_diags *d);
void run_end(struct inlay_run *r);
/* Makes what was assigned the states of the variables, when the invocation has succeeded. */
void run_commit(struct inlay_run *r);
/* Empties the scratch of the node. Its memory is kept for the next node, unless that is much
 * compared with the limit; it counts against the limit only while it is used. */
void run_empty_scratch(struct inlay_run *r);
static inline bool run_is_cancelled(const run_env *env)
{
    return env->cancelled && atomic_load_explicit(env->cancelled, memory_order_relaxed);
}
/* The out-of-line part of run_announce. */
bool run_tell(const run_env *env, const inlay_node *n, inlay_diags *d);
/* Reports to a caller who follows the run that N is the next step. False after recording an error
 * when the caller has cancelled it. */
static inline bool run_announce(const run_env *env, const inlay_node *n, inlay_diags *d)
{
    return (!env->progress && !run_is_cancelled(env)) || run_tell(env, n, d);
}
/* Returns the environment of an invocation of a body within ENV. */
run_env run_env_of_body(const run_env *env);

/* The call of one node, from its preparation to its end. */
typedef struct call_step {
    inlay_call call;
    const inlay_fact *promise; /* n_out facts: what inference says about the outputs */
    inlay_tensor **copies;     /* n_in dense copies of strided operands, or NULL */
} call_step;

/* The messages of C go to D from here on, after a part of the call whose messages nobody received.
 * That scratch memory was refused in that part does not count, because it was told to nobody. */
static inline void call_tell_again(inlay_call *c, inlay_diags *d)
{
    c->diags = d;
    c->run->scratch_refused = false;
}

/* Begins the call of N on the operands IN. Sets all entries of OUT (n_out) to NULL. BODIES are the
 * steps of N's bodies. */
void call_begin(call_step *s, const inlay_node *n, graph_steps *const *bodies,
                struct inlay_run *run, const inlay_tensor *const *in, inlay_tensor **out,
                inlay_diags *d);
/* Checks the operands, makes dense copies of those that must be dense, and infers the outputs. */
bool call_operands(call_step *s);
/* Does the shape rule of C's node accept the operands with all their elements? False after
 * recording its error. */
bool call_rule_accepts(inlay_call *c);
/* Allocates output I, unless the kernel makes that output itself. */
bool call_fresh_output(call_step *s, int i);
/* Calls KERNEL, and checks the outputs that it made. */
bool call_kernel(call_step *s, inlay_eval_fn *kernel);
/* Ends the call. Releases the outputs unless the call succeeded (OK). */
void call_end(call_step *s, bool ok);

#endif

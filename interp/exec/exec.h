/* The planned executor: the same kernels as the reference, but storage notes are obeyed. An output
 * may be a view, stand over an operand's bytes or in the window of a tensor; what is written in
 * place may wait, to be computed tile by tile; and what a failing run wrote over is put back.
 */
#ifndef INLAY_INTERP_EXEC_H
#define INLAY_INTERP_EXEC_H

#include "interp/call/run.h"

/* Where a value goes, as its storage note says. One per slot. */
typedef struct plan_place {
    inlay_note_kind kind;
    size_t target;             /* slot of the value whose bytes it uses; its own when fresh */
    const inlay_node *scatter; /* INLAY_INTO: whose window it is */
    bool spoiled;              /* something writes over the buffer it stands in */
} plan_place;

/* plan.c: what is known of a graph before it is run. */
typedef struct exec_plan {
    const graph_steps *steps;
    plan_place *places;        /* by slot; NULL: every output is fresh */
    const inlay_node **writes; /* by variable: a ReadValue whose state a run writes over, or NULL */
    int64_t tile;              /* tiles_begin */
} exec_plan;

/* Reads the notes of the graph of S, which must outlive the plan. A note that makes no sense here
 * counts as fresh, with a warning. */
exec_plan *exec_plan_new(const graph_steps *s, inlay_diags *d);
void exec_plan_free(exec_plan *p);

/* journal.c: what a run overwrote in the buffers of variables, to take it back when it fails. */
typedef struct run_journal {
    struct journal_entry *last;
} run_journal;

/* tiles.c: what an invocation put off, to compute it tile by tile. */
typedef struct run_tiles {
    const inlay_buffer *root; /* what waits stands in this buffer */
    int64_t pitch;            /* of its slots; 0: any */
    int64_t tile, smallest;   /* bytes of a tile; of a root for which it pays */
    int n;
    struct tiles_part *parts;
    struct tiles_hold *holds;
} run_tiles;

/* One invocation of one graph. */
typedef struct exec_run {
    struct inlay_run run; /* comes first: kernels have a pointer to it */
    const graph_steps *steps;
    const exec_plan *plan; /* NULL in bodies, which have no notes */
    inlay_tensor **values; /* by slot; NULL: not made yet, or dead */
    const bool *donated;   /* one per Parameter: its buffer is the run's; or NULL */
    run_journal *journal;  /* NULL: states are only read */
    run_tiles *tiles;      /* NULL: everything is computed at once */
    bool in_place; /* of the node being run an output stands in a buffer that was there before */
    bool settled;  /* none of its operands waits to be computed */
} exec_run;

/* The run behind call C, which this executor makes. */
static inline exec_run *exec_run_of(const inlay_call *c)
{
    return (exec_run *)c->run;
}

/* walk.c */

extern const call_executor exec_executor;

/* One run of the outermost graph: IN one tensor per Parameter, OURS (as exec_prepare says) which of
 * them may be written, OUT one per Result (all NULL on failure). Variables, and what their buffers
 * hold, change only when it succeeds. */
bool exec_run_plan(const exec_plan *p, run_env *env, const inlay_tensor *const *in,
                   const bool *ours, inlay_tensor **out, inlay_diags *d);

/* outside.c: buffers from outside */

/* Before a run: OURS, which of the inputs may really be written; and of STATES, one per variable,
 * those that the run writes over and others can see are replaced by copies, which METER counts. */
bool exec_prepare(const exec_plan *p, run_env *env, const inlay_tensor *const *in,
                  const bool *donated, const inlay_tensor **states, bool *ours, inlay_diags *d);
/* Which of the tensors IN, one per Parameter, may really be written: those that are given away, are
 * dense, and whose bytes nobody else holds. STATES: of the variables, NULL entries included. False:
 * out of memory. */
bool exec_donations(const inlay_tensor *const *in, const bool *donated, int n,
                    const inlay_tensor *const *states, int n_states, bool *out);
/* *T, which stands in SLOT, came from outside (a Parameter, a constant, a variable's first value).
 * Becomes a copy when something will write over it and the buffer is not the run's. */
bool exec_protect(exec_run *run, size_t slot, inlay_tensor **t, bool ours, const inlay_node *node,
                  inlay_diags *d);
/* A value to keep is copied before something writes over it. */
bool exec_keep(exec_run *run, size_t slot, const inlay_tensor *t, const inlay_node *node,
               inlay_diags *d);

/* outputs.c */

/* Makes those outputs of C that do not get a buffer of their own. PROMISE: what is known of them. A
 * view is only a form without bytes until the kernel shows what it is a view of (exec_show). */
bool exec_outputs(inlay_call *c, const inlay_fact *promise);
/* call_show */
bool exec_show(inlay_call *c, int o, const inlay_tensor *t, bool *done);

/* tiles.c */

/* TILE 0: the usual size; another one is for any root, however small (tests). */
void tiles_begin(run_tiles *t, int64_t tile);
/* Forgets what waits. */
void tiles_end(run_tiles *t);
/* Computes what waits. */
void tiles_settle(run_tiles *t);
/* The same, if call C, which is about to be made, may touch what waits. */
void tiles_before(const inlay_call *c);
/* Puts off a copy of FROM over TO, a tensor of the same shape. False: it cannot wait. */
bool tiles_copy(run_tiles *t, const inlay_tensor *to, const inlay_tensor *from);
/* call_block, call_settle */
bool tiles_block(inlay_call *c, const row_block *k);
void tiles_touch(inlay_call *c);

/* journal.c */

/* Keeps what the elements of T hold, if T stands in the state of a variable: of N runs of LENGTH
 * elements at the row-major positions TO of T, or, with N below 0, of all. */
bool journal_save(inlay_call *c, const inlay_tensor *t, int64_t n, int64_t length,
                  const int64_t *to);
void journal_undo(run_journal *j);
void journal_free(run_journal *j);

#endif

/* What stands behind a call: memory accounting, compiled graphs, variables. Private to interp/. */
#ifndef INLAY_INTERP_RUN_H
#define INLAY_INTERP_RUN_H

#include "interp/call/kernel.h"
#include "interp/interp.h"

/* meter.c: counts the bytes of tensors that a session, or one call of an evaluator, has made and
 * that are still alive. Tensors hold the meter, so they may outlive the session. Atomic. */
typedef struct inlay_meter inlay_meter;

/* LIMIT 0: none. HELD bytes of it are in use already. NULL when out of memory. One reference. */
inlay_meter *meter_new(uint64_t limit, uint64_t held, bool poison);
void meter_release(inlay_meter *m);
uint64_t meter_now(const inlay_meter *m);
uint64_t meter_peak(const inlay_meter *m);
void meter_reset_peak(inlay_meter *m);
/* Counts SIZE bytes that are no tensor's against the limit, until meter_give; when they are over
 * it, the error names NODE. */
bool meter_take(inlay_meter *m, uint64_t size, const inlay_node *node, inlay_diags *d);
void meter_give(inlay_meter *m, uint64_t size);
/* A dense zeroed tensor that M counts. NULL after recording the error at NODE. */
inlay_tensor *meter_tensor(inlay_meter *m, inlay_type type, int rank, const int64_t *dims,
                           const inlay_node *node, inlay_diags *d);

/* A dense tensor of T's type and shape, for the caller to write all elements of. */
inlay_tensor *meter_tensor_like(inlay_meter *m, const inlay_tensor *t, const inlay_node *node,
                                inlay_diags *d);

/* plan.c: a graph in canonical order, every value numbered, its uses counted. Immutable. */
typedef struct inlay_plan inlay_plan;

/* planned.c: where a value goes, as its storage note says. One per slot. */
typedef struct plan_place {
    inlay_note_kind kind;
    size_t target;             /* slot of the value whose bytes it uses; its own when fresh */
    const inlay_node *scatter; /* INLAY_INTO: whose window it is */
    bool spoiled;              /* something writes over the buffer it stands in */
} plan_place;

typedef struct plan_step {
    const inlay_node *node;
    inlay_plan **bodies; /* one per body of the node */
} plan_step;

struct inlay_plan {
    const inlay_graph *graph;
    plan_step *steps;
    size_t n_steps;
    size_t *first_slot; /* by node id: the slot of its output 0; SIZE_MAX: does not run */
    size_t n_slots;
    plan_place *places; /* by slot; NULL: every output is fresh */
    uint32_t *uses;     /* by slot: by nodes that run, plus one when it is kept */
    int64_t tile;       /* tiles_begin */
    size_t *keep;       /* slots of options.keep */
    int n_keep;
    int most_in, most_out; /* of any node */
};

inlay_plan *plan_new(const inlay_graph *g, inlay_diags *d);
/* N can be run: it is as its row says, and its bodies are complete. */
bool plan_check_node(const inlay_node *n, inlay_diags *d);
/* Plans of the bodies of N; *OUT is NULL when it has none. */
bool plan_bodies(const inlay_node *n, inlay_plan ***out, inlay_diags *d);
void plan_free(inlay_plan *p);
void plan_free_bodies(const inlay_node *n, inlay_plan **bodies);
/* The slots of the N values called NAMES are kept; once for a plan. */
bool plan_keep(inlay_plan *p, const char *const *names, int n, inlay_diags *d);
static inline size_t plan_slot(const inlay_plan *p, const inlay_value *v)
{
    return p->first_slot[v->node->id] + (size_t)v->index;
}
/* Nodes of G and of its bodies. */
uint64_t plan_count_nodes(const inlay_graph *g);

/* journal.c: what a run overwrote in the buffers of variables, to take it back when it fails. */
typedef struct run_journal {
    struct journal_entry *last;
} run_journal;

/* session.c: for tests, the size of the tiles in which P computes what can wait (tiles_begin). */
void program_tile(inlay_program *p, int64_t bytes);

/* tiles.c: what an invocation put off, to compute it tile by tile. */
typedef struct run_tiles {
    const inlay_buffer *root; /* what waits stands in this buffer */
    int64_t pitch;            /* of its slots; 0: any */
    int64_t tile, smallest;   /* bytes of a tile; of a root for which it pays */
    int n;
    struct tiles_part *parts;
    struct tiles_hold *holds;
} run_tiles;

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

/* reference.c: what all invocations of one run share. */
typedef struct run_env {
    inlay_meter *meter;
    inlay_exec_stats *stats;
    const inlay_tensor **variables; /* the newest state; the end of an invocation changes it */
    int n_variables;
    const inlay_tensor **kept; /* one per plan->keep of the outermost plan, or NULL */
    const bool *donated;       /* one per Parameter: its buffer is the run's; or NULL */
    run_journal *journal;      /* NULL: states are only read */
    uint64_t max_iterations;   /* 0: no limit */
    inlay_step_fn *progress;   /* or NULL */
    void *progress_ctx;
} run_env;

/* One invocation of one graph; c->run points to it. */
struct inlay_run {
    run_env *env;
    const inlay_plan *plan;       /* NULL: a node by itself */
    inlay_tensor **values;        /* by slot; NULL: not made yet, or dead */
    inlay_plan *const *bodies;    /* of the node being run, one per body */
    const inlay_tensor **state;   /* one per variable, as this invocation began; NULL: reset */
    const inlay_tensor **pending; /* what Assign of this invocation stored; NULL: nothing */
    inlay_arena *scratch;         /* of the node being run; empty between two */
    uint64_t scratch_taken;       /* bytes of it that the meter counts */
    run_tiles *tiles;             /* NULL: everything is computed at once */
};

/* One invocation: IN one tensor per Parameter, OUT one per Result (all NULL on failure). Variables
 * change only when it succeeds. */
bool run_plan(const inlay_plan *p, run_env *env, const inlay_tensor *const *in, inlay_tensor **out,
              inlay_diags *d);
/* One node on operands given from outside. RUN has everything but the bodies, which are BODIES. */
bool run_node(const inlay_node *n, inlay_plan *const *bodies, struct inlay_run *run,
              const inlay_tensor *const *in, inlay_tensor **out, inlay_diags *d);
/* One invocation of a body of the node being run. */
bool run_body(inlay_call *c, int body, const inlay_tensor *const *in, inlay_tensor **out);
/* Releases COUNT tensors and sets them to NULL. */
void run_release(inlay_tensor **tensors, size_t count);

/* Reads the notes of P's graph. A note that makes no sense here counts as fresh. */
bool planned_notes(inlay_plan *p, inlay_diags *d);
/* Makes those outputs of C that do not get a buffer of their own. PROMISE: what is known of them. A
 * view is only a form without bytes until the kernel shows what it is a view of. */
bool planned_outputs(inlay_call *c, const inlay_fact *promise);
/* *T, which stands in SLOT, came from outside (a Parameter, a constant, a variable's first value).
 * Becomes a copy when something will write over it and the buffer is not the run's. */
bool planned_protect(struct inlay_run *run, size_t slot, inlay_tensor **t, bool ours,
                     const inlay_node *node, inlay_diags *d);
/* A value to keep is copied before something writes over it. */
bool planned_keep(struct inlay_run *run, size_t slot, const inlay_tensor *t, const inlay_node *node,
                  inlay_diags *d);
/* WRITTEN, by index of variable, all NULL: receives a ReadValue whose state a run writes over. */
void planned_written_variables(const inlay_plan *p, const inlay_node **written);
/* Which of the tensors IN, one per Parameter, may really be written: those that are given away, are
 * dense, and whose bytes nobody else holds. STATES: of the variables, NULL entries included. False:
 * out of memory. */
bool planned_donations(const inlay_tensor *const *in, const bool *donated, int n,
                       const inlay_tensor *const *states, int n_states, bool *out);

/* Keeps what the elements of T hold, if T stands in the state of a variable. */
bool journal_save(struct inlay_run *run, const inlay_tensor *t, const inlay_node *node,
                  inlay_diags *d);
/* The same for N runs of RUN elements at the row-major positions TO of T. */
bool journal_save_runs(struct inlay_run *run, const inlay_tensor *t, int64_t n, int64_t length,
                       const int64_t *to, const inlay_node *node, inlay_diags *d);
void journal_undo(run_journal *j);
void journal_free(run_journal *j);

/* call.c */

/* Output I is T itself (retained), no bytes are copied. For nodes whose outputs the executor does
 * not make beforehand: see run_adopts. */
bool call_adopt(inlay_call *c, int i, const inlay_tensor *t);
/* Whether the kernel of OP hands over tensors that exist already instead of filling outputs. */
bool run_adopts(const inlay_op *op);
/* Output T is a form without bytes, which the kernel is to replace by a view (planned_outputs). */
bool call_wants_view(const inlay_call *c, const inlay_tensor *t);
/* slice.c: the window of DATA that the call of a SliceScatter writes; NULL when its operands are
 * not right. */
inlay_tensor *call_scatter_window(inlay_call *c, const inlay_tensor *data);
/* Records that SIZE bytes were copied whose value already stood in memory. */
void call_copied(inlay_call *c, uint64_t size);

/* check.c: tensors against what a graph says of them */

/* Whether T has the type and a shape within the shape of F; FOUND (SIZE bytes) says what it has and
 * what is wanted when not: "type f16, f32 is wanted". */
bool fact_accepts(const inlay_fact *f, const inlay_tensor *t, char *why, size_t size);
bool variable_accepts(const inlay_variable *v, const inlay_tensor *t, char *why, size_t size);
/* Whether the types of N's operands are those of its row, as they turn out: for operands of which
 * no type was known. */
bool operands_accept(const inlay_node *n, const inlay_tensor *const *in, inlay_diags *d);
/* T's shape as text. */
char *tensor_shape_text(const inlay_tensor *t, char *buf, size_t size);
/* Facts of exact operands; memory in ARENA. NULL entry: absent. */
const inlay_fact *const *exact_facts(const inlay_tensor *const *in, int n, inlay_arena *arena);

/* call.c: why a stand-in cannot be run. */
const char *call_stand_in(const inlay_op *op);

#endif

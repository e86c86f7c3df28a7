/* Running graphs: programs, sessions, and the reference evaluator that defines what an operation
 * means.
 *
 * A program is what compiling a graph gives: immutable, and it may be shared by threads. It borrows
 * the graph, which must stay as it is for as long as the program lives. A session runs a program:
 * it holds buffers and the state of variables, and belongs to one thread at a time.
 *
 *     inlay_program *p = inlay_compile(graph, NULL, diags);
 *     inlay_session *s = inlay_session_new(p, diags);
 *     if (inlay_session_run(s, in, NULL, out, diags)) ... out[i] is the i-th Result
 *
 * Tensors that come out are the caller's to release, and are for reading: one may share its bytes
 * with an input, a constant or another output. They stay valid when session and program are gone.
 *
 * Arguments are checked as ir/ir.h says.
 */
#ifndef INLAY_INTERP_H
#define INLAY_INTERP_H

#include "ir/ir.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum inlay_exec_mode {
    INLAY_EXEC_PLANNED,  /* obeys storage notes: views, writes in place; tiles */
    INLAY_EXEC_REFERENCE /* one node at a time in canonical order, fresh buffers: the oracle */
} inlay_exec_mode;

/* Which kernels the planned executor calls; the reference has its own. */
typedef enum inlay_kernels {
    INLAY_KERNELS_PORTABLE,  /* those that are made to be fast, where there are such, with the same
                                bits */
    INLAY_KERNELS_REFERENCE, /* those of the reference */
    INLAY_KERNELS_ONEDNN /* those of oneDNN for convolutions, products and what is done with their
                            results, by the module libinlay-onednn.so, which must stand beside the
                            library; else the portable ones. Sums may be rounded otherwise, and
                            otherwise for each number of threads. A run fails that hands
                            a NaN or an infinity to steps which would hide it */
} inlay_kernels;

enum { INLAY_MAX_THREADS = 1024 };

/* Called before each step, those of bodies too, with how many were made before it. */
typedef void inlay_step_fn(void *ctx, const inlay_node *n, uint64_t steps);

typedef struct inlay_exec_options {
    inlay_exec_mode mode;
    inlay_kernels kernels;
    uint64_t max_memory;     /* bytes of tensors, what they cost beside their elements, and scratch
                                at any time; 0: no limit */
    uint64_t held_memory;    /* what the caller holds beside the run, counted against the limit */
    uint64_t max_iterations; /* of all loops of a run together; 0: no limit */
    int threads;             /* that compute for a program at a time, those that run its sessions
                                among them; 0: inlay_processors(). Results do not depend on it.
                                Threads are made when a step is large enough, and end with the
                                program; in the child of a fork there are none. The reference uses
                                one */
    int instances;           /* how many shapes of inputs that nobody runs just now a program is
                                ready for; 0: 16 */
    const char *const *keep; /* values to keep: tensor name, node name, node name with ".port" */
    int n_keep;
    inlay_step_fn *progress; /* or NULL */
    void *progress_ctx;
    bool poison; /* overwrite tensors that are freed, and those that a kernel is to fill, so that a
                    use of what stood there shows (tests) */
} inlay_exec_options;

/* The numbers of `--stats`. Those of a session are of its last run. */
typedef struct inlay_exec_stats {
    uint64_t nodes;        /* in the graph that was compiled, bodies included */
    uint64_t steps;        /* kernels called, in bodies once an iteration */
    uint64_t arena_bytes;  /* of the values that no caller sees; 0 in the reference */
    uint64_t peak_bytes;   /* of tensors alive at one time, made by the run; variables included */
    uint64_t copied_bytes; /* written although the value already stood in memory */
    uint64_t iterations;   /* of Loop and TensorIterator */
    uint64_t in_place_writes; /* nodes that wrote over an operand's buffer; 0 in the reference */
    uint64_t aligned_bytes; /* of constants that the program has copied once, before they were used,
                               because their elements stand where kernels cannot read them; 0 in
                               the reference, which copies them in each run */
    uint64_t packed_bytes;  /* of constants that the program has packed once for its kernels */
    double compile_ms, run_ms;
} inlay_exec_stats;

typedef struct inlay_program inlay_program;
typedef struct inlay_session inlay_session;

/* O may be NULL: everything zero. Fails when a node cannot be run (an operation that is not in the
 * table), a variable has two Assigns, or a value to keep does not exist. */
INLAY_API inlay_program *inlay_compile(const inlay_graph *g, const inlay_exec_options *o,
                                       inlay_diags *d);
INLAY_API void inlay_program_free(inlay_program *p); /* after its sessions; NULL is fine */
/* exec/threads/workers.c: the processors that this process may use, which is what threads 0 stands for: at
 * least 1, at most INLAY_MAX_THREADS. */
INLAY_API int inlay_processors(void);

/* Every variable is in its reset state. */
INLAY_API inlay_session *inlay_session_new(const inlay_program *p, inlay_diags *d);
INLAY_API void inlay_session_free(inlay_session *s); /* NULL is fine */

/* Runs the graph once. IN has one tensor for each Parameter, of any strides, OUT one for each
 * Result.
 *
 * An input is never written, unless DONATED (NULL: none) has true at its place: then the run may
 * use its buffer as its own, and the tensor's contents are lost. A donated tensor is copied all the
 * same when it is not dense, when anybody else holds its bytes (a second reference, another tensor
 * on the buffer, another input, a variable), or when nobody may write them (INLAY_ACCESS_NONE). The
 * reference makes no use of donations.
 *
 * When the run fails OUT is all NULL, and variables are as they were. */
INLAY_API bool inlay_session_run(inlay_session *s, const inlay_tensor *const *in,
                                 const bool *donated, inlay_tensor **out, inlay_diags *d);

/* Output I of the runs to come is written to T, which the session holds: its elements are computed
 * there if nothing that a run reads shares bytes with it, else copied there when all is computed;
 * then out[I] of a run is T. T has the output's type and dims and any strides, must be
 * writable, and shares no byte with a constant or with the tensor of another output. It may share
 * bytes with inputs: these are read before it is written. No other output, kept value or state
 * stands in its bytes. A run that fails may have written to it. NULL: runs make tensors again. */
INLAY_API bool inlay_session_bind_output(inlay_session *s, int i, inlay_tensor *t, inlay_diags *d);

/* The run that S makes, if it makes one, fails before its next step; the status of the error is
 * INLAY_NO_RESOURCE. It may be called by any thread while the session is there. */
INLAY_API void inlay_session_cancel(inlay_session *s); /* NULL is fine */

/* named.c: the same by names */

typedef struct inlay_input {
    const char *name; /* as inlay_graph_find_input knows it */
    const inlay_tensor *tensor;
    bool donated;
} inlay_input;

typedef struct inlay_output {
    const char *name; /* as inlay_graph_find_output knows it */
    inlay_tensor *tensor;
} inlay_output;

/* Runs the graph once: IN has an entry for each Parameter, in any order, OUT one for each output
 * that is wanted, whose tensor is then the caller's to release. When it fails all tensors of OUT
 * are NULL. */
INLAY_API bool inlay_session_run_named(inlay_session *s, const inlay_input *in, int n_in,
                                       inlay_output *out, int n_out, inlay_diags *d);

/* session.c: what a session holds between runs */

/* The value options.keep[i] had in the last run, or NULL when it was not computed. The session's.
 */
INLAY_API const inlay_tensor *inlay_session_kept(const inlay_session *s, int i);

/* Variables by index in the graph's list. NULL: reset, the next ReadValue gives the initial value.
 * What a run left is dense: of a state that grows in the middle of its buffer this is a copy, made
 * when it is asked for. */
INLAY_API const inlay_tensor *inlay_session_variable(const inlay_session *s, int i);
/* T (retained; NULL resets) must have the variable's type and a shape within its shape. It is
 * written only when nobody else holds it and its buffer's access is INLAY_ACCESS_OWN; else a run
 * that writes it copies it first. */
INLAY_API bool inlay_session_set_variable(inlay_session *s, int i, const inlay_tensor *t,
                                          inlay_diags *d);
INLAY_API void inlay_session_reset(inlay_session *s);

INLAY_API void inlay_session_stats(const inlay_session *s, inlay_exec_stats *out);

/* memory_plan.c: what a run will hold in memory, told without running it */

typedef struct inlay_value_plan {
    const inlay_value *value;
    uint64_t bytes;        /* of its elements; 0 when the size is not known */
    inlay_note_kind place; /* as its note says, if the executor obeys it */
    size_t made, last;     /* by which step, and the last one that reads it */
} inlay_value_plan;

/* Of the first run of INLAY_EXEC_PLANNED with inputs that are not given away. */
typedef struct inlay_memory_plan {
    size_t steps;             /* of the outermost graph, constants not counted */
    inlay_value_plan *values; /* that the steps make, in the order they run */
    size_t n_values;
    uint64_t value_bytes;      /* of them all */
    uint64_t peak_bytes;       /* held at one time, as inlay_exec_stats counts them */
    const inlay_node *peak_at; /* where most of it is in use; NULL: nothing is made */
    uint64_t fresh_peak_bytes; /* the same if no note were obeyed */
    size_t unknown;            /* values without a known size: they count as 0 in all numbers */
    bool about; /* the peaks are estimates: the graph has bodies, or where a value lies
                   is found out in the run */
} inlay_memory_plan;

/* G stays as it is, and must while OUT is used. False and an error when it cannot be run. */
INLAY_API bool inlay_memory_plan_make(const inlay_graph *g, inlay_memory_plan *out, inlay_diags *d);
INLAY_API void inlay_memory_plan_free(inlay_memory_plan *p);

/* exec/report/program_plan.c: what a program will do, told without running it */

/* Where a value lies. */
typedef struct inlay_plan_place {
    const inlay_value *value; /* NULL: an operand that is left out */
    const char *root; /* "arena", "const", "input", "state", "output", "made" (a kernel hands
                         it over), "register" (it has no memory: steps that are computed together
                         hand it on in pieces), or "in the run": that is found out then */
    int number;       /* of the Parameter or variable; -1 */
    int64_t offset;   /* of its first element, in bytes; -1: it has none */
    uint64_t bytes;   /* of its elements; 0 when the size is not known */
    bool strided;     /* its elements do not stand side by side */
} inlay_plan_place;

/* How a value enters a body, or leaves it. */
typedef struct inlay_plan_port {
    const inlay_value *value; /* of the body: of a Parameter, or what a Result gives */
    const char *how;  /* that enters: "operand", "slice" (a part of it, which moves), "number" (of
                         the iteration), "carried"; that leaves: "last" (the last value), "window"
                         (computed in its part of the output), "part" (copied there) */
    int outer;        /* which operand or output of the node, or -1 */
    int64_t moves;    /* slice: bytes from one iteration to the next */
    int64_t slots[2]; /* carried: where in the arena values stand; two that change places, or one;
                         -1: elsewhere, -2: where the last one is wanted */
    int n_slots;
} inlay_plan_port;

struct inlay_plan_step;

/* What a body of a step will do. */
typedef struct inlay_plan_body {
    const inlay_body *body;
    bool known;         /* false: only the run finds it out, and nothing else is told here */
    bool repeats;       /* the body of a loop */
    int64_t iterations; /* 0: only the run finds out how many */
    int64_t offset;     /* of its frame in the arena; the values of the body lie in it, */
    uint64_t bytes;     /* which has so many bytes */
    uint64_t copied_first, copied_each; /* by the first iteration, and by each that follows */
    uint64_t input_copies; /* of these, what the loop begins with, because the body writes there */
    const inlay_plan_port *in, *out; /* of Parameters, and of output ports */
    int n_in, n_out;
    const struct inlay_plan_step *steps; /* of one invocation; of a loop not the first, if there are
                                            others */
    size_t n_steps;
} inlay_plan_body;

typedef struct inlay_plan_step {
    const inlay_node *node;
    /* "kernel", "rows" (a kernel's rows without the kernel), "fused" (rows, tile by tile together
     * with those of other steps), "moves" (its copies alike), "view" and "nothing" (nothing is
     * done), "copy", "zeros", "assign", "bodies" (they are run), "in the run"; "later": it is
     * planned then, see inlay_plan_segment */
    const char *made;
    const char *kernel;    /* which portable kernel makes it: "gemm"; NULL: the operation's own */
    int group;             /* number of the steps that are computed together, from 1; 0: none */
    bool in_place;         /* output 0 stands in bytes that held something before */
    uint64_t copied_bytes; /* as inlay_exec_stats counts them */
    const inlay_plan_place *in, *out; /* of the node's inputs and outputs */
    const inlay_plan_body *bodies;    /* of the node: N_BODIES */
    int n_bodies;
    bool picked; /* rows of a state: where the indices name all in order, it is the state itself,
                    and where they do for most it may be; then less is copied than COPIED_BYTES */
} inlay_plan_step;

/* Steps that are planned together. Another segment begins with the first step that has an operand
 * whose size only the run can tell, or is made in a window of such a value. */
typedef struct inlay_plan_segment {
    size_t first;             /* number of its first step */
    const inlay_value *waits; /* that value; NULL: this is the first segment */
    bool at_most;             /* what is told here is for the largest size that it may have */
    bool known; /* false: it has no largest size, and its steps are planned in the run */
} inlay_plan_segment;

/* Of the first run of INLAY_EXEC_PLANNED with inputs that are not given away. */
typedef struct inlay_program_plan {
    inlay_plan_step *steps; /* of the outermost graph, constants not counted */
    size_t n_steps;
    inlay_plan_segment *segments;
    size_t n_segments;
    uint64_t arena_bytes, lower_bound_bytes; /* the most that is alive in the arena at one time */
    uint64_t copied_bytes;                   /* of all steps, and of inputs */
    uint64_t input_copies;                   /* inputs that are copied because they are written */
    uint64_t initial_copies; /* initial values of variables: runs that follow do not copy them */
    uint64_t aligned_bytes;  /* as inlay_exec_stats has them */
    uint64_t packed_bytes;   /* the same, but at most: what several steps share counts for each */
    bool about; /* some steps are found out in the run, and what they copy is not counted */
    inlay_arena *memory;
} inlay_program_plan;

/* G stays as it is, and must while OUT is used. KERNELS: those that it will be compiled with. False
 * and an error when it cannot be run. */
INLAY_API bool inlay_program_plan_make(const inlay_graph *g, inlay_kernels kernels,
                                       inlay_program_plan *out, inlay_diags *d);
INLAY_API void inlay_program_plan_free(inlay_program_plan *p);

/* The reference evaluator, for constant folding and for comparing graphs. CTX: the options to hold
 * (all but the mode), which must outlive it, or NULL. eval_graph compiles the graph each time. */
INLAY_API inlay_evaluator inlay_reference_evaluator(const inlay_exec_options *ctx);
/* The same, but graphs run planned: to compare the planned executor with the reference. */
INLAY_API inlay_evaluator inlay_planned_evaluator(const inlay_exec_options *ctx);

#ifdef __cplusplus
}
#endif

#endif

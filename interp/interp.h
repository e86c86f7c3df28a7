/* Running graphs: programs, sessions, and the reference evaluator that defines what an operation
 * means.
 *
 * A program is a compiled graph. It is immutable, and threads may share it. It refers to the graph,
 * which must outlive it and must not be changed. A session runs a program: it holds buffers and the
 * state of variables, and one thread at a time may use it: while a run is in progress, another run,
 * and what would change the session, is refused, also when a callback of the run asks for it.
 *
 *     inlay_program *p = inlay_compile(graph, NULL, diags);
 *     inlay_session *s = inlay_session_new(p, diags);
 *     if (inlay_session_run(s, in, NULL, out, diags)) ... out[i] is the i-th Result
 *
 * The caller releases the output tensors and must not write to them: one may share its bytes with
 * an input, a constant or another output. They stay valid when session and program are freed.
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
    INLAY_EXEC_PLANNED,  /* follows storage notes (views, writes in place), fuses and tiles */
    INLAY_EXEC_REFERENCE /* one node at a time in canonical order, a new buffer for each value; this
                            defines what a graph computes */
} inlay_exec_mode;

/* Which kernels the planned executor calls; the reference has its own. */
typedef enum inlay_kernels {
    INLAY_KERNELS_PORTABLE,  /* inlay's fast kernels where there are any; the same bits as the
                                reference */
    INLAY_KERNELS_REFERENCE, /* the reference's own */
    INLAY_KERNELS_ONEDNN /* oneDNN for convolutions, matrix products and what follows them, from the
                            module libinlay-onednn.so beside the library; the portable ones for
                            the rest. Sums may be rounded differently, and differently for each
                            number of threads. A run that gives NaN or infinity to a step which
                            would hide it fails */
} inlay_kernels;

enum { INLAY_MAX_THREADS = 1024 };

/* Called before each step, also in bodies; STEPS is how many were made before. */
typedef void inlay_step_fn(void *ctx, const inlay_node *n, uint64_t steps);

typedef struct inlay_exec_options {
    inlay_exec_mode mode;
    inlay_kernels kernels;
    uint64_t max_memory;     /* bytes at any time of tensors, with their overhead, and of scratch
                                memory; 0: no limit */
    uint64_t held_memory;    /* bytes that the caller holds itself, counted against the limit */
    uint64_t max_iterations; /* of all loops of a run together; 0: no limit */
    int threads;             /* how many compute for the program at a time, the callers of its
                                sessions included; 0: inlay_processors(). Results do not depend on
                                it. Threads start when a step is large enough and end with the
                                program; the child of a fork has none. The reference uses one */
    int instances;           /* how many plans for shapes that no session is running are kept for
                                later runs; 0: 16 */
    const char *const *keep; /* values to keep: tensor name, node name, node name with ".port" */
    int n_keep;
    inlay_step_fn *progress; /* or NULL */
    void *progress_ctx;
    bool poison; /* for tests: overwrites freed tensors, and those that a kernel is about to fill,
                    so that a use of stale bytes is seen */
} inlay_exec_options;

/* The numbers of `--stats`, of a session's last run. */
typedef struct inlay_exec_stats {
    uint64_t nodes;           /* in the graph that was compiled, bodies included */
    uint64_t steps;           /* calls of kernels; in a loop's body once an iteration */
    uint64_t arena_bytes;     /* memory of intermediate values; 0 in the reference */
    uint64_t peak_bytes;      /* most bytes of tensors at one time that the run made, variables
                                 included */
    uint64_t copied_bytes;    /* copies of values that were already in memory */
    uint64_t iterations;      /* of Loop and TensorIterator */
    uint64_t in_place_writes; /* nodes that wrote over an operand's buffer; 0 in the reference */
    uint64_t aligned_bytes;   /* constants that are misaligned in the file, copied once for the
                                 program; 0 in the reference, which copies them in each run */
    uint64_t packed_bytes;    /* constants that were packed once for the program's kernels */
    double compile_ms, run_ms;
} inlay_exec_stats;

typedef struct inlay_program inlay_program;
typedef struct inlay_session inlay_session;

/* Compiles G; O may be NULL, for all zero. NULL and an error when a node cannot be run (an
 * operation that is not in the table), when a variable has two Assigns, or when a value to keep
 * does not exist. */
INLAY_API inlay_program *inlay_compile(const inlay_graph *g, const inlay_exec_options *o,
                                       inlay_diags *d);
INLAY_API void inlay_program_free(inlay_program *p); /* after its sessions; NULL is fine */
/* How many processors this process may use, from 1 to INLAY_MAX_THREADS: the default of
 * `threads`. */
INLAY_API int inlay_processors(void);

/* A session whose variables are all reset. */
INLAY_API inlay_session *inlay_session_new(const inlay_program *p, inlay_diags *d);
INLAY_API void inlay_session_free(inlay_session *s); /* NULL is fine */

/* Runs the graph once. IN has one tensor for each Parameter, with any strides; OUT receives one for
 * each Result.
 *
 * Inputs are not written to, except those for which DONATED (NULL: none) is true: the run may write
 * over the buffer of such an input, whose contents are lost then. A donated tensor is copied
 * instead when it is not dense, when something else refers to its bytes (a second reference,
 * another tensor on the buffer, another input, a variable), or when they are read-only
 * (INLAY_ACCESS_NONE). The reference does not use donations.
 *
 * When the run fails OUT is all NULL, and variables keep their values. */
INLAY_API bool inlay_session_run(inlay_session *s, const inlay_tensor *const *in,
                                 const bool *donated, inlay_tensor **out, inlay_diags *d);

/* From the next run on output I is written to T, to which the session keeps a reference, and out[I]
 * is T. It is computed there if T shares no bytes with what the run reads, otherwise copied there
 * at the end. T must have the type and shape of the output, may have any strides, must be writable,
 * and must share no byte with a constant or with the tensor of another output. It may share bytes
 * with inputs, which are read before it is written. A run that fails may have written to T. T NULL
 * ends this: runs make a new tensor again. */
INLAY_API bool inlay_session_bind_output(inlay_session *s, int i, inlay_tensor *t, inlay_diags *d);

/* Makes a run of S that is in progress fail before its next step, with status INLAY_NO_RESOURCE.
 * Any thread may call it while the session exists. */
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

/* Runs the graph once. IN has an entry for each Parameter, in any order, OUT one for each output
 * that is wanted, whose tensor the caller releases. When the run fails all tensors of OUT are NULL.
 */
INLAY_API bool inlay_session_run_named(inlay_session *s, const inlay_input *in, int n_in,
                                       inlay_output *out, int n_out, inlay_diags *d);

/* session.c: what a session keeps between runs */

/* The value options.keep[i] of the last run, owned by the session; NULL when it was not computed.
 */
INLAY_API const inlay_tensor *inlay_session_kept(const inlay_session *s, int i);

/* The value of variable I of the graph's list, dense, owned by the session. NULL: it is reset, and
 * the next ReadValue gives its initial value. For a state that grows inside a larger buffer this
 * call makes a copy. */
INLAY_API const inlay_tensor *inlay_session_variable(const inlay_session *s, int i);
/* Sets the variable to T, to which the session keeps a reference; NULL resets it. T must have the
 * variable's type and a shape that its shape allows. A run writes into T only when nothing else
 * refers to it and its buffer is INLAY_ACCESS_OWN; otherwise it copies T first. */
INLAY_API bool inlay_session_set_variable(inlay_session *s, int i, const inlay_tensor *t,
                                          inlay_diags *d);
INLAY_API void inlay_session_reset(inlay_session *s);

INLAY_API void inlay_session_stats(const inlay_session *s, inlay_exec_stats *out);

/* memory_plan.c: how much memory a run will need, found without running it */

typedef struct inlay_value_plan {
    const inlay_value *value;
    uint64_t bytes;        /* of its elements; 0 when the size is not known */
    inlay_note_kind place; /* where its bytes are, if the executor follows the note */
    size_t made, last;     /* the step that makes it, and the last step that reads it */
} inlay_value_plan;

/* Of the first run with INLAY_EXEC_PLANNED and without donated inputs. */
typedef struct inlay_memory_plan {
    size_t steps;             /* of the outermost graph, constants not counted */
    inlay_value_plan *values; /* what the steps make, in the order of the steps */
    size_t n_values;
    uint64_t value_bytes;      /* of all values */
    uint64_t peak_bytes;       /* most bytes at one time, as inlay_exec_stats counts them */
    const inlay_node *peak_at; /* the step of the peak; NULL: nothing is made */
    uint64_t fresh_peak_bytes; /* the peak if every value had its own buffer */
    size_t unknown;            /* values of unknown size, which count as 0 bytes everywhere */
    bool about; /* the peaks are estimates: the graph has bodies, or only the run knows where some
                   value is */
} inlay_memory_plan;

/* G must not be changed while OUT is used. False and an error when G cannot be run. */
INLAY_API bool inlay_memory_plan_make(const inlay_graph *g, inlay_memory_plan *out, inlay_diags *d);
INLAY_API void inlay_memory_plan_free(inlay_memory_plan *p);

/* What a program will do, step by step, found without running it. */

/* Where a value is. */
typedef struct inlay_plan_place {
    const inlay_value *value; /* NULL: an operand that is left out */
    const char *root; /* "arena", "const", "input", "state", "output", "made" (its kernel allocates
                         it), "register" (no memory: fused steps pass it on tile by tile), or "in
                         the run" (only the run knows) */
    int number;       /* of the Parameter or variable; -1 */
    int64_t offset;   /* of its first element, in bytes; -1: unknown */
    uint64_t bytes;   /* of its elements; 0 when the size is not known */
    bool strided;     /* its elements are not contiguous */
} inlay_plan_place;

/* How a value enters a body, or leaves it. */
typedef struct inlay_plan_port {
    const inlay_value *value; /* of the body: of a Parameter, or what a Result gives */
    const char *how;  /* entering: "operand", "slice" (another part in each iteration), "number" (of
                         the iteration), "carried"; leaving: "last" (the last value), "window"
                         (computed in its part of the output), "part" (copied there) */
    int outer;        /* which operand or output of the node, or -1 */
    int64_t moves;    /* slice: bytes from one iteration to the next */
    int64_t slots[2]; /* carried: offsets in the arena, two that alternate, or one; -1: elsewhere,
                         -2: where the final value belongs */
    int n_slots;
} inlay_plan_port;

struct inlay_plan_step;

/* What a body of a step will do. */
typedef struct inlay_plan_body {
    const inlay_body *body;
    bool known;         /* false: only the run knows, and the other fields are not set */
    bool repeats;       /* the body of a loop */
    int64_t iterations; /* 0: only the run knows how many */
    int64_t offset;     /* of the frame in the arena that holds the values of the body */
    uint64_t bytes;     /* of that frame */
    uint64_t copied_first, copied_each; /* by the first iteration, and by each later one */
    uint64_t copied_all;   /* by all iterations, what is joined and given included; 0: only the run
                            knows how many */
    uint64_t input_copies; /* of copied_first: initial values that the body writes over */
    const inlay_plan_port *in, *out; /* of Parameters, and of output ports */
    int n_in, n_out;
    const struct inlay_plan_step *steps; /* of one invocation; of a loop not the first, if there are
                                            others */
    size_t n_steps;
} inlay_plan_body;

typedef struct inlay_plan_step {
    const inlay_node *node;
    /* How it is made: "kernel", "rows" (the row function of its kernel), "fused" (rows, tile by
     * tile with those of other steps), "moves" (fused, only copies), "view" and "nothing" (no
     * work), "copy", "zeros", "assign", "bodies" (they are run), "in the run" (only the run knows),
     * "later" (planned during the run, see inlay_plan_segment). */
    const char *made;
    const char *kernel;               /* the portable kernel, "gemm"; NULL: the operation's own */
    int group;                        /* the number of its fusion group, from 1; 0: none */
    bool in_place;                    /* output 0 is written over bytes that held something else */
    uint64_t copied_bytes;            /* as inlay_exec_stats counts them */
    const inlay_plan_place *in, *out; /* of the node's inputs and outputs */
    const inlay_plan_body *bodies;    /* of the node: N_BODIES */
    int n_bodies;
    bool picked; /* rows of a state by indices: if these name all rows in order nothing is copied,
                    if most of them less than COPIED_BYTES */
} inlay_plan_step;

/* Steps that are planned together. A new segment begins with the first step that has an operand
 * whose size only the run knows, or whose result is a window of such a value. */
typedef struct inlay_plan_segment {
    size_t first;             /* number of its first step */
    const inlay_value *waits; /* that value; NULL: this is the first segment */
    bool at_most;             /* the plan is for the largest size that the value can have */
    bool known; /* false: there is no largest size, and the steps are planned during the run */
} inlay_plan_segment;

/* Of the first run with INLAY_EXEC_PLANNED and without donated inputs. */
typedef struct inlay_program_plan {
    inlay_plan_step *steps; /* of the outermost graph, constants not counted */
    size_t n_steps;
    inlay_plan_segment *segments;
    size_t n_segments;
    uint64_t arena_bytes, lower_bound_bytes; /* of the arena; most bytes of it alive at one time */
    uint64_t copied_bytes;                   /* by all steps, and of inputs */
    uint64_t input_copies;                   /* inputs that are copied because they are written */
    uint64_t initial_copies; /* initial values of variables, which only the first run copies */
    uint64_t saved_bytes;    /* parts of states that are written over, which later runs copy first,
                                for a run that fails; those in bodies are not counted */
    uint64_t aligned_bytes;  /* as in inlay_exec_stats */
    uint64_t packed_bytes;   /* at most: what several steps share counts for each */
    bool about; /* the copies of some steps, which only the run knows, are not counted */
    inlay_arena *memory;
} inlay_program_plan;

/* G must not be changed while OUT is used. KERNELS: those that the program will use. False and an
 * error when G cannot be run. */
INLAY_API bool inlay_program_plan_make(const inlay_graph *g, inlay_kernels kernels,
                                       inlay_program_plan *out, inlay_diags *d);
INLAY_API void inlay_program_plan_free(inlay_program_plan *p);

/* The reference executor as an evaluator, for constant folding and for comparing graphs. CTX: its
 * options (the mode is ignored), which must outlive it, or NULL. eval_graph compiles the graph each
 * time. */
INLAY_API inlay_evaluator inlay_reference_evaluator(const inlay_exec_options *ctx);
/* The same with the planned executor for whole graphs, to compare it with the reference. */
INLAY_API inlay_evaluator inlay_planned_evaluator(const inlay_exec_options *ctx);

#ifdef __cplusplus
}
#endif

#endif

/* Graph to graph: the pass manager, the passes, and the trials that compare two graphs as functions
 * (passes/README.md).
 *
 * passes/ knows nothing of files and kernels: what must be computed (a folded constant, the outputs
 * of two graphs) goes through the inlay_evaluator that the caller hands over, rules arrive as
 * bytes, and what happens while passes run leaves as events.
 *
 * Arguments are checked as ir/ir.h says.
 */
#ifndef INLAY_PASSES_H
#define INLAY_PASSES_H

#include "ir/ir.h"

#ifdef __cplusplus
extern "C" {
#endif

/* pass.c: what a pass is, and what it is written with */

typedef struct inlay_pass_run inlay_pass_run; /* one run of one pass */

/* A pass: walks the nodes of G and of the bodies below it (inlay_pass_each_graph), changes them
 * with the functions of ir/ir.h and those below, and counts its changes. G is the outermost graph.
 * False: the pass failed and recorded an error in inlay_pass_diags(r). */
typedef bool inlay_pass_fn(inlay_graph *g, inlay_pass_run *r);

/* Where the pass records errors, and notes about what it left alone; may be NULL. */
INLAY_API inlay_diags *inlay_pass_diags(const inlay_pass_run *r);
/* The CTX with which the pass was registered. */
INLAY_API void *inlay_pass_context(const inlay_pass_run *r);
/* Computes nodes, for constant folding. NULL: the caller gave none; then leave such nodes alone. */
INLAY_API const inlay_evaluator *inlay_pass_evaluator(const inlay_pass_run *r);
/* An application is one change at one node. It is the unit in which a pass is counted, its events
 * are told, and a receiver of events can veto it:
 *
 *     if (!it_matches(n) || !inlay_pass_begin(r, n))
 *         continue;
 *     ... build nodes, replace N ...
 *     if (!inlay_pass_end(r, done))
 *         return false;
 *
 * Announces a change at AT. False: the receiver of events vetoed it; leave the node alone. */
INLAY_API bool inlay_pass_begin(inlay_pass_run *r, const inlay_node *at);
/* Ends the application: one change if DONE, none otherwise. False: stop the pass, an error was
 * recorded. */
INLAY_API bool inlay_pass_end(inlay_pass_run *r, bool done);
/* Counts N changes that are no applications, such as the notes that a whole-graph analysis sets. */
INLAY_API void inlay_pass_changed(inlay_pass_run *r, uint64_t n);
/* Calls FN on G and then on every body below it, until one returns false. */
INLAY_API bool inlay_pass_each_graph(inlay_graph *g, inlay_pass_fn *fn, inlay_pass_run *r);

/* replace.c: replaces all uses of a value and removes its node. The graph's outputs keep their
 * names. */

/* BY is a value that the graph already has. *DONE is false, and nothing changed, when an output of
 * the graph would lose its name, when the node of OLD has other outputs, or when the shape rule of
 * a reader of OLD refuses BY. */
INLAY_API bool inlay_replace_by_old(inlay_value *old, inlay_value *by, bool *done, inlay_diags *d);
/* BY is an output of a new node with as many outputs as OLD's: output i of the new node takes over
 * the names and the readers of output i of the old one. */
INLAY_API bool inlay_replace_by_new(inlay_value *old, inlay_value *by, inlay_diags *d);

/* registry.c: the passes and pipelines by name. The caller owns a registry and gives it to
 * inlay_run_passes; NULL stands for the built-in passes. Several threads may read one. */

typedef struct inlay_pass_registry inlay_pass_registry;

/* A registry with the built-in passes and pipelines; NULL without memory. */
INLAY_API inlay_pass_registry *inlay_pass_registry_new(inlay_diags *d);
INLAY_API void inlay_pass_registry_free(inlay_pass_registry *p);

typedef struct inlay_pass_info {
    const char *name;    /* "fold-constants" */
    const char *summary; /* one sentence */
} inlay_pass_info;

/* Adds a pass under a name that is not taken yet, of letters, digits, '-', '_' and '.'. FN gets CTX
 * back from inlay_pass_context; CTX must outlive P. */
INLAY_API bool inlay_pass_register(inlay_pass_registry *p, const inlay_pass_info *info,
                                   inlay_pass_fn *fn, void *ctx, inlay_diags *d);
/* The passes of P in the order of registration, the built-in ones first. With I past the last the
 * name and the summary are NULL. */
INLAY_API size_t inlay_pass_count(const inlay_pass_registry *p);
INLAY_API inlay_pass_info inlay_pass_at(const inlay_pass_registry *p, size_t i);

/* A named list of passes: "default", "none". */
typedef struct inlay_pipeline_info {
    const char *name;
    const char *const *passes; /* NULL at the end */
} inlay_pipeline_info;

/* Adds a pipeline; LIST names passes of P and ends with NULL. */
INLAY_API bool inlay_pipeline_register(inlay_pass_registry *p, const char *name,
                                       const char *const *list, inlay_diags *d);
INLAY_API size_t inlay_pipeline_count(const inlay_pass_registry *p);
INLAY_API inlay_pipeline_info inlay_pipeline_at(const inlay_pass_registry *p, size_t i);

/* plugin.c: passes from a shared object, which registers them in one function:
 *
 *     static bool add(inlay_pass_registry *p, inlay_diags *d)
 *     {
 *         return inlay_pass_register(p, &info, run, NULL, d);
 *     }
 *     INLAY_PLUGIN(add);
 *
 * The program that loads it with dlopen, which runs its code, looks up INLAY_PLUGIN_SYMBOL and
 * gives what it finds to inlay_plugin_add. The object must stay loaded as long as the registry is
 * used. */

enum { INLAY_PLUGIN_VERSION = 1 };
#define INLAY_PLUGIN_SYMBOL "inlay_plugin_v1"
/* A fingerprint of the structs and numbers that a plugin was compiled with. */
#define INLAY_PLUGIN_LAYOUT                                                                        \
    ((uint64_t)INLAY_OPS_FINGERPRINT << 32 ^ sizeof(inlay_graph) << 22 ^                           \
     sizeof(inlay_node) << 12 ^ sizeof(inlay_value) << 4 ^ sizeof(inlay_fact))

typedef struct inlay_plugin {
    unsigned version;
    uint64_t layout;
    bool (*add)(inlay_pass_registry *p, inlay_diags *d);
} inlay_plugin;

#ifdef __cplusplus
#define INLAY_PLUGIN_EXTERN extern "C"
#else
#define INLAY_PLUGIN_EXTERN extern
#endif
#define INLAY_PLUGIN(add_function)                                                                 \
    INLAY_PLUGIN_EXTERN INLAY_API const inlay_plugin inlay_plugin_v1;                              \
    const inlay_plugin inlay_plugin_v1 = {INLAY_PLUGIN_VERSION, INLAY_PLUGIN_LAYOUT, add_function}

/* Adds the passes of a plugin that was loaded from FILE. An error when it was built for another
 * version of this interface or with other headers (P is unchanged), or when a name is taken (what
 * the plugin added before stays). */
INLAY_API bool inlay_plugin_add(inlay_pass_registry *p, const char *file,
                                const inlay_plugin *plugin, inlay_diags *d);

/* inplace/decide.c: what in-place-windows decides about scatters */

/* One of the three decisions about a scatter: O (overwrite), V (view) or I (into), with the
 * condition that forbade it (passes/inplace/CONDITIONS.md). */
typedef struct inlay_decision {
    bool asked; /* false: does not apply (there is no slice, or no window) */
    bool made;
    const char *condition; /* "O3 no-later-read"; NULL when made */
    const inlay_node *by;  /* the node that broke it, or NULL */
    uint64_t bytes;        /* copied because of the refusal; 0: not known */
    const char *remark;    /* one more sentence, or NULL */
} inlay_decision;

/* inplace/words.c: how d->by breaks the condition, as the end of a sentence: "reads the old data
 * after the write". "" when it is no node that breaks it. */
INLAY_API const char *inlay_decision_text(const inlay_decision *d);
/* What who wrote the graph can do about a refusal: "give out the result instead of the old data".
 * "" when D is made. */
INLAY_API const char *inlay_decision_remedy(const inlay_decision *d);
/* control/branches.c: how often one run computes N: the iterations of the loops around it,
 * multiplied; 1 in the outermost graph; 0: only the run knows. */
INLAY_API int64_t inlay_node_runs(const inlay_node *n);

/* The decisions about one scatter, or about one input of a node whose bodies write over it. */
typedef struct inlay_in_place {
    const inlay_node *scatter;
    int input;                /* which input of a node with bodies; 0 for a scatter */
    const inlay_node *slice;  /* the Slice whose window the scatter writes back, or NULL */
    inlay_decision overwrite; /* the result takes the data's buffer */
    inlay_decision view;      /* the slice copies nothing */
    inlay_decision into;      /* the updates are computed in the window */
    int order_edges;          /* edges that were added so that readers run before the write */
    bool copies_updates;      /* updates that nothing computes (an input, a constant) are copied */
    uint64_t update_bytes;    /* how many bytes then; 0: not known */
} inlay_in_place;

/* rules/set.c: rewrites that are data (rules/README.md) */

typedef struct inlay_rules inlay_rules; /* a set of rules, immutable */

/* What a rule promises. EXACT: the same bits and the same errors. REFINES: the same bits wherever
 * the original gives a result. APPROX: the same within a tolerance. */
typedef enum inlay_exactness { INLAY_EXACT, INLAY_REFINES, INLAY_APPROX } inlay_exactness;

typedef struct inlay_rule_info {
    const char *name; /* "write-back-of-same-window" */
    const char *set;  /* "simplify" */
    inlay_exactness exactness;
    const char *file; /* the file that contains it */
    unsigned line;
} inlay_rule_info;

INLAY_API const char *inlay_exactness_text(inlay_exactness e); /* "exact", ... */
/* What a pass promises, if it is not one that applies rules, each of which has a promise of its
 * own. INLAY_EXACT for a pass that a program has added, or that is not there. */
INLAY_API inlay_exactness inlay_pass_exactness(const inlay_pass_registry *p, const char *name);
/* Reads a rule file of N BYTES. NAME is used in messages, and as the name of the set. */
INLAY_API inlay_rules *inlay_rules_parse(const char *name, const char *bytes, size_t n,
                                         inlay_diags *d);
/* The same for rules about the operations OPS (ir/op.h), to which the set keeps a reference. In a
 * graph with another operation set they apply to the operations that both have. */
INLAY_API inlay_rules *inlay_rules_parse_of(const inlay_op_set *ops, const char *file,
                                            const char *bytes, size_t n, inlay_diags *d);
/* The same, counted in BUDGET (ir/budget.h; NULL: nowhere). */
INLAY_API inlay_rules *inlay_rules_parse_in(inlay_budget *budget, const inlay_op_set *ops,
                                            const char *file, const char *bytes, size_t n,
                                            inlay_diags *d);
INLAY_API void inlay_rules_free(inlay_rules *rules);
INLAY_API size_t inlay_rules_count(const inlay_rules *rules);
INLAY_API inlay_rule_info inlay_rules_at(const inlay_rules *rules, size_t i);
/* The sets that are built in: "simplify", "lower-dialects", "turn". NULL past the last. */
INLAY_API const char *inlay_rule_set_at(size_t i);
/* One of them. */
INLAY_API inlay_rules *inlay_rules_builtin(const char *set, inlay_diags *d);

/* prove/prove.c: is a rule right for everything that it takes? (prove/README.md) */

/* Runs an SMT-LIB 2 solver on TEXT and appends what it prints to ANSWER. False: it cannot be run.
 */
typedef struct inlay_solver {
    bool (*ask)(void *ctx, const char *text, size_t n, inlay_strbuf *answer, inlay_diags *d);
    void *ctx;
} inlay_solver;

typedef struct inlay_prove_options {
    inlay_solver solver;
    /* Runs both sides of the rule on the solver's counterexample, which counts only when they
     * differ; and, of a rule that is proven, on random graphs: one on which they differ refutes the
     * proof. Without an evaluator no rule is refuted, and no proof is tried so. */
    inlay_evaluator evaluator;
} inlay_prove_options;

typedef enum inlay_proof_verdict {
    INLAY_PROVEN, /* for every element type, rank, size and attribute that the rule takes */
    INLAY_NOT_PROVEN,
    INLAY_REFUTED,    /* there is a graph on which the two sides differ */
    INLAY_PROVEN_FOR, /* for some of these only */
    /* Of a rule that promises a tolerance: both sides are the same function of real numbers, where
     * the left side is defined, and the same bit for bit of elements that are no floats; for all
     * that the rule takes, or for some of it. */
    INLAY_PROVEN_OVER_REALS,
    INLAY_PROVEN_OVER_REALS_FOR
} inlay_proof_verdict;

typedef struct inlay_proof {
    inlay_proof_verdict verdict;
    int rank;             /* the largest number of axes that was tried */
    int cases, questions; /* how many were decided, some of them without the solver */
    char why[200];        /* not proven: why; else empty */
    char only[200];       /* proven for: for what, "up to 4 axes"; else empty */
    char read[120]; /* over the reals: literals that stand for what is not written, or empty */
    char *counterexample; /* refuted: the graph as text, before the rule; else NULL */
} inlay_proof;

/* Tries to prove rule I of RULES. False: memory ran out, or the solver cannot be asked. In any case
 * inlay_proof_free is to be called. */
INLAY_API bool inlay_prove(const inlay_rules *rules, size_t i, const inlay_prove_options *o,
                           inlay_proof *out, inlay_diags *d);
INLAY_API void inlay_proof_free(inlay_proof *p);

/* check/check.c: is a rule right on random graphs? (check/README.md) */

typedef struct inlay_check_options {
    inlay_evaluator evaluator; /* computes both sides */
    int64_t graphs;            /* rewritten graphs, at most; 0: as many as `instances` needs */
    uint64_t seed;             /* of the first graph; the next ones have seed + 1, seed + 2, ... */
    int inputs;                /* how many sets of inputs each of them runs on; 0: 4 */
    int64_t instances; /* comparisons, graph by set of inputs, at most; 0: all of those graphs */
    inlay_type type;   /* of the data; INLAY_DYNAMIC: every type that the rule's operations take */
} inlay_check_options;

typedef enum inlay_check_verdict {
    INLAY_CHECK_PASSED,
    INLAY_CHECK_REFUTED, /* the rule changed what some graph computes */
    INLAY_CHECK_UNKNOWN  /* the rule applied to no graph */
} inlay_check_verdict;

typedef struct inlay_check {
    inlay_check_verdict verdict;
    int64_t graphs, rewritten; /* how many were made; to how many of them the rule applied */
    int64_t instances;         /* how many comparisons were made */
    uint64_t seed;             /* refuted: the seed of the graph */
    char *counterexample;      /* the graph as text, before the rule; or NULL */
    char why[1024];
} inlay_check;

/* Checks rule I of RULES. False: memory ran out. In any case inlay_check_free is to be called. */
INLAY_API bool inlay_check_rule(const inlay_rules *rules, size_t i, const inlay_check_options *o,
                                inlay_check *out, inlay_diags *d);
INLAY_API void inlay_check_free(inlay_check *c);

/* rules/functions.c: the conditions and functions that rules call */

typedef struct inlay_rule_function {
    const char *name;
    bool condition; /* answers yes or no; otherwise a `let` names what it computes */
    const char *help;
} inlay_rule_function;

/* Number I of them; without a name past the last. */
INLAY_API inlay_rule_function inlay_rule_function_at(size_t i);
/* How it is called: "relative(window, window) = window", "list([integers]) = integers", where an
 * argument in brackets may be absent. */
INLAY_API char *inlay_rule_function_text(size_t i, char *buf, size_t size);

/* apply.c: what happens while passes run, as one stream of events. What an event points to is good
 * during the call. */

typedef enum inlay_event_kind {
    INLAY_EVENT_PASS_BEGINS,
    INLAY_EVENT_PASS_ENDS,  /* as.stats; the graph may be changed now */
    INLAY_EVENT_WILL_APPLY, /* as.application; false vetoes it, and the pass goes on */
    INLAY_EVENT_APPLIED,    /* as.application, now that it is done */
    INLAY_EVENT_DECIDED,    /* as.in_place: in-place-windows on a scatter, the last scatter first */
    INLAY_EVENT_COPIES,     /* as.copy: after its decisions, for each node of none of them */
    INLAY_EVENT_MISSED, /* as.miss: after a pass that applies rules, for each that did nothing */
    /* as.message: a note or warning that the pass left, or the error for which the graph that it
     * left is refused; then no pass follows */
    INLAY_EVENT_SAID
} inlay_event_kind;

typedef struct inlay_pass_stats {
    const char *name;
    bool changed;
    uint64_t changes; /* nodes folded, removed, rewritten */
    double ms;
    uint64_t steps; /* elementary ones: nodes and uses visited, values compared, ... */
} inlay_pass_stats;

/* A rule or a pass changes the graph at one place. */
typedef struct inlay_application {
    uint64_t serial; /* from 1; before it is done the number that it will have, and that the next
                        one has when it is vetoed or comes to nothing */
    const inlay_rule_info *rule; /* NULL: the pass itself */
    bool first;                  /* of this rule in this pass */
    const inlay_node *at;        /* the node that is replaced */
    /* When it is done: the nodes of the match that went, which can still be read, */
    const inlay_node *const *replaced;
    size_t n_replaced;
    const inlay_node *made; /* and the first new node; the others follow it (->next). NULL: none */
} inlay_application;

/* What a node copies that no record of a scatter names. It only moves elements; or it holds an
 * operand, which may be computed in its part of the result; or its kernel needs an operand in
 * row-major order that has other strides. */
typedef struct inlay_copy {
    const inlay_node *node;
    uint64_t bytes;      /* 0: not known */
    int input;           /* the operand; -1: what the node makes */
    inlay_decision view; /* then, whether that is a view of the node's operand, and not copied */
    inlay_decision into; /* of an operand that the node holds: is it computed in its part? */
} inlay_copy;

/* Why a rule did nothing. */
typedef struct inlay_rule_miss {
    const inlay_rule_info *rule;
    const char *at;  /* where it came nearest to matching: `Slice "x"`; NULL: nowhere */
    const char *why; /* what was in the way there: "full(w) does not hold" */
} inlay_rule_miss;

typedef struct inlay_event {
    inlay_event_kind kind;
    const char *pass;
    inlay_graph *graph; /* the outermost one, as it is now */
    union {
        const inlay_pass_stats *stats;
        const inlay_application *application;
        const inlay_in_place *in_place;
        const inlay_copy *copy;
        const inlay_rule_miss *miss;
        const inlay_diag *message;
    } as;
} inlay_event;

/* Who receives events. False vetoes what will be applied; after any other event it stops the run,
 * and an error must have been recorded in D. */
typedef struct inlay_events {
    bool (*receive)(void *ctx, const inlay_event *e, inlay_diags *d); /* or NULL */
    void *ctx;
    bool misses; /* INLAY_EVENT_MISSED is wanted: finding out why takes time */
} inlay_events;

/* manager.c: which passes run, in which order */

typedef struct inlay_pass_options {
    const inlay_pass_registry *registry; /* NULL: what is built in */
    const char *passes;                  /* names and pipelines with commas; NULL: "default" */
    const char *const *disable;          /* names of passes to leave out */
    int n_disable;
    const inlay_evaluator *evaluator; /* NULL: passes that compute do nothing */
    size_t fold_bytes;                /* a folded constant may have this many bytes; 0: 1 MiB */
    uint64_t max_memory;              /* bytes of all folded constants together; 0: no limit */
    bool check;                       /* inlay_check_graph and inlay_check_notes after each pass */
    bool prefer_copies; /* in-place-windows saves all copies it can. false: as many as it can while
                           a run holds no more memory at its peak than without storage notes */
    const inlay_rules *const *rules; /* sets that pass `rules` applies, in order */
    int n_rules;
    inlay_events events;
} inlay_pass_options;

/* Runs passes over G and its bodies. O may be NULL. An unknown pass name is an error, and then no
 * pass has run. What a pass declined to do, and why, is left as notes in D. */
INLAY_API bool inlay_run_passes(inlay_graph *g, const inlay_pass_options *o, inlay_diags *d);

/* certify.c: what passes did to a graph, edit by edit, for a program that does not trust them
 * (check/README.md) */

typedef struct inlay_certificate inlay_certificate;

/* Begins a certificate of what happens to G from now on, written to TO, which must outlive it. G
 * must not be freed before it is ended. NULL: an error was recorded. */
INLAY_API inlay_certificate *inlay_certificate_begin(inlay_graph *g, const inlay_sink *to,
                                                     inlay_diags *d);
/* Are constants written with all elements? They are if those that the graph had took 64 KiB or less;
 * else those of more than 16 elements are hashes, as in the short form of the text. */
INLAY_API bool inlay_certificate_is_full(const inlay_certificate *c);
/* Writes what has changed up to event E, which a receiver of events hands on: all of them, of one
 * run of passes on G. */
INLAY_API bool inlay_certificate_told(inlay_certificate *c, const inlay_event *e, inlay_diags *d);
/* Writes the rest and frees C. False: something could not be written, or memory ran out. */
INLAY_API bool inlay_certificate_end(inlay_certificate *c, inlay_diags *d);

/* verify/inputs.c: made-up inputs */

typedef enum inlay_fill {
    INLAY_FILL_NONE,
    INLAY_FILL_ZEROS,
    INLAY_FILL_ONES,
    INLAY_FILL_IOTA,  /* 0, 1, 2, ... in row-major order */
    INLAY_FILL_RANDOM /* floats in [-1, 1), integers in [-8, 8) or [0, 16); operands that are
                         indices get valid ones, those that are counts a few */
} inlay_fill;

/* "zeros", "ones", "iota", "random" */
INLAY_API bool inlay_fill_by_name(const char *name, inlay_fill *fill);

/* The range of random elements: floats from LO to below HI, integers from LO to HI. */
typedef struct inlay_range {
    bool given;
    double lo, hi;
} inlay_range;

typedef struct inlay_make_options {
    uint64_t seed;
    const inlay_fill *fills;   /* one per Parameter; NULL: random for all */
    const inlay_shape *shapes; /* one per Parameter, rank -1: free; or NULL */
    const inlay_range *ranges; /* one per Parameter, used for random ones; or NULL */
    uint64_t max_memory;       /* bytes of all inputs, given ones included; 0: no limit */
} inlay_make_options;

/* Makes tensors for the NULL entries of IN (one per Parameter) whose fill is not INLAY_FILL_NONE.
 * An open size becomes max(lo, 3) within its interval; sizes with one name become equal, and as the
 * given tensors have them. Indices, axes and counts are in range. Where the shape rules of G refuse
 * the choice, others are tried. O may be NULL. The caller releases IN. */
INLAY_API bool inlay_make_inputs(const inlay_graph *g, const inlay_make_options *o,
                                 inlay_tensor **in, inlay_diags *d);

/* verify/compare.c: two tensors */

typedef struct inlay_compare_options {
    double rtol, atol; /* |a - b| <= atol + rtol * |a|; both 0: bit for bit, NaN equal to NaN */
    uint64_t ulp;      /* or at most this many representable numbers apart */
} inlay_compare_options;

/* Compares B with the expected A. Types and shapes must be equal; integers, booleans and strings,
 * too; NaN equals NaN. Returns whether they agree; WHY (SIZE bytes) says how closely ("bit for
 * bit", "element by element": equal numbers with other bits, "the largest error is 1e-06") or names
 * the first element that differs, both values, how many differ and the worst error. */
INLAY_API bool inlay_compare_tensors(const inlay_tensor *a, const inlay_tensor *b,
                                     const inlay_compare_options *o, char *why, size_t size);

/* verify/verify.c: are two graphs the same function? */

typedef struct inlay_verify_options {
    int trials;    /* 0: 64, which is all that the schedule has (verify/schedule.c) */
    uint64_t seed; /* of the first trial, of the next ones seed + 1, seed + 2, ... */
    inlay_compare_options tolerance; /* zeroed: bit for bit */
    const inlay_shape *shapes;       /* as inlay_make_options, for the Parameters of A; or NULL */
    const inlay_fill *fills;         /* the same; NULL: random for all */
    const inlay_range *ranges;       /* the same */
    inlay_tensor *const *inputs;     /* the same in every trial, one per Parameter of A, NULL:
                                        made up; or NULL */
    uint64_t max_memory;             /* bytes of the inputs of a trial; 0: no limit. The
                                        evaluators have limits of their own */
    bool may_mend; /* B may give results where A fails, as after a rule (rules/README.md): void
                      trials */
    inlay_tensor **kept; /* receives the inputs of the trial that differed, one per Parameter of A,
                            which the caller releases; else NULLs; or NULL */
    void (*progress)(void *ctx, int trial, int trials); /* before each trial; or NULL */
    void *ctx;
} inlay_verify_options;

typedef enum inlay_verdict {
    INLAY_SAME,        /* every trial that counted agreed */
    INLAY_NOT_SAME,    /* a difference was found */
    INLAY_INCONCLUSIVE /* no difference, but fewer than half of the trials counted; of
                          inlay_verify_exhaustive: they were not the whole space */
} inlay_verdict;

typedef struct inlay_verify_result {
    inlay_verdict verdict;
    int trials, counted; /* a trial in which both graphs fail does not count */
    uint64_t seed;       /* of the trial that differed; that trial alone differs, too */
    char why[1024];      /* the difference, or why trials did not count; else empty */
    char missed[512];    /* kinds of input of which no trial counted, "sizes of 0"; or empty */
} inlay_verify_result;

/* The largest open size in trials: numbers of up to 256 that the graphs mention, plus one. */
enum { INLAY_VERIFY_LARGEST = 257 };

/* Runs A with EA and B with EB on the same made-up inputs and compares the outputs; graphs with
 * variables run six steps and the variables are compared too. Inputs, outputs and variables are
 * paired by name, else by position. Before against after, reference against planned: both are this
 * function. The trials follow a schedule: open dimensions are 3, and 0, 1, 2, 5, 17, unequal, or
 * numbers that the graphs mention, as long as the inputs stay small; elements are ordinary,
 * extreme, special, or numbers of the graphs; indices are valid, negative, at the ends or out of
 * range; loops run a few times, never, or often. Inputs that both graphs refuse are drawn again:
 * such that the shape rules accept them, then with ordinary sizes and indices, then with sizes of
 * 1; if all are refused the trial does not count. If one graph fails and the other does not, they
 * differ. O may be NULL. False: no memory for the trials. */
INLAY_API bool inlay_verify(const inlay_graph *a, const inlay_evaluator *ea, const inlay_graph *b,
                            const inlay_evaluator *eb, const inlay_verify_options *o,
                            inlay_verify_result *out, inlay_diags *d);

/* verify/missed.c: names the kinds of input of G that inlay_verify with options O never tries,
 * because there are infinitely many: "open sizes above 257, steps of states behind number 6".
 * Writes them into TEXT of SIZE bytes. Returns whether there are any; false without a graph or a
 * buffer. */
INLAY_API bool inlay_verify_untried(const inlay_graph *g, const inlay_verify_options *o, char *text,
                                    size_t size);

/* verify/exhaust.c: the largest open size that inlay_verify_exhaustive tries. */
enum { INLAY_EXHAUSTIVE_LARGEST = 3 };

/* Like inlay_verify, but on every combination of elements of integer and boolean inputs: all values
 * of their types if these are at most LIMIT combinations, otherwise the values from one below to
 * one above the sizes in A. Open sizes are 0 to INLAY_EXHAUSTIVE_LARGEST. INLAY_SAME says that the
 * trials went through the whole space of inputs; where no difference was found in a part of it the
 * verdict is INLAY_INCONCLUSIVE, and `missed` names what was left out. Trials and shapes of O are
 * not used. An error when there are more than LIMIT combinations at one size. */
INLAY_API bool inlay_verify_exhaustive(const inlay_graph *a, const inlay_evaluator *ea,
                                       const inlay_graph *b, const inlay_evaluator *eb,
                                       const inlay_verify_options *o, int64_t limit,
                                       inlay_verify_result *out, inlay_diags *d);

/* verify/values.c: from which value on do two graphs differ? */

typedef struct inlay_value_difference {
    const inlay_value *a, *b; /* the first values that differ; NULL: none does */
    size_t compared;          /* values that were looked at */
    char why[512];
} inlay_value_difference;

/* Runs A with EA and B with EB on IN, one per Parameter of A, and compares the values of
 * corresponding nodes (ir/diff.h) in the canonical order of B. Storage notes are ignored, and
 * bodies are not looked into. Graphs with variables run several steps on IN; the first step in
 * which values differ counts, and WHY names it unless it is step 1. TOLERANCE may be NULL. */
INLAY_API bool inlay_find_difference(const inlay_graph *a, const inlay_evaluator *ea,
                                     const inlay_graph *b, const inlay_evaluator *eb,
                                     const inlay_tensor *const *in,
                                     const inlay_compare_options *tolerance,
                                     inlay_value_difference *out, inlay_diags *d);

/* symbolic/symbolic.c: are two graphs the same function for all values? (symbolic/README.md) */

typedef struct inlay_symbolic_options {
    inlay_evaluator evaluator; /* runs operations that move elements or depend on no input */
    const inlay_shape *shapes; /* as inlay_make_options, for the Parameters of A; or NULL */
    uint64_t max_terms;        /* terms in memory, at most; 0: 16,777,216 */
} inlay_symbolic_options;

typedef struct inlay_symbolic_result {
    bool proven;              /* the same function, at the sizes that were tried */
    bool all_sizes;           /* and these are all sizes */
    int sizes;                /* how many choices of open sizes were tried */
    uint64_t terms, elements; /* most terms at once; elements compared in all */
    char why[1024];           /* not proven: what differs or cannot be decided; else empty */
} inlay_symbolic_result;

/* Runs both graphs on symbolic terms instead of numbers and compares the outputs. "Not proven" does
 * not mean that they differ. False: memory ran out. */
INLAY_API bool inlay_symbolic_same(const inlay_graph *a, const inlay_graph *b,
                                   const inlay_symbolic_options *o, inlay_symbolic_result *out,
                                   inlay_diags *d);

/* symbolic/pieces.c: the same question piece by piece, between values that seem equal */

/* A value of A and one of B. */
typedef struct inlay_value_pair {
    const inlay_value *a, *b;
} inlay_value_pair;

typedef struct inlay_pieces_options {
    const inlay_value_pair *pairs; /* in the order of B: those of its outermost graph and of A's
                                      that may be equal */
    size_t n_pairs;
    /* Is *PROVEN that A and B, a piece of each graph, are the same? END: the value that the first
     * one computes. False: an error. Asked once for all pieces of one structure. */
    bool (*prove)(void *ctx, const inlay_value *end, const inlay_graph *a, const inlay_graph *b,
                  bool *proven, inlay_diags *d);
    void *ctx;
} inlay_pieces_options;

typedef struct inlay_pieces_result {
    bool proven;     /* the same function of all inputs */
    size_t pieces;   /* those that are proven, */
    size_t unproven; /* those that are not, */
    size_t proofs;   /* and how many proofs were asked for */
    char why[400];   /* why the first one is not; else empty */
} inlay_pieces_result;

/* Proves pieces of A and B equal, each as a function of values before it that are proven equal.
 * "Not proven" does not mean that they differ. False: memory ran out, or PROVE failed. */
INLAY_API bool inlay_symbolic_pieces(const inlay_graph *a, const inlay_graph *b,
                                     const inlay_pieces_options *o, inlay_pieces_result *out,
                                     inlay_diags *d);

/* explore/measure.c: the cost that every rule of passes/rules/simplify.rules lowers, compared part
 * by part. An open size counts as a likely number, constants do not count, and a part that would
 * overflow stays at the largest number. */

typedef enum inlay_measure_part {
    INLAY_MEASURE_FOREIGN, /* operations that are not OpenVINO's, which lower-dialects replaces */
    INLAY_MEASURE_WRITTEN, /* elements that scatters write, plus one for each scatter */
    INLAY_MEASURE_NODES,
    INLAY_MEASURE_ELEMENTS, /* of all values */
    INLAY_MEASURE_TRANSPOSES,
    INLAY_MEASURE_WAYS, /* for each node the nodes on all paths to it, summed */
    INLAY_MEASURE_OPERANDS,
    INLAY_MEASURES
} inlay_measure_part;

typedef struct inlay_measure {
    int64_t part[INLAY_MEASURES];
} inlay_measure;

INLAY_API bool inlay_measure_graph(const inlay_graph *g, inlay_measure *out, inlay_diags *d);
/* Below 0: A is less than B, the parts compared in order; 0: they are equal. */
INLAY_API int inlay_measure_compare(const inlay_measure *a, const inlay_measure *b);
/* "written"; NULL past the last. */
INLAY_API const char *inlay_measure_name(size_t part);

/* explore/explore.c: all graphs that rules can make of one (explore/README.md) */

typedef struct inlay_explore_options {
    const inlay_rules *const *rules; /* sets; they must outlive what is found */
    int n_rules;
    size_t limit; /* graphs to keep at most; 0: 100 */
} inlay_explore_options;

typedef struct inlay_explored {
    inlay_graph *graph;
    size_t from, depth; /* the index of the graph it was made from; how many applications it took */
    const char *rule;   /* the rule that made it; NULL: the graph that was given */
    const char *at;     /* the name of the node that the rule replaced */
    bool approximate;   /* some rule on the way was approximate */
    inlay_measure measure;
} inlay_explored;

typedef struct inlay_exploration {
    inlay_explored *graphs; /* no two are equal; graphs[0] is the one that was given */
    size_t n;
    bool complete; /* these are all; the limit was not reached */
} inlay_exploration;

/* Applies every rule at every place of every graph found so far, breadth first. G is not changed.
 * The caller frees OUT with inlay_exploration_free. */
INLAY_API bool inlay_explore(const inlay_graph *g, const inlay_explore_options *o,
                             inlay_exploration *out, inlay_diags *d);
INLAY_API void inlay_exploration_free(inlay_exploration *x);

/* reduce/reduce.c: a small graph that still has some property (delta debugging) */

typedef struct inlay_reduce_options {
    /* Returns whether the valid graph G has the property. If so, it is the smallest one so far. */
    bool (*keeps)(void *ctx, const inlay_graph *g);
    void *ctx;
    int tries; /* calls of `keeps`, at most; 0: 5,000 */
} inlay_reduce_options;

typedef struct inlay_reduce_result {
    inlay_graph *graph; /* the smallest one, owned by the caller; a copy of G if nothing helped */
    size_t before;      /* nodes of G */
    int tried, kept;    /* calls of `keeps`, and how many returned true */
    bool exhausted;     /* the limit of tries was reached */
} inlay_reduce_result;

/* Removes nodes, outputs, inputs and sizes from G, which has the property, and from its bodies, and
 * makes numbers simpler, as long as the property is kept (reduce/README.md). False: memory ran out,
 * and OUT is not set. */
INLAY_API bool inlay_reduce(const inlay_graph *g, const inlay_reduce_options *o,
                            inlay_reduce_result *out, inlay_diags *d);

#ifdef __cplusplus
}
#endif

#endif

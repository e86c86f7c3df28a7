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

/* A pass. G is the outermost graph; the bodies below it are its business too
 * (inlay_pass_each_graph). It walks the nodes, changes the graph by the functions of ir/ir.h and
 * those below, and counts what it changed. False means that an error was recorded in
 * inlay_pass_diags(r). */
typedef bool inlay_pass_fn(inlay_graph *g, inlay_pass_run *r);

/* Where errors go, and notes of what the pass declined to do; may be NULL. */
INLAY_API inlay_diags *inlay_pass_diags(const inlay_pass_run *r);
/* What was registered with the pass. */
INLAY_API void *inlay_pass_context(const inlay_pass_run *r);
/* Runs nodes; NULL: the caller has handed over none, and what must be computed stays. */
INLAY_API const inlay_evaluator *inlay_pass_evaluator(const inlay_pass_run *r);
/* An application is what a pass does at one place, and what it is counted, followed and stopped by:
 *
 *     if (!it_matches(n) || !inlay_pass_begin(r, n))
 *         continue;
 *     ... build nodes, replace N ...
 *     if (!inlay_pass_end(r, done))
 *         return false;
 *
 * The graph is about to be changed at AT. False: it must not be, because who receives the events
 * wants it so. */
INLAY_API bool inlay_pass_begin(inlay_pass_run *r, const inlay_node *at);
/* It is changed, which counts as one change; or, when not DONE, it came to nothing. False: the run
 * must stop, an error was recorded. */
INLAY_API bool inlay_pass_end(inlay_pass_run *r, bool done);
/* N more changes were made by a pass that has no places, or counts otherwise. */
INLAY_API void inlay_pass_changed(inlay_pass_run *r, uint64_t n);
/* Calls FN on G and then on every body below it, until one returns false. */
INLAY_API bool inlay_pass_each_graph(inlay_graph *g, inlay_pass_fn *fn, inlay_pass_run *r);

/* replace.c: one value in the place of another, and the graph's outputs are called as before. The
 * node of OLD goes. */

/* BY stood in the graph before. *DONE is false, and nothing changed, when an output would lose its
 * name, OLD is not the only one, or a shape rule of what is computed of OLD refuses BY. */
INLAY_API bool inlay_replace_by_old(inlay_value *old, inlay_value *by, bool *done, inlay_diags *d);
/* BY is an output of a node just made, which has as many outputs as that of OLD: each takes the
 * place, the names and the readers of the one of the same number. */
INLAY_API bool inlay_replace_by_new(inlay_value *old, inlay_value *by, inlay_diags *d);

/* registry.c: the passes and pipelines that there are. A registry belongs to the caller, who hands
 * it to inlay_run_passes; where one is asked for, NULL means what is built in. Reading one is safe
 * in several threads. */

typedef struct inlay_pass_registry inlay_pass_registry;

/* With the passes and pipelines that are built in. */
INLAY_API inlay_pass_registry *inlay_pass_registry_new(inlay_diags *d);
INLAY_API void inlay_pass_registry_free(inlay_pass_registry *p);

typedef struct inlay_pass_info {
    const char *name;    /* "fold-constants" */
    const char *summary; /* one sentence */
} inlay_pass_info;

/* Adds a pass; its name, of letters, digits, '-', '_' and '.', must not be taken. CTX is what
 * inlay_pass_context gives back, and must outlive P. */
INLAY_API bool inlay_pass_register(inlay_pass_registry *p, const inlay_pass_info *info,
                                   inlay_pass_fn *fn, void *ctx, inlay_diags *d);
/* Those of P in the order in which they came, the built-in ones first; I past the last: NULLs. */
INLAY_API size_t inlay_pass_count(const inlay_pass_registry *p);
INLAY_API inlay_pass_info inlay_pass_at(const inlay_pass_registry *p, size_t i);

/* A named list of passes: "default", "none". */
typedef struct inlay_pipeline_info {
    const char *name;
    const char *const *passes; /* NULL at the end */
} inlay_pipeline_info;

/* Adds a pipeline of passes that P has; NULL ends LIST. */
INLAY_API bool inlay_pipeline_register(inlay_pass_registry *p, const char *name,
                                       const char *const *list, inlay_diags *d);
INLAY_API size_t inlay_pipeline_count(const inlay_pass_registry *p);
INLAY_API inlay_pipeline_info inlay_pipeline_at(const inlay_pass_registry *p, size_t i);

/* plugin.c: passes from a shared object. It says which functions add them:
 *
 *     static bool add(inlay_pass_registry *p, inlay_diags *d)
 *     {
 *         return inlay_pass_register(p, &info, run, NULL, d);
 *     }
 *     INLAY_PLUGIN(add);
 *
 * Who loads it (dlopen runs its code) looks up INLAY_PLUGIN_SYMBOL and hands what is there to
 * inlay_plugin_add; the object must stay loaded while the registry is used. */

enum { INLAY_PLUGIN_VERSION = 1 };
#define INLAY_PLUGIN_SYMBOL "inlay_plugin_v1"
/* Changes with the structs and numbers that a plugin is compiled with. */
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

/* Adds to P what the plugin brings, which was loaded from FILE. An error, and P is as it was, when
 * it was built for another version of this interface or with other headers; also when a name is
 * taken, and then those it added before stay. */
INLAY_API bool inlay_plugin_add(inlay_pass_registry *p, const char *file,
                                const inlay_plugin *plugin, inlay_diags *d);

/* inplace/decide.c: what is decided about scatters */

/* One of the three decisions on a scatter, which are O (overwrite), V (view) and I (into);
 * passes/inplace/CONDITIONS.md says what the conditions of each demand. Was it made, and when not,
 * which condition forbade it. */
typedef struct inlay_decision {
    bool asked; /* false: the question does not arise (no slice, no window) */
    bool made;
    const char *condition; /* "O3 last-read"; NULL when made */
    const inlay_node *by;  /* the node that broke it, or NULL */
    uint64_t bytes;        /* what the refusal copies, 0: not known */
    const char *remark;    /* a sentence more, or NULL */
} inlay_decision;

/* inplace/words.c: what d->by does that breaks the condition, as the end of a sentence: "reads the
 * old data after the write". "" when no node breaks it. */
INLAY_API const char *inlay_decision_text(const inlay_decision *d);

/* What in-place-windows decided about one scatter, or about one input of a node with bodies, which
 * write over it. */
typedef struct inlay_in_place {
    const inlay_node *scatter;
    int input;                /* of the node with bodies; of a scatter 0 */
    const inlay_node *slice;  /* whose window it writes back, or NULL */
    inlay_decision overwrite; /* the result takes the data's buffer */
    inlay_decision view;      /* the slice copies nothing */
    inlay_decision into;      /* the updates are computed in the window */
    int order_edges;          /* added for it */
    bool copies_updates;      /* they are copied, and `into` does not say so: nothing is computed */
    uint64_t update_bytes;    /* then how many; 0: not known */
} inlay_in_place;

/* rules/set.c: rewrites that are data (rules/README.md) */

typedef struct inlay_rules inlay_rules; /* a set of rules, immutable */

/* What a rule promises: bit for bit the same and the same errors; the same wherever the original
 * is defined; the same within a tolerance. */
typedef enum inlay_exactness { INLAY_EXACT, INLAY_REFINES, INLAY_APPROX } inlay_exactness;

typedef struct inlay_rule_info {
    const char *name; /* "write-back-of-same-window" */
    const char *set;  /* "simplify" */
    inlay_exactness exactness;
    const char *file; /* where it stands */
    unsigned line;
} inlay_rule_info;

INLAY_API const char *inlay_exactness_text(inlay_exactness e); /* "exact", ... */
/* Reads the N BYTES of a rule file called NAME, which is what messages and the set's name say. */
INLAY_API inlay_rules *inlay_rules_parse(const char *name, const char *bytes, size_t n,
                                         inlay_diags *d);
/* The same about these operations (ir/op.h), which the set holds. In graphs of others it
 * rewrites what they have in common. */
INLAY_API inlay_rules *inlay_rules_parse_of(const inlay_op_set *ops, const char *file,
                                            const char *bytes, size_t n, inlay_diags *d);
INLAY_API void inlay_rules_free(inlay_rules *rules);
INLAY_API size_t inlay_rules_count(const inlay_rules *rules);
INLAY_API inlay_rule_info inlay_rules_at(const inlay_rules *rules, size_t i);
/* The sets that are built in: "simplify", "lower-dialects", "turn". NULL past the last. */
INLAY_API const char *inlay_rule_set_at(size_t i);
/* One of them. */
INLAY_API inlay_rules *inlay_rules_builtin(const char *set, inlay_diags *d);

/* prove/prove.c: is a rule right for all sizes? (prove/README.md) */

/* Asks a solver of SMT-LIB 2 the questions TEXT; ANSWER is what it prints. False: it cannot be
 * asked. */
typedef struct inlay_solver {
    bool (*ask)(void *ctx, const char *text, size_t n, inlay_strbuf *answer, inlay_diags *d);
    void *ctx;
} inlay_solver;

typedef struct inlay_prove_options {
    inlay_solver solver;
    /* Runs what the solver takes for a counterexample: one counts only when both sides of the rule
     * differ on it. Without an evaluator no rule is refuted. */
    inlay_evaluator evaluator;
} inlay_prove_options;

typedef enum inlay_proof_verdict {
    INLAY_PROVEN, /* for every element type, rank, size and attribute that the rule takes */
    INLAY_NOT_PROVEN,
    INLAY_REFUTED,   /* on a graph the two sides are not the same */
    INLAY_PROVEN_FOR /* for some of these only */
} inlay_proof_verdict;

typedef struct inlay_proof {
    inlay_proof_verdict verdict;
    int rank;             /* values of up to so many axes were tried */
    int cases, questions; /* how many were decided; some can be without the solver */
    char why[200];        /* not proven: why; else empty */
    char only[200];       /* proven for: for what, "up to 4 axes"; else empty */
    char *counterexample; /* refuted: the graph as text, before the rule; else NULL */
} inlay_proof;

/* Tries to prove rule I of RULES. False: memory ran out, or the solver cannot be asked. In any case
 * inlay_proof_free is to be called. */
INLAY_API bool inlay_prove(const inlay_rules *rules, size_t i, const inlay_prove_options *o,
                           inlay_proof *out, inlay_diags *d);
INLAY_API void inlay_proof_free(inlay_proof *p);

/* check/check.c: is a rule right on graphs that are made up? (check/README.md) */

typedef struct inlay_check_options {
    inlay_evaluator evaluator; /* computes both sides */
    int64_t graphs;    /* that the rule rewrites, at most; 0: as many as the instances take */
    uint64_t seed;     /* of the first graph, of the next ones seed + 1, ... */
    int inputs;        /* sets of inputs that each of these graphs is run on; 0: 4 */
    int64_t instances; /* graphs with a set of inputs, at most; 0: as many as the graphs have */
    inlay_type type;   /* of their data; INLAY_DYNAMIC: all that the operations of a rule take */
} inlay_check_options;

typedef enum inlay_check_verdict {
    INLAY_CHECK_PASSED,
    INLAY_CHECK_REFUTED, /* a graph is not the same after the rule */
    INLAY_CHECK_UNKNOWN  /* the rule took no graph */
} inlay_check_verdict;

typedef struct inlay_check {
    inlay_check_verdict verdict;
    int64_t graphs, rewritten; /* made, and those of them that the rule rewrites */
    int64_t instances;         /* of those: graphs with a set of inputs that were compared */
    uint64_t seed;             /* refuted: of the graph */
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
    bool condition; /* it answers yes or no; else a `let` takes what it computes */
    const char *help;
} inlay_rule_function;

/* Number I of them; without a name past the last. */
INLAY_API inlay_rule_function inlay_rule_function_at(size_t i);
/* How it is called: "relative(window, window) = window", "list([integers]) = integers", where what
 * stands in brackets may be absent. */
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
 * row-major order, which lies in other strides. */
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
    bool (*receive)(void *ctx, const inlay_event *e, inlay_diags *d); /* NULL: nobody */
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
    const inlay_rules *const *rules;  /* sets that pass `rules` applies, in order */
    int n_rules;
    inlay_events events;
} inlay_pass_options;

/* Runs passes over G and its bodies. O may be NULL. An unknown pass name is an error, and then no
 * pass has run. What a pass declined to do, and why, is left as notes in D. */
INLAY_API bool inlay_run_passes(inlay_graph *g, const inlay_pass_options *o, inlay_diags *d);

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

/* Where made-up elements lie: floats from LO to below HI, integers from LO to HI. */
typedef struct inlay_range {
    bool given;
    double lo, hi;
} inlay_range;

typedef struct inlay_make_options {
    uint64_t seed;
    const inlay_fill *fills;   /* one per Parameter; NULL: random for all */
    const inlay_shape *shapes; /* wanted shapes, one per Parameter, rank -1: no wish; or NULL */
    const inlay_range *ranges; /* one per Parameter, for those that are random; or NULL */
    uint64_t max_memory;       /* bytes of all inputs, those given included; 0: no limit */
} inlay_make_options;

/* Fills the NULL entries of IN (one per Parameter) whose fill is not INLAY_FILL_NONE. A dimension
 * that is not known takes max(lo, 3) within its interval, dims of one identity the same size, also
 * as the tensors already there have it. Elements from which an operand is made that must lie within
 * bounds (indices, axes, counts) do so. Sizes and elements that the shape rules of G refuse are
 * chosen again, so that they accept all of them, where such a choice is found. O may be NULL. The
 * caller releases IN. */
INLAY_API bool inlay_make_inputs(const inlay_graph *g, const inlay_make_options *o,
                                 inlay_tensor **in, inlay_diags *d);

/* verify/compare.c: two tensors */

typedef struct inlay_compare_options {
    double rtol, atol; /* |a - b| <= atol + rtol * |a|; both 0: bit for bit, NaN equal to NaN */
    uint64_t ulp;      /* or at most this many representable numbers apart */
} inlay_compare_options;

/* A is what is wanted, B what was found. Type and shape must agree; integers, booleans and strings
 * exactly; NaN equals NaN. When they agree WHY says how near: "bit for bit", "element by element"
 * (no error, but other bits, such as those of a NaN), "the largest error is 1e-06". When they
 * differ WHY (SIZE bytes) names the first element that does, both values, how many differ and the
 * worst error. */
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
    INLAY_INCONCLUSIVE /* fewer than half of the trials counted; of inlay_verify_exhaustive: they
                          are not the whole space */
} inlay_verdict;

typedef struct inlay_verify_result {
    inlay_verdict verdict;
    int trials, counted; /* one in which both sides fail, however, is void */
    uint64_t seed;       /* of the trial that differed: it does so alone too */
    char why[1024];      /* the difference, or why trials were void; else empty */
    char missed[512];    /* what was to be tried and counted in no trial: "sizes of 0"; or empty */
} inlay_verify_result;

/* The largest that trials make an open size by themselves: a number of up to 256 that stands in the
 * graphs, and one more. */
enum { INLAY_VERIFY_LARGEST = 257 };

/* Runs A with EA and B with EB on the same made-up inputs and compares the outputs; graphs with
 * variables run six steps and the variables are compared too. Inputs, outputs and variables are
 * paired by name, else by position. Before against after, reference against planned: both are this
 * function. The trials follow a schedule: open dimensions are 3, and 0, 1, 2, 5, 17, unequal, or
 * numbers that stand in the graphs, as long as all inputs together stay small; elements are
 * ordinary, extreme, special or such numbers; indices are valid, negative, at the borders or
 * outside; loops run a few times, never, or often. One that both graphs refuse is made again such
 * that the shape rules accept it, then with ordinary sizes and indices, or sizes of 1, and when
 * they refuse all that it is void. One graph failing is a difference. O may be NULL. False only
 * when the trials could not be made (no memory). */
INLAY_API bool inlay_verify(const inlay_graph *a, const inlay_evaluator *ea, const inlay_graph *b,
                            const inlay_evaluator *eb, const inlay_verify_options *o,
                            inlay_verify_result *out, inlay_diags *d);

/* verify/missed.c: writes what no trial of inlay_verify tries with inputs of G, because there is no
 * end of it, into TEXT of SIZE bytes: "open sizes above 257, steps of states behind number 6". O as
 * there. Returns whether there is something; false without a graph or room for text. */
INLAY_API bool inlay_verify_untried(const inlay_graph *g, const inlay_verify_options *o, char *text,
                                    size_t size);

/* verify/exhaust.c: the largest open size there. */
enum { INLAY_EXHAUSTIVE_LARGEST = 3 };

/* The same with all elements that integer and boolean inputs can have, instead of a schedule: those
 * of their types, as far as LIMIT points allow it, else those within the sizes of A and one more to
 * each side; open sizes are 0 to INLAY_EXHAUSTIVE_LARGEST. INLAY_SAME says that the trials went
 * through the whole space of inputs; where no difference was found in a part of it the verdict is
 * INLAY_INCONCLUSIVE, and `missed` names what was left out. O as above but for the trials and the
 * shapes. An error when there are more than LIMIT points at one size. */
INLAY_API bool inlay_verify_exhaustive(const inlay_graph *a, const inlay_evaluator *ea,
                                       const inlay_graph *b, const inlay_evaluator *eb,
                                       const inlay_verify_options *o, int64_t limit,
                                       inlay_verify_result *out, inlay_diags *d);

/* verify/values.c: where do two graphs part? */

typedef struct inlay_value_difference {
    const inlay_value *a, *b; /* the first values that differ; NULL: none does */
    size_t compared;          /* values that were looked at */
    char why[512];
} inlay_value_difference;

/* Runs A with EA and B with EB on IN, one per Parameter of A, and compares the values of nodes that
 * stand for each other (ir/diff.h), in the canonical order of B, each computed by itself: storage
 * notes of the graphs are not obeyed, and bodies are not looked into. Where there are variables the
 * graphs run on IN in several steps, and the first step in which values differ counts: WHY names
 * it, if it is not the first of all. TOLERANCE may be NULL. */
INLAY_API bool inlay_find_difference(const inlay_graph *a, const inlay_evaluator *ea,
                                     const inlay_graph *b, const inlay_evaluator *eb,
                                     const inlay_tensor *const *in,
                                     const inlay_compare_options *tolerance,
                                     inlay_value_difference *out, inlay_diags *d);

/* symbolic/symbolic.c: are two graphs the same function for all values? (symbolic/README.md) */

typedef struct inlay_symbolic_options {
    inlay_evaluator evaluator; /* moves elements, and computes what depends on no input */
    const inlay_shape *shapes; /* as inlay_make_options, for the Parameters of A; or NULL */
    uint64_t max_terms;        /* to hold at most; 0: 16,777,216 */
} inlay_symbolic_options;

typedef struct inlay_symbolic_result {
    bool proven;              /* they are, at the sizes that were tried */
    bool all_sizes;           /* which are all that there are */
    int sizes;                /* how many choices of open sizes were tried */
    uint64_t terms, elements; /* the most that were made at once; compared in all */
    char why[1024]; /* not proven: what is not the same, or cannot be decided; else empty */
} inlay_symbolic_result;

/* Runs both graphs on terms instead of numbers and compares the outputs. What is not proven may be
 * the same all the same. False only when memory runs out. */
INLAY_API bool inlay_symbolic_same(const inlay_graph *a, const inlay_graph *b,
                                   const inlay_symbolic_options *o, inlay_symbolic_result *out,
                                   inlay_diags *d);

/* explore/measure.c: the measure that passes/rules/simplify.rules states, part by part. A size that
 * is not known counts as a number that is likely, constants do not count, and a part that would
 * overflow stays at the greatest number. */

typedef enum inlay_measure_part {
    INLAY_MEASURE_FOREIGN, /* operations that are not OpenVINO's: what lower-dialects lowers */
    INLAY_MEASURE_WRITTEN, /* elements, and one for each node that writes */
    INLAY_MEASURE_NODES,
    INLAY_MEASURE_ELEMENTS, /* of all values */
    INLAY_MEASURE_TRANSPOSES,
    INLAY_MEASURE_WAYS, /* the sum, over all nodes, of the nodes on all ways to it */
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

/* explore/explore.c: all graphs that rules reach (explore/README.md) */

typedef struct inlay_explore_options {
    const inlay_rules *const *rules; /* sets; they must outlive what is found */
    int n_rules;
    size_t limit; /* graphs to keep at most; 0: 100 */
} inlay_explore_options;

typedef struct inlay_explored {
    inlay_graph *graph;
    size_t from, depth; /* the number of the graph that it was made of; applications to here */
    const char *rule;   /* by this rule, at the node called so; NULL: the graph that was given */
    const char *at;
    bool approximate; /* a rule on the way here was */
    inlay_measure measure;
} inlay_explored;

typedef struct inlay_exploration {
    inlay_explored *graphs; /* no two are equal; number 0 is that which was given */
    size_t n;
    bool complete; /* there are no more */
} inlay_exploration;

/* Makes one application after the other, from every graph, breadth first. G stays as it is. OUT is
 * freed by the caller with inlay_exploration_free. */
INLAY_API bool inlay_explore(const inlay_graph *g, const inlay_explore_options *o,
                             inlay_exploration *out, inlay_diags *d);
INLAY_API void inlay_exploration_free(inlay_exploration *x);

/* reduce/reduce.c: a graph made small that still has some property */

typedef struct inlay_reduce_options {
    /* Whether G, a sound graph, has the property. When it has, it is the best graph so far. */
    bool (*keeps)(void *ctx, const inlay_graph *g);
    void *ctx;
    int tries; /* how often it is asked at most; 0: 5,000 */
} inlay_reduce_options;

typedef struct inlay_reduce_result {
    inlay_graph *graph; /* the best one, the caller's; when nothing helped a copy of G */
    size_t before;      /* nodes of G */
    int tried, kept;    /* how often it was asked, and how often the answer was yes */
    bool exhausted;     /* no tries were left */
} inlay_reduce_result;

/* Takes nodes, outputs, inputs and sizes from G, which has the property, and from its bodies, and
 * makes numbers plainer, for as long as it is kept (reduce/README.md). OUT is filled when it
 * succeeds; false: memory ran out. */
INLAY_API bool inlay_reduce(const inlay_graph *g, const inlay_reduce_options *o,
                            inlay_reduce_result *out, inlay_diags *d);

#ifdef __cplusplus
}
#endif

#endif

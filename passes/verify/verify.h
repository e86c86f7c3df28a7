/* What the parts of this folder share: pairs, the schedule of trials, what their inputs are made
 * of. README.md says how they work together. */
#ifndef INLAY_PASSES_VERIFY_H
#define INLAY_PASSES_VERIFY_H

#include "passes/passes.h"

/* The verdict: the graphs are not the same, for this reason. Always false. */
bool verify_differ(inlay_verify_result *r, const char *fmt, ...) INLAY_PRINTF(2, 3);

/* pairing.c: which input, output and variable of graph B stands for the i-th one of graph A. */
typedef struct verify_pairs {
    int *inputs, *outputs, *variables;
    const char *const *a_outputs, *const *b_outputs; /* their names */
} verify_pairs;

/* RESULT says so when they cannot be paired, and different they are. False only when memory runs
 * out. In any case the pairs are to be freed. */
bool verify_pair_up(const inlay_graph *a, const inlay_graph *b, verify_pairs *pairs,
                    inlay_verify_result *result, inlay_diags *d);
void verify_pairs_free(verify_pairs *pairs);

/* Elements of operands that are free. */
typedef enum verify_values {
    VERIFY_SMALL,   /* floats that are whole numbers in [-4, 4], so that sums are exact */
    VERIFY_RANDOM,  /* floats in [-1, 1); integers, here and above, in [-8, 8) or [0, 16) */
    VERIFY_WIDE,    /* of any size the type has, each power of two as likely as the next */
    VERIFY_SPECIAL, /* the first are NaN, zeros, extremes, borders of rounding, one after the other
                     */
    VERIFY_LITERAL, /* what the graphs' constants hold, and numbers beside that */
    VERIFY_N_VALUES
} verify_values;

/* Elements of operands that are indices, axes or steps. */
typedef enum verify_indices {
    VERIFY_VALID,
    VERIFY_NEGATIVE, /* counted from the end */
    VERIFY_BORDER,   /* the first and the last, counted from either end */
    VERIFY_OUTSIDE   /* one of them is not valid */
} verify_indices;

/* Elements of operands that say how many: trips of a loop, repeats, k. */
typedef enum verify_counts {
    VERIFY_FEW,
    VERIFY_NONE,
    VERIFY_MANY,
    VERIFY_LITERAL_COUNT /* a number that stands in the graphs, or one more */
} verify_counts;

/* Sizes that are not one number. */
enum { VERIFY_ANY_SIZE = -1, VERIFY_LITERAL_SIZE = -2, VERIFY_MAX_CYCLE = 3 };

/* How the inputs of one trial are made. */
typedef struct verify_trial {
    uint64_t seed;
    int sizes[VERIFY_MAX_CYCLE]; /* the open dimensions take these in turn, */
    int n_sizes;                 /* each brought within its interval */
    bool large;                  /* the inputs may be large with them */
    int rank;                    /* of an input of unknown rank */
    verify_indices indices;
    verify_counts counts;
    verify_values values;
    uint64_t round; /* how often the schedule was gone through before */
    uint64_t nth;   /* how many trials with such values came before */
} verify_trial;

/* schedule.c: the schedule. Any VERIFY_TRIALS seeds that follow each other bring everything it
 * has. */
enum { VERIFY_TRIALS = 64 };

verify_trial verify_trial_of(uint64_t seed);

/* A trial that no graph takes is made again, each time with less that is unusual: first ordinary
 * sizes, then ordinary indices and counts too, then ordinary elements, and at last with sizes of 1,
 * for there are models whose batch is open and must be 1. */
enum { VERIFY_PLAINER = 4 };

/* Adds words to the list of what was not covered, of SIZE bytes. */
void verify_add_missed(char *list, size_t size, const char *fmt, ...) INLAY_PRINTF(3, 4);
/* missed.c: what is unusual about T, as bits */
uint32_t verify_features(const verify_trial *t);
/* The same of inputs IN of G that were made for T; FITTED: such that rules accept them, so that
 * indices and counts are not what T says. */
uint32_t verify_features_of(const inlay_graph *g, inlay_tensor *const *in, const verify_trial *t,
                            bool fitted);
/* Writes what was TRIED but COUNTED in no trial, as far as inputs of G have a place for it: "sizes
 * of 0, indices outside"; else nothing. */
void verify_tell_missed(const inlay_graph *g, uint32_t tried, uint32_t counted, char *buf,
                        size_t size);

/* How often in a row G runs in a trial: once, or so often where it has variables. */
enum { VERIFY_STATE_STEPS = 6 };
int verify_steps(const inlay_graph *g);
/* T made plainer so many TIMES. */
verify_trial verify_plainer(const verify_trial *t, int times);

/* T gets choice NUMBER, from 0 on, of sizes for graphs that refuse all of those above. False: there
 * is none of that number. */
bool verify_other_sizes(verify_trial *t, int number);

/* work.c: about how many products and elements a run of G computes, where its open sizes are OPEN.
 */
double verify_work(const inlay_graph *g, int64_t open);

/* literals.c: numbers that stand in graphs. */
enum { VERIFY_MAX_LITERALS = 64 };

typedef struct verify_literals {
    struct verify_literal {
        int64_t i;
        double f;
    } of[VERIFY_MAX_LITERALS];
    int n;
} verify_literals;

/* Adds the constants, number attributes and ends of open dimensions of G and its bodies, as far as
 * there is room. */
void verify_add_literals(verify_literals *l, const inlay_graph *g);
/* Number AT of those that may be a size or a count, but for the usual ones, each followed by one
 * more than it. L may be NULL. */
int64_t verify_literal_count(const verify_literals *l, uint64_t at, int64_t otherwise);

/* wants.c: what a Parameter must hold so that runs get anywhere, and end. */
typedef enum verify_bound {
    VERIFY_UNBOUND,
    VERIFY_INDEX,  /* lo .. hi count an axis from its start; the negative ones count from its end */
    VERIFY_STEP,   /* lo .. hi, or the same backward */
    VERIFY_COUNT,  /* lo .. hi are few */
    VERIFY_PARTS,  /* they add up to hi; one of them may be -1, which stands for the rest */
    VERIFY_RISING, /* each is in [the one before it, hi] */
    VERIFY_SPAN,   /* a loop's end is computed from it: lo .. hi are few, and 0 is risky */
    VERIFY_DIVISOR, /* lo .. hi never fail; other numbers may */
} verify_bound;

typedef struct verify_want {
    verify_bound bound;
    int64_t lo, hi;
    bool tame;     /* places or sizes are computed from it: no numbers of unusual size */
    bool distinct; /* no number twice, as far as there are enough of them */
    bool asked;    /* shape rules ask for its elements */
    bool late;     /* its own size follows from other inputs: it is chosen after them */
} verify_want;

/* The sizes chosen for an input. */
typedef struct verify_dims {
    int rank;
    int64_t dims[INLAY_MAX_RANK];
} verify_dims;

/* probe.c: what the shape rules say of sizes and elements that are assumed of Parameters. */

/* Of one Parameter. */
typedef struct verify_assumption {
    inlay_fact fact;                                            /* points to */
    inlay_dim dims[INLAY_MAX_RANK], known[INLAY_MAX_KNOWN + 1]; /* these */
} verify_assumption;

void verify_assume_dims(verify_assumption *a, inlay_type type, int rank, const inlay_dim *dims);
void verify_assume_tensor(verify_assumption *a, const inlay_tensor *t);

typedef struct verify_probe {
    const inlay_graph *g;
    inlay_order_list order;
    size_t *slot;             /* by node id: where the facts of its outputs begin */
    const inlay_fact **facts; /* the recorded one, or what a rule found in SCRATCH */
    inlay_arena *scratch;
    inlay_diags *said; /* by a rule that refused */
    uint64_t rules;    /* how many were asked */
    bool failed;       /* memory ran out: what is refused may be right */
} verify_probe;

/* In either case verify_probe_end is to be called. */
bool verify_probe_begin(verify_probe *p, const inlay_graph *g, inlay_diags *d);
void verify_probe_end(verify_probe *p);
/* No rule is contradicted (and memory has not run out) when of input i ASSUMED[i] holds (NULL: what
 * is recorded). Input i is Parameter PAIR[i] of the graph (PAIR NULL: i). */
bool verify_probe_accepts(verify_probe *p, const int *pair, const verify_assumption *assumed);
/* What the last call found out about V; the recorded fact where it came to a contradiction before.
 */
const inlay_fact *verify_fact(const verify_probe *p, const inlay_value *v);

/* The axis of its data that N works along, which an operand or an attribute names; -1 when it is
 * not known. */
int verify_indexed_axis(const verify_probe *p, const inlay_node *n);

/* wants.c again */

/* Narrows WANTS, which has an entry for each input, by what the graph of P wants of its Parameters,
 * given the facts that P found. Input i goes to Parameter PAIR[i] (PAIR NULL: i). */
bool verify_find_wants(const verify_probe *p, const int *pair, verify_want *wants, inlay_diags *d);

/* elements.c: elements. T is fresh; it is input number INPUT of its graph. */
bool verify_fill(inlay_tensor *t, int input, const verify_want *want, const verify_trial *trial,
                 const verify_literals *literals, uint64_t seed, inlay_diags *d);
/* splitmix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014) */
uint64_t verify_random(uint64_t *state);

/* inputs.c */
typedef struct verify_request {
    const inlay_graph *g, *other;    /* OTHER, which may be NULL, gets the same inputs: */
    const int *pair;                 /* its Parameter PAIR[i] gets input i */
    const verify_literals *literals; /* or NULL */
    verify_trial trial;
    int variant; /* inputs of the same sizes with other elements */
    bool fit;    /* where the shape rules refuse what TRIAL wants, something else is made that they
                    accept */
    const inlay_make_options *options;
} verify_request;

/* As inlay_make_inputs, the way TRIAL says. *FITTED (may be NULL): not all is as TRIAL says. */
bool verify_make_inputs(const verify_request *r, inlay_tensor **in, bool *fitted, inlay_diags *d);

#endif

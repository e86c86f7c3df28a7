/* What the parts of this folder share: pairs, the schedule of trials, the inputs of trials.
 * README.md says how they work together. */
#ifndef INLAY_PASSES_VERIFY_H
#define INLAY_PASSES_VERIFY_H

#include "passes/passes.h"

/* Sets the verdict: the graphs differ, for this reason. Always false. */
bool verify_differ(inlay_verify_result *r, const char *fmt, ...) INLAY_PRINTF(2, 3);

/* pairing.c: which input, output and variable of graph B corresponds to the i-th one of graph A. */
typedef struct verify_pairs {
    int *inputs, *outputs, *variables;
    const char *const *a_outputs, *const *b_outputs; /* their names */
    inlay_arena *memory;                             /* of these: others may read the graphs, too */
} verify_pairs;

/* Pairs A and B. If they cannot be paired, RESULT says that they differ. False only when memory
 * runs out. The pairs must be freed in any case. */
bool verify_pair_up(const inlay_graph *a, const inlay_graph *b, verify_pairs *pairs,
                    inlay_verify_result *result, inlay_diags *d);
void verify_pairs_free(verify_pairs *pairs);

/* Kinds of elements for operands that may have any. */
typedef enum verify_values {
    VERIFY_SMALL,   /* floats that are integers in [-4, 4], so that sums are exact */
    VERIFY_RANDOM,  /* floats in [-1, 1); integers, here and above, in [-8, 8) or [0, 16) */
    VERIFY_WIDE,    /* of any magnitude of the type, each power of two with the same probability */
    VERIFY_SPECIAL, /* first NaN, zeros, extremes, borders of rounding, in turn */
    VERIFY_LITERAL, /* constants of the graphs, and numbers next to them */
    VERIFY_N_VALUES
} verify_values;

/* Kinds of elements for operands that are indices, axes or steps. */
typedef enum verify_indices {
    VERIFY_VALID,
    VERIFY_NEGATIVE, /* counted from the end */
    VERIFY_BORDER,   /* the first and the last, counted from either end */
    VERIFY_OUTSIDE   /* one of them is out of range */
} verify_indices;

/* Kinds of elements for operands that are counts: trips of a loop, repeats, k. */
typedef enum verify_counts {
    VERIFY_FEW,
    VERIFY_NONE,
    VERIFY_MANY,
    VERIFY_LITERAL_COUNT /* a number from the graphs, or one more */
} verify_counts;

/* Sizes that are not one number. */
enum { VERIFY_ANY_SIZE = -1, VERIFY_LITERAL_SIZE = -2, VERIFY_MAX_CYCLE = 3 };

/* How to make the inputs of one trial. */
typedef struct verify_trial {
    uint64_t seed;
    int sizes[VERIFY_MAX_CYCLE]; /* the open dimensions get these in turn, */
    int n_sizes;                 /* each clamped to its interval */
    bool large;                  /* the inputs may become large */
    int rank;                    /* for an input of unknown rank */
    verify_indices indices;
    verify_counts counts;
    verify_values values;
    uint64_t round; /* how often the schedule was completed before */
    uint64_t nth;   /* number of earlier trials with such values */
} verify_trial;

/* schedule.c: the schedule. Any VERIFY_TRIALS consecutive seeds cover all of it. */
enum { VERIFY_TRIALS = 64, VERIFY_MOST_AXES = 8 };

verify_trial verify_trial_of(uint64_t seed);

/* A trial that the graphs refuse is made again, each time with fewer unusual choices: first
 * ordinary sizes, then ordinary indices and counts too, then ordinary elements, and at last sizes
 * of 1, because some models have an open batch that must be 1. */
enum { VERIFY_PLAINER = 4 };

/* Appends words to LIST of SIZE bytes, which says what was not covered. */
void verify_add_missed(char *list, size_t size, const char *fmt, ...) INLAY_PRINTF(3, 4);
/* missed.c: returns what is unusual about T, as bits */
uint32_t verify_features(const verify_trial *t);
/* The same for inputs IN of G that were made for T; FITTED: they were chosen so that rules accept
 * them, and indices and counts are not those of T. */
uint32_t verify_features_of(const inlay_graph *g, inlay_tensor *const *in, const verify_trial *t,
                            bool fitted);
/* Lists what was TRIED but COUNTED in no trial, as far as inputs of G can have it: "sizes of 0,
 * indices outside"; else nothing. */
void verify_tell_missed(const inlay_graph *g, uint32_t tried, uint32_t counted, char *buf,
                        size_t size);

/* Returns T with fewer unusual choices, after so many TIMES. */
verify_trial verify_plainer(const verify_trial *t, int times);

/* Gives T choice NUMBER, from 0 on, of sizes for graphs that refuse all of those above. False:
 * there is no such choice. */
bool verify_other_sizes(verify_trial *t, int number);

/* work.c: returns roughly the number of products and elements that a run of G computes with open
 * sizes OPEN. */
double verify_work(const inlay_graph *g, int64_t open);

/* literals.c: numbers that occur in graphs. */
enum { VERIFY_MAX_LITERALS = 64 };

typedef struct verify_literals {
    struct verify_literal {
        int64_t i;
        double f;
    } of[VERIFY_MAX_LITERALS];
    int n;
    uint64_t precisions; /* bit P: a float type of the graphs has numbers of P bits */
} verify_literals;

/* Adds the constants, number attributes and bounds of open dimensions of G and its bodies, up to
 * the capacity. */
void verify_add_literals(verify_literals *l, const inlay_graph *g);
/* Returns number AT of those that may be a size or a count, without the usual ones, each followed
 * by that number plus one. L may be NULL. */
int64_t verify_literal_count(const verify_literals *l, uint64_t at, int64_t otherwise);
/* Returns one more than the largest of those, or OTHERWISE if that is larger. */
int64_t verify_above_literals(const verify_literals *l, int64_t otherwise);

/* How often in a row G runs in trial T: once, or several times if it has variables; in one trial of
 * the schedule until a state that counts has passed the literals. */
enum { VERIFY_STATE_STEPS = 6, VERIFY_MOST_STEPS = 66 };
int verify_steps(const inlay_graph *g, const verify_trial *t, const verify_literals *l);

/* wants.c: constraints on a Parameter so that runs do not fail early, and end. */
typedef enum verify_bound {
    VERIFY_UNBOUND,
    VERIFY_INDEX,   /* lo .. hi index an axis; negative ones count from its end */
    VERIFY_STEP,    /* lo .. hi, or the negatives */
    VERIFY_COUNT,   /* lo .. hi, a small range */
    VERIFY_PARTS,   /* they add up to hi; one of them may be -1, for the rest */
    VERIFY_RISING,  /* each is in [its predecessor, hi] */
    VERIFY_SPAN,    /* the end of a loop is computed from it: lo .. hi, a small range, and 0 is
                       risky */
    VERIFY_DIVISOR, /* lo .. hi never fail; other numbers may */
} verify_bound;

typedef struct verify_want {
    verify_bound bound;
    int64_t lo, hi;
    bool tame;     /* positions or sizes are computed from it: no unusually large numbers */
    bool distinct; /* no number twice, as long as there are enough */
    bool asked;    /* shape rules need its elements */
    bool late;     /* its own size follows from other inputs: chosen after them */
} verify_want;

/* The sizes chosen for an input. */
typedef struct verify_dims {
    int rank;
    int64_t dims[INLAY_MAX_RANK];
} verify_dims;

/* probe.c: infers with assumed sizes and elements of Parameters. */

/* The assumption about one Parameter. */
typedef struct verify_assumption {
    inlay_fact fact;                                            /* points to the two arrays */
    inlay_dim dims[INLAY_MAX_RANK], known[INLAY_MAX_KNOWN + 1]; /* below */
} verify_assumption;

void verify_assume_dims(verify_assumption *a, inlay_type type, int rank, const inlay_dim *dims);
void verify_assume_tensor(verify_assumption *a, const inlay_tensor *t);

typedef struct verify_probe {
    const inlay_graph *g;
    inlay_order_list order;
    size_t *slot;             /* by node id: where the facts of its outputs begin */
    const inlay_fact **facts; /* the recorded facts, or new ones in SCRATCH */
    inlay_arena *scratch;
    inlay_diags *said; /* messages of a rule that refused */
    uint64_t rules;    /* number of rules called */
    bool failed;       /* out of memory: a refusal may be wrong */
} verify_probe;

/* verify_probe_end must be called in any case. */
bool verify_probe_begin(verify_probe *p, const inlay_graph *g, inlay_diags *d);
void verify_probe_end(verify_probe *p);
/* Is no rule contradicted (and memory sufficient) if ASSUMED[i] holds of input i (NULL: what is
 * recorded)? Input i is Parameter PAIR[i] of the graph (PAIR NULL: i). */
bool verify_probe_accepts(verify_probe *p, const int *pair, const verify_assumption *assumed);
/* Returns what the last call found about V; the recorded fact if a contradiction came first. */
const inlay_fact *verify_fact(const verify_probe *p, const inlay_value *v);

/* Returns the axis of its data that N works along, given by an operand or an attribute; -1:
 * unknown. */
int verify_indexed_axis(const verify_probe *p, const inlay_node *n);

/* wants.c again */

/* Adds to WANTS, one for each input, the constraints of the graph of P on its Parameters, given the
 * facts that P found. Input i is Parameter PAIR[i] (PAIR NULL: i). */
bool verify_find_wants(const verify_probe *p, const int *pair, verify_want *wants, inlay_diags *d);

/* elements.c: fills T, a new tensor, which is input number INPUT of its graph. */
bool verify_fill(inlay_tensor *t, int input, const verify_want *want, const verify_trial *trial,
                 const verify_literals *literals, uint64_t seed, inlay_diags *d);

/* inputs.c */
typedef struct verify_request {
    const inlay_graph *g, *other;    /* OTHER, if not NULL, gets the same inputs: */
    const int *pair;                 /* input i is its Parameter PAIR[i] */
    const verify_literals *literals; /* or NULL */
    verify_trial trial;
    int variant; /* inputs of the same sizes with different elements */
    bool fit;    /* if the shape rules refuse the choices of TRIAL, make others that they accept */
    const inlay_make_options *options;
} verify_request;

/* inlay_make_inputs by TRIAL. Sets *FITTED (may be NULL) if some choices differ from TRIAL's. */
bool verify_make_inputs(const verify_request *r, inlay_tensor **in, bool *fitted, inlay_diags *d);

#endif

/* The schedule of the prover's trials, and what their inputs are made of. Private to
 * passes/prove*.c. */
#ifndef INLAY_PASSES_PROVE_H
#define INLAY_PASSES_PROVE_H

#include "passes/passes.h"

/* Elements of operands that are free. */
typedef enum prove_values {
    PROVE_SMALL,   /* floats that are whole numbers in [-4, 4], so that sums are exact */
    PROVE_RANDOM,  /* floats in [-1, 1); integers, here and above, in [-8, 8) or [0, 16) */
    PROVE_WIDE,    /* of any size the type has, each power of two as likely as the next */
    PROVE_SPECIAL, /* the first are NaN, zeros, extremes, borders of rounding, one after the other
                    */
    PROVE_LITERAL, /* what the graphs' constants hold, and numbers beside that */
    PROVE_N_VALUES
} prove_values;

/* Elements of operands that are indices, axes or steps. */
typedef enum prove_indices {
    PROVE_VALID,
    PROVE_NEGATIVE, /* counted from the end */
    PROVE_BORDER,   /* the first and the last, counted from either end */
    PROVE_OUTSIDE   /* one of them is not valid */
} prove_indices;

/* Elements of operands that say how many: trips of a loop, repeats, k. */
typedef enum prove_counts {
    PROVE_FEW,
    PROVE_NONE,
    PROVE_MANY,
    PROVE_LITERAL_COUNT /* a number that stands in the graphs, or one more */
} prove_counts;

/* Sizes that are not one number. */
enum { PROVE_ANY_SIZE = -1, PROVE_LITERAL_SIZE = -2, PROVE_MAX_CYCLE = 3 };

/* How the inputs of one trial are made. */
typedef struct prove_trial {
    uint64_t seed;
    int sizes[PROVE_MAX_CYCLE]; /* the open dimensions take these in turn, */
    int n_sizes;                /* each brought within its interval */
    int rank;                   /* of an input of unknown rank */
    prove_indices indices;
    prove_counts counts;
    prove_values values;
    uint64_t round; /* how often the schedule was gone through before */
    uint64_t nth;   /* how many trials with such values came before */
} prove_trial;

/* prove_trials.c: the schedule. Any PROVE_TRIALS seeds that follow each other bring everything it
 * has. */
enum { PROVE_TRIALS = 64 };

prove_trial prove_trial_of(uint64_t seed);

/* A trial that no graph takes is made again, each time with less that is unusual: first ordinary
 * sizes, then ordinary indices and counts too, then ordinary elements, and at last with sizes of 1,
 * for there are models whose batch is open and must be 1. */
enum { PROVE_PLAINER = 4 };

/* T made plainer so many TIMES. */
prove_trial prove_plainer(const prove_trial *t, int times);

/* prove_literals.c: numbers that stand in graphs. */
enum { PROVE_MAX_LITERALS = 64 };

typedef struct prove_literals {
    struct prove_literal {
        int64_t i;
        double f;
    } of[PROVE_MAX_LITERALS];
    int n;
} prove_literals;

/* Adds the constants, number attributes and ends of open dimensions of G and its bodies, as far as
 * there is room. */
void prove_add_literals(prove_literals *l, const inlay_graph *g);
/* Number AT of those that may be a size or a count, but for the usual ones, each followed by one
 * more than it. L may be NULL. */
int64_t prove_literal_count(const prove_literals *l, uint64_t at, int64_t otherwise);

/* prove_wants.c: what a Parameter must hold so that runs get anywhere, and end. */
typedef enum prove_bound {
    PROVE_UNBOUND,
    PROVE_INDEX,   /* lo .. hi count an axis from its start; the negative ones count from its end */
    PROVE_STEP,    /* lo .. hi, or the same backward */
    PROVE_COUNT,   /* lo .. hi are few */
    PROVE_SPAN,    /* a loop's end is computed from it: lo .. hi are few, and 0 is risky */
    PROVE_DIVISOR, /* lo .. hi never fail; other numbers may */
} prove_bound;

typedef struct prove_want {
    prove_bound bound;
    int64_t lo, hi;
    bool tame; /* places or sizes are computed from it: no numbers of unusual size */
} prove_want;

/* The sizes chosen for an input. */
typedef struct prove_dims {
    int rank;
    int64_t dims[INLAY_MAX_RANK];
} prove_dims;

/* Narrows WANTS, which has an entry for each input, by what G wants of its Parameters. Input i, of
 * DIMS[i], goes to G's Parameter PAIR[i] (PAIR NULL: i). */
bool prove_find_wants(const inlay_graph *g, const int *pair, const prove_dims *dims,
                      prove_want *wants, inlay_diags *d);

/* prove_values.c: elements. T is fresh; it is input number INPUT of its graph. */
bool prove_fill(inlay_tensor *t, int input, const prove_want *want, const prove_trial *trial,
                const prove_literals *literals, uint64_t seed, inlay_diags *d);
/* splitmix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014) */
uint64_t prove_random(uint64_t *state);

/* prove_inputs.c */
typedef struct prove_request {
    const inlay_graph *g, *other;   /* OTHER, which may be NULL, gets the same inputs: */
    const int *pair;                /* its Parameter PAIR[i] gets input i */
    const prove_literals *literals; /* or NULL */
    prove_trial trial;
    int variant; /* inputs of the same sizes with other elements */
    const inlay_make_options *options;
} prove_request;

/* As inlay_make_inputs, the way TRIAL says. */
bool prove_make_inputs(const prove_request *r, inlay_tensor **in, inlay_diags *d);

#endif

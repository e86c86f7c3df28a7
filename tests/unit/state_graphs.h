/* Graphs of states that grow, roll, are written over and change places, made up as text. The states
 * of a graph have one type and one form, so that any of them may become any other:
 *
 *     %v0 = ReadValue          or a Parameter, to which a Result of the run before is given
 *     %v1 = Gather(%v0, %beam) rows are picked, cut off, written over, joined with new ones, or all
 *     %v3 = Concat(%v1, %v2)   computed anew: some of that, in any order, in loops and branches too
 *     %o0 = Result(%v3)        what is there on the way is read, also behind what is made of it
 *     Assign(%v3)              for this state, or for another one
 *
 * A graph is a pure function of its seed. */
#ifndef INLAY_TESTS_STATE_GRAPHS_H
#define INLAY_TESTS_STATE_GRAPHS_H

#include "generate/rng.h"
#include "ir/ir.h"

enum { STATE_MOST = 3, STATE_RANK = 4, STATE_INPUTS = 40, STATE_RESULTS = 40, STATE_VALUES = 400 };

/* What a Parameter is for. */
typedef enum state_input {
    STATE_BY,    /* what is divided by: the run fails if it is 0 */
    STATE_BEAM,  /* which rows of another axis are picked */
    STATE_AT,    /* where a row is */
    STATE_TRIP,  /* how often a loop goes on */
    STATE_FROM,  /* how many rows are cut off */
    STATE_FIRST, /* what a state begins with */
    STATE_TOKEN, /* new rows, some */
    STATE_ROW    /* one row */
} state_input;

typedef struct state_graph {
    char text[1 << 16];
    size_t n;
    rng r;
    const char *type;         /* of the elements */
    bool sums;                /* sums of them are exact */
    int rank, axis, beams;    /* rows are added along AXIS, and picked along BEAMS */
    int64_t dims[STATE_RANK]; /* of a state at first */
    bool varies;              /* a run may pick more or fewer rows than there are */
    char shape[64];           /* of states and of new rows, as the graph knows it */
    bool wide;                /* numbers of rows that are picked have 64 bits */
    const char *order;        /* the value by which rows are picked */
    int depth, row, token;    /* of the body that is written, and what it is given; 0: the graph */
    int n_states;
    int past[STATE_MOST];    /* the number of the value that a state is when a run begins */
    bool begins[STATE_MOST]; /* the graph says what it is at first */
    int given[STATE_MOST];   /* the index of its Parameter, if it is spelled so; else -1 */
    inlay_carried pairs[STATE_MOST];
    int n_pairs;
    state_input inputs[STATE_INPUTS];
    int n_inputs, n_results, values;
    char names[STATE_VALUES][16];   /* of values, by number */
    int seen[STATE_VALUES], n_seen; /* values that have the axes of a state */
} state_graph;

/* Makes the graph of SEED. */
void make_state_graph(state_graph *g, uint64_t seed);

#endif

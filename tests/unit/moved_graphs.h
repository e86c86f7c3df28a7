/* Graphs for tests of proofs. */
#ifndef INLAY_TESTS_MOVED_GRAPHS_H
#define INLAY_TESTS_MOVED_GRAPHS_H

#include "random_graphs.h"

/* Moves of a value of [6,6,n], n open or 2, each in several forms that are the same function:
 *
 *     roll        two parts change places             windows, parts of a split, a list of places
 *     overwrite   a window gets another's elements    SliceScatter, the parts around it joined
 *     turn        a sum in one order of the axes      in another, by two Transposes, and back
 *     rejoin      nothing                             all parts joined, a conversion to the same
 *     sum         CumSum, of which nothing is known
 *
 * NUDGE changes one number of a graph: number NUDGE, from 0 on, is one more (-1: none). */
enum { SIDE = 6, RANK = 3, MOVES = 5 };

struct moves {
    inlay_graph *g;
    rng numbers, forms;
    int next, nudge; /* the number of the next number */
    bool lists;      /* of places, which only elements tell */
};

/* Makes a node of OP in the graph of M. */
inlay_value *moves_make(struct moves *m, const char *op, inlay_value *const *in, int n,
                        const char *attrs);

/* The graph of random moves of SEED. FORMS chooses the form of each: graphs of one SEED are the same
 * function. LISTS: n is 2, and some windows are lists of places. *NUMBERS receives how many numbers
 * NUDGE can change. */
inlay_graph *moved(uint64_t seed, uint64_t forms, bool lists, int nudge, int *numbers);

#endif

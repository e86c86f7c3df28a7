/* Where the elements of a value stand in its buffer, as sets of positions: what the algebra of
 * regions (ir/graph/region.h) is compared with. It shares no code with the algebra. */
#ifndef INLAY_TESTS_PLACES_H
#define INLAY_TESTS_PLACES_H

#include "ir/graph/region.h"

enum { MOST = 125, AXES = 3 };

/* Where each element of a value stands, in row-major order. */
typedef struct places {
    int rank, n;
    int dims[AXES];
    uint8_t at[MOST];
    uint64_t set[2]; /* the same as bits */
} places;

/* The rank and dims of P are set: so is the number of its elements, and, when they have places, its
 * set. */
void count_places(places *p);
void collect_places(places *p);
/* The index of element K of P, and the element with an index. */
void index_of(const places *p, int k, int *index);
int element_at(const places *p, const int *index);
/* A buffer, and what a window selects: positions begin, begin + step, ... of each axis. */
places all_places(int rank, const int *dims);
places places_in(const places *p, const inlay_window *w);
/* Fails the test if something that is not so is said of A and B, values I and J of a buffer of
 * DIMS, which stand at P and Q. EXACT: or if something is not said that is so, but for values
 * without elements. */
void check_pair(const inlay_region *a, const places *p, const inlay_region *b, const places *q,
                bool exact, const int *dims, int i, int j);
#endif

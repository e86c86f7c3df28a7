/* The positions of a value's elements in its buffer, as explicit sets, with which the algebra of
 * regions (ir/graph/region.h) is compared. Both share no code. */
#ifndef INLAY_TESTS_PLACES_H
#define INLAY_TESTS_PLACES_H

#include "ir/graph/region.h"

enum { MOST = 125, AXES = 3 };

/* The position of each element of a value, in row-major order. */
typedef struct places {
    int rank, n;
    int dims[AXES];
    uint8_t at[MOST];
    uint64_t set[2]; /* the same as bits */
} places;

/* Sets the number of elements of P from its rank and dims and, if they have positions, its set. */
void count_places(places *p);
void collect_places(places *p);
/* The index of element K of P, and the element with an index. */
void index_of(const places *p, int k, int *index);
int element_at(const places *p, const int *index);
/* A buffer, and what a window selects: positions begin, begin + step, ... of each axis. */
places all_places(int rank, const int *dims);
places places_in(const places *p, const inlay_window *w);
/* Fails the test if the algebra claims anything false about A and B, values I and J of a buffer of
 * DIMS, whose positions are P and Q. EXACT: also if it does not claim something true, unless a
 * value has no elements. */
void check_pair(const inlay_region *a, const places *p, const inlay_region *b, const places *q,
                bool exact, const int *dims, int i, int j);
#endif

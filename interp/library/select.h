/* Selects the greatest or the least elements of lines: of equal ones the first, and NaN is below any
 * number. */
#ifndef INLAY_LIBRARY_SELECT_H
#define INLAY_LIBRARY_SELECT_H

#include "ir/shared.h"

enum { SELECTION_BESIDE = 256 }; /* the most lines that are compared side by side */

typedef struct selection selection;
/* Makes keys of N elements, the first of which is AT, the others STEP apart. */
typedef void selection_load(const selection *s, int64_t at, int64_t step, int64_t n, void *keys);

struct selection {
    inlay_type type;
    const void *data;
    int64_t length, step; /* of a line */
    int64_t k;            /* from 1 to LENGTH */
    bool greatest;
    bool by_index; /* in the order of positions; else the best first */
    selection_load *load;
    bool bounded;
    uint64_t bound; /* then only keys above it count */
    int64_t room;   /* entries of a list */
};

/* May lines of TYPE be selected from? */
bool selection_takes(inlay_type type, int64_t length);
/* Sets what S needs beyond what the caller has set. Returns the bytes of room for a line. */
int64_t selection_begin(selection *s);
/* Leaves out elements below LEAST. Floats and the greatest only; S has begun. */
void selection_bound(selection *s, double least);
/* Makes ROOM begin with the places (int64_t) in the line at START of the elements that are selected.
 * Returns how many they are: k, but for those that are left out. */
int64_t selection_of(const selection *s, int64_t start, void *room);
/* Finds the best element of each of the N lines that begin at START side by side. */
void selection_best(const selection *s, int64_t start, int64_t n, int64_t *places);
/* The same for all lines that lie between each other from START on, as many as their step. */
void selection_along(const selection *s, int64_t start, int64_t *places);
/* Are they few enough, and no longer than that function supports? */
bool selection_goes_along(const selection *s);

#endif

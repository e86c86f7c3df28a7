/* An index from names to positions, to pair what has the same name in two graphs. */
#ifndef INLAY_PASSES_NAMES_H
#define INLAY_PASSES_NAMES_H

#include "ir/budget.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct verify_names {
    struct named *all;
    size_t n;
} verify_names;

/* Reserves capacity for N names; false when out of memory. */
bool verify_names_begin(verify_names *x, inlay_budget *budget, size_t n);
/* Adds NAME, which must outlive X, for position AT. */
void verify_names_add(verify_names *x, const char *name, int at);
/* To be called when all are added, before names are looked up. */
void verify_names_sort(verify_names *x);
/* Returns the first position of NAME; -1: there is none. */
int verify_names_find(const verify_names *x, const char *name);
void verify_names_free(verify_names *x);

#endif

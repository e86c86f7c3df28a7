/* Which place has a name: an index for the prover, which pairs what two graphs call alike. */
#ifndef INLAY_PASSES_NAMES_H
#define INLAY_PASSES_NAMES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct name_index {
    struct named *all;
    size_t n;
} name_index;

/* Room for N names; false when out of memory. */
bool names_begin(name_index *x, size_t n);
/* NAME, which must outlive X, stands at place AT. */
void names_add(name_index *x, const char *name, int at);
/* All are added: from here on names can be found. */
void names_sort(name_index *x);
/* The first place of NAME; -1: there is none. */
int names_find(const name_index *x, const char *name);
void names_free(name_index *x);

#endif

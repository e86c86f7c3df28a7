/* Which place has a name: an index for the pairing of what two graphs call alike. */
#ifndef INLAY_PASSES_NAMES_H
#define INLAY_PASSES_NAMES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct verify_names {
    struct named *all;
    size_t n;
} verify_names;

/* Room for N names; false when out of memory. */
bool verify_names_begin(verify_names *x, size_t n);
/* NAME, which must outlive X, stands at place AT. */
void verify_names_add(verify_names *x, const char *name, int at);
/* All are added: from here on names can be found. */
void verify_names_sort(verify_names *x);
/* The first place of NAME; -1: there is none. */
int verify_names_find(const verify_names *x, const char *name);
void verify_names_free(verify_names *x);

#endif

/* What a term of passes/prove is, where each function that it calls has a meaning: the peer of a
 * solver for one concrete case. Truth is 1 or 0; an element is an integer that stands for it. */
#ifndef INLAY_TESTS_SMT_VALUE_H
#define INLAY_TESTS_SMT_VALUE_H

#include "passes/prove/term.h"

enum { MEANINGS = 256 };

/* Gives the value of a function ABOUT something. False: none is known, as of an index outside. */
typedef bool smt_meaning_of(const void *about, int which, const int64_t *args, int n, int64_t *out);

typedef struct smt_world {
    struct smt_meaning {
        const char *name;
        smt_meaning_of *of;
        const void *about;
        int which;
    } all[MEANINGS];
    int n;
    int64_t constants[MEANINGS];
    int n_constants;
} smt_world;

/* The function NAME means this. */
void smt_mean(smt_world *w, const char *name, smt_meaning_of *of, const void *about, int which);
/* The constant T is VALUE; where T is a number: whether it is that one. */
bool smt_mean_constant(smt_world *w, const smt *t, int64_t value);
/* The value of T. Of what is said for all numbers those of a small range are tried. */
bool smt_value(smt_world *w, const smt *t, int64_t *out);

#endif
